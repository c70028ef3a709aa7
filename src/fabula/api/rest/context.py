"""`/stories/{storyId}/context`: what a model is told, and why; `/mentions`, `/names`, `/check`: its words."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from fabula.api.rest.caller import READING, Caller
from fabula.assembly.candidates import DEFAULT_BUDGET
from fabula.model.context import AssembledContext
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.operations import context
from fabula.operations.checks import CheckPassageRequest, PassageCheck, check_passage
from fabula.operations.context import (
    AssembleContextRequest,
    FindMentionsRequest,
    Mentions,
    PreviewContextRequest,
)
from fabula.operations.table import StoryRequest
from fabula.operations.vocabulary import Vocabulary
from fabula.operations.vocabulary import list_names as vocabulary_of

router = APIRouter(prefix="/stories/{storyId}", tags=["context"])


@router.get("/context/preview")
def preview(
    call: Caller,
    storyId: str,
    chapter: Annotated[int, Query(ge=0, le=MAX_CHAPTER)],
    scene: Annotated[int, Query(ge=0, le=MAX_SCENE)],
    tokenBudget: Annotated[int, Query(ge=0, le=1_000_000)] = DEFAULT_BUDGET,
) -> AssembledContext:
    """Show the context of a saved scene, or of the next one to write."""
    return context.preview_context(
        call,
        PreviewContextRequest(project_id=storyId, chapter=chapter, scene=scene, token_budget=tokenBudget),
    )


@router.post("/context/assemble", dependencies=[READING])
def assemble(call: Caller, storyId: str, request: AssembleContextRequest) -> AssembledContext:
    """Put together the context for a text that is being written."""
    return context.assemble_context(call, AssembleContextRequest(project_id=storyId, **dict(request)))


@router.post("/mentions", dependencies=[READING])
def mentions(call: Caller, storyId: str, request: FindMentionsRequest) -> Mentions:
    """Find every known name in a text, for an editor to underline."""
    return context.find_mentions(call, FindMentionsRequest(project_id=storyId, **dict(request)))


@router.get("/names")
def list_names(call: Caller, storyId: str) -> Vocabulary:
    """List all names, aliases and keywords, for an editor that looks for them itself."""
    return vocabulary_of(call, StoryRequest(project_id=storyId))


@router.post("/check", dependencies=[READING])
def check(call: Caller, storyId: str, request: CheckPassageRequest) -> PassageCheck:
    """Hold a passage against the story: who should not be in it, who is known, who is not."""
    return check_passage(call, CheckPassageRequest(project_id=storyId, **dict(request)))
