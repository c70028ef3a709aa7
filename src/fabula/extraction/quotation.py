"""Short quotations to show beside proposals."""

from __future__ import annotations

import re

MAX_QUOTATION = 100
# A Chinese character says about as much as three Latin letters.
MAX_LETTERS = 300

_HAN = re.compile("[\u3400-\u9fff]")
# From here on, words are not written apart.
_CJK = "\u2e80"
_END = re.compile(r"[。！？!?…\n]|\.(?=\s|\Z)")
_SPACE = " \t\r\n\u3000"
_CLOSERS = "”’」』）)"


def quotation(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the sentence around a span, cut to size around it."""
    is_chinese = _HAN.search(text, max(0, start - MAX_LETTERS), end + MAX_LETTERS)
    most = MAX_QUOTATION if is_chinese else MAX_LETTERS
    if end - start >= most:
        return start, start + most
    first = start
    for found in _END.finditer(text, max(0, start - most), start):
        first = found.end()
    if first == start and not _END.search(text, max(0, start - 1), start):
        first = _between_words(text, max(0, start - most), start)
    following = _END.search(text, end, end + most)
    last = following.end() if following else _between_words(text, min(len(text), end + most), end)
    if last - first > most:
        first = _between_words(text, max(first, start - (most - (end - start)) // 2), start)
        last = _between_words(text, min(last, first + most), end)
    while last < len(text) and last - first < most and following and text[last] in _CLOSERS:
        last += 1
    while first < start and text[first] in _SPACE + _CLOSERS:
        first += 1
    while last > end and text[last - 1] in _SPACE:
        last -= 1
    return first, last


def _between_words(text: str, cut: int, within: int) -> int:
    """The cut, moved towards `within` until it splits no word."""
    step = 1 if cut < within else -1
    while cut != within and 0 < cut < len(text) and _is_part(text[cut - 1]) and _is_part(text[cut]):
        cut += step
    return cut


def _is_part(character: str) -> bool:
    """Whether it is part of a word that is written apart from its neighbours."""
    return character < _CJK and not character.isspace()
