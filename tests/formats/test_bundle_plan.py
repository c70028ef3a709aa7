"""What a checked bundle asks for, ready for one transaction; and stored things as items again."""

from __future__ import annotations

from typing import Any

from fabula.formats.bundle import BundlePlan, EdgeUpsert, NodeUpsert, attributes_after, bundle_plan
from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_items import edge_item, node_item
from fabula.formats.bundle_schema import example_bundle
from fabula.model.fiction import FICTION
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.story_ontology import Ontology, entity_id, identity_key, relation_id
from formats.library import LIBRARY, document, employed, entity, reference, relation


def plan(items: list[dict[str, Any]], ontology: Ontology = LIBRARY) -> BundlePlan:
    assert bundle_check(items, ontology).errors == ()
    return bundle_plan(items, ontology)


def test_only_what_is_given_is_in_the_plan() -> None:
    (upsert,) = plan([{"type": "Character", "name": " Ann "}], FICTION).nodes_to_upsert
    assert (upsert.fields, upsert.attributes, upsert.open_attributes) == ({}, {}, None)
    assert (upsert.node.type_key, upsert.node.name) == ("character", "Ann")
    assert upsert.node.id == entity_id("character", identity_key(["ann"]))


def test_columns_come_as_the_entity_holds_them() -> None:
    item = {
        "type": "Character",
        "name": "Ann",
        "description": "x",
        "aliases": [" A "],
        "aiContextLevel": "never",
        "significance": 1,
        "since": {"chapter": 2, "scene": 1},
        "until": None,
        "attributes": {"age": 3},
    }
    (upsert,) = plan([item], FICTION).nodes_to_upsert
    assert upsert.fields == {
        "description": "x",
        "aliases": ("A",),
        "ai_context_level": AiContextLevel.NEVER,
        "significance": 1.0,
        "since": Moment(chapter=2, scene=1),
        "until": None,
    }
    assert upsert.open_attributes == {"age": 3}


def test_an_identity_other_than_the_name_is_the_name_and_stays_an_attribute() -> None:
    person = {"type": "Person", "email": "ada@example.com", "name": "Ada Byron", "description": "x"}
    (upsert,) = plan([person]).nodes_to_upsert
    assert upsert.node.name == "ada@example.com"
    assert upsert.attributes == {"email": "ada@example.com", "name": "Ada Byron"}
    assert (upsert.fields, upsert.also_called) == ({"description": "x"}, ("Ada Byron",))


def test_untouched_attributes_stay_and_open_ones_are_replaced_as_a_whole() -> None:
    document_type = LIBRARY.node_named["Document"]
    (upsert,) = plan([document("a", pages=3)]).nodes_to_upsert
    stored = {"doc_uri": "a", "content": "old", "pages": 2, "status": "draft", "mood": "x"}
    assert attributes_after(stored, upsert, document_type) == stored | {"content": "…", "pages": 3}
    character = FICTION.node_named["Character"]
    (upsert,) = plan(
        [{"type": "Character", "name": "Ann", "attributes": {"age": 3}}], FICTION
    ).nodes_to_upsert
    assert attributes_after({"mood": "x"}, upsert, character) == {"age": 3}
    ends = {"source": {"type": "Item", "name": "a"}, "target": {"type": "Item", "name": "b"}}
    (edge,) = plan([{"type": "ALLY", **ends, "properties": {"b": 2}}], FICTION).edges_to_upsert
    stored = {"relationshipType": "oath", "a": 1}
    expected = {"relationshipType": "oath", "b": 2}
    assert attributes_after(stored, edge, FICTION.edge_named["ALLY"]) == expected


def test_edges_know_their_ends_and_what_is_theirs() -> None:
    (upsert,) = plan([employed("a@example.com", "ACME-001", since="2026-01-01")]).edges_to_upsert
    assert isinstance(upsert, EdgeUpsert)
    assert (upsert.relation_key, upsert.source.type_key, upsert.target.name) == (
        "employed_by",
        "person",
        "ACME-001",
    )
    # A date as text is no moment of the telling: it is kept as a property.
    assert (upsert.fields, upsert.properties) == ({}, {"since": "2026-01-01"})
    assert upsert.id == relation_id("employed_by", upsert.source.id, upsert.target.id)


