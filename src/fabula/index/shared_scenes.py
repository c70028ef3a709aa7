"""Who appears with whom: pairs that share scenes, with how much they belong together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from math import sqrt
from typing import NamedTuple

# Each has this many partners at most, or the picture of a large cast would be one grey field.
_PARTNERS = 4
_LEAST_SCENES = 2
# In a crowd, nobody is with anybody.
_CROWD = 40


class SharedScenes(NamedTuple):
    """Two who appear in the same scenes: the weight from 0 to 1, and the first and last such instant."""

    one: int
    other: int
    weight: float
    first: int
    last: int


def shared_scenes(casts: Iterable[tuple[int, frozenset[int]]]) -> list[SharedScenes]:
    """The closest pairs of scenes given by instant, in order, with who is named in each.

    The weight is the share of their scenes that they have in common.
    """
    times: Counter[int] = Counter()
    together: Counter[tuple[int, int]] = Counter()
    span: dict[tuple[int, int], tuple[int, int]] = {}
    for instant, cast in casts:
        times.update(cast)
        if len(cast) > _CROWD:
            continue
        for pair in combinations(sorted(cast), 2):
            together[pair] += 1
            span[pair] = (span[pair][0] if pair in span else instant, instant)
    weighed = [
        SharedScenes(*pair, count / sqrt(times[pair[0]] * times[pair[1]]), *span[pair])
        for pair, count in together.items()
        if count >= _LEAST_SCENES
    ]
    partners: defaultdict[int, int] = defaultdict(int)
    kept: list[SharedScenes] = []
    for tie in sorted(weighed, key=lambda one: (-one.weight, one.one, one.other)):
        if min(partners[tie.one], partners[tie.other]) < _PARTNERS:
            partners[tie.one] += 1
            partners[tie.other] += 1
            kept.append(tie)
    return kept
