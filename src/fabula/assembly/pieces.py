"""The pieces a context is made of, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from fabula.model.lore import InsertionPosition


class Section(IntEnum):
    """The parts of a context, in the order in which they are read."""

    SYSTEM = 0
    BEFORE = 1
    RELATIONS = 2
    EVENTS = 3
    QUOTES = 4
    SO_FAR = 5
    STAGE = 6
    AFTER = 7


class Message(IntEnum):
    """The messages that are made of pieces; the scene's own text stands before the last."""

    SYSTEM = 0
    CONTEXT = 1
    AFTER = 2


MESSAGE_OF = {
    Section.SYSTEM: Message.SYSTEM,
    Section.BEFORE: Message.CONTEXT,
    Section.RELATIONS: Message.CONTEXT,
    Section.EVENTS: Message.CONTEXT,
    Section.QUOTES: Message.CONTEXT,
    Section.SO_FAR: Message.CONTEXT,
    Section.STAGE: Message.CONTEXT,
    Section.AFTER: Message.AFTER,
}

SECTION_OF = {
    InsertionPosition.SYSTEM_PROMPT: Section.SYSTEM,
    InsertionPosition.BEFORE_SCENE: Section.BEFORE,
    InsertionPosition.AFTER_SCENE: Section.AFTER,
}


@dataclass(slots=True, eq=False)
class Piece:
    """A text that is in a context as a whole or not at all.

    `place` orders the pieces of a section; `stable` says that the piece does not depend on the scene's text.
    """

    section: Section
    text: str
    tokens: int
    place: int
    stable: bool = False
