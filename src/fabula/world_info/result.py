"""What a scan answers: what fired and why, where its text belongs, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from fabula.world_info.entry import CompiledEntry
from fabula.world_info.timed import TimedEffects

PassState = Literal["initial", "recursion", "minActivations"]
Where = Literal["chat", "source", "injection", "recursion", "always"]


@dataclass(frozen=True, slots=True)
class KeyHit:
    """The key that fired and the text it was found in; `index` counts messages from the newest."""

    key: str
    where: Where
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Activation:
    """An entry that is active: in which pass, by which rule or key, and its text after macros."""

    entry: CompiledEntry
    number: int
    reason: str
    hit: KeyHit | None
    content: str
    tokens: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry that was considered and is not active: the last pass that looked at it, and the reason."""

    entry: CompiledEntry
    number: int
    reason: str
    hit: KeyHit | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class ScanPass:
    """One pass over the book and the entries it accepted."""

    state: PassState
    accepted: tuple[CompiledEntry, ...]


@dataclass(frozen=True, slots=True)
class DepthBlock:
    """Texts that go into the chat, `depth` messages from its end; 0 system, 1 user, 2 assistant."""

    depth: float | None
    role: object
    contents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Everything a scan found, in the order in which a prompt takes it."""

    activated: tuple[Activation, ...]
    left_out: tuple[LeftOut, ...]
    passes: tuple[ScanPass, ...]
    budget: int | None
    overflow: bool
    timed: TimedEffects
    seed: str
    before: str = ""
    after: str = ""
    an_top: tuple[str, ...] = ()
    an_bottom: tuple[str, ...] = ()
    em_top: tuple[str, ...] = ()
    em_bottom: tuple[str, ...] = ()
    at_depth: tuple[DepthBlock, ...] = ()
    outlets: dict[str, tuple[str, ...]] = field(default_factory=dict)
