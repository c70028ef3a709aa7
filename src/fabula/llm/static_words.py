"""Maps a text to rows of a table: Chinese by words and characters, English by words and subwords."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

LONGEST_CHINESE = 4
# The marker of a subword that does not begin a word, as models write it.
INSIDE = "##"

_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+|[a-z0-9]+")
_ACCENT = re.compile("[\u0300-\u036f]")
_REMEMBERED_WORDS = 65_536
_LONGEST_WORD = 40


class RowFinder:
    """Finds the rows of texts in one table; `simplified` maps characters to simplified ones."""

    def __init__(self, rows_of: Mapping[str, int], simplified: Mapping[int, int]) -> None:
        self._row = rows_of.get
        self._simplified = simplified
        self._spelled = lru_cache(_REMEMBERED_WORDS)(self._spell)

    def rows(self, text: str) -> list[int]:
        """The rows of all known words of a text, repeated as often as they occur."""
        found: list[int] = []
        for run in _RUN.findall(self._folded(text)):
            found += self._spelled(run) if run.isascii() else self._longest(run, LONGEST_CHINESE, "")
        return found

    def _folded(self, text: str) -> str:
        if text.isascii():
            return text.lower()
        plain = _ACCENT.sub("", unicodedata.normalize("NFKD", text)).lower()
        return plain.translate(self._simplified)

    def _spell(self, word: str) -> list[int]:
        return self._longest(word[:_LONGEST_WORD], _LONGEST_WORD, INSIDE)

    def _longest(self, run: str, reach: int, inside: str) -> list[int]:
        """The rows of the longest words or subwords from left to right, skipping what is not in the table."""
        found, start, mark = [], 0, ""
        while start < len(run):
            for end in range(min(start + reach, len(run)), start, -1):
                row = self._row(mark + run[start:end])
                if row is not None:
                    found.append(row)
                    start = end
                    break
            else:
                start += 1
            mark = inside
        return found
