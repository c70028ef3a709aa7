"""Splits scenes into passages and indexes them.

A passage is a few paragraphs long, about 140 English words or 320 Chinese characters. It ends with a
paragraph if one ends nearby, else with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Mask
from fabula.index.bm25 import LexicalIndex
from fabula.index.lexemes import Counts, are_han
from fabula.model.moment import MAX_SCENE

# Widths are counted in letters; a Chinese character counts as three.
FULL = 900
NEARLY_FULL = 600
WIDEST = 1200
TAIL = 300

BYTES_EACH = 100
BYTES_EACH_SCENE = 700

_CLOSERS = "」』”’）】》〉)\\]\"'"
_TITLES = r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})(?<!\bCapt)(?<!\bProf)"
_END = re.compile(
    rf"(?<![。！？…])[。！？…]++[{_CLOSERS}]*+\s*+"
    rf"|(?<![.!?]){_TITLES}[.!?]++[{_CLOSERS}]*+\s++"
    r"|(?P<lines>\n\s*+)"
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*+\n")
_SCENE_BITS = MAX_SCENE.bit_length()


def passages(text: str) -> list[tuple[int, int]]:
    """The spans of the passages, which together cover the text."""
    widths = _widths(text)
    cuts = [0]
    last = 0
    for end, paragraph in _ends(text):
        if last > cuts[-1] and widths[end] - widths[cuts[-1]] > WIDEST:
            cuts.append(last)
        while widths[end] - widths[cuts[-1]] > WIDEST:
            cuts.append(_cut_anywhere(text, cuts[-1], widths))
        width = widths[end] - widths[cuts[-1]]
        if width >= FULL or (paragraph and width >= NEARLY_FULL):
            cuts.append(end)
        last = end
    if len(cuts) > 1 and 0 < widths[-1] - widths[cuts[-1]] < TAIL:
        cuts.pop()
    return list(pairwise([*cuts, len(text)] if cuts[-1] < len(text) else cuts))


def _ends(text: str) -> Iterator[tuple[int, bool]]:
    """The ends of sentences, after their trailing whitespace, and whether a paragraph ends there too."""
    # In a text without blank lines, lines are paragraphs; otherwise a line may just have been wrapped.
    breaks = 1 if _BLANK_LINE.search(text) is None else 2
    for found in _END.finditer(text):
        paragraph = found.group().count("\n") >= breaks
        if found["lines"] is None or paragraph:
            yield found.end(), paragraph
    yield len(text), True


def _cut_anywhere(text: str, start: int, widths: NDArray[np.int64]) -> int:
    """Where to cut a sentence that is too long: between two words if possible."""
    longest = int(np.searchsorted(widths, widths[start] + FULL))
    gap = text.rfind(" ", start, longest) + 1
    return gap if gap > start + 1 else longest


def _widths(text: str) -> NDArray[np.int64]:
    """The width of the text up to each offset."""
    characters = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(1 + 2 * are_han(characters), dtype=np.int64)])


class PassageOrder(NamedTuple):
    """All passages in manuscript order: slot, instant, span in the scene, length in words."""

    slots: Counts
    instants: NDArray[np.int64]
    starts: Counts
    ends: Counts
    lengths: Counts

    @property
    def chapters(self) -> NDArray[np.int64]:
        """The chapter of each passage."""
        return self.instants >> _SCENE_BITS

    def up_to(self, instant: int) -> Mask:
        """Which passages are not after an instant."""
        return self.instants <= instant


class PassageIndex:
    """The passages of one story, by word and by position."""

    def __init__(self, scenes: Iterable[tuple[int, str, str]] = (), *, simplify: bool = False) -> None:
        self.words = LexicalIndex(simplify=simplify)
        self._scenes: dict[int, _Held] = {}
        self._free: list[int] = []
        self._slots = 0
        self._order: PassageOrder | None = None
        # What queries over all passages work out from their order alone.
        self.worked_out: dict[Hashable, Any] = {}
        for instant, heading, text in scenes:
            self.put(instant, text, heading)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return self.words.weight + len(self._scenes) * BYTES_EACH_SCENE + self._slots * BYTES_EACH

    def put(self, instant: int, text: str, heading: str = "") -> None:
        """Add or replace the text of a scene; its heading is indexed with each of its passages."""
        self.drop(instant)
        spans = passages(text)
        slots = [self._free.pop() if self._free else self._another() for _ in spans]
        for slot, (start, end) in zip(slots, spans, strict=True):
            self.words.put(slot, f"{heading}\n{text[start:end]}")
        places = np.array(spans, np.int32).reshape(-1, 2)
        self._scenes[instant] = _Held(np.array(slots, np.int32), places[:, 0], places[:, 1])

    def drop(self, instant: int) -> None:
        """Remove a scene."""
        self._order = None
        self.worked_out.clear()
        held = self._scenes.pop(instant, None)
        for slot in () if held is None else held.slots.tolist():
            self.words.drop(slot)
            self._free.append(slot)

    def in_order(self) -> PassageOrder:
        """All passages in manuscript order."""
        if self._order is None:
            instants = sorted(self._scenes)
            held = [_NOTHING, *(self._scenes[instant] for instant in instants)]
            slots, starts, ends = (np.concatenate(column) for column in zip(*held, strict=True))
            sizes = [len(scene.slots) for scene in held[1:]]
            when = np.repeat(np.array(instants, np.int64), sizes)
            self._order = PassageOrder(slots, when, starts, ends, self.words.lengths[slots])
        return self._order

    def _another(self) -> int:
        self._slots += 1
        return self._slots - 1


class _Held(NamedTuple):
    """The passages of a scene: their slots and their spans."""

    slots: Counts
    starts: Counts
    ends: Counts


_NOTHING = _Held(*(np.zeros(0, np.int32) for _ in range(3)))
