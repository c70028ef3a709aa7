"""Edges to nowhere, and edges that are one too many."""

from __future__ import annotations

from typing import Any

from fabula.formats.bundle import bundle_plan
from fabula.formats.bundle_ends import StoredEdge, orphans, over_cardinality
from fabula.formats.ontology_file import read_ontology
from fabula.model.moment import Moment
from fabula.model.story_ontology import identity_key
from formats.library import LIBRARY, document, employed, reference


def missing(items: list[dict[str, Any]], *stored: str) -> list[str]:
    held = {("document", identity_key([uri])) for uri in stored}
    found = orphans(bundle_plan(items, LIBRARY), lambda *address: address in held)
    assert found.count == len(found.errors)
    return [f"{error.index} {error.path} {error.message}" for error in found.errors]


def test_an_edge_to_nowhere_is_told_in_the_words_of_the_contract() -> None:
    assert missing([document("doc-000"), reference("doc-000", "doc-001")]) == [
        "1 [1].target Cannot create 'REFERENCES' relation: Target 'Document' with identity "
        '{doc_uri: "doc-001"} not found.'
    ]


def test_both_ends_are_looked_at() -> None:
    assert [line.split()[1] for line in missing([reference("a", "b")])] == ["[0].source", "[0].target"]


def test_nodes_of_the_bundle_count_wherever_they_stand() -> None:
    assert missing([reference("a", "B"), document("b"), document("a")]) == []


def test_nodes_of_the_story_count() -> None:
    assert missing([reference("a", "b")], "a", "b") == []


def test_nodes_that_the_bundle_deletes_do_not_count() -> None:
    deletion = {"type": "Document", "action": "delete", "doc_uri": "b"}
    assert [line.split()[1] for line in missing([reference("a", "b"), deletion], "a", "b")] == ["[0].target"]


def test_what_is_deleted_needs_no_ends() -> None:
    assert missing([reference("a", "b", action="delete")]) == []


# Cardinality

PEOPLE = read_ontology(
    b"""
nodes:
  Person: {identity: [name], schema: {properties: {name: {type: string}}}}
edges:
  MARRIED_TO:
    from: Person
    to: Person
    cardinality: "1:1"
    schema: {properties: {since: {type: object}, until: {type: object}}}
  EMPLOYS: {from: Person, to: Person, cardinality: "1:N"}
  KNOWS: {from: Person, to: Person}
"""
)


def edge(name: str, source: str, target: str, **fields: Any) -> dict[str, Any]:
    return {"type": name, "source": {"name": source}, "target": {"name": target}, **fields}


def crowded(items: list[dict[str, Any]], *stored: tuple[str, str, str, StoredEdge]) -> list[str]:
    def held(key: str, side: str, _type: str, identity: str) -> list[StoredEdge]:
        return [
            one for of, at, name, one in stored if (of, at, identity_key([name])) == (key, side, identity)
        ]

    return [error.path for error in over_cardinality(bundle_plan(items, PEOPLE), PEOPLE, held).errors]


def to(name: str, **period: Moment) -> StoredEdge:
    return StoredEdge(("person", identity_key([name])), **period)


def test_one_too_many_in_the_bundle() -> None:
    assert crowded([edge("MARRIED_TO", "a", "b"), edge("MARRIED_TO", "a", "c")]) == ["[1].source"]
    assert crowded([edge("MARRIED_TO", "a", "b"), edge("MARRIED_TO", "c", "b")]) == ["[1].target"]
    assert crowded([edge("EMPLOYS", "a", "b"), edge("EMPLOYS", "a", "c")]) == []
    assert crowded([edge("EMPLOYS", "a", "b"), edge("EMPLOYS", "c", "b")]) == ["[1].target"]
    assert crowded([edge("KNOWS", "a", "b"), edge("KNOWS", "a", "c"), edge("KNOWS", "c", "b")]) == []


def test_one_too_many_beside_what_is_stored() -> None:
    stored = ("employs", "target", "b", to("a"))
    assert crowded([edge("EMPLOYS", "c", "b")], stored) == ["[0].target"]
    assert crowded([edge("EMPLOYS", "a", "b")], stored) == []
    assert crowded([edge("EMPLOYS", "a", "b", action="delete"), edge("EMPLOYS", "c", "b")], stored) == []
    gone = {"type": "Person", "action": "delete", "name": "a"}
    assert crowded([gone, edge("EMPLOYS", "c", "b")], stored) == []


def test_one_after_the_other_is_not_one_too_many() -> None:
    later = edge("MARRIED_TO", "a", "c", since={"chapter": 5})
    stored = ("married_to", "source", "a", to("b"))
    assert crowded([later], stored) == ["[0].source"]
    # The bundle may end the stored one itself, before or after it adds the next.
    ended = edge("MARRIED_TO", "a", "b", until={"chapter": 4})
    assert crowded([later, ended], stored) == []
    assert crowded([ended, later], stored) == []
    assert crowded([edge("MARRIED_TO", "a", "b", until={"chapter": 5}), later], stored) == ["[1].source"]


def test_both_ends_of_a_period_belong_to_it() -> None:
    first = edge("MARRIED_TO", "a", "b", until={"chapter": 4, "scene": 2})
    assert crowded([first, edge("MARRIED_TO", "a", "c", since={"chapter": 4, "scene": 2})]) == ["[1].source"]
    assert crowded([first, edge("MARRIED_TO", "a", "c", since={"chapter": 4, "scene": 3})]) == []


def test_what_the_bundle_does_not_say_of_a_stored_edge_stays() -> None:
    stored = ("married_to", "source", "a", to("b", until=Moment(chapter=4)))
    again, later = edge("MARRIED_TO", "a", "b"), edge("MARRIED_TO", "a", "c", since={"chapter": 5})
    assert crowded([again, later], stored) == []


def test_the_words_for_one_too_many() -> None:
    items = [employed("a@example.com", "ACME-001"), employed("a@example.com", "ACME-002")]
    (error,) = over_cardinality(bundle_plan(items, LIBRARY), LIBRARY, lambda *_: ()).errors
    assert error.message == (
        "Cannot create 'EMPLOYED_BY' relation: another one already begins at 'Person' with identity "
        '{email: "a@example.com"}, which may have one at a time.'
    )
