"""What trying a case answers: the places of the texts, and a row for every entry that says why."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from fabula.model.wire import Value


class TracedEntry(Value):
    """Why an entry fired or did not: in which pass, by which key, found where.

    `where` is the chat (`index` counts messages from the newest), a text beside the chat, an injection, the
    text of entries that fired before, or `always` for a key that needs no text.
    """

    book: str
    uid: Any
    comment: str | None = None
    fired: bool
    reason: str
    pass_: int | None = Field(default=None, alias="pass")
    key: str | None = None
    where: Literal["chat", "source", "injection", "recursion", "always"] | None = None
    index: int | None = None
    tokens: int | None = None


class TriedBlock(Value):
    """Texts that go into the chat, `depth` messages from its end."""

    depth: Any
    role: Any
    contents: tuple[str, ...]


class TriedPass(Value):
    """One pass: its kind, and the uids that were accepted in it."""

    state: Literal["initial", "recursion", "minActivations"]
    new: tuple[Any, ...]


class TriedScan(Value):
    """What fired, where it goes, and why; entries are named by uid, or by `book.uid` among several books."""

    activated: tuple[Any, ...]
    before: str
    after: str
    an_top: tuple[str, ...]
    an_bottom: tuple[str, ...]
    em_top: tuple[str, ...]
    em_bottom: tuple[str, ...]
    at_depth: tuple[TriedBlock, ...]
    outlets: dict[str, tuple[str, ...]]
    passes: tuple[TriedPass, ...]
    overflow: bool
    budget: int | None
    seed: str
    trace: tuple[TracedEntry, ...]


class TriedEffect(Value):
    """A timed effect: from which message to which it lasts."""

    start: int | float
    end: int | float
    protected: bool


class TriedEffects(Value):
    """The timed effects that are kept for the next turn."""

    sticky: dict[str, TriedEffect]
    cooldown: dict[str, TriedEffect]


class TriedTurn(TriedScan):
    """What one turn of several came to."""

    timed: TriedEffects
