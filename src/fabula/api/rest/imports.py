"""`/imports`: a file of any kind, looked at or taken in."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from fabula.api.rest.caller import Caller
from fabula.operations.import_export.any_file import FileImported, FileWish, take_file

router = APIRouter(tags=["import"])

_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post("/imports", openapi_extra=_BODY)
async def import_any_file(call: Caller, request: Request, wish: Annotated[FileWish, Query()]) -> FileImported:
    """Say what a file is and take it in, or with `dryRun` say what would happen."""
    data = await request.body()
    return await run_in_threadpool(take_file, call, data, wish)
