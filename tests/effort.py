"""How hard the laws are tried: `make check` tries fewer examples than `make test`."""

from __future__ import annotations

import os

EFFORT = float(os.environ.get("TEST_EFFORT", "1"))
FEWEST = 5


def examples(full: int) -> int:
    """How many examples to try where `full` are tried by `make test`."""
    return max(FEWEST, round(full * EFFORT))
