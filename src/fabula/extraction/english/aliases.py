"""Recognises short forms of full English names."""

from __future__ import annotations

from collections.abc import Container

from fabula.extraction.english.tables import TITLES
from fabula.extraction.wordlist import word_set

_PART, _SAME_WITH_TITLE, _WITH_TITLE = 0.75, 0.85, 0.6
# Titles of women and of men.
WOMEN = word_set("""
    Mrs Miss Ms Lady Madam Madame Mademoiselle Mme Mlle Queen Princess Empress Duchess Countess Baroness
    Aunt Auntie Aunty Granny Grandma Grandmother Sister Mother Dame
    Mistress Widow Frau Fraulein Signora Signorina
    Senora Abbess
""")
MEN = word_set("""
    Mr M MM Sir Lord Master Monsieur Monseigneur King Prince Emperor Duke Count Baron Earl Uncle Grandpa
    Grandfather Brother Father Squire Herr Signor Senor Don Abbot Friar Monsignor
""")


def parts_of(name: str, learnt: Container[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The titles of a name, and its other words; a book may have titles of its own, which say nothing."""
    words = name.replace(".", "").split()
    if len(words) > 1 and words[0] in learnt:
        del words[0]
    count = 0
    while count < len(words) - 1 and words[count] in TITLES:
        count += 1
    return tuple(words[:count]), tuple(words[count:])


def likeness(short: str, full: str) -> float:
    """The confidence that the short name means the person with the full name; zero without evidence."""
    titles, words = parts_of(short)
    full_titles, full_words = parts_of(full)
    if short == full or _differ((*titles, words[0]), (*full_titles, full_words[0])):
        return 0.0
    if words == full_words:
        return _SAME_WITH_TITLE if len(titles) < len(full_titles) else 0.0
    if len(words) >= len(full_words) or not _is_part(words, full_words):
        return 0.0
    return _WITH_TITLE if titles else _PART


def _differ(titles: tuple[str, ...], others: tuple[str, ...]) -> bool:
    woman = not WOMEN.isdisjoint(titles) or not WOMEN.isdisjoint(others)
    man = not MEN.isdisjoint(titles) or not MEN.isdisjoint(others)
    return woman and man


def _is_part(words: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Whether the words are a contiguous part of the full name."""
    size = len(words)
    return any(full[start : start + size] == words for start in range(len(full) - size + 1))
