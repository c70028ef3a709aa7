"""A looser folding for names that must not be disclosed, where a near miss counts as a match.

Beyond `fold`, it ignores diacritics, traditional characters, full stops, hyphens, apostrophes and the spaces
around them: `Mr. Salt` is `Mr Salt`, 盐 先生 and 鹽先生 are 盐先生.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fabula.matching.fold import Folded, FoldedStretch, fold, is_word_char

# What may occur inside a name without changing it; an empty line, which `fold` keeps, separates names.
_JOINER = re.compile(r"(?<=\w)(?: ?[.'·_\-–—]+ ?)+(?=\w)|(?<=\w) (?=\w)")
_LAST_MARKED = "\u1fff"


@dataclass(frozen=True, slots=True)
class LooselyFolded:
    """A loosely folded text with the mapping of its spans back to the original."""

    text: str
    first: Folded
    second: Folded

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of a folded span."""
        return self.first.span(*self.second.span(start, end))

    def aligned(self, start: int, end: int) -> bool:
        """Return true: half a character of a secret counts as a match."""
        return True

    @property
    def cuts(self) -> tuple[FoldedStretch, ...]:
        """Return the spans whose length differs from that of their original."""
        return self.second.cuts


def loosely_folded(text: str) -> LooselyFolded:
    """Fold a text for comparison with names that must not be disclosed."""
    first = fold(text, simplify=True)
    bare = first.text if first.text.isascii() else first.text.translate(_BARE)
    pieces: list[str] = []
    cuts: list[FoldedStretch] = []
    done = length = 0
    for match in _JOINER.finditer(bare):
        start, end = match.span()
        folded = " " if is_word_char(bare[start - 1]) and is_word_char(bare[end]) else ""
        if match[0] == folded:
            continue
        pieces += (bare[done:start], folded)
        length += start - done
        cuts.append(FoldedStretch(length, length + len(folded), start, end))
        length += len(folded)
        done = end
    pieces.append(bare[done:])
    second = Folded("".join(pieces), tuple(cuts), tuple(cut.start for cut in cuts))
    return LooselyFolded(second.text, first, second)


def inflected(name: str) -> Iterator[str]:
    """Yield the name and, if it ends in a letter of a script with spaces, its English plurals."""
    yield name
    last = name.rstrip(".")[-1:]
    if not (last.isalpha() and is_word_char(last)):
        return
    yield f"{name}s"
    if re.search(r"(?:[sxz]|[cs]h)\Z", name, re.IGNORECASE):
        yield f"{name}es"
    elif re.search(r"[^aeiou]y\Z", name, re.IGNORECASE):
        yield f"{name[:-1]}ies"


class _Bare(dict[int, str]):
    """Letters without their diacritics, filled on demand."""

    def __missing__(self, code: int) -> str:
        bare = _without_marks(chr(code))
        if len(self) < 4_096:
            self[code] = bare
        return bare


@lru_cache(4_096)
def _without_marks(ch: str) -> str:
    if ch > _LAST_MARKED:
        return ch
    first = unicodedata.normalize("NFKD", ch)[:1]
    return first if first.isalpha() else ch


_BARE = _Bare()
