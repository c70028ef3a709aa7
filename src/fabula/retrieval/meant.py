"""How near in meaning a query is to each of some, beyond what it is to any of them."""

from __future__ import annotations

import numpy as np

from fabula.retrieval.world import Scores, World, WorldSlots


def near_in_meaning(world: World, query: str, slots: WorldSlots) -> Scores | None:
    """From 0 for whoever is no nearer than the average of these, to 1; None where nobody can say.

    Models differ in how alike they find any two texts; what is left above the average is comparable.
    """
    found = world.meant(query, slots)
    if found is None or not len(slots):
        return None
    usual = min(0.99, float(found.mean()))
    return np.clip((found - usual) / (1 - usual), 0.0, 1.0)
