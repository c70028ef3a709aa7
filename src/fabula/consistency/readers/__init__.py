"""What reads assertions in texts, one file per subject; register new ones here."""

from __future__ import annotations

from fabula.consistency.readers.ages_said import ages
from fabula.consistency.readers.births import births
from fabula.consistency.readers.bodies import bodies
from fabula.consistency.readers.counts import counts
from fabula.consistency.readers.deeds import deeds
from fabula.consistency.readers.holdings import holdings
from fabula.consistency.readers.kin import ties
from fabula.consistency.readers.own_words import own_words
from fabula.consistency.readers.positions import positions
from fabula.consistency.readers.ranks import ranks
from fabula.consistency.readers.sexes import sexes
from fabula.consistency.readers.spelling import spellings
from fabula.consistency.readers.traits import traits
from fabula.consistency.reading import Reads

READERS: tuple[Reads, ...] = (
    traits, ages, bodies, ties, deeds, sexes, counts, births, positions, holdings, ranks, own_words,
)  # fmt: skip

__all__ = ["READERS", "spellings"]
