"""Deaths that a text goes on to contradict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabula.extraction.facts.composed import PlacedFact
from fabula.extraction.identity.turns import SpeechTurn
from fabula.extraction.stated_relation import StatedRelation
from fabula.extraction.ties.drafts import Somebody

# A ghost, a memory or a letter may speak; whoever speaks more often than this lives.
_MOST_WORDS_AFTER_DEATH = 2
# A death is told at length, and the dying speak in between.
_DYING = 4_000
_KILLINGS = frozenset(("killed", "杀死"))


class Survivors:
    """Whoever goes on speaking in a text."""

    def __init__(self, turns: Sequence[SpeechTurn], who: Mapping[str, Somebody]) -> None:
        self._who = who
        self._spoken: defaultdict[str, list[int]] = defaultdict(list)
        for turn in turns:
            one = who.get(turn.speaker) if turn.speaker is not None else None
            if one is not None:
                self._spoken[one.name].append(turn.start)

    def _lives(self, name: str, place: int) -> bool:
        after = sum(spoken > place + _DYING for spoken in self._spoken[name])
        return after > _MOST_WORDS_AFTER_DEATH

    def without_deaths(self, facts: Iterable[PlacedFact]) -> Iterator[PlacedFact]:
        """The facts without the deaths of those who speak again and again afterwards."""
        return (fact for fact in facts if fact.kind != "fate" or not self._lives(fact.about, fact.end))

    def without_killings(self, relations: Iterable[StatedRelation]) -> Iterator[StatedRelation]:
        """The relations without the killing of those who speak again and again afterwards."""
        for said in relations:
            target = self._who.get(said.target.known or said.target.text)
            is_alive = target is not None and self._lives(target.name, said.target.end)
            if said.type not in _KILLINGS or not is_alive:
                yield said
