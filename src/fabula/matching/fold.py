"""Fold a text for comparison (width, case, whitespace) and map spans back to the original.

Most text folds character by character, so a table lookup is enough and offsets stay the same. Where a
character expands (ß, ﬁ), combines with the previous one (e + U+0301), or a run of whitespace becomes one
space, the mapping is recorded as a `FoldedStretch`.
"""

import re
import sys
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from opencc import OpenCC

# Noncharacters mark, in the translated text, what does not fold one to one. If the text itself contains them,
# or a lone surrogate (which the automaton refuses), or NUL (which means "unknown" in the array of a
# `_Table`), the replacement character takes their place.
_EXPANDS = "\uffff"
_JOINS = "\ufffe"
_UNFIT = re.compile("[\x00\ud800-\udfff\ufffe\uffff]")
# Unicode's stream-safe text allows thirty marks on one character; sorting more of them is slow.
_IRREGULAR = re.compile(f"  +|{_EXPANDS}|{_JOINS}{{1,30}}")
_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_IDEOGRAPHIC_SPACE = "\u3000"

# Unicode's default ignorable characters: readers do not see them, so a name with and without them is the
# same name. Variation selectors, which choose a glyph and not a character, are among them.
_IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

# NFKC keeps these distinct although writers and their software use them interchangeably within a name:
# O’Brien and O'Brien, Jean‐Luc and Jean-Luc, 艾丽丝・李 and 艾丽丝·李.
_SAME_MARKS = str.maketrans("\u2019\u02bc\u2010\u30fb\u2027\u2022", "''-\u00b7\u00b7\u00b7")

# Enough for every character in use; keeps hostile text from filling memory with table entries.
_TABLE_LIMIT = 65_536

# From this length on, an array is faster than `str.translate`.
_LONG = 200

# Han (with its radicals, marks and bopomofo), kana, Thai, Lao, Khmer and Myanmar put no spaces between words.
# Hangul does, but its particles attach to the noun (철수는, 철수가), so a name ends inside the written word.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x19E0, 0x19FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3021, 0x303B),
    (0x3040, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA960, 0xA97F),
    (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x1AFF0, 0x1B16F),
    (0x20000, 0x3FFFD),
)
_UNSPACED_STARTS = tuple(first for first, _ in _UNSPACED)


class FoldedStretch(NamedTuple):
    """A span of the folded text whose length differs from that of its original."""

    start: int
    end: int
    original_start: int
    original_end: int


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text with the mapping of its spans back to the original."""

    text: str
    cuts: tuple[FoldedStretch, ...] = ()
    cut_starts: tuple[int, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of a folded span, widened to whole characters of the original."""
        if not self.cuts:
            return start, end
        cut = self._cut_at(start)
        if cut is None:
            first = start
        elif start < cut.end:
            first = cut.original_start
        else:
            first = cut.original_end + start - cut.end
        if end <= start:
            return first, first
        cut = self._cut_at(end - 1)
        if cut is None:
            return first, end
        return first, cut.original_end + max(0, end - cut.end)

    def aligned(self, start: int, end: int) -> bool:
        """Return whether a folded span covers whole original characters; one s of a folded ß does not."""
        return not self.cuts or not (self._splits(start) or self._splits(end))

    def _splits(self, position: int) -> bool:
        cut = self._cut_at(position)
        return cut is not None and cut.start < position < cut.end

    def _cut_at(self, position: int) -> FoldedStretch | None:
        index = bisect_right(self.cut_starts, position)
        return self.cuts[index - 1] if index else None


def fold(text: str, *, simplify: bool = False, keep_case: bool = False) -> Folded:
    """Fold width, case and whitespace, and with `simplify` traditional Chinese to simplified.

    A run of whitespace with at most one line break becomes one space; an empty line, or an indentation with
    ideographic spaces, separates paragraphs and keeps its length.
    """
    translated = _table(simplify, keep_case).translate(text)
    if "  " not in translated and _EXPANDS not in translated and _JOINS not in translated:
        return Folded(translated)
    return _fold_in_pieces(text, translated, simplify, keep_case)


