"""Where characters speak in a text."""

from __future__ import annotations

import re
from bisect import bisect_right

# An apostrophe inside a word does not end a speech in single quotation marks.
SPOKEN = re.compile(r"“[^”\n]*”?|「[^」\n]*」?|『[^』\n]*』?|\"[^\"\n]*\"?|‘(?:[^’\n]|’(?=\w))*’")

# How English novels say that somebody speaks, as alternatives of a pattern.
SPEECH_VERBS = (
    "added|answered|asked|began|called|continued|cried|demanded|exclaimed|inquired|interrupted|laughed|murmured"
    "|muttered|observed|rejoined|remarked|repeated|replied|responded|resumed|retorted|returned|said|shouted"
    "|thought|whispered"
)


class Speeches:
    """The spans of a text that are spoken."""

    def __init__(self, text: str) -> None:
        self._spans = [found.span() for found in SPOKEN.finditer(text)]
        self._starts = [start for start, _ in self._spans]

    def hold(self, place: int) -> bool:
        """Whether an offset lies inside a speech."""
        number = bisect_right(self._starts, place) - 1
        return number >= 0 and place < self._spans[number][1]
