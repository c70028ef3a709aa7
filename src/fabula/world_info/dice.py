"""Dice that fall the same way for the same scan."""

from __future__ import annotations

import hashlib


def roll(seed: str, *what: object) -> float:
    """A number between 0 and 1, neither of them, for one question of a scan.

    Each question has its own die, so an entry that is added or removed does not change how others fall.
    """
    text = "\x1f".join((seed, *map(str, what)))
    drawn = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest())
    return (drawn + 0.5) / 2**48
