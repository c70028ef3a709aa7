"""How many tokens an entry would take, told while it is being written."""

from __future__ import annotations

from pydantic import Field

from fabula.call import Call
from fabula.model.account import Role
from fabula.model.lore import Category
from fabula.model.prompt_text import prompt_text
from fabula.model.wire import Description, OpenJson, Value
from fabula.operations.table import StoryRequest, operation


class EstimateEntryRequest(StoryRequest):
    """An entry's text as it stands on somebody's page."""

    content: Description = ""
    category: Category = Category.CUSTOM
    attributes: OpenJson = Field(default_factory=dict)


class EstimateEntryResponse(Value):
    """What it would take, uncut."""

    estimated_tokens: int


@operation("lorebook.estimate", role=Role.READER)
def estimate_entry(call: Call, request: EstimateEntryRequest) -> EstimateEntryResponse:
    """Count the tokens of an entry that is not saved yet."""
    is_entity = request.category is not Category.CUSTOM
    told = prompt_text(request.content, request.attributes) if is_entity else request.content
    return EstimateEntryResponse(estimated_tokens=call.tokens.count(told))
