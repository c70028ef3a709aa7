"""Stage 4: the events of those who matter, in a mixed order of significance and time."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from fabula.retrieval.meant import near_in_meaning
from fabula.retrieval.reasons import Dropped, EventParts, Recalled, Target
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.world import Mask, World

_SIGNIFICANCE, _RECENCY, _JOINS, _WORDS, _MEANING = 0.35, 0.25, 0.15, 0.25, 0.25


def recall(
    world: World, query: str, targets: Sequence[Target | Dropped], allowed: Mask, rules: Rules = DEFAULT
) -> tuple[Recalled, ...]:
    """The events to remember, best first: significant, recent, joining several targets, or asked for."""
    through: dict[int, list[Target | Dropped]] = {}
    mask: memoryview = allowed.data
    for target in targets:
        own = [slot for slot in world.events_of(target.slot) if mask[slot]]
        for slot in own[: rules.events_of_each]:
            through.setdefault(slot, []).append(target)
    if not through:
        return ()
    words = _words(world, query, through.keys(), allowed)
    meant = near_in_meaning(world, query, allowed)
    most = max(target.score for target in targets)
    found = []
    for slot, leading in through.items():
        facts = world.event(slot)
        parts = EventParts(
            max(target.score for target in leading) / most,
            facts.significance,
            0.5 ** (facts.age / rules.half_life),
            1 - 1 / len(leading),
            words.get(slot, 0.0),
            float(meant[slot]) if meant is not None else 0.0,
        )
        found.append(Recalled(slot, _score(parts), parts, tuple(target.slot for target in leading)))
    found.sort(key=lambda one: (-one.score, world.id_of(one.slot)))
    return tuple(found[: rules.events])


def _score(parts: EventParts) -> float:
    return parts.focus * (
        _SIGNIFICANCE * parts.significance
        + _RECENCY * parts.recency
        + _JOINS * parts.joins
        + _WORDS * parts.words
        + _MEANING * parts.meaning
    )


def _words(world: World, query: str, slots: Collection[int], allowed: Mask) -> dict[int, float]:
    events = np.zeros(world.population, dtype=np.bool_)
    events[list(slots)] = True
    said = world.said(query, events & allowed, len(slots))
    if said.ceiling <= 0:
        return {}
    return dict(zip(said.slots.tolist(), np.minimum(1.0, said.scores / said.ceiling).tolist(), strict=True))
