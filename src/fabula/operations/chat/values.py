"""Requests and responses of a conversation about a scene."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.assembly.context import TraceItem
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.wire import Id, Text, Value
from fabula.operations.context import Shares, TokenBudget
from fabula.operations.table import StoryRequest

Saving = Literal["append", "replace"]


class Turn(Value):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)]


class StoryChatRequest(StoryRequest):
    """The scene being written, the conversation about it, and how the model should answer.

    `save` adds the answer to the scene's text, or replaces it.
    """

    chapter: ChapterIndex
    scene: SceneIndex
    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None
    messages: Annotated[tuple[Turn, ...], Field(max_length=1000)] = ()
    token_budget: TokenBudget | None = None
    pinned: Annotated[tuple[Id, ...], Field(max_length=1000)] = ()
    shares: Shares = Shares()
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    stream: bool = True
    save: Saving | None = None


class ContextUsed(Value):
    """The context that the model received, and why: every piece and candidate, without their texts."""

    story_id: str
    chapter: int
    scene: int
    estimated_tokens: int
    total_budget: int
    stable_prefix: str
    stable_prefix_tokens: int
    trace: tuple[TraceItem, ...]


class SavedScene(Value):
    """The scene in which an answer was saved."""

    chapter: int
    scene: int
    version: int
    word_count: int


class ChatDone(Value):
    """How an answer ended; tokens are the model's own count, `jobs` those queued for a saved answer."""

    model: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    saved: SavedScene | None
    jobs: tuple[str, ...]


class StoryChatReply(ChatDone):
    """The complete answer in one response."""

    context: ContextUsed
    text: str
