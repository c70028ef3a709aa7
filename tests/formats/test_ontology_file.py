"""Ontologies as people write them: read, written back, and told everything that is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput
from fabula.formats.ontology_file import ontology_errors, read_ontology, write_ontology
from fabula.formats.yaml_text import write_yaml
from fabula.model.fiction import FICTION
from fabula.model.story_ontology import Ontology
from formats.library import LIBRARY


def node(**said: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"email": {"type": "string"}, "age": {"type": "integer"}}}
    return {"identity": ["email"], "schema": schema} | said


def node_with(**schema: Any) -> dict[str, Any]:
    return node(schema=node()["schema"] | schema)


def node_having(**properties: Any) -> dict[str, Any]:
    return node_with(properties=node()["schema"]["properties"] | properties)


@pytest.mark.parametrize("ontology", [FICTION, LIBRARY], ids=["fiction", "library"])
def test_an_ontology_is_read_back_as_it_was_written(ontology: Ontology) -> None:
    assert read_ontology(write_ontology(ontology).encode()) == ontology


def test_the_sample_says_what_it_says() -> None:
    employed = LIBRARY.edge_named["EMPLOYED_BY"]
    assert (employed.from_types, employed.to_types, employed.cardinality) == (
        ("Person",),
        ("Organisation",),
        "N:1",
    )
    assert LIBRARY.node_named["Document"].search == ("content",)
    assert LIBRARY.edge_named["WRITTEN_BY"].json_schema == {"type": "object"}


WRONG: dict[str, tuple[Any, list[tuple[str, str]]]] = {
    "no mapping": ([], [("", "an ontology is a mapping")]),
    "nothing": ({}, [("nodes", "at least one node type")]),
    "unknown keys": (
        {"nodes": {"Person": node(identiti=[])}, "edgse": {}},
        [("edgse", "did you mean 'edges'?"), ("nodes.Person.identiti", "did you mean 'identity'?")],
    ),
    "an identity that is not declared": (
        {"nodes": {"Person": node(identity=["emial"])}},
        [("nodes.Person.identity[0]", "did you mean 'email'?")],
    ),
    "no identity": (
        {"nodes": {"Person": node(identity=[])}},
        [("nodes.Person.identity", "must be a list")],
    ),
    "an identity twice": (
        {"nodes": {"Person": node(identity=["email", "email"])}},
        [("nodes.Person.identity[1]", "appears twice")],
    ),
    "an identity that is no text and no integer": (
        {"nodes": {"Person": node_having(email={"type": ["string", "null"]})}},
        [("nodes.Person.identity[0]", "string or integer")],
    ),
    "a column as identity": (
        {"nodes": {"Person": node_having(description={"type": "string"}) | {"identity": ["description"]}}},
        [("nodes.Person.identity[0]", "cannot identify")],
    ),
    "unknown ends": (
        {"nodes": {"Person": node()}, "edges": {"KNOWS": {"from": "Persn", "to": ["Person", "City"]}}},
        [
            ("edges.KNOWS.from", "Entity type 'Persn' is not defined. Did you mean 'Person'?"),
            ("edges.KNOWS.to[1]", "Entity type 'City' is not defined"),
        ],
    ),
    "no ends": (
        {"nodes": {"Person": node()}, "edges": {"KNOWS": {}}},
        [("edges.KNOWS.from", "must be a node type"), ("edges.KNOWS.to", "must be a node type")],
    ),
    "a cardinality": (
        {
            "nodes": {"Person": node()},
            "edges": {"KNOWS": {"from": "any", "to": "any", "cardinality": "many"}},
        },
        [("edges.KNOWS.cardinality", 'must be one of "1:1"')],
    ),
    "names that are one": (
        {"nodes": {"Person": node(), "person": node(), "Ｐerson": node()}},
        [("nodes.person", "same name as nodes.Person"), ("nodes.Ｐerson", "same name as nodes.Person")],
    ),
    "relations that are one": (
        {
            "nodes": {"Person": node()},
            "edges": {"ALLY": {"from": "any", "to": "any"}, "盟友": {"from": "any", "to": "any"}},
        },
        [("edges.盟友", "same name as edges.ALLY")],
    ),
    "a node and an edge of one name": (
        {"nodes": {"Knows": node()}, "edges": {"KNOWS": {"from": "any", "to": "any"}}},
        [("edges.KNOWS", "same name as nodes.Knows")],
    ),
    "names that cannot be": (
        {"nodes": {"any": node(), "a b": node(), "1st": node(), "x" * 65: node()}},
        [
            ("nodes.any", "name of a type"),
            ("nodes.a b", "name of a type"),
            ("nodes.1st", "name of a type"),
            ("nodes.xx", ""),
        ],
    ),
    "reserved properties": (
        {"nodes": {"Person": node_having(type={}, action={}, source={}, target={})}},
        [
            (f"nodes.Person.schema.properties.{name}", "reserved")
            for name in ("type", "action", "source", "target")
        ],
    ),
    "a schema that is none": (
        {"nodes": {"Person": node_having(age={"type": "int", "minimum": "0"})}},
        [
            ("nodes.Person.schema.properties.age.type", "must be one of string"),
            ("nodes.Person.schema.properties.age.minimum", '"0" is not of type "number"'),
        ],
    ),
    "a schema that is no mapping": (
        {"nodes": {"Person": node(schema="object")}},
        [("nodes.Person.schema", "must be a JSON Schema"), ("nodes.Person.identity[0]", "not a property")],
    ),
    "no schema": (
        {"nodes": {"Person": {"identity": ["email"]}}},
        [("nodes.Person.schema", "is required"), ("nodes.Person.identity[0]", "not a property")],
    ),
    "a pattern": (
        {"nodes": {"Person": node_having(age={"pattern": "("})}},
        [("nodes.Person.schema.properties.age.pattern", "regular expression")],
    ),
    "a pattern that would fill the memory": (
        {"nodes": {"Person": node_having(age={"pattern": "(a{1000}){1000}"})}},
        [("nodes.Person.schema", "regular expression")],
    ),
    "a schema from elsewhere": (
        {"nodes": {"Person": node_having(age={"items": {"$ref": "file:///etc/passwd"}})}},
        [("nodes.Person.schema.properties.age.items.$ref", "not supported")],
    ),
    "a property that is required and not declared": (
        {"nodes": {"Person": node_with(required=["email", "agee"])}},
        [("nodes.Person.schema.required[1]", "did you mean 'age'?")],
    ),
    "open to everything": (
        {"nodes": {"Person": node_with(additionalProperties=True)}},
        [("nodes.Person.schema.additionalProperties", "attributes")],
    ),
    "a choice outermost": (
        {"nodes": {"Person": node_with(anyOf=[{"required": ["age"]}])}},
        [("nodes.Person.schema.anyOf", "at the top")],
    ),
    "another draft": (
        {"nodes": {"Person": node_with(**{"$schema": "https://json-schema.org/draft/2020-12/schema"})}},
        [("nodes.Person.schema.$schema", "draft 7")],
    ),
    "a search for nothing": (
        {"nodes": {"Person": node(search=["bio"])}},
        [("nodes.Person.search[0]", "'bio' is not a property")],
    ),
}


@pytest.mark.parametrize(("said", "wrong"), WRONG.values(), ids=WRONG)
def test_everything_that_is_wrong_is_told_with_its_place(said: Any, wrong: list[tuple[str, str]]) -> None:
    found = list(ontology_errors(said))
    assert len(found) == len(wrong), found
    for path, words in wrong:
        assert any(error.path.startswith(path) and words in error.message for error in found), (path, found)


def test_the_refusal_holds_all_errors() -> None:
    text = b"nodes:\n  Person: {identity: [emial], schema: {properties: {email: {type: strin}}}}\n"
    with pytest.raises(InvalidInput, match=r"properties\.email\.type: .* And 1 more\.") as refused:
        read_ontology(text)
    details = refused.value.details
    assert details is not None
    assert details["errorCount"] == 2
    assert details["errors"][1] == {
        "path": "nodes.Person.identity[0]",
        "message": "'emial' is not a property of the schema; did you mean 'email'?",
        "suggestion": "email",
    }


def test_a_property_may_be_called_like_a_keyword() -> None:
    properties = {"$ref": {"type": "string"}, "pattern": {"type": "string"}, "properties": {"type": "object"}}
    assert list(ontology_errors({"nodes": {"Person": node_having(**properties)}})) == []


def test_patterns_are_counted() -> None:
    many = {f"p{number}": {"pattern": "a"} for number in range(201)}
    (error,) = ontology_errors({"nodes": {"Person": node_having(**many)}})
    assert "200 patterns" in error.message


def test_what_a_type_says_about_others_is_checked_and_written_again() -> None:
    ends = {"from": "any", "to": "any"}
    edges = {
        "ALLY": {**ends, "symmetric": True, "excludes": ["enemy"]},
        "ENEMY": {**ends, "symmetric": False},
    }
    text = write_yaml({"nodes": {"Person": node_having()}, "edges": edges})
    ontology = read_ontology(text.encode())
    assert [(one.symmetric, one.excludes) for one in ontology.edges] == [(True, ("ENEMY",)), (False, ())]
    assert read_ontology(write_ontology(ontology).encode()) == ontology
    wrong = {"ALLY": {**ends, "symmetric": "yes", "excludes": ["enmy", "ally"]}, "ENEMY": ends}
    found = ontology_errors({"nodes": {"Person": node_having()}, "edges": wrong})
    assert [(error.path, error.suggestion) for error in found] == [
        ("edges.ALLY.symmetric", None),
        ("edges.ALLY.excludes[0]", "ENEMY"),
        ("edges.ALLY.excludes[1]", None),
    ]


KEYWORDS = (
    "type object string properties required items enum pattern $ref "
    "identity schema search from to any cardinality symmetric excludes nodes edges"
)
words = st.text("aA1 -_人", max_size=4) | st.sampled_from(KEYWORDS.split(" "))
said = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=20,
)
KEYS = ("identity", "schema", "search", "from", "to", "symmetric", "excludes")
types = st.dictionaries(
    words, said | st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, said)), max_size=3
)


@given(said | st.fixed_dictionaries({}, optional={"nodes": types, "edges": types}))
def test_nothing_that_can_be_written_breaks_the_reader(value: Any) -> None:
    assert all(error.message for error in ontology_errors(value))
