"""The bundle format as shown to those who write bundles: a schema and a valid example."""

from __future__ import annotations

from typing import Any

from fabula.formats.bundle_branches import edge_schema, node_schema
from fabula.formats.bundle_facts import fact_items, fact_schema
from fabula.formats.draft7 import DRAFT_7, compiled
from fabula.formats.yaml_text import write_yaml
from fabula.model.story_ontology import (
    MAX_NAME,
    EdgeType,
    JsonSchema,
    NodeType,
    Ontology,
    entity_name,
    identity_key,
)

_FORMATS = {
    "date": "2026-01-{:02}",
    "date-time": "2026-01-{:02}T12:00:00Z",
    "time": "12:{:02}:00Z",
    "email": "somebody{}@example.com",
    "idn-email": "somebody{}@example.com",
    "uri": "https://example.com/{}",
    "uri-reference": "/{}",
    "iri": "https://example.com/{}",
    "hostname": "host{}.example.com",
    "ipv4": "192.0.2.{}",
    "uuid": "00000000-0000-4000-8000-{:012}",
}
_OF_TYPE: dict[str, Any] = {"boolean": True, "null": None}


def bundle_schema(ontology: Ontology) -> dict[str, Any]:
    """The answer of `get_knowledge_schema`: the schema of a bundle, and a valid example."""
    return {
        "full_bundle_schema": full_schema(ontology),
        "example_yaml": write_yaml(example_bundle(ontology)),
    }


def full_schema(ontology: Ontology) -> JsonSchema:
    """The JSON Schema (draft 7) of a bundle: a list whose items match the schema of their type."""
    branches = [node_schema(node) for node in ontology.nodes]
    branches += [edge_schema(edge, ontology) for edge in ontology.edges]
    branches += [fact_schema(word, ontology) for word in fact_items(ontology)]
    return {
        "$schema": DRAFT_7,
        "title": "Fabula Knowledge Bundle Schema",
        "type": "array",
        # An ontology without types accepts only the empty bundle; `oneOf` must not be empty.
        "items": {"oneOf": branches} if branches else False,
    }


def example_bundle(ontology: Ontology) -> list[dict[str, Any]]:
    """Two nodes, an edge between them and a deletion, as far as values can be generated.

    A type with a pattern but no `examples` is left out.
    """
    for edge in ontology.edges:
        joined = _joined(edge, ontology)
        if joined:
            return [*joined[:2], *_deletion(ontology, joined), *joined[2:]]
    nodes = [item for item in (_node_item(node, 1) for node in ontology.nodes) if item][:2]
    return [*nodes, *_deletion(ontology, nodes)]


def _joined(edge: EdgeType, ontology: Ontology) -> list[dict[str, Any]]:
    """The nodes at both ends and the edge; empty if they cannot be generated."""
    sources, targets = ontology.sources(edge), ontology.targets(edge)
    if not sources or not targets:
        return []
    source, target = _node_item(sources[0], 1), _node_item(targets[0], 2)
    if source is None or target is None or _identity(sources[0], source) == _identity(targets[0], target):
        return []
    schema = edge_schema(edge, ontology)
    ends = {
        "source": _end(sources[0], source, typed=len(sources) > 1),
        "target": _end(targets[0], target, typed=len(targets) > 1),
    }
    item = _filled(schema, {"type": edge.name, **ends}, 1)
    return [source, target, item] if item is not None else []


def _end(node: NodeType, item: dict[str, Any], *, typed: bool) -> dict[str, Any]:
    named = {"type": node.name} if typed else {}
    return named | {field: item[field] for field in node.identity}


def _deletion(ontology: Ontology, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    taken = {
        _identity(ontology.node_named[item["type"]], item)
        for item in others
        if item["type"] in ontology.node_named
    }
    for node in ontology.nodes:
        item = _node_item(node, 3)
        if item is not None and _identity(node, item) not in taken:
            return [{"type": node.name, "action": "delete"} | {field: item[field] for field in node.identity}]
    return []


def _identity(node: NodeType, item: dict[str, Any]) -> tuple[str, str]:
    return node.key, identity_key(node.identity_of(item))


def _node_item(node: NodeType, number: int) -> dict[str, Any] | None:
    item = _filled(node_schema(node), {"type": node.name}, number)
    is_nameable = item is not None and len(entity_name(node.identity_of(item))) <= MAX_NAME
    return item if is_nameable else None


def _filled(schema: JsonSchema, item: dict[str, Any], number: int) -> dict[str, Any] | None:
    """The item with required values and those with examples, or with required values only."""
    required = {*schema["required"], *schema.get("else", {}).get("required", ())}
    asked, shown = dict(item), dict(item)
    for name, declared in schema["properties"].items():
        if name in item or name == "action":
            continue
        if name in required:
            asked[name] = shown[name] = _value(declared, name, number)
        elif isinstance(declared, dict) and declared.get("examples"):
            shown[name] = _value(declared, name, number)
    validator = compiled(schema)
    return next((filled for filled in (shown, asked) if validator.is_valid(filled)), None)


def _value(schema: Any, name: str, number: int) -> Any:
    if not isinstance(schema, dict):
        return None
    for keyword in ("examples", "enum"):
        if schema.get(keyword):
            return schema[keyword][(number - 1) % len(schema[keyword])]
    for keyword in ("const", "default"):
        if keyword in schema:
            return schema[keyword]
    kind = schema.get("type", "string")
    kind = kind if isinstance(kind, str) else kind[0]
    if kind in ("integer", "number"):
        return _number(schema, number)
    if kind == "array":
        return [_value(schema.get("items"), name, place + 1) for place in range(schema.get("minItems", 1))]
    if kind == "object":
        inner = schema.get("properties", {})
        return {field: _value(inner.get(field), field, number) for field in schema.get("required", ())}
    return _OF_TYPE[kind] if kind in _OF_TYPE else _text(schema, name, number)


def _number(schema: JsonSchema, number: int) -> Any:
    least = max(schema.get("minimum", number), schema.get("exclusiveMinimum", number - 1) + 1)
    return min(least, schema.get("maximum", least), schema.get("exclusiveMaximum", least + 1) - 1)


def _text(schema: JsonSchema, name: str, number: int) -> str:
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]].format(number)
    text = f"{name}-{number:03}".ljust(min(schema.get("minLength", 0), 1_000), "x")
    # The number is at the end and long texts are cut at the start, so that identities stay distinct.
    return text[-schema["maxLength"] :] if 0 < schema.get("maxLength", 0) < len(text) else text
