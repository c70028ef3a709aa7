"""Common Chinese words and their costs."""

from __future__ import annotations

import re
from functools import cache
from math import log
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick

from fabula.extraction.chinese.nouns import GROUPS, PEOPLE, PLACES
from fabula.tokens import ranked_words

HAN = re.compile("[\u4e00-\u9fff]+")
# Four vocabularies, learnt from different texts: what two of them share is a word, not an artefact of one.
_VOCABULARIES = ("kimi_k2", "deepseek_v3", "qwen3", "glm4")
_LONGEST = 6
_UNLISTED_NOUN = 9.0


class LexiconWord(NamedTuple):
    """A common word: its cost in nats (minus the logarithm of its probability), and its type if it is a noun
    for people, places or groups."""

    text: str
    cost: float
    noun: str | None


class Lexicon(NamedTuple):
    """All common words, with an automaton that finds them in one pass."""

    words: dict[str, LexiconWord]
    listed: tuple[LexiconWord, ...]
    search: AhoCorasick

    def is_common(self, text: str) -> bool:
        """Whether the text is an everyday word."""
        return text in self.words


@cache
def lexicon() -> Lexicon:
    """The lexicon, built once from token vocabularies in half a second."""
    costs: dict[str, float] = {}
    seen: dict[str, int] = {}
    for name in _VOCABULARIES:
        rank = 0
        for word in ranked_words(name):
            if len(word) > _LONGEST or HAN.fullmatch(word) is None:
                continue
            rank += 1
            seen[word] = seen.get(word, 0) + 1
            # Word frequency falls with rank (Zipf's law); the offset flattens the top ranks.
            cost = log(rank + 60) + 2
            if cost < costs.get(word, 99.0):
                costs[word] = cost
    nouns = _nouns()
    words = {
        word: LexiconWord(word, cost, nouns.get(word))
        for word, cost in costs.items()
        if len(word) == 1 or seen[word] > 1 or word in nouns
    }
    for noun, kind in nouns.items():
        words.setdefault(noun, LexiconWord(noun, _UNLISTED_NOUN, kind))
    listed = tuple(word for word in words.values() if len(word.text) > 1)
    return Lexicon(words, listed, AhoCorasick([word.text for word in listed], store_patterns=False))


def _nouns() -> dict[str, str]:
    return (
        dict.fromkeys(GROUPS, "faction")
        | dict.fromkeys(PLACES, "location")
        | dict.fromkeys(PEOPLE, "character")
    )
