"""Deaths that a text goes on to contradict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabula.extraction.facts.composed import PlacedFact
from fabula.extraction.identity.turns import SpeechTurn
from fabula.extraction.ties.drafts import Somebody

# A ghost, a memory or a letter may speak; whoever speaks more often than this lives.
_MOST_WORDS_AFTER_DEATH = 2
# A death is told at length, and the dying speak in between.
_DYING = 4_000


def without_survivors(
    facts: Iterable[PlacedFact], turns: Sequence[SpeechTurn], who: Mapping[str, Somebody]
) -> Iterator[PlacedFact]:
    """The facts without the deaths of those who speak again and again afterwards."""
    spoken: defaultdict[str, list[int]] = defaultdict(list)
    for turn in turns:
        one = who.get(turn.speaker) if turn.speaker is not None else None
        if one is not None:
            spoken[one.name].append(turn.start)
    for fact in facts:
        if fact.kind == "fate":
            after = sum(place > fact.end + _DYING for place in spoken[fact.about])
            if after > _MOST_WORDS_AFTER_DEATH:
                continue
        yield fact
