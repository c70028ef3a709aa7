"""Waiting for what comes by itself, for as long as a busy machine may need."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 180.0
# What a busy machine may add to a time limit; without the limit, one would wait for a minute or for good.
SLACK_S = 20.0

T = TypeVar("T")


def eventually(look: Callable[[], T | None], patience: float = PATIENCE, never: str = "it never came") -> T:
    """What is seen as soon as it is something: not None, and not False."""
    over = time.monotonic() + patience
    while (seen := look()) is None or seen is False:
        assert time.monotonic() < over, never
        time.sleep(0.02)
    return seen
