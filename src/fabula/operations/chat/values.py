"""Requests and responses of a conversation about a scene."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.assembly.context import TraceItem
from fabula.context.point_of_view import Pov
from fabula.llm.chat import ChatRole
from fabula.llm.setup import ModelTask
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.wire import Id, Text, Value
from fabula.operations.chat.context_window import MemoryShare
from fabula.operations.chat.placement import Spoken
from fabula.operations.context import Shares, TokenBudget
from fabula.operations.table import StoryRequest

Saving = Literal["append", "replace"]
# What kind of answer is wanted, as entries of lorebooks may ask.
Trigger = Literal["normal", "continue", "impersonate", "swipe", "regenerate", "quiet"]
PersonName = Annotated[Text, Field(max_length=256)]
ScanDepth = Annotated[int, Field(ge=0, le=1_000)]


class Turn(Value):
    """One message of a conversation; `name` is who says it, where several do."""

    role: ChatRole
    content: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)]
    name: Annotated[Text, Field(max_length=256)] | None = None

    @property
    def spoken(self) -> Spoken:
        """The message as clients of OpenAI send it."""
        return self.model_dump(exclude_none=True)


class StoryChatRequest(StoryRequest):
    """The scene being written, the conversation about it, and how the model should answer.

    With `prose`, the model is also told that it is to write a part of the scene, in which language, and where
    the scene stands in the book. `task` says which of the server's models answers. `save` adds the answer to
    the scene's text, or replaces it. With a `conversation_id`, lorebooks keep their timed effects under it,
    otherwise under the messages themselves.
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
    prose: bool = False
    task: ModelTask = "write"
    stream: bool = True
    save: Saving | None = None
    conversation_id: Id | None = None
    pov: Pov = None


class ContextUsed(Value):
    """The context that the model received, and why: every piece and candidate, without their texts.

    `memory` is `cut` or `none` if the model's window had no room for all of it, or for any, and
    `dropped_messages` is how many of the oldest messages gave way to it. `receipt_id` is that of its receipt.
    """

    story_id: str
    chapter: int
    scene: int
    memory: MemoryShare
    dropped_messages: int
    estimated_tokens: int
    total_budget: int
    stable_prefix: str
    stable_prefix_tokens: int
    trace: tuple[TraceItem, ...]
    receipt_id: str | None = None


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
