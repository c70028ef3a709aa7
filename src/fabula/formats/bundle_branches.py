"""Builds the JSON Schema (draft 7) of bundles from an ontology, with one branch per type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.model.story_ontology import (
    EDGE_COLUMNS,
    MAX_NAME,
    NODE_COLUMNS,
    EdgeType,
    JsonSchema,
    NodeType,
    Ontology,
)

_ACTION: JsonSchema = {"type": "string", "enum": ["upsert", "delete"], "default": "upsert"}
_DELETES: JsonSchema = {"required": ["action"], "properties": {"action": {"const": "delete"}}}
_IDENTITY_TEXT: JsonSchema = {"minLength": 1, "maxLength": MAX_NAME}


def node_schema(node: NodeType) -> JsonSchema:
    """The schema of a node item; a deletion needs only the identity."""
    properties = {
        name: _limited(name, schema, NODE_COLUMNS, node.columns) for name, schema in node.properties.items()
    }
    for field in node.identity:
        if properties[field]["type"] == "string":
            properties[field] = combined(properties[field], _IDENTITY_TEXT)
    return _branch(f"{node.name} Node", node.name, node.json_schema, {}, node.identity, properties)


def edge_schema(edge: EdgeType, ontology: Ontology) -> JsonSchema:
    """The schema of an edge item, with the identities of the nodes at its ends."""
    ends = {
        "source": reference_schema(ontology.sources(edge)),
        "target": reference_schema(ontology.targets(edge)),
    }
    return edge_schema_with(edge, ends)


def edge_schema_with(edge: EdgeType, ends: Mapping[str, Any]) -> JsonSchema:
    """The schema of an edge item, with these schemas for its ends."""
    properties = {
        name: _limited(name, schema, EDGE_COLUMNS, edge.columns) for name, schema in edge.properties.items()
    }
    return _branch(f"{edge.name} Edge", edge.name, edge.json_schema, ends, tuple(ends), properties)


def end_schema(names: Iterable[str], node: NodeType, *, typed: bool) -> JsonSchema:
    """The schema of an edge's end for node types of one identity; if `typed`, the type is required."""
    whole = node_schema(node)["properties"]
    named = list(names)
    kind: JsonSchema = {"const": named[0]} if len(named) == 1 else {"type": "string", "enum": named}
    return {
        "type": "object",
        "required": ["type", *node.identity] if typed else list(node.identity),
        "properties": {"type": kind, **{field: _bare(whole[field]) for field in node.identity}},
        "additionalProperties": False,
    }


def combined(declared: JsonSchema, limits: JsonSchema) -> JsonSchema:
    """A schema that requires both: merged if they do not conflict, else joined with `allOf`."""
    asked = {keyword: value for keyword, value in limits.items() if keyword != "type"}
    if all(declared.get(keyword, value) == value for keyword, value in asked.items()):
        return limits | declared
    return declared | {"allOf": [*declared.get("allOf", []), asked]}


def _limited(
    name: str, declared: Any, columns: Mapping[str, JsonSchema], own: frozenset[str]
) -> JsonSchema | Any:
    return combined(declared, columns[name]) if name in own else declared


def _branch(
    title: str,
    name: str,
    declared: JsonSchema,
    ends: Mapping[str, Any],
    identity: tuple[str, ...],
    properties: Mapping[str, Any],
) -> JsonSchema:
    schema: JsonSchema = {"title": title}
    if "description" in declared:
        schema["description"] = declared["description"]
    schema |= {
        "type": "object",
        "required": ["type", *identity],
        "properties": {"type": {"const": name}, "action": _ACTION, **ends, **properties},
        "additionalProperties": False,
    }
    upserting: JsonSchema = {}
    required = [field for field in declared.get("required", []) if field not in identity]
    if required:
        upserting["required"] = required
    if declared.get("dependencies"):
        upserting["dependencies"] = declared["dependencies"]
    if upserting:
        schema |= {"if": _DELETES, "else": upserting}
    return schema


def reference_schema(nodes: tuple[NodeType, ...]) -> JsonSchema | bool:
    """The schema of a reference to a node of one of these types; False if there are none."""
    alike: list[tuple[list[str], NodeType]] = []
    for node in nodes:
        for names, first in alike:
            if _same_identity(first, node):
                names.append(node.name)
                break
        else:
            alike.append(([node.name], node))
    typed = len(nodes) > 1
    forms = [end_schema(names, node, typed=typed) for names, node in alike]
    if not forms:
        return False
    return forms[0] if len(forms) == 1 else {"oneOf": forms}


def _same_identity(one: NodeType, other: NodeType) -> bool:
    if one.identity != other.identity:
        return False
    ours, theirs = node_schema(one)["properties"], node_schema(other)["properties"]
    return all(_bare(ours[field]) == _bare(theirs[field]) for field in one.identity)


def _bare(schema: JsonSchema) -> JsonSchema:
    """A schema without annotations."""
    return {key: value for key, value in schema.items() if key not in {"description", "title", "examples"}}
