"""Word lists written as running text."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of the text in order, each once."""
    return tuple(dict.fromkeys(text.split()))


def word_set(text: str) -> frozenset[str]:
    """The words of the text as a set."""
    return frozenset(text.split())
