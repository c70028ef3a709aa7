"""`/stories/{storyId}/export` and `/stories/import`: a whole story out, and in again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from fabula.api.rest.caller import Caller
from fabula.formats.folder_names import file_name
from fabula.operations.import_export.export_story import ENDINGS, MEDIA_TYPES, FileFormat, export_file
from fabula.operations.import_export.import_folder import StoryImported, import_archive
from fabula.operations.stories import read_story
from fabula.operations.table import StoryRequest

router = APIRouter(prefix="/stories", tags=["export"])

_CHUNK = 1 << 16
_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_TEXTS: dict[str, Any] = {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}
_SHAPES: dict[FileFormat, dict[str, Any]] = {"zip": _BINARY, "json": _TEXTS, "bundle": {"schema": {}}}
_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file",
        "content": {media: _SHAPES[form] for form, media in MEDIA_TYPES.items()},
    }
}
_ARCHIVE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": _BINARY, "application/json": _TEXTS},
    }
}


@router.get("/{storyId}/export", response_class=StreamingResponse, responses=_FILES)
def export_story(call: Caller, storyId: str, format: FileFormat = "zip") -> StreamingResponse:
    """Give the whole story as a file."""
    title = read_story(call, StoryRequest(project_id=storyId)).title
    name = quote(f"{file_name(title)}{ENDINGS[format]}")
    return StreamingResponse(
        _chunks(export_file(call, storyId, format)),
        media_type=MEDIA_TYPES[format],
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"},
    )


@router.post("/import", status_code=201, openapi_extra=_ARCHIVE)
async def import_story(call: Caller, request: Request) -> StoryImported:
    """Begin a story that is the one in an archive."""
    data = await request.body()
    return await run_in_threadpool(import_archive, call, data)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk
