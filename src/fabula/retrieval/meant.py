"""How near in meaning a query is to each, beyond what it is to any."""

from __future__ import annotations

import numpy as np

from fabula.retrieval.world import Mask, Scores, World


def near_in_meaning(world: World, query: str, allowed: Mask) -> Scores | None:
    """From 0 for whoever is no nearer than the average of those allowed, to 1; None where nobody can say.

    Models differ in how alike they find any two texts; what is left above the average is comparable.
    """
    found = world.meant(query)
    if found is None or not allowed.any():
        return None
    usual = min(0.99, float(found[allowed].mean()))
    return np.where(allowed, np.clip((found - usual) / (1 - usual), 0.0, 1.0), 0.0)
