"""The arguments of a tool as they are listed: what an agent needs to call it, in few characters."""

from __future__ import annotations

from typing import Any

from fabula.api.mcp.arguments import Schema

# A call that exceeds a limit is refused with the limit in its error, so the list does not repeat them.
LIMITS = frozenset(
    {"maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum", "title", "pattern"}
)
# What a client would suppose anyway.
NOTHING: tuple[Any, ...] = (None, "", [], {}, 0, False)


def listed_schema(schema: Schema) -> Schema:
    """The schema without limits, references, empty defaults, and the description of the whole."""
    listed = _listed(schema, schema.get("$defs", {}))
    listed.pop("description", None)
    return listed


def _listed(schema: Schema, shapes: dict[str, Schema]) -> Schema:
    if "$ref" in schema:
        shape = shapes[schema["$ref"].rpartition("/")[2]]
        named = {key: value for key, value in shape.items() if key != "description"}
        return _listed({**named, **{key: value for key, value in schema.items() if key != "$ref"}}, shapes)
    kept: Schema = {}
    for key, value in schema.items():
        if key in LIMITS or key in ("$defs", "additionalProperties", "anyOf"):
            continue
        if key in ("default", "required") and value in NOTHING:
            continue
        if key == "properties":
            value = {name: _listed(one, shapes) for name, one in value.items()}
        elif key == "items":
            value = _listed(value, shapes)
        kept[key] = value
    branches: list[Schema] = []
    for branch in schema.get("anyOf", ()):
        listed = _listed(branch, shapes)
        if listed != {"type": "null"} and listed not in branches:
            branches.append(listed)
    if len(branches) == 1:
        return {**branches[0], **kept}
    return {**kept, "anyOf": branches} if branches else kept
