"""Array types shared by the index and retrieval."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


def distinct(codes: Codes) -> Codes:
    """The different codes, sorted; quicker than `np.unique` for the few of a query."""
    ordered = np.sort(codes)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered
