"""`/imports` and `/stories/{storyId}/import`: a file of any kind, previewed or imported."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from fabula.api.rest.route import JSON, Route, routes
from fabula.operations.import_export.any_file import take_file
from fabula.operations.import_export.into_story import import_file, import_story_file

_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_TEXT: dict[str, Any] = {"schema": {"type": "string"}}
_TEXTS: dict[str, Any] = {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}
_LIST: dict[str, Any] = {"schema": {"type": "array", "items": {"type": "object"}}}
_BYTES = "application/octet-stream"


def _body(**content: Any) -> dict[str, Any]:
    return {"openapi_extra": {"requestBody": {"required": True, "content": content}}}


def _as_sent(http: Request, fields: dict[str, Any]) -> dict[str, Any]:
    kind = http.headers.get("content-type", "").partition(";")[0].strip().lower()
    return {**fields, "is_json": kind == JSON}


router = routes(
    "",
    "import",
    (
        Route(
            "POST",
            "/stories/{storyId}/import",
            import_file,
            raw="data",
            hidden=frozenset({"is_json"}),
            reads=_as_sent,
            described=_body(**{"application/yaml": _TEXT, JSON: _LIST, _BYTES: _BINARY}),
        ),
        Route(
            "POST",
            "/imports",
            take_file,
            raw="data",
            name="import_any_file",
            described=_body(**{_BYTES: _BINARY}),
        ),
    ),
)
new_stories = routes(
    "/stories",
    "export",
    (
        Route(
            "POST",
            "/import",
            import_story_file,
            raw="data",
            status=201,
            name="import_story",
            described=_body(**{_BYTES: _BINARY, JSON: _TEXTS}),
        ),
    ),
)
