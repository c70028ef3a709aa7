"""Splits long texts into chunks that fit into a model's context window."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

# A scene ends at an empty line, a line of stars or dashes, or before a heading; every line is a paragraph.
_SCENE = re.compile(
    r"\n[ \t\u3000]*(?:\n|[*＊#—\-~·]{3,}[ \t\u3000]*\n)+"
    r"|\n(?=[ \t\u3000]*(?:第.{1,9}[章节回幕]|[Cc]hapter\b))"
)
_PARAGRAPH = re.compile(r"\n+")
_SENTENCE = re.compile(r"[。！？!?…]+[”’」』\"']*|\.[\"'”’]*\s")
_PAUSE = re.compile(r"[，、；：,;:\s]")

Measure = Callable[[str], int]


class TextPiece(NamedTuple):
    """A chunk of the text, as a span."""

    start: int
    end: int


def pieces_of(text: str, limit: int, overlap: int, measure: Measure = len) -> list[TextPiece]:
    """The text in chunks of at most `limit`, split at the end of a scene, else a paragraph, else a sentence.

    Each chunk repeats at most `overlap` of the end of the previous one, so that names there are still
    known. Without a `measure`, sizes are in characters.
    """
    if limit <= 0 or overlap >= limit:
        raise ValueError("a chunk must be larger than its overlap")
    if not text.strip():
        return []
    units = list(_units(text, limit - overlap, measure))
    pieces: list[TextPiece] = []
    first = done = 0
    while done < len(units):
        last, size = first, 0
        while last < len(units) and size + units[last].size <= limit:
            size += units[last].size
            last += 1
        last = max(last, done + 1)
        if last < len(units):
            last = _at_scene_end(units, first, last, done)
        pieces.append(TextPiece(units[first].start, units[last - 1].end))
        first, done = _back(units, first, last, overlap), last
    return pieces


class _Unit(NamedTuple):
    """A paragraph, or part of a long one, and whether a scene ends with it."""

    start: int
    end: int
    size: int
    ends_scene: bool


def _units(text: str, limit: int, measure: Measure) -> Iterator[_Unit]:
    ends = {found.end() for found in _SCENE.finditer(text)}
    start = 0
    for end in [*(found.end() for found in _PARAGRAPH.finditer(text)), len(text)]:
        if end <= start:
            continue
        parts = list(_parts(text, start, end, limit, measure))
        for number, (first, last, size) in enumerate(parts, 1):
            yield _Unit(first, last, size, number == len(parts) and end in ends)
        start = end


def _parts(text: str, start: int, end: int, limit: int, measure: Measure) -> Iterator[tuple[int, int, int]]:
    """The paragraph, split into parts within the limit."""
    size = measure(text[start:end])
    if size <= limit or end - start == 1:
        yield start, end, size
        return
    middle = _break_near(text, start, end)
    yield from _parts(text, start, middle, limit, measure)
    yield from _parts(text, middle, end, limit, measure)


def _break_near(text: str, start: int, end: int) -> int:
    """Where to split a paragraph: at the end of a sentence, else the pause, nearest to its middle."""
    middle = (start + end) // 2
    for mark in (_SENTENCE, _PAUSE):
        places = [found.end() for found in mark.finditer(text, start, end) if start < found.end() < end]
        if places:
            return min(places, key=lambda place: abs(place - middle))
    return middle


def _at_scene_end(units: list[_Unit], first: int, last: int, done: int) -> int:
    """The end of the last scene in the chunk, if that leaves at least a third of it and something new."""
    total = size = sum(unit.size for unit in units[first:last])
    for end in range(last, max(first, done), -1):
        if units[end - 1].ends_scene:
            return end
        size -= units[end - 1].size
        if 3 * size < total:
            break
    return last


def _back(units: list[_Unit], first: int, last: int, overlap: int) -> int:
    """Where the next chunk begins: as far back as the overlap allows, but after the start of this one."""
    size, start = 0, last
    while start - 1 > first and size + units[start - 1].size <= overlap:
        start -= 1
        size += units[start].size
    return start
