"""The pieces a context is made of, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

from fabula.model.bilingual import Bilingual

C = TypeVar("C")


class Message(IntEnum):
    """The messages that are made of pieces; the scene's own text stands before the last."""

    SYSTEM = 0
    CONTEXT = 1
    AFTER = 2


@dataclass(frozen=True, slots=True, eq=False)
class PromptBlock:
    """A part of a message.

    Blocks are read by `order`. The `heading` stands over its lines in the prompt; pieces of a block
    without one speak for themselves. On the page, blocks of the same `part` stand under one `label`.
    """

    part: str
    label: Bilingual
    message: Message
    order: int
    heading: Bilingual | None = None


@dataclass(slots=True, eq=False)
class Piece:
    """A text that is in a context as a whole or not at all.

    `place` orders the pieces of a block; `stable` says that the piece does not depend on the scene's text.
    """

    block: PromptBlock
    text: str
    tokens: int
    place: int
    stable: bool = False


class KeptPiece(NamedTuple, Generic[C]):
    """Candidates that ask for room together; `text` is what the piece says, without label or name."""

    candidates: tuple[C, ...]
    piece: Piece
    reason: str
    text: str
    cut: bool = False

    @property
    def candidate(self) -> C:
        """The only candidate, where a piece has one."""
        return self.candidates[0]


class Dropped(NamedTuple, Generic[C]):
    """A candidate that is out before there is any talk of room, unless it is too large for its own."""

    candidate: C
    reason: str
    tokens: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Weighed(Generic[C]):
    """The candidates of one section: those that ask for room, in the order in which they are heard."""

    kept: list[KeptPiece[C]] = field(default_factory=list)
    dropped: list[Dropped[C]] = field(default_factory=list)
