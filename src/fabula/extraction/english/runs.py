"""Runs of capitalised words in an English text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabula.extraction.english.tables import (
    CONNECTORS,
    LOOSE,
    PLACE_WORDS,
    TAKES_OF,
    TITLES,
    TITLES_WITH_STOP,
)

# Chinese characters are letters too, but not part of an English word they follow without a space.
_LETTERS = r"[^\W\d_\u3400-\u9fff]+"
_WORD = re.compile(rf"{_LETTERS}(?:['’\-‐]{_LETTERS})*")
_CONTRACTION = re.compile(r"['’](?:m|ll|ve|d|re|t)\Z", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’][sS]\Z")
# After these, and after an opening quotation mark, a capital means nothing.
_BEGINS = re.compile(r"(?:\A|[.!?:;…\n]|--|[—–])[\s\"'”’»)\]]*\Z|[\"“‘'«(\[_*][\s]*\Z")
_ROMAN = re.compile(r"[IVX]{1,5}\Z")
_LOWER_TAIL = re.compile(r"[-‐][a-z]{4,}\Z")
_LOOK_BACK = 12


class WordToken(NamedTuple):
    """A word of the text, without a possessive ending."""

    start: int
    end: int
    text: str
    begins: bool
    possessive: bool

    @property
    def is_capital(self) -> bool:
        """Whether it is written like a name: capitalised, or one initial."""
        if not self.text[0].isupper() or (len(self.text) > 1 and self.text.isupper()):
            return False
        if _CONTRACTION.search(self.text):
            return False
        # German-speaking is an adjective, Jean-Luc a name.
        return not _LOWER_TAIL.search(self.text)

    @property
    def is_loud(self) -> bool:
        """Whether it is in all capitals, as in headings."""
        return len(self.text) > 1 and self.text.isupper()


def tokens_of(text: str) -> list[WordToken]:
    """The words of the text, each marked if any word would be capitalised at its position."""
    tokens: list[WordToken] = []
    for found in _WORD.finditer(text):
        word, start = found[0], found.start()
        owner = _POSSESSIVE.sub("", word)
        before = text[max(0, start - _LOOK_BACK) : start]
        begins = _BEGINS.search(before) is not None and not _after_title(text, tokens, start)
        possessive = owner != word or text.startswith((" 's", " ’s"), found.end())
        tokens.append(WordToken(start, start + len(owner), owner, begins, possessive))
    return tokens


def _after_title(text: str, tokens: list[WordToken], start: int) -> bool:
    """Whether the full stop before the word belongs to a title or an initial."""
    if not tokens:
        return False
    last = tokens[-1]
    between = text[last.end : start]
    abbreviated = last.text in TITLES_WITH_STOP or (
        len(last.text) == 1 and last.text.isupper() and last.text != "I"
    )
    return abbreviated and between.strip() == "." and _one_gap(between)


def runs_of(text: str, tokens: list[WordToken]) -> Iterator[list[WordToken]]:
    """The runs of words that may be one name, without loose words at their ends."""
    index = 0
    while index < len(tokens):
        if not _may_be_named(tokens[index]):
            index += 1
            continue
        end = index + 1
        while end < len(tokens) and (step := _goes_on(text, tokens, end)):
            end += step
        yield from _trimmed(tokens[index:end])
        index = end


def _may_be_named(token: WordToken) -> bool:
    return token.is_capital or token.is_loud


def _goes_on(text: str, tokens: list[WordToken], index: int) -> int:
    """How many words from here on belong to the run: one, more with a connector, or none."""
    last, here = tokens[index - 1], tokens[index]
    if not _joined(text, last, here):
        return 0
    if _may_be_named(here):
        if here.text in TITLES_WITH_STOP and last.text not in TITLES:
            return 0
        return 1 if last.is_loud == here.is_loud or len(here.text) == 1 or _ROMAN.match(here.text) else 0
    if here.text in CONNECTORS and not last.possessive:
        following = index + 1
        if following < len(tokens) and tokens[following].text == "the" and here.text == "of":
            following += 1
        if (
            following < len(tokens)
            and tokens[following].is_capital
            and _close(text, tokens, index, following)
        ):
            return following - index + 1 if here.text != "of" or _takes_of(tokens, index) else 0
    return 0


def _takes_of(tokens: list[WordToken], index: int) -> bool:
    """Whether a name may continue after this word and `of`: Isle of Wight, Earl of Moreland."""
    last = tokens[index - 1].text
    return last in TITLES or last in TAKES_OF


def _close(text: str, tokens: list[WordToken], first: int, last: int) -> bool:
    return all(_joined(text, tokens[i], tokens[i + 1]) for i in range(first, last))


def _joined(text: str, last: WordToken, here: WordToken) -> bool:
    between = text[last.end : here.start]
    if last.possessive:
        return between in ("'s ", "’s ", " 's ", " ’s ") and here.text in PLACE_WORDS
    if not _one_gap(between):
        return False
    if between.isspace():
        return True
    return between.strip() == "." and (
        last.text in TITLES_WITH_STOP or (len(last.text) == 1 and last.text != "I")
    )


def _one_gap(between: str) -> bool:
    """Whether there is at most one line break between two words, and no wide gap."""
    return len(between) < _LOOK_BACK and between.count("\n") < 2 and "  " not in between


def _trimmed(run: list[WordToken]) -> Iterator[list[WordToken]]:
    while run and (run[0].text in LOOSE or (run[0].is_loud and run[0].text.capitalize() in LOOSE)):
        run = run[1:]
    while run and run[-1].text in LOOSE:
        run = run[:-1]
    if run:
        yield run
