"""Short quotations to show beside proposals."""

from __future__ import annotations

import re

MAX_QUOTATION = 100

_END = re.compile(r"[。！？!?…\n]|\.(?=\s|\Z)")
_SPACE = " \t\r\n\u3000"
_CLOSERS = "”’」』）)"


def quotation(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the sentence around a span, cut to size around it."""
    if end - start >= MAX_QUOTATION:
        return start, start + MAX_QUOTATION
    first = start
    for found in _END.finditer(text, max(0, start - MAX_QUOTATION), start):
        first = found.end()
    if first == start and not _END.search(text, max(0, start - 1), start):
        first = max(0, start - MAX_QUOTATION)
    following = _END.search(text, end, end + MAX_QUOTATION)
    last = following.end() if following else min(len(text), end + MAX_QUOTATION)
    if last - first > MAX_QUOTATION:
        room = MAX_QUOTATION - (end - start)
        first = max(first, start - room // 2)
        last = min(last, first + MAX_QUOTATION)
    while first < start and text[first] in _SPACE + _CLOSERS:
        first += 1
    while last > end and text[last - 1] in _SPACE:
        last -= 1
    return first, last
