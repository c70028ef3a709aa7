"""What a new ontology would mean for a story."""

from __future__ import annotations

from typing import Any

from fabula.formats.ontology_change import OntologyChange, compare
from fabula.formats.ontology_file import read_ontology
from fabula.model.fiction import FICTION
from formats.library import LIBRARY, entity, relation

STRICT = read_ontology(
    b"""
nodes:
  Character:
    identity: [name]
    schema:
      required: [name, age]
      properties:
        name: {type: string}
        age: {type: integer, minimum: 0}
  Ship:
    identity: [code]
    schema: {properties: {code: {type: string}, attributes: {type: object}}}
edges:
  SAILS: {from: Character, to: Ship}
  KNOWS: {from: Character, to: Character}
"""
)


def told(change: OntologyChange) -> list[tuple[str, str, str]]:
    assert change.violation_count == len(change.violations)
    return [(violation.id, violation.path, violation.message) for violation in change.violations]


def test_types_that_vanish_and_appear_are_named() -> None:
    change = compare(FICTION, STRICT)
    assert change.lost_nodes == ("Location", "Event", "Item", "Faction", "Concept", "Unknown")
    assert (change.new_nodes, change.new_edges) == (("Ship",), ("SAILS",))
    assert "ALLY" in change.lost_edges
    assert "KNOWS" not in change.lost_edges


def test_what_is_stored_and_would_not_be_taken_is_told() -> None:
    entities = [
        entity(id="fits", name="Ann", attributes={"age": 3}),
        entity(id="lost", type="item", name="lamp"),
        entity(id="open", name="Bo", attributes={"age": 1, "mood": "x"}, description="tall"),
        entity(id="young", name="Cy", attributes={"age": -1}),
        entity(id="bare", name="Di"),
    ]
    assert told(compare(FICTION, STRICT, entities)) == [
        ("lost", "type", "Entity type 'item' is not defined."),
        ("open", "attributes.mood", "'mood' is not declared by 'Character'"),
        ("open", "description", "\"description\" is not a property of 'Character'"),
        ("young", "age", '"age" must be at least 0; found the number -1'),
        ("bare", "age", '"age" is required'),
    ]


def test_an_identity_must_be_there_and_nobody_elses() -> None:
    def ship(id_: str, **attributes: Any) -> Any:
        return entity(id=id_, type="ship", name=id_, attributes=attributes)

    entities = [ship("one", code="X1"), ship("two", code="x1 "), ship("three")]
    assert told(compare(FICTION, STRICT, entities)) == [
        ("two", "", "the same identity as that of 'one' (one)"),
        ("three", "code", '"code" is required'),
    ]


def test_relations_are_held_against_their_types_and_ends() -> None:
    entities = [
        entity(id="e1", name="Ann", attributes={"age": 3}),
        entity(id="e2", name="Bo", attributes={"age": 3}),
        entity(id="s1", type="ship", name="X1", attributes={"code": "X1"}),
    ]
    relations = [
        relation(id="fits", relation_type="knows"),
        relation(id="lost", relation_type="ally"),
        relation(id="ends", relation_type="sails"),
        relation(id="sails", relation_type="sails", target_entity_id="s1"),
        relation(id="open", relation_type="knows", properties={"a": 1}, description="x"),
    ]
    assert told(compare(FICTION, STRICT, entities, relations)) == [
        ("lost", "type", "Relation type 'ally' is not defined."),
        ("ends", "target.type", "'SAILS' cannot end at 'Character', only at 'Ship'"),
        ("open", "properties.a", "'a' is not declared by 'KNOWS'"),
        ("open", "description", "\"description\" is not a property of 'KNOWS'"),
    ]


def test_a_story_fits_the_ontology_it_has() -> None:
    entities = [entity(id="e1", attributes={"name": "x"}), entity(id="e2", name="Bo", significance=0.1)]
    assert told(compare(FICTION, FICTION, entities, [relation()])) == []
    assert compare(LIBRARY, LIBRARY).lost_nodes == ()


def test_violations_are_bounded_and_counted() -> None:
    change = compare(FICTION, STRICT, [entity(id=str(n), name=str(n)) for n in range(300)])
    assert (len(change.violations), change.violation_count) == (200, 300)
