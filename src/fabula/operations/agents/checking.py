"""Checking a passage for agents, without what they may not see."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.account import Role
from fabula.operations.agents.audience import refuse_unheard_teller
from fabula.operations.checks.passage import CheckPassageRequest, CheckPassageResponse, Passage, check_passage
from fabula.operations.table import StoryRequest, operation


class TellCheckRequest(Passage, StoryRequest):
    """A passage to check for a model."""


@operation("agent.check.passage", role=Role.READER, audience="model")
def told_check(call: Call, request: TellCheckRequest) -> CheckPassageResponse:
    """Check a passage against the story for a model, showing only what it may see."""
    refuse_unheard_teller(call, request.project_id, request.moment)
    return check_passage(call, CheckPassageRequest(**dict(request), audience="model", pov=call.pov))
