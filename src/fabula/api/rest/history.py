"""`/stories/{storyId}/history`: what was done, undo, redo."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query

from fabula.api.rest.caller import Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, rest_page
from fabula.model.history import Step
from fabula.model.wire import Value
from fabula.operations.history import (
    KnowledgeHistoryListRequest,
    KnowledgeHistoryRedoRequest,
    KnowledgeHistoryRedoResponse,
    KnowledgeHistoryUndoRequest,
    KnowledgeHistoryUndoResponse,
    Revision,
    list_history,
    redo,
    undo,
)
from fabula.store.page import Page

router = APIRouter(prefix="/stories/{storyId}/history", tags=["history"])


class WhichStep(Value):
    """A step by its revision; without one, the newest that fits."""

    revision: Revision | None = None


Which = Annotated[WhichStep, Body()]


@router.get("")
def list_steps(
    call: Caller,
    storyId: str,
    id: Annotated[str | None, Query(max_length=128)] = None,
    page: PageNumber = 0,
    size: PageSize = 20,
) -> RestPage[Step]:
    """List what was done to a story, or to one row of it, newest first."""
    request = KnowledgeHistoryListRequest(project_id=storyId, id=id, limit=size, offset=page * size)
    found = list_history.run(call, request)
    return rest_page(Page(found.items, found.total_count), page, size)


@router.post("/undo")
def undo_step(call: Caller, storyId: str, which: Which = WhichStep()) -> KnowledgeHistoryUndoResponse:
    """Take a step back."""
    return undo.run(call, KnowledgeHistoryUndoRequest(project_id=storyId, revision=which.revision))


@router.post("/redo")
def redo_step(call: Caller, storyId: str, which: Which = WhichStep()) -> KnowledgeHistoryRedoResponse:
    """Bring back what an undo took away."""
    return redo.run(call, KnowledgeHistoryRedoRequest(project_id=storyId, revision=which.revision))
