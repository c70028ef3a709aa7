"""`/samples`: stories to look around in, each a copy of one's own."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request

from fabula.api.authentication import identity_of
from fabula.api.rest.caller import Caller
from fabula.model.story import Story
from fabula.operations.stories import read_story
from fabula.operations.table import StoryRequest
from fabula.samples import new_sample

router = APIRouter(prefix="/samples", tags=["stories"])

Sample = Literal["harbor.zh", "harbor.en"]


@router.post("/{sample}", status_code=201)
def create_sample(call: Caller, request: Request, sample: Sample) -> Story:
    """Begin a story that is a copy of a sample."""
    story_id = new_sample(request.app.state.memory, sample, identity_of(request.scope))
    return read_story(call, StoryRequest(project_id=story_id))
