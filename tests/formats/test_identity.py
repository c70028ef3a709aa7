"""When two nodes or edges of bundles are the same, and what they are called."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.model.fiction import FICTION
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.ontology import DEFAULT_RELATION_TYPES, ENTITY_TYPES
from fabula.model.story_ontology import (
    EdgeType,
    NodeType,
    entity_id,
    entity_name,
    identity_key,
    relation_id,
)
from formats.library import LIBRARY

words = st.text("aAb/\\ ／＼﹨℅ß", min_size=1, max_size=4).map(str.strip).filter(bool)
identities = st.tuples(words, words | st.integers(-9, 99))


@given(identities, identities)
def test_two_identities_have_one_name_if_and_only_if_they_are_one(
    one: tuple[str, str | int], other: tuple[str, str | int]
) -> None:
    # The schema fixes the type of every value: a number is never compared with a text.
    if isinstance(one[1], int) == isinstance(other[1], int):
        same = identity_key(one) == identity_key(other)
        assert (name_key(entity_name(one)) == name_key(entity_name(other))) == same


def test_a_composite_name_reads_like_a_path() -> None:
    assert entity_name(["Genesis", 3]) == "Genesis / 3"
    assert entity_name(["a/b", "c\\d"]) == "a\\/b / c\\\\d"
    assert entity_name(["https://example.com/a"]) == "https://example.com/a"


def test_ids_are_the_same_for_ever() -> None:
    alice = entity_id("character", identity_key(["Alice"]))
    assert alice == "9b33dc53-40f6-5caf-a592-4d1b308111e9"
    assert relation_id("knows", "a", "b") == "2232091e-bda2-536a-ac5b-203e927ef506"
    assert uuid.UUID(alice).version == 5


def test_ids_follow_the_identity_and_nothing_else() -> None:
    alice = entity_id("character", identity_key(["Alice"]))
    assert entity_id("character", identity_key([" ＡLICE "])) == alice
    assert entity_id("item", identity_key(["Alice"])) != alice
    assert entity_id("character", identity_key(["Bo"])) != alice
    assert entity_id("verse", identity_key(["1", 2])) != entity_id("verse", identity_key(["1", "2"]))


def test_a_relation_with_a_beginning_is_another_one() -> None:
    ids = {
        relation_id("knows", "a", "b"),
        relation_id("knows", "b", "a"),
        relation_id("ally", "a", "b"),
        relation_id("knows", "a", "b", Moment(chapter=3)),
        relation_id("knows", "a", "b", Moment(chapter=3, scene=1)),
    }
    assert len(ids) == 5
    same = relation_id("knows", "a", "b", Moment(chapter=3, scene=0))
    assert same == relation_id("knows", "a", "b", Moment(chapter=3))


def test_the_fiction_has_the_types_that_stories_have() -> None:
    assert tuple(node.key for node in FICTION.nodes) == ENTITY_TYPES
    assert [edge.key for edge in FICTION.edges] == [word.key for word in DEFAULT_RELATION_TYPES]


@pytest.mark.parametrize(
    ("declared", "is_column"),
    [
        ({"type": "object"}, True),
        ({"type": ["object", "null"]}, True),
        ({"type": "string", "format": "date"}, False),
        ({"type": "null"}, False),
        ({}, False),
        (True, False),
    ],
)
def test_a_property_is_a_column_if_it_has_the_columns_type(declared: object, is_column: bool) -> None:
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "since": declared}}
    node = NodeType(name="A", identity=("name",), json_schema=schema)
    edge = EdgeType(name="B", json_schema=schema)
    assert ("since" in node.columns, "since" in edge.columns) == (is_column, is_column)


def test_a_name_is_a_column_where_it_is_the_identity() -> None:
    assert "name" in FICTION.node_named["Character"].columns
    assert "name" not in LIBRARY.node_named["Person"].columns


def test_a_label_of_a_relation_is_the_relation() -> None:
    assert EdgeType(name="盟友", json_schema={}).key == "ally"
    assert EdgeType(name="EMPLOYED_BY", json_schema={}).key == "employed_by"
