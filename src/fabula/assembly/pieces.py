"""The pieces that make up a context, and where each belongs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, NamedTuple, TypeVar

from fabula.model.bilingual import Bilingual

C = TypeVar("C")


class Message(IntEnum):
    """The messages made of pieces; the scene's own text precedes the last one."""

    SYSTEM = 0
    CONTEXT = 1
    AFTER = 2


@dataclass(frozen=True, slots=True, eq=False)
class PromptBlock:
    """A part of a message.

    Blocks are sorted by `order`. The `heading`, if any, precedes the block's lines in the prompt. The page
    shows blocks with the same `part` under one `label`.
    """

    part: str
    label: Bilingual
    message: Message
    order: int
    heading: Bilingual | None = None


@dataclass(slots=True, eq=False)
class Piece:
    """A text that is included in a context as a whole or not at all.

    `place` orders the pieces of a block; `stable` means that the piece does not depend on the scene's text.
    """

    block: PromptBlock
    text: str
    tokens: int
    place: int
    stable: bool = False


class KeptPiece(NamedTuple, Generic[C]):
    """Candidates that share one piece; `text` is the piece without label or name."""

    candidates: tuple[C, ...]
    piece: Piece
    reason: str
    text: str
    cut: bool = False

    @property
    def candidate(self) -> C:
        """The candidate of a piece that has only one."""
        return self.candidates[0]


class Dropped(NamedTuple, Generic[C]):
    """A candidate rejected before fitting, or one too large for its own token budget."""

    candidate: C
    reason: str
    tokens: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Weighed(Generic[C]):
    """The candidates of one section: those to be fitted, in order of preference, and those rejected."""

    kept: list[KeptPiece[C]] = field(default_factory=list)
    dropped: list[Dropped[C]] = field(default_factory=list)
