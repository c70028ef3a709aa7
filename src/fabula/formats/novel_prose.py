"""Turns the text of a file into prose: a paragraph a line, and nothing that a site or an archive put in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fabula.formats.novel_headings import heading_of
from fabula.formats.novel_text import is_chinese

# Hard-wrapped lines are neither longer than this, nor is the column narrower than that.
_WIDEST = {True: 60, False: 100}
_NARROWEST = {True: 20, False: 45}
# In a wrapped text nearly all line breaks inside paragraphs stand where the next word did not fit.
_LEAST_FORCED = 0.7
_LEAST_LINES = 30
_SAMPLE = 20_000
# Those who wrap by hand break a little early.
_SLACK = 6

_INDENTED = re.compile(r"[ \t\u3000]")
_FLUSH = re.compile(r"\S")
_SYMBOLS = re.compile(r"[*＊※#=~～—–_·•◇◆○●☆★⁂✦❖ -]+\Z")
_ENDED_ZH = re.compile(r"[。！？…：”」』】）》~～]\Z")
_GUTENBERG = re.compile(r"Project Gutenberg", re.I)
_EMPHASIS = re.compile(r"(?<!\w)_([^_\n]{1,200}(?:\n[^_\n]{1,200}){0,3})_(?!\w)")
_ILLUSTRATION = re.compile(r"^[ \t]*\[Illustration[^\]]{0,300}\][ \t]*$", re.M)
_ADDRESS = r"(?:https?://|www\.|[a-z0-9-]{2,30}\.(?:com|net|org|cc|cn|me|info)\b)"
# Nobody speaks in a notice, and it is hardly a sentence.
_PLAIN = "[^“”「」。？\n]"
_NOTICE = re.compile(
    rf"""[ \t\u3000]*(?:
        [（(\[【<]?(?:本章完|本章未完|未完待续|待续|全书完|全文完|本书完)[）)\]】>。！!]*
      | {_PLAIN}{{0,60}}{_ADDRESS}{_PLAIN}{{0,60}}
      | {_PLAIN}{{0,40}}(?:最新章节|全文阅读|免费阅读|手机阅读|[Tt][Xx][Tt]下载|电子书下载){_PLAIN}{{0,40}}
      | [（(]?(?:[Pp][Ss][：:.]?)?{_PLAIN}{{0,12}}(?:求推荐票|求月票|求收藏|求订阅|求打赏){_PLAIN}{{0,40}}
      | {_PLAIN}{{0,20}}(?:本书由|本文由|本电子书由){_PLAIN}{{0,40}}(?:整理|制作|提供|上传){_PLAIN}{{0,20}}
    )[ \t\u3000]*\Z""",
    re.X,
)


def prose(text: str) -> str:
    """Return a novel's text without hard line breaks and without the notices of the place it comes from."""
    chinese = is_chinese(text)
    if _GUTENBERG.search(text[:30_000]):
        text = _EMPHASIS.sub(r"\1", _ILLUSTRATION.sub("", text))
    if chinese:
        text = "\n".join(line for line in text.split("\n") if not _NOTICE.match(line))
    width = _wrapped_at(text, chinese)
    return text if width is None else "\n".join(_paragraphs(text.split("\n"), width, chinese))


def _wrapped_at(text: str, chinese: bool) -> int | None:
    """The column at which a text is wrapped; None if its lines are paragraphs."""
    lines = text.split("\n", _SAMPLE)[:_SAMPLE]
    sizes = sorted(len(line) for line in lines if line.strip())
    if len(sizes) < _LEAST_LINES:
        return None
    width = sizes[int(len(sizes) * 0.98)]
    if not _NARROWEST[chinese] <= width <= _WIDEST[chinese]:
        return None
    inner = [(one, other) for one, other in pairwise(lines) if one.strip() and _FLUSH.match(other)]
    if len(inner) < len(sizes) // 4:
        return None
    forced = sum(_is_forced(one, other, width, chinese) for one, other in inner)
    return width if forced >= _LEAST_FORCED * len(inner) else None


def _paragraphs(lines: list[str], width: int, chinese: bool) -> Iterator[str]:
    """The lines, with those joined that were broken only for their length."""
    pieces: list[str] = []
    last = ""
    for line in lines:
        if pieces and last.strip() and line.strip() and _is_forced(last, line, width, chinese):
            pieces[-1] = pieces[-1].rstrip()
            pieces += (_joint(last, line), line.strip())
        else:
            if pieces:
                yield "".join(pieces)
            pieces = [line]
        last = line
    yield "".join(pieces)


def _joint(one: str, other: str) -> str:
    """What stands between two joined lines: a space, except in Chinese and after a dash."""
    before, after = one.rstrip()[-1:], other.lstrip()[:1]
    if before in "—-" or not (before.isascii() or after.isascii()) or _is_han(before) or _is_han(after):
        return ""
    return " "


def _is_heading(line: str) -> bool:
    heading = heading_of(line)
    return heading is not None and heading.rank != "weak"


def _is_han(sign: str) -> bool:
    return "\u3000" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef"


def _is_forced(line: str, after: str, width: int, chinese: bool) -> bool:
    """Whether a line was broken because what follows did not fit into the column."""
    if _INDENTED.match(after) or _SYMBOLS.match(line.strip()) or _SYMBOLS.match(after.strip()):
        return False
    if len(line) > width + _SLACK or (_is_heading(after) and not _is_heading(line)):
        return False
    if chinese:
        return len(line) >= width - 2 and not (len(line) < width - 1 and _ENDED_ZH.search(line))
    word = after.split(None, 1)[0]
    return len(line.rstrip()) + 1 + len(word) > width - _SLACK
