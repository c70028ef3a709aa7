"""Cut a text to a number of tokens, at a natural break."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple, Protocol

from fabula.assembly.prose import sentence_ends

ELLIPSIS = "…"

_CLAUSE_END = re.compile(r"[，；、：]|[,;:](?=\s)")
_JOINERS = "\u200d\ufe0f\ufe0e"


class CountsTokens(Protocol):
    """Counts and cuts texts by tokens; `fabula.tokens` has an implementation for every model."""

    def __hash__(self) -> int: ...

    def count(self, text: str) -> int:
        """Return the number of tokens in the text."""
        ...

    def cut(self, text: str, limit: int) -> str:
        """Return the longest beginning of the text that has at most `limit` tokens."""
        ...


class Cut(NamedTuple):
    """A text that fits the limit, its token count, and whether it was shortened."""

    text: str
    tokens: int
    cut: bool


def cut_to(text: str, limit: int, counter: CountsTokens) -> Cut:
    """Return the text if it has at most `limit` tokens, otherwise as many whole sentences as fit.

    If not even one sentence fits, the text ends at a clause or a word, with an ellipsis; the result is empty
    if nothing fits.
    """
    tokens = counter.count(text)
    if tokens <= max(limit, 0):
        return Cut(text, tokens, False)
    if limit <= 0:
        return Cut("", 0, True)
    return _cut(text, limit, counter)


def shorten(text: str, characters: int) -> str:
    """Return the text if it has at most this many characters, otherwise its beginning with an ellipsis."""
    if len(text) <= characters:
        return text
    return text[: _pause(text, characters - 1)].rstrip() + ELLIPSIS


@lru_cache(2_048)
def _cut(text: str, limit: int, counter: CountsTokens) -> Cut:
    return _whole_sentences(text, limit, counter) or _broken(text, limit, counter) or Cut("", 0, True)


def _whole_sentences(text: str, limit: int, counter: CountsTokens) -> Cut | None:
    head = counter.cut(text, limit)
    for end in reversed(list(sentence_ends(text, len(head)))):
        kept = text[:end].rstrip()
        tokens = counter.count(kept)
        if kept and tokens <= limit:
            return Cut(kept, tokens, True)
    return None


def _broken(text: str, limit: int, counter: CountsTokens) -> Cut | None:
    for room in range(limit - counter.count(ELLIPSIS), 0, -1):
        head = counter.cut(text, room)
        kept = text[: _pause(text, len(head))].rstrip()
        tokens = counter.count(kept + ELLIPSIS)
        if kept and tokens <= limit:
            return Cut(kept + ELLIPSIS, tokens, True)
    return None


def _pause(text: str, size: int) -> int:
    """Return the best place to break at or before `size`: a clause in the second half, otherwise a word."""
    clauses = [found.start() for found in _CLAUSE_END.finditer(text, 0, min(len(text), size + 2))]
    late = [place for place in clauses if size // 2 <= place <= size and place > 0]
    if late:
        return late[-1]
    for place in range(size, 0, -1):
        if _may_break(text, place):
            return place
    # A single word longer than the limit: break inside it, but never inside a grapheme.
    return next((place for place in range(size, 0, -1) if not _is_joined(text, place)), 0)


def _may_break(text: str, place: int) -> bool:
    if place >= len(text):
        return True
    return not _is_joined(text, place) and not (_is_spaced(text[place - 1]) and _is_spaced(text[place]))


def _is_joined(text: str, place: int) -> bool:
    """Whether the characters on both sides of the place form one grapheme."""
    if place >= len(text):
        return False
    before, after = text[place - 1], text[place]
    return (
        unicodedata.combining(after) > 0
        or after in _JOINERS
        or before == "\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )


def _is_spaced(character: str) -> bool:
    """Whether the character is part of a word in a script that separates words with spaces."""
    return (character.isalnum() and not "\u2e80" <= character <= "\uffdc" and character < "\U00020000") or (
        character in "'’-_"
    )
