"""Segments a sentence into words and names at the lowest total cost."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from fabula.extraction.chinese.edges import Edges, is_han
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.suffixes import GROUPS, TITLES

_UNKNOWN_HAN, _OTHER = 11.0, 3.0
_DEGREES = frozenset("小老大女男")
_RANKS = PEOPLE | frozenset(TITLES)
_GROUPS = frozenset(GROUPS)


class Read(NamedTuple):
    """A name or noun at a span of the sentence."""

    start: int
    end: int
    type: str
    named: bool


class SentenceRead(NamedTuple):
    """The names and nouns of a sentence, and the runs of characters that form no words."""

    found: list[Read]
    strange: list[tuple[int, int]]


def read(sentence: str, names: Edges) -> SentenceRead:
    """Segment a sentence; candidate names compete with common words and with each other."""
    size = len(sentence)
    best = [0.0] + [1e9] * size
    came: list[tuple[int, str | None, bool]] = [(0, None, False)] * (size + 1)
    roads = _roads(sentence, names)
    words = lexicon().words
    for start in range(size):
        here = best[start]
        character = sentence[start]
        word = words.get(character)
        cost = here + (word.cost if word else _UNKNOWN_HAN if is_han(character) else _OTHER)
        if cost < best[start + 1]:
            best[start + 1] = cost
            came[start + 1] = (start, None, False)
        for end, added, kind, named in roads[start]:
            cost = here + added
            if cost < best[end]:
                best[end] = cost
                came[end] = (start, kind, named)
    return _walked_back(sentence, came)


@lru_cache(65_536)
def literal_cost(text: str) -> float:
    """The cost of segmenting the text into common words, without any name."""
    words = lexicon().words
    best = [0.0] + [1e9] * len(text)
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + 6) + 1):
            word = words.get(text[start:end])
            if word is not None:
                best[end] = min(best[end], best[start] + word.cost)
        best[start + 1] = min(best[start + 1], best[start] + _UNKNOWN_HAN)
    return best[-1]


def _roads(sentence: str, names: Edges) -> list[list[tuple[int, float, str | None, bool]]]:
    roads: list[list[tuple[int, float, str | None, bool]]] = [[] for _ in sentence]
    known = lexicon()
    listed = known.listed
    for index, start, end in known.search.find_matches_as_indexes(sentence, overlapping=True):
        word = listed[index]
        roads[start].append((end, word.cost, word.noun, False))
    for (start, end, kind), cost in names.items():
        roads[start].append((end, cost, kind, True))
    return roads


def _walked_back(sentence: str, came: list[tuple[int, str | None, bool]]) -> SentenceRead:
    found: list[Read] = []
    strange: list[tuple[int, int]] = []
    end = len(sentence)
    run_end = end
    while end > 0:
        start, kind, named = came[end]
        if kind is not None:
            found.append(Read(start, end, kind, named))
        if kind is not None or end - start > 1 or not is_han(sentence[start]):
            if run_end - end > 1:
                strange.append((end, run_end))
            run_end = start
        end = start
    if run_end > 1:
        strange.append((0, run_end))
    return SentenceRead(found[::-1], strange[::-1])


def composed(sentence: str, found: list[Read]) -> list[Read]:
    """The names with adjacent nouns merged: a name with its title, a name with a word for a group."""
    whole: list[Read] = []
    for item in found:
        text = sentence[item.start : item.end]
        before = whole[-1] if whole else None
        if before is not None and before.end == item.start and before.named:
            if text in _GROUPS:
                whole[-1] = before._replace(end=item.end, type="faction")
                continue
            if before.type == "character" and text in _RANKS:
                whole[-1] = before._replace(end=item.end)
                continue
        if not item.named:
            item = _with_degree(sentence, item, before)
        whole.append(item)
    return whole


def _with_degree(sentence: str, item: Read, before: Read | None) -> Read:
    """The noun including a 小 or 老 before it."""
    free = item.start > 0 and (before is None or before.end < item.start)
    if not free or sentence[item.start - 1] not in _DEGREES:
        return item
    if item.type == "character" or sentence[item.start - 1] == "小":
        return item._replace(start=item.start - 1)
    return item
