"""Semantic similarity of a query to entities, relative to the average."""

from __future__ import annotations

import numpy as np

from fabula.retrieval.world import Scores, World, WorldSlots


def relative_similarity(world: World, query: str, slots: WorldSlots) -> Scores | None:
    """The similarity of each slot, from 0 at or below the average to 1; None if there are no embeddings.

    Models differ in how similar they find any two texts; the excess over the average is comparable.
    """
    found = world.similarities(query, slots)
    if found is None or not len(slots):
        return None
    return over_average(found)


def over_average(similarities: Scores) -> Scores:
    """How far each similarity exceeds the average, from 0 to 1."""
    usual = min(0.99, float(similarities.mean()))
    return np.clip((similarities - usual) / (1 - usual), 0.0, 1.0)