@lru_cache(maxsize=_TABLE_LIMIT)
def is_word_char(ch: str) -> bool:
    """Return whether a character is a letter, digit or mark of a script that puts spaces between words."""
    if not ch.isalnum() and unicodedata.category(ch)[0] != "M":
        return False
    code = ord(ch)
    index = bisect_right(_UNSPACED_STARTS, code)
    return index == 0 or code > _UNSPACED[index - 1][1]


def _fold_in_pieces(text: str, translated: str, simplify: bool, keep_case: bool) -> Folded:
    pieces: list[str] = []
    cuts: list[FoldedStretch] = []
    done = 0
    length = 0
    for match in _IRREGULAR.finditer(translated):
        start, end = match.span()
        first = translated[start]
        if first == " ":
            if not _is_one_space(text[start:end]):
                continue
            folded = " "
        else:
            if first == _EXPANDS and translated.startswith(_JOINS, end):
                continue  # folded together with the marks that follow
            if first == _JOINS and start > done and translated[start - 1] != " ":
                start -= 1
            folded = _fold_cluster(text[start:end], simplify, keep_case)
        pieces.append(translated[done:start])
        length += start - done
        pieces.append(folded)
        cuts.append(FoldedStretch(length, length + len(folded), start, end))
        length += len(folded)
        done = end
    pieces.append(translated[done:])
    return Folded("".join(pieces), tuple(cuts), tuple(cut.start for cut in cuts))


def _is_one_space(run: str) -> bool:
    return _IDEOGRAPHIC_SPACE not in run and len(_LINE_BREAK.findall(run)) < 2


@lru_cache(maxsize=4096)
def _fold_cluster(cluster: str, simplify: bool, keep_case: bool) -> str:
    """Fold one character together with its combining marks."""
    cluster = _IGNORABLE.sub("", _UNFIT.sub("\ufffd", cluster))
    cluster = unicodedata.normalize("NFKC", cluster)
    if not keep_case:
        cluster = unicodedata.normalize("NFKC", cluster.casefold())
    cluster = cluster.translate(_SAME_MARKS)
    return "".join(map(_simplified, cluster)) if simplify else cluster


def _simplified(ch: str) -> str:
    if ch < "\u2e80":
        return ch
    # A few characters take two steps (variant to standard to simplified).
    for _ in range(3):
        simpler: str = _converter().convert(ch)
        if simpler == ch or len(simpler) != 1:
            break
        ch = simpler
    return ch


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


def _joins_the_one_before(ch: str) -> bool:
    if "\u1160" <= ch <= "\u11ff":
        return True  # Hangul vowels and finals compose into syllables but are not marks
    if _IGNORABLE.match(ch):
        return True
    # Some, such as the half-width voicing marks of kana, are marks only after their width is folded.
    return any(unicodedata.category(c[0])[0] == "M" for c in (ch, unicodedata.normalize("NFKC", ch)))


class _Table(dict[int, str]):
    """The folded form of each character that folds to one character, filled on demand.

    `str.translate` is fastest for a short text such as a name, an array for a long one (ten times, at
    10,000 Chinese characters), so the table has both forms.
    """

    def __init__(self, simplify: bool, keep_case: bool) -> None:
        super().__init__()
        self._simplify = simplify
        self._keep_case = keep_case
        self._codes = np.zeros(sys.maxunicode + 1, np.uint32)  # zero: unknown; untouched pages take no memory

    def __missing__(self, code: int) -> str:
        folded = self._fold(chr(code))
        if len(self) < _TABLE_LIMIT:
            self[code] = folded
        return folded

    def translate(self, text: str) -> str:
        """Return the text with every character replaced by its entry."""
        if len(text) < _LONG or text.isascii():
            return text.translate(self)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        folded = self._codes[codes]
        if not folded.all():
            for code in set(codes[folded == 0].tolist()):
                self._codes[code] = ord(self[code])
            folded = self._codes[codes]
        return folded.tobytes().decode("utf-32-le")

    def _fold(self, ch: str) -> str:
        if ch.isspace():
            return " "
        if _joins_the_one_before(ch):
            return _JOINS
        folded = _fold_cluster(ch, self._simplify, self._keep_case)
        return folded if len(folded) == 1 else _EXPANDS


@cache
def _table(simplify: bool, keep_case: bool) -> _Table:
    return _Table(simplify, keep_case)
