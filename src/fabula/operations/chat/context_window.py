"""The part of a model's context window that the conversation and the answer leave for the context.

The memory of a story is never left out silently: what was cut is said, and where the author allows it, the
oldest messages give way instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from fabula.call import Call
from fabula.model.story import Story
from fabula.model.story_settings import budget_for, drops_oldest
from fabula.operations.chat.placement import INSTRUCTING

# The part of the window that is reserved for an answer of unknown length: one in this many.
ANSWER_PART = 4
PER_MESSAGE = 8
MARGIN = 64
# More text than any window holds need not be counted.
COUNTED_CHARACTERS = 8_000_000

log = logging.getLogger("fabula.contexts")

MemoryShare = Literal["whole", "cut", "none"]


class Measured(Protocol):
    """A context of known size."""

    @property
    def estimated_tokens(self) -> int:
        """Its tokens."""


ContextT = TypeVar("ContextT", bound=Measured)


@dataclass(frozen=True, slots=True)
class SizedMessage:
    """A message as the window sees it: its role, its texts, and the tokens of its other parts."""

    role: str
    texts: tuple[str, ...]
    unread: int = 0


@dataclass(frozen=True, slots=True)
class FittedContext(Generic[ContextT]):
    """A context that fits into the window, how much of the memory it is, and the messages that gave way."""

    context: ContextT
    memory: MemoryShare = "whole"
    dropped: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation that shares the window with the context, and the texts sent beside it.

    `answer` is the longest answer that the client wants; None if it does not say.
    """

    messages: Sequence[SizedMessage]
    beside: tuple[str, ...] = ()
    answer: int | None = None


def fit_context(
    call: Call,
    story: Story,
    wanted: int | None,
    talk: Talk,
    assemble: Callable[[int], ContextT],
) -> FittedContext[ContextT]:
    """Assemble a context with the requested budget or the story's, limited by the model's window."""
    context = assemble(budget_for(story.settings, wanted))
    window = None if call.upstream is None else call.upstream.window()
    if window is None:
        return FittedContext(context)
    sizes = _sizes(call, talk)
    reserved = window // ANSWER_PART if talk.answer is None else talk.answer
    beside = sum(call.tokens.count(text) + PER_MESSAGE for text in talk.beside)
    free = window - sum(sizes) - beside - reserved - MARGIN
    needed = context.estimated_tokens
    if needed <= max(0, free):
        return FittedContext(context)
    dropped = _oldest(talk.messages, sizes, needed - free) if drops_oldest(story.settings) else frozenset()
    free = max(0, free + sum(sizes[place] for place in dropped))
    if needed > free:
        context = assemble(free)
    memory: MemoryShare = "whole" if needed <= free else "cut" if context.estimated_tokens else "none"
    log.warning(
        "memory gave way" if memory != "whole" else "messages gave way",
        extra={
            "projectId": story.id,
            "memory": memory,
            "neededTokens": needed,
            "toldTokens": context.estimated_tokens,
            "droppedMessages": len(dropped),
        },
    )
    return FittedContext(context, memory, dropped)


def _sizes(call: Call, talk: Talk) -> list[int]:
    """Return the tokens of each message; of too long a conversation, its characters."""
    is_countable = sum(len(text) for one in talk.messages for text in one.texts) <= COUNTED_CHARACTERS
    count = call.tokens.count if is_countable else len
    return [one.unread + sum(count(text) + PER_MESSAGE for text in one.texts) for one in talk.messages]


def _oldest(messages: Sequence[SizedMessage], sizes: Sequence[int], excess: int) -> frozenset[int]:
    """Return the oldest messages whose tokens cover the excess, or all that may go.

    Instructions and the last message of the user stay. What stays of the conversation begins with the user,
    so that no answer stands without its question, and no result without its call.
    """
    asked = [place for place, one in enumerate(messages) if one.role == "user"]
    dropped: frozenset[int] = frozenset()
    for begin in asked:
        before = range(begin)
        dropped = frozenset(place for place in before if messages[place].role not in INSTRUCTING)
        if sum(sizes[place] for place in dropped) >= excess:
            break
    return dropped
