"""`/stories/{storyId}/export`: a whole story, or its manuscript, as a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any
from urllib.parse import quote

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from fabula.api.rest.route import Route, routes
from fabula.call import Call
from fabula.formats.folder_names import file_name
from fabula.operations.import_export.export_story import (
    ENDINGS,
    MEDIA_TYPES,
    ExportFileRequest,
    FileFormat,
    export_file,
)
from fabula.operations.stories import read_story
from fabula.operations.table import StoryRequest, run

_CHUNK = 1 << 16
_BINARY: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_TEXTS: dict[str, Any] = {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}
_SHAPES: dict[FileFormat, dict[str, Any]] = {
    "zip": _BINARY,
    "json": _TEXTS,
    "bundle": {"schema": {}},
    "md": {"schema": {"type": "string"}},
    "docx": _BINARY,
    "epub": _BINARY,
}
_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The file",
        "content": {media: _SHAPES[form] for form, media in MEDIA_TYPES.items()},
    }
}


async def _download(_: Request, call: Call, request: ExportFileRequest) -> StreamingResponse:
    def made() -> tuple[IO[bytes], str]:
        title = read_story(call, StoryRequest(project_id=request.project_id)).title
        return run(export_file, call, request), quote(f"{file_name(title)}{ENDINGS[request.format]}")

    file, name = await run_in_threadpool(made)
    return StreamingResponse(
        _chunks(file),
        media_type=MEDIA_TYPES[request.format],
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}"},
    )


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


router = routes(
    "/stories/{storyId}",
    "export",
    (
        Route(
            "GET",
            "/export",
            export_file,
            serve=_download,
            name="export_story",
            described={"response_class": StreamingResponse, "responses": _FILES},
        ),
    ),
)
