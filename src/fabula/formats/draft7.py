"""JSON Schema draft 7: compiles schemas and checks them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs

DRAFT_7 = "http://json-schema.org/draft-07/schema#"

# Backtracking is limited, because a schema's author and the author of the data may be different people.
_PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=10_000, size_limit=1 << 20)


def _nowhere(uri: str) -> Any:
    raise ValueError(f"schemas must be self-contained, {uri} is not fetched")


def compiled(schema: dict[str, Any] | bool) -> jsonschema_rs.Validator:
    """A validator for the schema; raises `jsonschema_rs.ValidationError` if the schema is invalid."""
    return jsonschema_rs.Draft7Validator(
        schema, validate_formats=True, pattern_options=_PATTERNS, retriever=_nowhere
    )


_METASCHEMA = compiled({"$ref": DRAFT_7})


def schema_errors(schema: Any) -> Iterator[tuple[list[str | int], str]]:
    """The path and message of every error in a schema."""
    for error in _METASCHEMA.iter_errors(schema):
        yield error.instance_path, _told(error)


def compile_error(schema: dict[str, Any]) -> tuple[list[str | int], str] | None:
    """The path and message if a valid schema cannot be compiled, such as for a pattern that is too large."""
    try:
        compiled(schema)
    except jsonschema_rs.ValidationError as error:
        return error.instance_path, _told(error)
    return None


def _told(error: jsonschema_rs.ValidationError) -> str:
    keyword = error.instance_path[-1] if error.instance_path else None
    if keyword == "type":
        return "must be one of string, integer, number, boolean, object, array, null, or a list of them"
    if keyword == "pattern" or error.message.endswith('is not a "regex"'):
        return "is not a usable regular expression"
    return error.message if len(error.message) <= 200 else f"{error.message[:200]}…"
