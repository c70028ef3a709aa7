"""The results of the retrieval stages, with reasons."""

from __future__ import annotations

from typing import Literal, NamedTuple

AnchorWay = Literal["named", "implied", "said", "meant"]
StepWay = Literal["relation", "mention", "together", "bridge"]
DropReason = Literal["other_relation", "weaker", "over_limit"]


class TermPlace(NamedTuple):
    """A term of the query that refers to an entity, and its span."""

    term: str
    kind: str
    start: int
    end: int


class Anchor(NamedTuple):
    """An entity the query refers to: with what certainty (0 to 1), how it was found, and where."""

    slot: int
    weight: float
    way: AnchorWay
    places: tuple[TermPlace, ...] = ()


class HopStep(NamedTuple):
    """One hop: its ends, its kind, how well it answers the query, and the words that match.

    `outward` is false if the relation points the other way, or if the mention is in the target's text; `ends`
    is true where the question ends: at the sister in "her father's sister".
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


class ReachedEntity(NamedTuple):
    """An entity found by hops: its nearness (0 to 1) and the strongest path to it."""

    slot: int
    nearness: float
    path: tuple[HopStep, ...]


class ScoreParts(NamedTuple):
    """The components of a score, each from 0 to 1."""

    anchor: float = 0.0
    nearness: float = 0.0
    relation: float = 0.0
    words: float = 0.0
    meaning: float = 0.0


class Target(NamedTuple):
    """An entity relevant to the query, with the reasons."""

    slot: int
    score: float
    parts: ScoreParts
    way: AnchorWay | None
    places: tuple[TermPlace, ...] = ()
    path: tuple[HopStep, ...] = ()


class DroppedEntity(NamedTuple):
    """An entity that was reached but dropped, with the reason."""

    slot: int
    score: float
    loss: DropReason
    parts: ScoreParts
    path: tuple[HopStep, ...] = ()


class EventParts(NamedTuple):
    """The components of an event's score, each from 0 to 1."""

    focus: float
    significance: float
    recency: float
    joins: float
    words: float
    meaning: float


class Recalled(NamedTuple):
    """A relevant event, the components of its score, and the targets that lead to it."""

    slot: int
    score: float
    parts: EventParts
    through: tuple[int, ...]


class Retrieved(NamedTuple):
    """All results of a query, best first."""

    anchors: tuple[Anchor, ...]
    targets: tuple[Target, ...]
    dropped: tuple[DroppedEntity, ...]
    events: tuple[Recalled, ...]
