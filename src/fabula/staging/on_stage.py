"""Tells who is on stage in a passage from who is only talked about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import Generic, NamedTuple, TypeVar

from fabula.staging.dialogue import SPEECH_VERBS, Speeches

Who = TypeVar("Who", bound=Hashable)

_SAYS_BEFORE = re.compile(rf"\b(?:{SPEECH_VERBS})[ ,]+$")
_GOES_ON = re.compile(r" [a-z]|[^\S\n]*(?!的)[\u4e00-\u9fff]")
# In Chinese a name after a comma begins a clause, and one after 把 or 被 takes part in what is done.
_BEFORE_ACTOR = '.!?\n”"’。！？」』，；：把被'
# “Kitty, …” and “…, Kitty!” are said to somebody who is there.
_FIRST_WORD, _AND_GOES_ON = re.compile(r'[“"「『]\Z'), re.compile("[,!，！]")
_AFTER_ALL, _LAST_WORD = re.compile("[,，] ?\\Z"), re.compile(r'[!?.！？。][”"」』]')
# One mention may be in passing, two a comparison; three in narration mean that somebody is there; a text
# of many pages takes more.
_TIMES, _A_MENTION_IN = 3, 5_000


class NamedAt(NamedTuple, Generic[Who]):
    """A span that names somebody; a name that several people share is a share of each."""

    start: int
    end: int
    who: Who
    share: float = 1.0


class Presence(NamedTuple):
    """How often somebody is named in narration and in dialogue, and whether they act, speak or are spoken to.

    `least` is how often they must be named in narration to be there without any of these.
    """

    told: float
    quoted: float
    acts: bool
    is_called: bool = False
    least: float = _TIMES

    @property
    def is_on_stage(self) -> bool:
        """Whether somebody is there, not only talked about."""
        return self.acts or self.is_called or self.told >= self.least


def presences(text: str, namings: Iterable[NamedAt[Who]]) -> dict[Who, Presence]:
    """How present everybody is whom a passage names, the most present first."""
    speeches = Speeches(text)
    told: defaultdict[Who, float] = defaultdict(float)
    quoted: defaultdict[Who, float] = defaultdict(float)
    acting: dict[Who, None] = {}
    called: dict[Who, None] = {}
    for start, end, who, share in namings:
        if speeches.hold(start):
            quoted[who] += share
            if is_called(text, start, end):
                called[who] = None
        else:
            told[who] += share
            if is_acting(text, start, end):
                acting[who] = None
    least = max(_TIMES, len(text) / _A_MENTION_IN)
    found = {
        who: Presence(told[who], quoted[who], who in acting, who in called, least) for who in (*told, *quoted)
    }
    return dict(sorted(found.items(), key=lambda one: (-one[1].told, -one[1].quoted)))


def is_called(text: str, start: int, end: int) -> bool:
    """Whether a name in a speech is that of the one who is spoken to."""
    before = text[max(0, start - 2) : start]
    if _FIRST_WORD.search(before):
        return _AND_GOES_ON.match(text, end) is not None
    return _AFTER_ALL.search(before) is not None and _LAST_WORD.match(text, end) is not None


def is_acting(text: str, start: int, end: int) -> bool:
    """Whether a sentence or clause starts with the name and goes on, or a speech is attributed to it."""
    if _SAYS_BEFORE.search(text[max(0, start - 24) : start]):
        return True
    left = text[max(0, start - 3) : start]
    begins = not left.strip() or left.rstrip(" \u3000")[-1:] in _BEFORE_ACTOR
    return begins and _GOES_ON.match(text, end) is not None
