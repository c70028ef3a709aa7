"""Parts common to every context: messages, matches, and the closed list of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fabula.model.activation import RULES
from fabula.model.reason import (
    ACTIVE,
    ALWAYS,
    BELOW_LINE,
    BUDGET,
    DETECTED,
    DISABLED,
    EMPTY,
    LEVEL_MANUAL_ONLY,
    LEVEL_NEVER,
    NAMES_A_SECRET,
    NO_LONGER,
    NOT_YET,
    PINNED,
    RECALLED,
    RECENT_SCENE,
    RELATED,
    Reason,
)
from fabula.model.wire import Value

REASONS: tuple[Reason, ...] = (
    ALWAYS,
    PINNED,
    DETECTED,
    RELATED,
    RECENT_SCENE,
    ACTIVE,
    RECALLED,
    DISABLED,
    LEVEL_NEVER,
    LEVEL_MANUAL_ONLY,
    NOT_YET,
    NO_LONGER,
    # Each rule with fields that authors set has a reason of its own.
    *(rule.reason for rule in RULES if rule.fields is not None and rule.reason is not None),
    NAMES_A_SECRET,
    BELOW_LINE,
    EMPTY,
    BUDGET,
)

if TYPE_CHECKING:
    ReasonCode = str
else:
    ReasonCode = Literal[tuple(reason.code for reason in REASONS)]


class MatchPlace(Value):
    """A term in the text that refers to a candidate, and its span."""

    term: str
    kind: str
    start: int
    end: int


class ChatMessage(Value):
    """A message in a chat with a model."""

    role: Literal["system", "user", "assistant"]
    content: str
