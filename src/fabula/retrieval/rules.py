"""The parameters of the retrieval stages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """How far, how wide and how strictly to search.

    The walk starts from at most `anchors`, of which at most `unnamed` each are found by words and by
    meaning. Of a slot's links the `farther` strongest are followed, or up to `links` if the question asks an
    anchor for a role; the sentence is read around `read` of an anchor's mentions and around `glanced_at` of
    other slots' mentions. A slot leads to at most `peers` others, and the second hop starts from the best
    `beam` of the first; `decay` is the share that a hop keeps. The best `reach` are scored, and those below
    `keep` of the best score are dropped.

    A question is asked once more of the best `bridged` texts, with the names in the texts of its first
    `bridged_anchors`.

    `floor` is the share of a query's words a text must have to become an anchor by words alone,
    `meaning_floor` the similarity it must have to become one by meaning. `relation`, `words` and `meaning`
    say how much each can add to a score. Events are recalled through the best `leading` targets, whether
    shown or not; after `half_life` scenes an event counts as half as recent.
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
    bridged: int = 30
    bridged_anchors: int = 2
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
