"""Recognises the headings of chapters and parts in a novel."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from fabula.formats.novel_numbers import CHINESE, number_of

# A part contains chapters; weak headings are mere numbers, used if nothing better is found.
Rank = Literal["part", "chapter", "weak"]

# A heading may go on for lines: "In which our hero …".
LONGEST_TITLE = 256
_LONGEST_LINE = 400

_SPACE = r"[ \t\u3000]"
_NUMBER = f"[{CHINESE}]+"
_GAP = rf"(?:{_SPACE}*[:：、.．·—\-]+{_SPACE}*|{_SPACE}+)"
_CHAPTER_ZH = re.compile(rf"(?:正文{_SPACE}*)?第{_SPACE}*({_NUMBER}){_SPACE}*([章回节節话話折幕集])(.*)")
_PART_ZH = re.compile(
    rf"(?:第{_SPACE}*({_NUMBER}){_SPACE}*[卷部篇册冊]|[卷]{_SPACE}*({_NUMBER})|([上中下])[卷部篇册冊])(?:{_GAP}(.*))?"
)
_SPECIAL_ZH = re.compile(
    rf"(?:楔子|序章|序幕|序言|自序|序|引子|引言|前言|尾声|尾聲|后记|後記|终章|終章|大结局|大結局|跋|"
    rf"番外(?:篇)?(?:{_SPACE}*{_NUMBER})?)(?:{_GAP}(.*))?"
)
_WORD_NUMBER = (
    r"[IVXLCivxlc]+|\d+|[A-Za-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|"
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))?"
)
_CHAPTER_EN = re.compile(
    rf"(?:chapter|chap\.|letter|canto|stave|scene)\s+(?:the\s+)?({_WORD_NUMBER})\b\.?(?:\s*[.:—–-]+\s*|\s+|$)(.*)",
    re.I,
)
_PART_EN = re.compile(
    rf"(?:part|book|volume|vol\.|act)\s+(?:the\s+)?({_WORD_NUMBER})\b\.?(?:\s*[.:—–-]+\s*|\s+|$)(.*)", re.I
)
_SPECIAL_EN = re.compile(
    r"(?:prologue|epilogue|preface|introduction|foreword|afterword|interlude|conclusion|postscript|l'envoi)"
    r"(?:\s*[.:—–-]+\s*(.*))?",
    re.I,
)
_WEAK_ROMAN = re.compile(r"([IVXLC]+)(?:\.|\.?\s*[—–:-])?(?:\s+([A-Z\"“'].*))?")
_WEAK_NUMBER = re.compile(rf"(\d{{1,4}})(?:[.、．:]|{_SPACE}*[—–:-])?(?:{_SPACE}*(\S.*))?")
_WEAK_ZH = re.compile(r"([一二三四五六七八九十百]+)(?:[、．.]|[\u3000 ]+)?(.*)")
_SENTENCE_END = re.compile(r"[。，；,;]$|[^.]\.\.\.$")
# The first characters of all patterns above; most lines of a novel need no further check.
_BEGINNING = re.compile(r"[\d第正卷上中下楔序自引前尾后後终終大跋番一二三四五六七八九十百ABCEFILPSVX]")
_MARKED = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+(\S.*?)[ \t#]*\n?\Z")


class NovelHeading(NamedTuple):
    """A line that may be a heading: its rank, number and title, and its level if the file marks it as one."""

    rank: Rank
    family: str
    number: int | None
    title: str
    level: int = 0

    @property
    def key(self) -> tuple[str, int | None, str]:
        """The key that a heading shares with its line in a table of contents."""
        return self.family, self.number, "" if self.number is not None else self.title.casefold()


def heading_of(line: str) -> NovelHeading | None:
    """The line as a possible heading; None if it cannot be one."""
    marked = _MARKED.match(line)
    if marked is not None:
        return _marked(len(marked[1]), marked[2])
    line = line.strip().strip("#*_=【】[]").strip()
    if len(line) > _LONGEST_LINE or _BEGINNING.match(line) is None:
        return None
    return _heading(line)


def _marked(level: int, title: str) -> NovelHeading:
    """A heading of Markdown: any title will do, and a part or a number in it counts as elsewhere."""
    found = _heading(title.strip("*_ ")) if len(title) <= _LONGEST_LINE else None
    if found is not None and found.rank != "weak":
        return found._replace(level=level)
    return NovelHeading("chapter", "marked", None, title[:LONGEST_TITLE].strip("*_ "), level)


@lru_cache(4096)
def _heading(line: str) -> NovelHeading | None:
    for read in (_chinese, _english, _weak):
        found = read(line)
        if found is not None:
            return found._replace(title=found.title[:LONGEST_TITLE].strip())
    return None


def _chinese(line: str) -> NovelHeading | None:
    part = _PART_ZH.match(line)
    chapter = _CHAPTER_ZH.search(line)
    if chapter is not None and (chapter.start() == 0 or (part is not None and chapter.start() < 40)):
        number, unit, rest = chapter.groups()
        if _is_title(rest, unit):
            return NovelHeading("chapter", "chapter", number_of(number), line)
    if part is not None and part.end() == len(line) and len(line) <= 40 and not _SENTENCE_END.search(line):
        number = part.group(1) or part.group(2)
        return NovelHeading(
            "part", "part", number_of(number) if number else "上中下".find(part.group(3)) + 1, line
        )
    special = _SPECIAL_ZH.fullmatch(line)
    if special is not None and len(line) <= 40 and not _SENTENCE_END.search(line):
        return NovelHeading("chapter", "special", None, line)
    return None


def _is_title(rest: str, unit: str) -> bool:
    """Whether the text after 第三回 is a title rather than the rest of a sentence."""
    if not rest.strip():
        return True
    spaced = rest[0] in " \t\u3000:：、.．·—-《（("
    if unit in "节節集话話幕折" and not spaced:
        return False
    if unit == "回" and rest.startswith(("合", "来", "到", "事", "头")):
        return False
    text = rest.strip()
    if _SENTENCE_END.search(text) or "。" in text or len(text) > (120 if spaced else 30):
        return False
    return spaced or not re.search("[，,：；“”]|^[里中的是就了已写说讲结前后，]", text)


def _english(line: str) -> NovelHeading | None:
    for pattern, rank in ((_CHAPTER_EN, "chapter"), (_PART_EN, "part")):
        found = pattern.fullmatch(line)
        if found is None:
            continue
        number = number_of(found.group(1))
        title = found.group(2)
        shouted = line.split()[0].isupper() or line[0].isupper()
        if number is None or not shouted or _runs_on(title):
            continue
        if rank == "chapter":
            return NovelHeading("chapter", "chapter", number, line)
        return NovelHeading("part", line.split()[0].casefold(), number, line)
    special = _SPECIAL_EN.fullmatch(line)
    if special is not None and line[0].isupper() and len(line) <= 60:
        return NovelHeading("chapter", "special", None, line)
    return None


def _runs_on(title: str) -> bool:
    """Whether the text after a number is the rest of a sentence."""
    return bool(title) and (title[0].islower() or title[-1] in ",;")


def _weak(line: str) -> NovelHeading | None:
    for pattern, family in ((_WEAK_ROMAN, "roman"), (_WEAK_NUMBER, "number"), (_WEAK_ZH, "numeral")):
        found = pattern.fullmatch(line)
        if found is None or len(line) > 50:
            continue
        number, title = number_of(found.group(1)), found.group(2) or ""
        if number is not None and not _SENTENCE_END.search(title) and not _runs_on(title):
            return NovelHeading("weak", family, number, line)
    return None
