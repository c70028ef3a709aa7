"""The kinds of arrays that the index and the retrieval hand to each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]
Mask = NDArray[np.bool_]
