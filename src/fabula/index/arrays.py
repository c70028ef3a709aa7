"""Array types shared by the index and retrieval."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
