"""The contract that is told to those who write bundles."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import orjson
import pytest
import yaml

from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_facts import FACT_ITEMS
from fabula.formats.bundle_schema import bundle_schema, example_bundle
from fabula.formats.draft7 import DRAFT_7, schema_errors
from fabula.formats.ontology_file import read_ontology
from fabula.formats.safe_yaml import read_yaml
from fabula.model.fiction import FICTION
from fabula.model.story_ontology import Ontology
from formats.library import LIBRARY, document, reference

BOTH = pytest.mark.parametrize("ontology", [FICTION, LIBRARY], ids=["fiction", "library"])


def branches(ontology: Ontology) -> dict[str, dict[str, Any]]:
    schema = bundle_schema(ontology)["full_bundle_schema"]
    return {branch["properties"]["type"]["const"]: branch for branch in schema["items"]["oneOf"]}


def is_valid(ontology: Ontology, data: Any) -> bool:
    return jsonschema_rs.is_valid(bundle_schema(ontology)["full_bundle_schema"], data)


@pytest.mark.scenario("BUNDLE-SCHEMA-DRAFT-7")
@BOTH
def test_the_schema_is_one_of_draft_7(ontology: Ontology) -> None:
    schema = bundle_schema(ontology)["full_bundle_schema"]
    assert list(schema_errors(schema)) == []
    assert (schema["$schema"], schema["type"]) == (DRAFT_7, "array")
    assert orjson.loads(orjson.dumps(schema)) == schema


@pytest.mark.scenario("BUNDLE-SCHEMA-ACTION")
@BOTH
def test_every_type_has_a_closed_branch_with_an_action(ontology: Ontology) -> None:
    told = branches(ontology)
    types = ontology.node_named.keys() | ontology.edge_named.keys()
    assert told.keys() == types | set(FACT_ITEMS)
    for word in FACT_ITEMS:
        branch = told.pop(word)
        assert (branch["additionalProperties"], branch["properties"]["action"]["enum"]) == (False, ["upsert"])
    for name, branch in told.items():
        kind = "Node" if name in ontology.node_named else "Edge"
        assert (branch["title"], branch["additionalProperties"]) == (f"{name} {kind}", False)
        assert branch["properties"]["action"] == {
            "type": "string",
            "enum": ["upsert", "delete"],
            "default": "upsert",
        }


@BOTH
def test_the_example_is_a_valid_bundle_for_us_and_for_others(ontology: Ontology) -> None:
    text = bundle_schema(ontology)["example_yaml"]
    reading = read_yaml(text.encode())
    assert is_valid(ontology, reading.value)
    assert bundle_check(reading.value, ontology, reading).count == 0
    assert yaml.safe_load(text) == reading.value
    kinds = [(item["type"] in ontology.node_named, item.get("action", "upsert")) for item in reading.value]
    assert {(True, "upsert"), (True, "delete"), (False, "upsert")} == set(kinds)


@pytest.mark.scenario("BUNDLE-NODE-PROPERTIES")
def test_nothing_that_the_ontology_asks_for_is_lost() -> None:
    told = branches(LIBRARY)["Document"]["properties"]
    declared = LIBRARY.node_named["Document"].properties
    assert {name: told[name] for name in declared if name != "doc_uri"} == {
        name: schema for name, schema in declared.items() if name != "doc_uri"
    }
    assert declared["doc_uri"].items() <= told["doc_uri"].items()


def test_what_only_an_upsert_needs_is_asked_of_it_alone() -> None:
    told = branches(LIBRARY)["Document"]
    assert told["required"] == ["type", "doc_uri"]
    assert told["else"] == {"required": ["content"]}
    assert "else" not in branches(FICTION)["Character"]


@pytest.mark.scenario("BUNDLE-EDGE-IDENTITIES")
def test_ends_keep_the_types_of_identities() -> None:
    told = branches(LIBRARY)["EMPLOYED_BY"]
    assert told["required"] == ["type", "source", "target"]
    assert told["properties"]["source"]["properties"]["email"]["format"] == "email"
    assert told["properties"]["target"] == {
        "type": "object",
        "required": ["org_code"],
        "properties": {
            "type": {"const": "Organisation"},
            "org_code": {
                "type": "string",
                "pattern": "^[A-Z]{2,5}-[0-9]{3}$",
                "minLength": 1,
                "maxLength": 256,
            },
        },
        "additionalProperties": False,
    }


def test_columns_get_the_limits_they_have() -> None:
    told = branches(FICTION)["Character"]["properties"]
    assert told["aiContextLevel"]["enum"] == ["always", "when_detected", "manual_only", "never"]
    assert (told["significance"]["minimum"], told["significance"]["maximum"]) == (0, 1)
    assert told["since"]["required"] == ["chapter"]


@pytest.mark.scenario("BUNDLE-TWO-CONTRACTS")
@pytest.mark.parametrize(
    ("item", "fits"),
    [
        (document("a"), True),
        ({"type": "Document", "action": "delete", "doc_uri": "a"}, True),
        ({"type": "Document", "action": "upsert", "doc_uri": "a"}, False),
        ({"type": "Document", "doc_uri": "a"}, False),
        ({"type": "Document", "action": "delete"}, False),
        ({"type": "Document", "action": "delete", "doc_uri": "a", "pages": 0}, False),
        (document("a", action="drop"), False),
        (document("a", other=1), False),
        (document("a", status="lost"), False),
        (reference("a", "b"), True),
        (reference("a", "b", action="delete"), True),
        ({"type": "REFERENCES", "source": {"doc_uri": "a"}}, False),
        (reference("a", "b") | {"source": {"doc_uri": 5}}, False),
        (reference("a", "b") | {"source": {"type": "Person", "doc_uri": "a"}}, False),
    ],
)
def test_the_schema_alone_tells_what_fits(item: dict[str, Any], fits: bool) -> None:
    assert is_valid(LIBRARY, [item]) is fits
    assert (bundle_check([item], LIBRARY).count == 0) is fits


def test_ends_of_different_identities_are_told_apart() -> None:
    ontology = read_ontology(
        b"""
