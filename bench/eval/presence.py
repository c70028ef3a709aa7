"""Tells characters present in a passage from those only talked about; for the evaluation only."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import NamedTuple

from fabula.index.arrays import Mask
from fabula.retrieval.anchors import namings
from fabula.retrieval.world import World

_QUOTED = re.compile(r"“[^”\n]*”?|「[^」\n]*」?|『[^』\n]*』?|\"[^\"\n]*\"?")
_SAYS = re.compile(
    r"\b(?:said|asked|cried|answered|replied|thought|began|shouted|whispered|observed|exclaimed|added|repeated|"
    r"muttered|called|laughed|continued|responded)[ ,]+$"
)
_ACTS = re.compile(r" [a-z]|[^\S\n]*[\u4e00-\u9fff]")
_SENTENCE_ENDS = '.!?\n”"。！？」』'
# One mention may be in passing; two in narration, outside dialogue, mean that somebody is present.
_TIMES = 2


class Presence(NamedTuple):
    """How often an entity is named in narration and in dialogue, and whether it acts."""

    slot: int
    told: float
    quoted: float
    acts: bool

    @property
    def on_stage(self) -> bool:
        """Whether the entity is present, not only talked about."""
        return self.told >= _TIMES or (self.told >= 1 and self.acts)


def presences(world: World, text: str, allowed: Mask) -> list[Presence]:
    """The entities a passage names, the most present first."""
    quotes = [match.span() for match in _QUOTED.finditer(text)]
    begins = [start for start, _ in quotes]
    told: defaultdict[int, float] = defaultdict(float)
    quoted: defaultdict[int, float] = defaultdict(float)
    acts: set[int] = set()
    for (start, end), meant in namings(world, text, allowed).items():
        before = bisect_right(begins, start) - 1
        inside = before >= 0 and start < quotes[before][1]
        for hit, share in meant:
            (quoted if inside else told)[hit.slot] += share
            if not inside and _is_acting(text, start, end):
                acts.add(hit.slot)
    found = [Presence(slot, told[slot], quoted[slot], slot in acts) for slot in told.keys() | quoted.keys()]
    return sorted(found, key=lambda one: (-one.told, -one.quoted, world.id_of(one.slot)))


def _is_acting(text: str, start: int, end: int) -> bool:
    """Whether a sentence starts with the name and continues, or a speech is attributed to it."""
    if _SAYS.search(text[max(0, start - 24) : start]):
        return True
    left = text[max(0, start - 3) : start]
    begins = not left.strip() or left.rstrip(" \u3000")[-1:] in _SENTENCE_ENDS
    return begins and _ACTS.match(text, end) is not None
