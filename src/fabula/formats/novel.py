"""Splits a novel into chapters and scenes, assigning every character of the text to a part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from fabula.formats.novel_lines import Lines, too_many
from fabula.formats.novel_outline import listed_after, outline_of, prose_size
from fabula.formats.novel_text import is_chinese

PartKind = Literal["licence", "contents", "heading", "scene", "break", "blank"]

# A scene is the unit of extraction, embedding and summarisation.
LONGEST_SCENE = {True: 5_000, False: 12_000}
MOST_SCENES = 50_000
_LEAST_FRONT = 200

_LICENCE_HEAD = re.compile(r"\*{3}\s*START OF (?:THE|THIS) PROJECT GUTENBERG.*?\*{3}[^\n]*\n", re.S | re.I)
_LICENCE_FOOT = re.compile(
    r"^[^\n]*(?:\*{3}\s*END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg)", re.M | re.I
)
_BREAK = re.compile(
    r"[ \t\u3000]*(?:[*＊※#=~～—–\-_·•◇◆○●☆★…⁂✦❖][ \t\u3000]*){3,}|[ \t\u3000]*[*＊※⁂◇◆☆★❖][ \t\u3000]*"
)
# A title in brackets stands on a line of its own: within a sentence, it is that of any book.
_TITLE = (
    re.compile(r"^Title:\s*(\S.*)$", re.M),
    re.compile(r"^[ \t\u3000]*(?:书名[：:]\s*)?《([^》\n]{1,60})》[^\n。！？，；]{0,24}$", re.M),
)


class TextPart(NamedTuple):
    """A part of the text as a span; parts follow one another without gaps."""

    kind: PartKind
    start: int
    end: int


class NovelScene(NamedTuple):
    """A scene's text and its offset in the novel."""

    start: int
    text: str


class NovelChapter(NamedTuple):
    """A chapter with its heading, which may be empty."""

    title: str
    scenes: tuple[NovelScene, ...]


class Novel(NamedTuple):
    """A novel, and the parts its text was split into."""

    title: str
    is_chinese: bool
    chapters: tuple[NovelChapter, ...]
    parts: tuple[TextPart, ...]


def novel_of(text: str) -> Novel:
    """Split a novel; InvalidInput if it has too many chapters, scenes or lines."""
    chinese = is_chinese(text)
    start, end = _without_licence(text)
    lines = Lines.of(text, start, end)
    headings, own_title, sections = outline_of(lines)
    parts = _Parts([TextPart("licence", 0, start)])
    chapters: list[NovelChapter] = []
    above: list[str] = []
    first = headings[0].first if headings else len(lines)
    chapters.append(_chapter("", text, parts.put(_front(lines.between(0, first), bool(headings))), chinese))
    for number, marked in enumerate(headings):
        after = headings[number + 1].first if number + 1 < len(headings) else len(lines)
        parts.put([TextPart("heading", lines[marked.first].start, lines[marked.last].end)])
        below = marked.last + 1
        opening = {place - below for place in sections if below <= place < after} if sections else set()
        body = lines.between(below, after)
        if marked.heading.rank == "part" and after < len(lines) and not prose_size(body):
            parts.put([TextPart("contents", body.start, body.end)])
            above.append(marked.title)
            continue
        told = parts.put(_scenes(body, opening))
        title = " ".join([*above, marked.title])[:256]
        above = []
        chapters.append(_chapter(title, text, told, chinese))
    parts.put([TextPart("licence", end, len(text))])
    return Novel(
        own_title or _title(text), chinese, tuple(one for one in chapters if one.scenes), tuple(parts.all)
    )


class _Parts:
    """The parts of a text so far; adjacent parts of one kind are merged, except scenes and headings."""

    def __init__(self, parts: Iterable[TextPart]) -> None:
        self.all: list[TextPart] = []
        self._scenes = 0
        self.put(parts)

    def put(self, parts: Iterable[TextPart]) -> list[TextPart]:
        """Append parts and return the scenes among them."""
        told = []
        for part in parts:
            if part.end <= part.start:
                continue
            if part.kind == "scene":
                told.append(part)
                if self._scenes + len(told) > MOST_SCENES:
                    raise too_many("scenes", MOST_SCENES)
            elif self.all and self.all[-1].kind == part.kind != "heading":
                self.all[-1] = TextPart(part.kind, self.all[-1].start, part.end)
                continue
            self.all.append(part)
        self._scenes += len(told)
        return told


def _title(text: str) -> str:
    for pattern in _TITLE:
        found = pattern.search(text[:3_000])
        if found is not None:
            return found.group(1).strip()
    return ""


def _without_licence(text: str) -> tuple[int, int]:
    head = _LICENCE_HEAD.search(text[:30_000])
    start = head.end() if head is not None else 0
    foot = _LICENCE_FOOT.search(text, start)
    return start, foot.start() if foot is not None and foot.start() > start else len(text)


def _front(lines: Lines, has_headings: bool) -> Iterator[TextPart]:
    """The parts before the first heading: a scene if there is enough prose, else contents."""
    if not has_headings:
        yield from _scenes(lines)
        return
    before = lines.between(0, listed_after(lines))
    cut = lines.start if prose_size(before) < _LEAST_FRONT else before.end
    yield TextPart("scene", lines.start, cut)
    yield TextPart("contents", cut, lines.end)


def _scenes(lines: Lines, opening: Collection[int] = ()) -> Iterator[TextPart]:
    """The scenes of a chapter, separated by a line of symbols, a wide gap, or one of the opening lines."""
    gap = _wide_gap(lines)
    begun: int | None = None
    ended = lines.start
    for number, line in enumerate(lines):
        if _BREAK.fullmatch(line.text.rstrip("\n")):
            if begun is not None:
                yield TextPart("scene", begun, ended)
                begun = None
            yield TextPart("break", ended, line.end)
        elif begun is None:
            yield TextPart("blank", ended, line.start)
            begun = line.start
        elif number in opening or lines.gap(number) >= gap:
            yield TextPart("scene", begun, ended)
            yield TextPart("blank", ended, line.start)
            begun = line.start
        ended = line.end
    if begun is not None:
        yield TextPart("scene", begun, ended)
    yield TextPart("blank", ended, lines.end)


def _wide_gap(lines: Lines) -> int:
    """The number of blank lines that separates scenes: clearly more than between paragraphs."""
    gaps = Counter(map(lines.gap, range(len(lines))))
    usual = max(gaps, key=lambda size: gaps[size], default=0)
    return max(3, usual + 2)


def _chapter(title: str, text: str, told: Sequence[TextPart], chinese: bool) -> NovelChapter:
    scenes = [
        NovelScene(start, text[start:end])
        for part in told
        for start, end in _pieces(text, part.start, part.end, LONGEST_SCENE[chinese])
    ]
    return NovelChapter(title, tuple(scenes))


def _pieces(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """A long scene in parts of similar length, cut after a paragraph, else after a sentence or anywhere."""
    parts = -(-(end - start) // longest)
    size = -(-(end - start) // max(1, parts))
    while end - start > longest:
        cut = _cut_near(text, start, min(end, start + size), start + longest)
        yield start, cut
        start = cut
    if text[start:end].strip():
        yield start, end


def _cut_near(text: str, start: int, wanted: int, last: int) -> int:
    for sign in ("\n", "。", ". ", "！", "？"):
        after = text.find(sign, wanted, last)
        if after >= 0:
            return after + len(sign)
        before = text.rfind(sign, start + (wanted - start) // 2, wanted)
        if before >= 0:
            return before + len(sign)
    return wanted
