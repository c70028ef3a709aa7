"""`/novels`: a whole novel becomes a story."""

from __future__ import annotations

from fastapi import APIRouter

from fabula.api.rest.caller import Caller
from fabula.operations.manuscript import novel_import
from fabula.operations.manuscript.novel_import import ImportNovelRequest, NovelStory

router = APIRouter(tags=["stories"])


@router.post("/novels", status_code=202)
def import_novel(call: Caller, request: ImportNovelRequest) -> NovelStory:
    """Make a story of a whole novel, and let it be read in the background."""
    return novel_import.start_novel(call, request)
