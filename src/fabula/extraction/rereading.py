"""Finds the parts of a text that are new since the last extraction, with their surroundings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_SENTENCE = re.compile(r".+?(?:[。！？!?…]+[”’」』\"']*|\.[\"'”’]*\s|\Z)", re.DOTALL)
_LONG_LINE = 1_000
_AROUND = 400


class Paragraph(NamedTuple):
    """A line of a text, or a sentence of a long line: its span and a hash of its content."""

    start: int
    end: int
    mark: str


class Window(NamedTuple):
    """A part of a text to process, and the hashes of its new paragraphs."""

    start: int
    end: int
    fresh: tuple[str, ...]


def paragraphs_of(text: str) -> list[Paragraph]:
    """The paragraphs of a text, without blank ones."""
    return [
        Paragraph(start, end, blake2b(text[start:end].strip().encode(), digest_size=8).hexdigest())
        for line in _LINE.finditer(text)
        for start, end in _parts(text, line.start(), line.end())
        if text[start:end].strip()
    ]


def windows_of(
    paragraphs: Sequence[Paragraph], read: Collection[str], longest: int | None = None
) -> list[Window]:
    """The windows to process: each new paragraph with its neighbours, nearby ones together.

    A window takes no further paragraph that would make it longer than `longest`.
    """
    windows: list[Window] = []
    number = 0
    while number < len(paragraphs):
        if paragraphs[number].mark in read:
            number += 1
            continue
        last = number
        fresh = {number}
        start = _before(paragraphs, number)
        for other in range(number + 1, len(paragraphs)):
            gap = paragraphs[other].start - paragraphs[last].end
            if longest is not None and paragraphs[other].end - paragraphs[start].start > longest:
                break
            if paragraphs[other].mark not in read:
                fresh.add(other)
                last = other
            elif gap > _AROUND:
                break
        end = _after(paragraphs, last)
        marks = tuple(paragraphs[one].mark for one in sorted(fresh))
        windows.append(Window(paragraphs[start].start, paragraphs[end].end, marks))
        number = last + 1
    return windows


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= _LONG_LINE:
        yield start, end
        return
    place = start
    for sentence in _SENTENCE.finditer(text[start:end]):
        yield place, start + sentence.end()
        place = start + sentence.end()
    if place < end:
        yield place, end


def _before(paragraphs: Sequence[Paragraph], number: int) -> int:
    """The first of the preceding paragraphs that belong to the window, at least one."""
    first = max(0, number - 1)
    while first > 0 and paragraphs[number].start - paragraphs[first - 1].start <= _AROUND:
        first -= 1
    return first


def _after(paragraphs: Sequence[Paragraph], number: int) -> int:
    last = min(len(paragraphs) - 1, number + 1)
    while last + 1 < len(paragraphs) and paragraphs[last + 1].end - paragraphs[number].end <= _AROUND:
        last += 1
    return last
