"""Stage 4: the events of the relevant entities, ranked by significance, recency and relevance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fabula.index.arrays import Mask
from fabula.retrieval.reasons import DroppedEntity, EventParts, Recalled, Target
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.similarity import relative_similarity
from fabula.retrieval.world import Scores, World

_SIGNIFICANCE, _RECENCY, _JOINS, _WORDS, _MEANING = 0.35, 0.25, 0.15, 0.25, 0.25


def recall(
    world: World, query: str, targets: Sequence[Target | DroppedEntity], allowed: Mask, rules: Rules = DEFAULT
) -> tuple[Recalled, ...]:
    """The events to recall, best first: significant, recent, shared by several targets, or asked for."""
    if not rules.events:
        return ()
    through: dict[int, list[Target | DroppedEntity]] = {}
    mask: memoryview = allowed.data
    for target in targets:
        own = [slot for slot in world.events_of(target.slot) if mask[slot]]
        for slot in own[: rules.events_of_each]:
            through.setdefault(slot, []).append(target)
    if not through:
        return ()
    slots = list(through)
    parts = _parts(world, query, slots, list(through.values()), allowed, rules)
    scores = _scores(parts)
    least = np.partition(scores, -rules.events)[-rules.events] if len(scores) > rules.events else 0.0
    among = np.flatnonzero(scores >= least).tolist()
    among.sort(key=lambda row: (-scores[row], world.id_of(slots[row])))
    return tuple(
        Recalled(
            slots[row],
            float(scores[row]),
            EventParts(*map(float, parts[:, row])),
            tuple(target.slot for target in through[slots[row]]),
        )
        for row in among[: rules.events]
    )


def _parts(
    world: World,
    query: str,
    slots: Sequence[int],
    leading: Sequence[Sequence[Target | DroppedEntity]],
    allowed: Mask,
    rules: Rules,
) -> Scores:
    """The score components: a row for each of the `EventParts`, a column for each event."""
    standing = world.standing(slots)
    best = np.array([max(target.score for target in those) for those in leading])
    similarity = relative_similarity(world, query, np.array(slots))
    return np.array(
        (
            best / best.max(),
            standing.significance,
            0.5 ** (standing.ages / rules.half_life),
            1 - 1 / np.fromiter(map(len, leading), np.float64, len(leading)),
            _words(world, query, slots, allowed),
            np.zeros(len(slots)) if similarity is None else similarity,
        )
    )


def _scores(parts: Scores) -> Scores:
    focus, significance, recency, joins, words, meaning = parts
    found: Scores = focus * (
        _SIGNIFICANCE * significance
        + _RECENCY * recency
        + _JOINS * joins
        + _WORDS * words
        + _MEANING * meaning
    )
    return found


def _words(world: World, query: str, slots: Sequence[int], allowed: Mask) -> Scores:
    """The share of the query's words in each event's text."""
    shares = np.zeros(world.population)
    events = np.zeros(world.population, dtype=np.bool_)
    events[slots] = True
    shared = world.shared_words(query, events & allowed, len(slots))
    if shared.ceiling > 0:
        shares[shared.slots] = np.minimum(1.0, shared.scores / shared.ceiling)
    return shares[slots]
