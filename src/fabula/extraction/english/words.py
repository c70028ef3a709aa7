"""How common English words are, and which of them are mostly capitalised."""

from __future__ import annotations

import re
from functools import cache
from math import log
from typing import NamedTuple

from fabula.tokens import ranked_words

_VOCABULARY = "o200k_base"
_WORD = re.compile(r" ([A-Za-z]{2,20})")
_UNLISTED = 200_000


class Ranks(NamedTuple):
    """The frequency rank of each word, in lower case and capitalised."""

    lower: dict[str, int]
    capital: dict[str, int]

    def leaning(self, word: str) -> float:
        """The log ratio in nats: above zero for words mostly capitalised, below for common words."""
        lower = self.lower.get(word.lower(), _UNLISTED)
        capital = self.capital.get(word.lower(), _UNLISTED)
        return log(lower / capital)

    def is_common(self, word: str) -> bool:
        """Whether the word is listed in lower case."""
        return word.lower() in self.lower


@cache
def ranks() -> Ranks:
    """The ranks, built once from a token vocabulary in a fifth of a second."""
    lower: dict[str, int] = {}
    capital: dict[str, int] = {}
    for rank, token in enumerate(ranked_words(_VOCABULARY), 1):
        found = _WORD.fullmatch(token)
        if found is None:
            continue
        word = found[1]
        if word.islower():
            lower.setdefault(word, rank)
        elif word[0].isupper() and word[1:].islower():
            capital.setdefault(word.lower(), rank)
    return Ranks(lower, capital)
