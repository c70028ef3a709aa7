"""`/stories/{storyId}/import`: a file taken into a story."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from fabula.api.rest.caller import Caller
from fabula.errors import InvalidInput
from fabula.model.parsing import parsed
from fabula.model.wire import Text, Value
from fabula.operations.bundles.bundles import import_data
from fabula.operations.bundles.values import KnowledgeBundleImportResponse
from fabula.operations.import_export.import_folder import StoryImported, import_archive

router = APIRouter(prefix="/stories/{storyId}", tags=["import"])

Format = Literal["bundle", "folder"]
DryRun = Annotated[bool, Query(alias="dryRun")]

_TEXT: dict[str, Any] = {"schema": {"type": "string"}}
_LIST: dict[str, Any] = {"schema": {"type": "array", "items": {"type": "object"}}}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/yaml": _TEXT,
            "application/json": _LIST,
            "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
        },
    }
}


class BundleText(Value):
    """A bundle as text in JSON."""

    text: Text


@router.post("/import", openapi_extra=_BODY)
async def import_file(
    call: Caller, storyId: str, request: Request, format: Format = "bundle", dryRun: DryRun = False
) -> KnowledgeBundleImportResponse | StoryImported:
    """Write a file into a story in one step, or say everything that is wrong with it."""
    body = await request.body()
    if format == "folder":
        return await run_in_threadpool(_filled, call, storyId, body, dry_run=dryRun)
    is_json = request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
    return await run_in_threadpool(_imported, call, storyId, body, is_json=is_json, dry_run=dryRun)


def _filled(call: Caller, story_id: str, body: bytes, *, dry_run: bool) -> StoryImported:
    if dry_run:
        raise InvalidInput(
            "A whole story cannot be imported on trial.",
            details={"field": "dryRun"},
            suggestion="Leave out dryRun.",
        )
    return import_archive(call, body, story_id)


def _imported(
    call: Caller, story_id: str, body: bytes, *, is_json: bool, dry_run: bool
) -> KnowledgeBundleImportResponse:
    data = _bundle_in(body) if is_json else body
    return import_data(call, story_id, data, dry_run=dry_run)


def _bundle_in(body: bytes) -> bytes:
    """The bundle in a body of JSON: the list itself, or `text` with a bundle in it."""
    if not body.lstrip().startswith(b"{"):
        return body
    try:
        told = json.loads(body)
    except ValueError:
        return body
    return parsed(BundleText, told).text.encode()