def test_each_kind_of_item_has_its_place_and_the_index_it_had() -> None:
    found = plan(
        [
            reference("a", "b", action="delete"),
            document("a"),
            {"type": "Document", "action": "delete", "doc_uri": "c"},
            reference("a", "d"),
            document("a"),
        ]
    )
    assert [edge.index for edge in found.edges_to_delete] == [0]
    assert [node.index for node in found.nodes_to_upsert] == [1]
    assert [node.index for node in found.nodes_to_delete] == [2]
    assert [edge.index for edge in found.edges_to_upsert] == [3]


def test_a_deletion_without_a_beginning_means_every_edge() -> None:
    ends = {"source": {"type": "Item", "name": "a"}, "target": {"type": "Item", "name": "b"}}
    items = [
        {"type": "ALLY", "action": "delete", **ends},
        {"type": "ENEMY", "action": "delete", **ends, "since": {"chapter": 1}},
        {"type": "OWNS", "action": "delete", **ends, "since": None},
    ]
    found = plan(items, FICTION).edges_to_delete
    assert [(edge.since, edge.is_every) for edge in found] == [
        (None, True),
        (Moment(chapter=1), False),
        (None, False),
    ]


def test_the_examples_can_be_planned() -> None:
    for ontology in (FICTION, LIBRARY):
        found = plan(example_bundle(ontology), ontology)
        counts = [len(part) for part in (found.nodes_to_upsert, found.nodes_to_delete, found.edges_to_upsert)]
        assert counts == [2, 1, 1]
        (edge,) = found.edges_to_upsert
        assert {edge.source.id, edge.target.id} == {upsert.node.id for upsert in found.nodes_to_upsert}


# Back again


def kept(upsert: NodeUpsert) -> dict[str, Any]:
    return {**upsert.fields, "attributes": {**upsert.attributes, **(upsert.open_attributes or {})}}


def test_an_entity_is_told_by_its_item() -> None:
    ann = entity(
        description="x",
        attributes={"age": 3, "mood": ["a"]},
        aliases=("A",),
        ai_context_level=AiContextLevel.ALWAYS,
        significance=0.0,
        since=Moment(chapter=1),
        until=Moment(chapter=2, scene=0),
    )
    item = node_item(ann, FICTION.node_named["Character"])
    (upsert,) = plan([item], FICTION).nodes_to_upsert
    assert upsert.node.name == "Ann"
    assert kept(upsert) == {
        name: getattr(ann, name)
        for name in (
            "description",
            "aliases",
            "ai_context_level",
            "significance",
            "since",
            "until",
            "attributes",
        )
    }


def test_what_is_usual_is_not_written() -> None:
    assert node_item(entity(), FICTION.node_named["Character"]) == {"type": "Character", "name": "Ann"}


def test_declared_attributes_stand_beside_the_type() -> None:
    stored = entity(
        type="document", name="doc-1", attributes={"doc_uri": "doc-1", "content": "x", "pages": 3}
    )
    item = node_item(stored, LIBRARY.node_named["Document"])
    assert item == {"type": "Document", "doc_uri": "doc-1", "content": "x", "pages": 3}


def test_a_relation_is_told_by_its_item() -> None:
    character = FICTION.node_named["Character"]
    stored = relation(
        description="x", since=Moment(chapter=1), properties={"relationshipType": "oath", "strength": 3}
    )
    ends = (entity(), character), (entity(id="e2", name="Bo"), character)
    item = edge_item(stored, FICTION.edge_named["ALLY"], *ends)
    assert item == {
        "type": "ALLY",
        "source": {"type": "Character", "name": "Ann"},
        "target": {"type": "Character", "name": "Bo"},
        "description": "x",
        "since": {"chapter": 1},
        "relationshipType": "oath",
        "properties": {"strength": 3},
    }
    (upsert,) = plan([item], FICTION).edges_to_upsert
    assert upsert.since == stored.since
    assert upsert.properties | (upsert.open_properties or {}) == stored.properties
