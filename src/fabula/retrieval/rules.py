"""The few numbers the stages go by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """How far, how wide and how strictly to look.

    At most `anchors` start the walk, and of those found by words and by meaning `unnamed` each. Of a slot's
    links the `farther` strongest are looked at, and up to `links` where a question asks an anchor for
    somebody of a certain role; around `read` of an anchor's mentions the sentence is read, and around
    `glanced_at` of those of others. A slot passes on to at most `peers`, and the second hop starts from the
    best `beam` of the first; `decay` is what a hop keeps. The best `reach` are weighed, and who has less
    than `keep` of the best score is let go.

    `floor` is the share of a query's words a text must have before words alone make an anchor,
    `meaning_floor` the nearness before meaning does. `relation`, `words` and `meaning` say how much each
    can add to a score. Events are remembered through the best `leading` targets, whether shown or not;
    `half_life` is the number of scenes after which an event is half as recent.
    """

    anchors: int = 16
    unnamed: int = 4
    peers: int = 16
    beam: int = 6
    reach: int = 200
    links: int = 4_000
    farther: int = 40
    read: int = 40
    glanced_at: int = 8
    hops: int = 2
    decay: float = 0.85
    floor: float = 0.4
    meaning_floor: float = 0.5
    keep: float = 0.25
    relation: float = 0.7
    words: float = 0.25
    meaning: float = 0.5
    targets: int = 20
    events: int = 12
    leading: int = 12
    half_life: float = 20.0
    events_of_each: int = 200


DEFAULT = Rules()
