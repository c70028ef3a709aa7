"""The garbage collector, kept away from large things while they are built and afterwards."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LARGE = 5_000
# After so many collections of what is young comes one of everything; it takes a tenth of a second.
SELDOM = 100


def freeze_built(size: int) -> None:
    """Spare the garbage collector what was just built, and give back to the system what building took.

    Looking through it takes long and finds nothing, and the C library would keep what was freed.
    """
    if size > LARGE:
        gc.freeze()
        youngest, young, _ = gc.get_threshold()
        gc.set_threshold(youngest, young, SELDOM)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Without the garbage collector: what is being built has many objects, and none of them is garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
