"""`/stories/{storyId}/context`: what a model is told, and why; `/names`, `/check`: its words."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from fabula.api.rest.caller import READING, Caller
from fabula.assembly.context import AssembledContext
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.model.story_settings import LARGEST_BUDGET
from fabula.operations import context, vocabulary
from fabula.operations.checks import CheckRequest, PassageCheck, check_passage
from fabula.operations.context import AssembleRequest
from fabula.operations.vocabulary import MAX_TYPED, KnownName, Vocabulary

router = APIRouter(prefix="/stories/{storyId}", tags=["context"])


@router.get("/context/preview")
def preview(
    call: Caller,
    storyId: str,
    chapter: Annotated[int, Query(ge=0, le=MAX_CHAPTER)],
    scene: Annotated[int, Query(ge=0, le=MAX_SCENE)],
    tokenBudget: Annotated[int | None, Query(ge=0, le=LARGEST_BUDGET)] = None,
) -> AssembledContext:
    """Show the context of a saved scene, or of the next one to write."""
    return context.preview_context(call, storyId, chapter, scene, tokenBudget)


@router.post("/context/assemble", dependencies=[READING])
def assemble(call: Caller, storyId: str, request: AssembleRequest) -> AssembledContext:
    """Put together the context for a text that is being written."""
    return context.assemble_context(call, storyId, request)


@router.get("/names")
def list_names(
    call: Caller,
    storyId: str,
    q: Annotated[str | None, Query(max_length=MAX_TYPED)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Vocabulary:
    """List all names, aliases and keywords, or with `q` the `limit` best that complete what was typed."""
    if q is None:
        return vocabulary.list_names(call, storyId)
    return vocabulary.complete_name(call, storyId, q, limit)


@router.get("/names/{nameId}")
def read_name(call: Caller, storyId: str, nameId: str) -> KnownName:
    """Read the words that mean an entity, or an entry without one."""
    return vocabulary.read_name(call, storyId, nameId)


@router.post("/check", dependencies=[READING])
def check(call: Caller, storyId: str, request: CheckRequest) -> PassageCheck:
    """Hold a passage against the story: who should not be in it, who is known, who is not."""
    return check_passage(call, storyId, request)
