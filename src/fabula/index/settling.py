"""After something large was built: what stays is left in peace, what was needed for a while goes."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

LARGE = 5_000
# After so many collections of what is young comes one of everything; it takes a tenth of a second.
SELDOM = 100


def settle(size: int) -> None:
    """Spare the garbage collector what was just built, and give back to the system what building took.

    Looking through it takes long and finds nothing, and the C library would keep what was freed.
    """
    if size > LARGE:
        gc.freeze()
        youngest, young, _ = gc.get_threshold()
        gc.set_threshold(youngest, young, SELDOM)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
