"""Estimating the tokens of an entry while it is being written."""

from __future__ import annotations

from pydantic import Field

from fabula.call import Call
from fabula.model.account import Role
from fabula.model.lore import Category
from fabula.model.prompt_text import prompt_text
from fabula.model.wire import Description, OpenJson, Value
from fabula.operations.table import StoryRequest, operation


class EstimateEntryRequest(StoryRequest):
    """The text of an unsaved entry."""

    content: Description = ""
    category: Category = Category.CUSTOM
    attributes: OpenJson = Field(default_factory=dict)


class EstimateEntryResponse(Value):
    """The tokens of the whole text."""

    estimated_tokens: int


@operation("lorebook.estimate", role=Role.READER)
def estimate_entry(call: Call, request: EstimateEntryRequest) -> EstimateEntryResponse:
    """Count the tokens of an entry that is not saved yet."""
    is_entity = request.category is not Category.CUSTOM
    told = prompt_text(request.content, request.attributes) if is_entity else request.content
    return EstimateEntryResponse(estimated_tokens=call.tokens.count(told))
