"""English stems, so that `married`, `marries` and `marry` count as one word.

The algorithm is Porter's of 1980. Words in other alphabets stay as they are.
"""

from __future__ import annotations

import re
from threading import local

from snowballstemmer.porter_stemmer import PorterStemmer

_PLAIN = re.compile(r"[a-z]{3,}\Z")


class _PerThread(local):
    """A stemmer keeps the word it is working on, so that threads must not share one."""

    def __init__(self) -> None:
        self.stem_of = PorterStemmer().stemWord


_stemmer = _PerThread()


def stem(word: str) -> str:
    """The stem of a folded word."""
    if not _PLAIN.match(word):
        return word
    stemmed: str = _stemmer.stem_of(word)
    return stemmed
