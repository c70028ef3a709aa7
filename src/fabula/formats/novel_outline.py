"""Chooses the lines of a novel that are headings of chapters and parts."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from typing import NamedTuple

from fabula.formats.novel_headings import LONGEST_TITLE, NovelHeading
from fabula.formats.novel_lines import Lines, too_many

# The longest novels that people write have some twelve thousand chapters.
MOST_CHAPTERS = 20_000
_LEAST_BODY = 40
# Below the word "Contents" other lists may follow.
_LEAST_LISTED_BODY = 200
_LEAST_WEAK = 3
_WIDEST_BELOW = 2
_NEAR = 400
# Chapters are the first level that carries at least one part in five of the text.
_CHAPTERS_SHARE = 5

_PROSE = re.compile(r"[.!?…。！？][\"”’」』)）]*\s*$|^(?=.*[a-z\u4e00-\u9fff]).{60,}|[，。].*[，。]")
_CONTENTS = re.compile(r"[#*\s]*(?:table of contents|contents|目\s*录|目\s*錄|目\s*次)[#*:：\s]*", re.I)


class Marked(NamedTuple):
    """A heading with its lines."""

    first: int
    last: int
    title: str
    heading: NovelHeading


class Outline(NamedTuple):
    """The headings of a novel, its own title if one stands above them, and the lines that open a scene."""

    headings: list[Marked]
    title: str
    sections: frozenset[int]


def outline_of(lines: Lines) -> Outline:
    """The headings of a novel: marked and strong ones, or ascending numbers if there are hardly any."""
    strong, weak = array("I"), array("I")
    for number, line in enumerate(lines):
        heading = line.heading
        if heading is not None:
            (weak if heading.rank == "weak" else strong).append(number)
    kept: Sequence[int] = _without_contents(lines, strong)
    if sum(lines.heading(number).family in ("chapter", "marked") for number in kept) < 2:
        kept = sorted({*kept, *_going_up(lines, _without_contents(lines, _alone(lines, weak)))})
    title, kept = _own_title(lines, kept)
    deepest = _chapter_level(lines, kept)
    sections = frozenset(number for number in kept if lines.heading(number).level > deepest)
    chosen = [number for number in kept if number not in sections]
    if len(chosen) > MOST_CHAPTERS:
        raise too_many("chapters", MOST_CHAPTERS)
    return Outline([_marked(lines, number, deepest) for number in chosen], title, sections)


def _own_title(lines: Lines, kept: Sequence[int]) -> tuple[str, Sequence[int]]:
    """The title of the book if it is the one heading above all others, and the other headings."""
    if len(kept) < 3:
        return "", kept
    first, *others = kept
    top = lines.heading(first)
    below = [lines.heading(number).level for number in others]
    is_title = top.family == "marked" and all(level == 0 or level > top.level for level in below)
    if is_title and _is_short(lines.between(first + 1, others[0])):
        return top.title, others
    return "", kept


def _chapter_level(lines: Lines, kept: Sequence[int]) -> int:
    """The level of marked headings that chapters have: those above are parts, those below open scenes."""
    sizes: dict[int, int] = {}
    for place, number in enumerate(kept):
        level = lines.heading(number).level
        if level:
            after = kept[place + 1] if place + 1 < len(kept) else len(lines)
            span = lines.between(number + 1, after)
            sizes[level] = sizes.get(level, 0) + span.end - span.start
    whole = sum(sizes.values())
    return next((level for level in sorted(sizes) if sizes[level] * _CHAPTERS_SHARE >= whole), 6)


def _without_contents(lines: Lines, found: Sequence[int]) -> Sequence[int]:
    """The headings without those of a table of contents, which have no text below and occur again."""
    kept = array("I")
    later: set[tuple[str, int | None, str]] = set()
    listed = listed_after(lines)
    for place in range(len(found) - 1, -1, -1):
        number = found[place]
        after = found[place + 1] if place + 1 < len(found) else len(lines)
        heading = lines.heading(number)
        below = lines.between(number + 1, after)
        is_bare = prose_size(below) < _LEAST_LISTED_BODY if listed <= number else _is_short(below)
        # A part may well be bare, but not above a chapter of a table of contents.
        is_above = bool(kept) and kept[-1] == after and lines.heading(after).key != heading.key
        if heading.key in later and is_bare and not (heading.rank == "part" and is_above):
            continue
        later.add(heading.key)
        kept.append(number)
    return kept[::-1]


def listed_after(lines: Lines) -> int:
    """The line of the word "Contents" near the beginning; the number of lines if there is none."""
    near = range(min(len(lines), _NEAR))
    return next((n for n in near if _CONTENTS.fullmatch(lines[n].text.strip())), len(lines))


def prose_size(lines: Lines) -> int:
    """The number of characters in sentences near the beginning, without names, titles and addresses."""
    near = (lines[number].text for number in range(min(len(lines), _NEAR)))
    return sum(len(text) for text in near if _PROSE.search(text))


def _is_short(lines: Lines) -> bool:
    size = 0
    for line in lines:
        size += len(line.text.strip())
        if size >= _LEAST_BODY:
            return False
    return True


def _alone(lines: Lines, weak: Sequence[int]) -> Sequence[int]:
    """The weak headings between blank lines."""
    return array(
        "I",
        (
            number
            for number in weak
            if (number == 0 or lines.gap(number)) and (number + 1 >= len(lines) or lines.gap(number + 1))
        ),
    )


def _going_up(lines: Lines, found: Sequence[int]) -> Sequence[int]:
    """The longest family of headings whose numbers ascend or restart at one."""
    ways: dict[str, array[int]] = {}
    last: dict[str, int] = {}
    for number in found:
        heading = lines.heading(number)
        if heading.number is not None and heading.number in (1, last.get(heading.family, 0) + 1):
            ways.setdefault(heading.family, array("I")).append(number)
            last[heading.family] = heading.number
    best = max(ways.values(), key=len, default=array("I"))
    return best if len(best) >= _LEAST_WEAK else ()


def _marked(lines: Lines, number: int, deepest: int) -> Marked:
    """A heading with the title on the line below, if it has none of its own."""
    heading = lines.heading(number)
    if heading.level:
        rank = "part" if heading.level < deepest else heading.rank
        return Marked(number, number, " ".join(heading.title.split()), heading._replace(rank=rank))
    title = heading.title
    last = number
    if len(title) <= 24 and heading.rank != "part":
        below = number + 1
        if below < len(lines) and lines.gap(below) <= _WIDEST_BELOW and _is_subtitle(lines, below):
            title, last = f"{title} {lines[below].text.strip()}", below
    return Marked(number, last, " ".join(title.split()), heading)


def _is_subtitle(lines: Lines, number: int) -> bool:
    text = lines[number].text.strip()
    if lines[number].heading is not None or not 0 < len(text) <= LONGEST_TITLE:
        return False
    if not lines.gap(number) and not text.isupper():
        return False
    if number + 1 < len(lines) and not lines.gap(number + 1):
        return False
    if not text.isascii() and not re.search("[A-Za-z]", text):
        return False
    words = re.findall(r"[A-Za-z']+", text)
    named = all(word[0].isupper() for word in words if len(word) > 3)
    return bool(words) and words[0][0].isupper() and text[-1] not in ',;:?!"”' and named
