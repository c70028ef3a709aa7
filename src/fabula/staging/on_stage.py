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
# One mention may be in passing, two a comparison; three in narration mean that somebody is there.
_TIMES = 3


class NamedAt(NamedTuple, Generic[Who]):
    """A span that names somebody; a name that several people share is a share of each."""

    start: int
    end: int
    who: Who
    share: float = 1.0


class Presence(NamedTuple):
    """How often somebody is named in narration and in dialogue, and whether they act or speak."""

    told: float
    quoted: float
    acts: bool

    @property
    def is_on_stage(self) -> bool:
        """Whether somebody is there, not only talked about."""
        return self.acts or self.told >= _TIMES


def presences(text: str, namings: Iterable[NamedAt[Who]]) -> dict[Who, Presence]:
    """How present everybody is whom a passage names, the most present first."""
    speeches = Speeches(text)
    told: defaultdict[Who, float] = defaultdict(float)
    quoted: defaultdict[Who, float] = defaultdict(float)
    acting: dict[Who, None] = {}
    for start, end, who, share in namings:
        if speeches.hold(start):
            quoted[who] += share
        else:
            told[who] += share
            if is_acting(text, start, end):
                acting[who] = None
    found = {who: Presence(told[who], quoted[who], who in acting) for who in (*told, *quoted)}
    return dict(sorted(found.items(), key=lambda one: (-one[1].told, -one[1].quoted)))


def is_acting(text: str, start: int, end: int) -> bool:
    """Whether a sentence or clause starts with the name and goes on, or a speech is attributed to it."""
    if _SAYS_BEFORE.search(text[max(0, start - 24) : start]):
        return True
    left = text[max(0, start - 3) : start]
    begins = not left.strip() or left.rstrip(" \u3000")[-1:] in _BEFORE_ACTOR
    return begins and _GOES_ON.match(text, end) is not None
