"""What the stages find, each with its reasons."""

from __future__ import annotations

from typing import Literal, NamedTuple

Way = Literal["named", "implied", "said", "meant"]
StepWay = Literal["relation", "mention", "together"]
Loss = Literal["other_relation", "weaker", "over_limit"]


class TermPlace(NamedTuple):
    """A term of the query that points to somebody, and where it stands."""

    term: str
    kind: str
    start: int
    end: int


class Anchor(NamedTuple):
    """Somebody the query speaks of: how surely (0 to 1), how it was found, and at which places."""

    slot: int
    weight: float
    way: Way
    places: tuple[TermPlace, ...] = ()


class HopStep(NamedTuple):
    """One hop: from whom to whom, by what, how well it answers the query, and the words that say so.

    `outward` is false when the relation points the other way, or when it is the other's text that names the
    one; `ends` is true where the question ends: at the sister in "her father's sister".
    """

    source: int
    target: int
    way: StepWay
    kind: str
    outward: bool
    strength: float
    answer: float = 0.0
    ends: bool = False
    asked: tuple[str, ...] = ()


class Reached(NamedTuple):
    """Somebody found by hops: how near (0 to 1), and the strongest way there."""

    slot: int
    nearness: float
    path: tuple[HopStep, ...]


class Parts(NamedTuple):
    """What a score is made of, each from 0 to 1."""

    anchor: float = 0.0
    nearness: float = 0.0
    relation: float = 0.0
    words: float = 0.0
    meaning: float = 0.0


class Target(NamedTuple):
    """Somebody who matters to the query, and why."""

    slot: int
    score: float
    parts: Parts
    way: Way | None
    places: tuple[TermPlace, ...] = ()
    path: tuple[HopStep, ...] = ()


class DroppedEntity(NamedTuple):
    """Somebody who was reached and let go, and why."""

    slot: int
    score: float
    loss: Loss
    parts: Parts
    path: tuple[HopStep, ...] = ()


class EventParts(NamedTuple):
    """What the score of an event is made of, each from 0 to 1."""

    focus: float
    significance: float
    recency: float
    joins: float
    words: float
    meaning: float


class Recalled(NamedTuple):
    """An event that matters, the targets that lead to it, and why it stands where it does."""

    slot: int
    score: float
    parts: EventParts
    through: tuple[int, ...]


class Retrieved(NamedTuple):
    """All that a query brought up, best first."""

    anchors: tuple[Anchor, ...]
    targets: tuple[Target, ...]
    dropped: tuple[DroppedEntity, ...]
    events: tuple[Recalled, ...]
