"""How hard faults are tried, and who is told what held."""

from __future__ import annotations

import os
from collections.abc import Callable

LONG = os.environ.get("FAULTS") == "long"

Tell = Callable[[str, str], None]


def rounds(short: int, long: int) -> int:
    """How often something is tried: by `make test`, and by `make faults`."""
    return long if LONG else short
