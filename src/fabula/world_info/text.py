"""The text that keys are looked for in: messages, texts beside the chat, and what recursion adds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from fabula.world_info.loose import has_blank
from fabula.world_info.result import Where

MARK = "\x01"
JOINER = "\n" + MARK
MOST_MESSAGES = 1_000
# Pieces are numbered by what they are: messages from 0, then sources, injections and recursion texts.
_SOURCE = 1_000
_INJECTION = 2_000
_RECURSION = 1_000_000
_WORD = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")


class ScannedPiece:
    """A numbered part of the text."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text

    @cached_property
    def lower(self) -> str:
        """The part in lower case."""
        return self.text.lower()


def folded(text: str) -> str:
    """The text in lower case with one form of sigma, which has two in lower case depending on its place."""
    return one_sigma(text.lower())


def one_sigma(lowered: str) -> str:
    """A text in lower case with one form of sigma."""
    return lowered if lowered.isascii() else lowered.replace("ς", "σ")


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter, digit or underscore of ASCII touches the part of the text."""
    return (start == 0 or text[start - 1] not in _WORD) and (end == len(text) or text[end] not in _WORD)


def contains(text: str, needle: str, whole: bool) -> bool:
    """Whether the needle is in the text; a needle with a blank in it is never taken as a word."""
    if not whole or has_blank(needle):
        return needle in text
    start = text.find(needle)
    while start >= 0:
        if stands_alone(text, start, start + len(needle)):
            return True
        start = text.find(needle, start + 1)
    return False


def place_of(number: int) -> tuple[Where, int]:
    """What a piece is, and which one of its kind."""
    if number < _SOURCE:
        return "chat", number
    if number < _INJECTION:
        return "source", number - _SOURCE
    if number < _RECURSION:
        return "injection", number - _INJECTION
    return "recursion", number - _RECURSION


class View:
    """The part of the text that one entry reads in one pass."""

    def __init__(
        self, pieces: tuple[ScannedPiece, ...], depth: int, sources: tuple[int, ...], told: int
    ) -> None:
        self._pieces = pieces
        self._depth = depth
        self._sources = sources
        self._told = told

    def sees(self, number: int) -> bool:
        """Whether a piece is part of the view."""
        if number < _SOURCE:
            return number < self._depth
        if number < _INJECTION:
            return number - _SOURCE in self._sources
        return number < _RECURSION + self._told

    @cached_property
    def text(self) -> str:
        """The whole text as patterns see it."""
        return MARK + JOINER.join(piece.text for piece in self._pieces)

    @cached_property
    def lower(self) -> str:
        """The whole text in lower case."""
        return MARK + JOINER.join(piece.lower for piece in self._pieces)

    def where(self, offset: int) -> tuple[Where, int]:
        """The piece at an offset of the text."""
        for piece in self._pieces:
            offset -= len(piece.text) + len(JOINER)
            if offset < 0:
                return place_of(piece.number)
        return ("chat", 0)

    def find(self, needle: str, case_sensitive: bool, whole: bool) -> int | None:
        """The number of the first piece with a plain key; the first piece if it is in several at once."""
        if not case_sensitive:
            needle = needle.lower()
        if not contains(self.text if case_sensitive else self.lower, needle, whole):
            return None
        for piece in self._pieces:
            if contains(piece.text if case_sensitive else piece.lower, needle, whole):
                return piece.number
        return 0


class _Nothing(View):
    """What an entry with a depth of 0 reads."""

    text = ""
    lower = ""

    def __init__(self) -> None:
        super().__init__((), 0, (), 0)

    def sees(self, number: int) -> bool:
        return False


NOTHING = _Nothing()


class ScannedText:
    """All pieces of a scan; recursion adds to them."""

    def __init__(self, chat: Sequence[str], sources: Sequence[str], injections: Sequence[str]) -> None:
        newest = list(reversed(chat[-MOST_MESSAGES:]))
        while newest and not newest[-1]:
            newest.pop()
        self.chat = [ScannedPiece(number, text) for number, text in enumerate(newest)]
        self.sources = {
            place: ScannedPiece(_SOURCE + place, text) for place, text in enumerate(sources) if text
        }
        self.injections = [ScannedPiece(_INJECTION + place, text) for place, text in enumerate(injections)]
        self.recursion: list[ScannedPiece] = []
        self._views: dict[tuple[int, tuple[int, ...], int], View] = {}

    def add_recursion(self, text: str) -> ScannedPiece:
        """Add what the entries of a pass say."""
        piece = ScannedPiece(_RECURSION + len(self.recursion), text)
        self.recursion.append(piece)
        return piece

    def view(self, depth: float, sources: tuple[int, ...], recursion: bool) -> View:
        """What an entry of this depth reads; nothing at all if the depth is not positive."""
        if depth <= 0:
            return NOTHING
        messages = 0 if depth != depth else int(min(depth, MOST_MESSAGES))
        told = len(self.recursion) if recursion else 0
        key = (messages, sources, told)
        view = self._views.get(key)
        if view is None:
            pieces = (
                *self.chat[:messages],
                *(self.sources[place] for place in sources if place in self.sources),
                *self.injections,
                *self.recursion[:told],
            )
            if not self.chat[:messages]:
                # Without a message the text still begins with an empty one.
                pieces = (ScannedPiece(0, ""), *pieces)
            view = self._views[key] = View(pieces, messages, sources, told)
        return view


_NEWLINE = re.compile(r"[\n\x01]")


def can_span(needle: str) -> bool:
    """Whether a needle could begin in one piece and end in the next."""
    return MARK in needle


def is_inside(literal: str) -> bool:
    """Whether a text that a pattern needs is inside one piece wherever it occurs."""
    return _NEWLINE.search(literal) is None
