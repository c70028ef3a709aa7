"""Keeps the garbage collector away from large structures while and after they are built."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LARGE = 5_000
# A full collection takes a tenth of a second, so it runs only after this many younger ones.
SELDOM = 100
# A context makes some ten thousand objects, hardly any of them in cycles.
YOUNG = 20_000


def freeze_built(size: int) -> None:
    """After building something large, freeze it for the garbage collector and return freed memory.

    Collecting it would take long and find nothing, and the C library would keep the freed memory.
    """
    if size > LARGE:
        gc.freeze()
        youngest, young, _ = gc.get_threshold()
        gc.set_threshold(youngest, young, SELDOM)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def collect_seldom() -> None:
    """Collect less often in a process that only answers requests, and never what it has imported."""
    gc.collect()
    gc.freeze()
    _, *older = gc.get_threshold()
    gc.set_threshold(YOUNG, *older)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector while many objects are created, none of them garbage."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