nodes:
  Person: {identity: [email], schema: {properties: {email: {type: string}}}}
  Place: {identity: [x, y], schema: {properties: {x: {type: integer}, y: {type: integer}}}}
  Spot: {identity: [x, y], schema: {properties: {x: {type: integer}, y: {type: integer}}}}
edges:
  NEAR: {from: any, to: [Place, Spot]}
"""
    )
    near = branches(ontology)["NEAR"]["properties"]
    assert len(near["source"]["oneOf"]) == 2
    assert near["target"]["properties"]["type"]["enum"] == ["Place", "Spot"]
    edge = {
        "type": "NEAR",
        "source": {"type": "Person", "email": "a"},
        "target": {"type": "Spot", "x": 1, "y": 2},
    }
    assert is_valid(ontology, [edge])
    assert bundle_check([edge], ontology).count == 0
    assert not is_valid(ontology, [edge | {"source": {"type": "Place", "email": "a"}}])


def test_an_author_who_is_stricter_than_a_column_is_obeyed_too() -> None:
    ontology = read_ontology(
        b"nodes:\n  Hero: {identity: [name], schema: {properties: "
        b"{name: {type: string, maxLength: 3}, significance: {type: number, minimum: 0.5, maximum: 9}}}}\n"
    )
    hero = {"type": "Hero", "name": "Ann"}
    for fields, fits in (
        ({}, True),
        ({"name": "Anna"}, False),
        ({"significance": 0.4}, False),
        ({"significance": 2}, False),
        ({"significance": 0.7}, True),
    ):
        assert is_valid(ontology, [hero | fields]) is fits
        assert (bundle_check([hero | fields], ontology).count == 0) is fits


def test_a_type_without_possible_values_is_left_out_of_the_example() -> None:
    text = (
        b"nodes:\n  Key:\n    identity: [code]\n"
        b"    schema: {properties: {code: {type: string, pattern: '^Q[0-9]{7}$'}}}\n"
        b"  Word: {identity: [text], schema: {properties: {text: {type: string}}}}\n"
        b"edges:\n  OPENS: {from: Key, to: Key}\n"
    )
    assert example_bundle(read_ontology(text)) == [
        {"type": "Word", "text": "text-001"},
        {"type": "Word", "action": "delete", "text": "text-003"},
    ]
    with_examples = text.replace(b"{7}$'", b"{7}$', examples: [Q0000001, Q0000002]")
    assert [item["type"] for item in example_bundle(read_ontology(with_examples))] == [
        "Key",
        "Key",
        "Word",
        "OPENS",
    ]


@pytest.mark.parametrize(
    "identity",
    [
        "a: {type: string, minLength: 200}, b: {type: string, minLength: 200}",
        "a: {type: string, format: json-pointer}, b: {type: integer}",
    ],
    ids=["too long together", "a format without an example"],
)
def test_an_example_that_would_be_refused_is_not_shown(identity: str) -> None:
    ontology = read_ontology(
        f"nodes: {{Pair: {{identity: [a, b], schema: {{properties: {{{identity}}}}}}}}}".encode()
    )
    assert example_bundle(ontology) == []
    assert (
        bundle_check(read_yaml(bundle_schema(ontology)["example_yaml"].encode()).value, ontology).count == 0
    )
