"""Accept arguments as agents really send them: lists as JSON strings, quoted numbers, null for nothing."""

from __future__ import annotations

from typing import Any

from pydantic.alias_generators import to_camel
from pydantic_core import from_json

Schema = dict[str, Any]

_PLAIN = {"integer": int, "number": float, "boolean": bool}


def read_arguments(given: Any, schema: Schema) -> Any:
    """Convert the arguments to the schema's types; what cannot be converted stays as it is, to be refused."""
    return _read(given, schema, schema.get("$defs", {}))


def _read(value: Any, schema: Schema, shapes: dict[str, Schema]) -> Any:
    branches = _branches(schema, shapes)
    types = {branch.get("type") for branch in branches}
    if isinstance(value, str) and types.isdisjoint({"string", None}):
        value = _unquoted(value, branches)
    for branch in branches:
        if isinstance(value, dict) and "properties" in branch:
            return _read_object(value, branch, shapes)
        if isinstance(value, list) and branch.get("type") == "array":
            return [_read(item, branch.get("items", {}), shapes) for item in value]
    return value


def _read_object(value: dict[str, Any], schema: Schema, shapes: dict[str, Schema]) -> dict[str, Any]:
    properties = schema["properties"]
    required = schema.get("required", ())
    read = {}
    for name, item in value.items():
        expected = properties.get(name) or properties.get(to_camel(name), {})
        if item is None and name not in required and not _takes_null(expected, shapes):
            continue
        read[name] = _read(item, expected, shapes)
    return read


def _unquoted(text: str, branches: list[Schema]) -> Any:
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        value = text
    if isinstance(value, str):
        # A single word is accepted as a list of one.
        lists = [branch for branch in branches if branch.get("type") == "array"]
        return [value] if lists and text.strip() else text
    fitting = {branch.get("type") for branch in branches}
    kinds = (("array", list), ("object", dict), *_PLAIN.items(), ("null", type(None)))
    return value if any(name in fitting and isinstance(value, kind) for name, kind in kinds) else text


def _branches(schema: Schema, shapes: dict[str, Schema]) -> list[Schema]:
    """Return the schemas a value may match, with references resolved."""
    if "$ref" in schema:
        return _branches(shapes.get(schema["$ref"].rpartition("/")[2], {}), shapes)
    inner = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if inner:
        return [branch for part in inner for branch in _branches(part, shapes)]
    return [schema]


def _takes_null(schema: Schema, shapes: dict[str, Schema]) -> bool:
    return any(branch.get("type") in ("null", None) for branch in _branches(schema, shapes))
