"""Checks the JSON Schema of one type, so that it can serve as a branch of the bundle schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from fabula.formats.draft7 import DRAFT_7, compile_error, schema_errors
from fabula.formats.nearest import nearest
from fabula.model.story_ontology import RESERVED_PROPERTIES
from fabula.model.wire import MAX_KEY_LENGTH

MAX_PROPERTIES = 200
MAX_PATTERNS = 200

_MAX_PATTERN = 500
_OUTERMOST = frozenset(
    {"$schema", "$comment", "title", "description", "examples", "type"}
    | {"properties", "required", "dependencies", "additionalProperties"}
)
# The keywords whose values are schemas: by key, in a list, single.
_BY_KEY = ("properties", "patternProperties", "dependencies", "definitions")
_IN_LISTS = ("allOf", "anyOf", "oneOf", "items")
_ALONE = ("items", "additionalItems", "additionalProperties", "contains", "propertyNames", "not")
_CHOSEN = ("if", "then", "else")
_NO_WAY_OUT = ("$ref", "$id")


class OntologyError(NamedTuple):
    """One error of an ontology: the path, the message, and what to write instead, if known."""

    path: str
    message: str
    suggestion: str | None = None


def declared_properties(schema: Any) -> dict[str, Any]:
    """The properties of a schema that may be invalid otherwise."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}


def count_patterns(schema: Any) -> int:
    """The number of regular expressions in a schema."""
    return sum(len(_patterns(inner)) for _, inner in _schemas(schema, ""))


def type_schema_errors(path: str, schema: Any) -> Iterator[OntologyError]:
    """All errors of the schema of a type."""
    if not isinstance(schema, dict):
        yield OntologyError(path, "must be a JSON Schema")
        return
    found = False
    for error in _every_error(path, schema):
        found = True
        yield error
    if not found:
        unusable = compile_error(schema)
        if unusable is not None:
            yield OntologyError(_path(path, unusable[0]), unusable[1])


def _every_error(path: str, schema: dict[str, Any]) -> Iterator[OntologyError]:
    for steps, words in schema_errors(schema):
        yield OntologyError(_path(path, steps), words)
    yield from _outermost_errors(path, schema)
    yield from _property_errors(path, schema)
    for place, inner in _schemas(schema, path):
        yield from _inner_errors(place, inner)


def _outermost_errors(path: str, schema: dict[str, Any]) -> Iterator[OntologyError]:
    for keyword in schema:
        if keyword in _OUTERMOST or keyword in _NO_WAY_OUT:
            continue
        yield OntologyError(f"{path}.{keyword}", "is not allowed at the top; use it inside a property")
    if schema.get("type", "object") != "object":
        yield OntologyError(f"{path}.type", "must be object", "object")
    if str(schema.get("$schema", DRAFT_7)).rstrip("#") != DRAFT_7.rstrip("#"):
        yield OntologyError(f"{path}.$schema", "must be draft 7", DRAFT_7)
    if schema.get("additionalProperties", False) is not False:
        yield OntologyError(
            f"{path}.additionalProperties",
            "only declared properties are allowed; for others declare `attributes` (in an edge `properties`) "
            "with the type object",
            "false",
        )


def _property_errors(path: str, schema: dict[str, Any]) -> Iterator[OntologyError]:
    properties = declared_properties(schema)
    if len(properties) > MAX_PROPERTIES:
        yield OntologyError(
            f"{path}.properties", f"may have at most {MAX_PROPERTIES} properties, but has {len(properties)}"
        )
    for name in properties:
        if name in RESERVED_PROPERTIES:
            yield OntologyError(
                f"{path}.properties.{name}", "is a reserved name: every item of a bundle uses it itself"
            )
        elif not name.strip() or len(name) > MAX_KEY_LENGTH:
            yield OntologyError(f"{path}.properties", f"a name has 1 to {MAX_KEY_LENGTH} visible characters")
    required = schema.get("required")
    for place, name in enumerate(required if isinstance(required, list) else ()):
        if isinstance(name, str) and name not in properties:
            near = nearest(name, properties)
            hint = f"; did you mean '{near}'?" if near else ""
            yield OntologyError(f"{path}.required[{place}]", f"'{name}' is not a property{hint}", near)


def _inner_errors(path: str, schema: dict[str, Any]) -> Iterator[OntologyError]:
    for keyword in _NO_WAY_OUT:
        if keyword in schema:
            yield OntologyError(f"{path}.{keyword}", "is not supported: write the schema out in place")
    if any(len(pattern) > _MAX_PATTERN for pattern in _patterns(schema)):
        yield OntologyError(f"{path}.pattern", f"must have at most {_MAX_PATTERN} characters")


def _patterns(schema: dict[str, Any]) -> list[str]:
    keys = schema.get("patternProperties")
    found = [schema.get("pattern"), *(keys if isinstance(keys, dict) else ())]
    return [pattern for pattern in found if isinstance(pattern, str)]


def _schemas(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A schema and all its subschemas with their paths; property names are not mistaken for keywords."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for keyword in _BY_KEY:
        inner = schema.get(keyword)
        for name, value in inner.items() if isinstance(inner, dict) else ():
            yield from _schemas(value, f"{path}.{keyword}.{name}")
    for keyword in _IN_LISTS:
        inner = schema.get(keyword)
        for place, value in enumerate(inner) if isinstance(inner, list) else ():
            yield from _schemas(value, f"{path}.{keyword}[{place}]")
    for keyword in (*_ALONE, *_CHOSEN):
        yield from _schemas(schema.get(keyword), f"{path}.{keyword}")


def _path(path: str, steps: Iterable[str | int]) -> str:
    return path + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
