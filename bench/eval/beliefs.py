"""Who believes what where a thing is, told to a story as events and answered by its questions.

A sight is an event at which some people see where a thing is; a claim is one at which somebody says so to
others, of whom some believe it. What a chain of people thinks is the last sight that all of them shared, or
the last claim that the one who judges it takes to be true.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fabula.memory import Memory
from fabula.story_memory import StoryMemory


class Sight(NamedTuple):
    """Some people see where a thing is, together."""

    thing: str
    where: str
    seen_by: tuple[str, ...]


class Claim(NamedTuple):
    """Somebody tells others where a thing is; some believe it, the speaker knows better."""

    thing: str
    where: str
    speaker: str
    hearers: tuple[str, ...]
    believed_by: frozenset[str]


class _Told(NamedTuple):
    seen: Sight | Claim
    event_id: str
    fact_id: str


class Believers:
    """A story made of sights and claims."""

    def __init__(self, memory: Memory, title: str, told: Sequence[Sight | Claim]) -> None:
        self._story: StoryMemory = memory.story(title)
        names = dict.fromkeys(
            name
            for one in told
            for name in (one.seen_by if isinstance(one, Sight) else (one.speaker, *one.hearers))
        )
        self._people = {name: self._story.entity.create(type="character", name=name).id for name in names}
        self._told = [self._tell(scene, one) for scene, one in enumerate(told)]

    def where(self, chain: Sequence[str], thing: str) -> str | None:
        """Where the first thinks that the second thinks … that the last thinks a thing is.

        Without anybody, where it is.
        """
        for told in reversed(self._told):
            one = told.seen
            if one.thing == thing and (self._holds(chain, told) if chain else isinstance(one, Sight)):
                return one.where
        return None

    def first(self, thing: str) -> str | None:
        """Where a thing was seen first."""
        return next((told.seen.where for told in self._told if told.seen.thing == thing), None)

    def _holds(self, chain: Sequence[str], told: _Told) -> bool:
        one = told.seen
        if isinstance(one, Sight):
            return self._knows(chain, told.event_id)
        if len(chain) == 1:
            return self._knows(chain, told.fact_id)
        if chain[-1] == one.speaker:
            # What somebody says is what they think, for who believes them.
            return self._knows(chain, told.event_id) and self._knows(chain[-2:-1], told.fact_id)
        return set(chain[:-1]) == {one.speaker} and self._knows(chain, told.event_id)

    def _knows(self, chain: Sequence[str], fact_id: str) -> bool:
        if not set(chain) <= self._people.keys():
            return False
        fact = {"kind": "event", "id": fact_id}
        people = [self._people[name] for name in chain]
        return bool(self._story.ask("knowledge.chain", chain=people, fact=fact).knows)

    def _tell(self, scene: int, one: Sight | Claim) -> _Told:
        if isinstance(one, Sight):
            seen = self._event(scene, one, "seen", one.seen_by)
            return _Told(one, seen.id, seen.id)
        fact = self._event(scene, one, "held true", ())
        tells = [{"kind": "event", "id": fact.id}]
        said = self._event(scene, one, "said", (one.speaker, *one.hearers), tells=tells)
        for name in {one.speaker, *one.hearers} - one.believed_by:
            self._story.knowing.create(fact=tells[0], knower_id=self._people[name], knows=False)
        return _Told(one, said.id, fact.id)

    def _event(self, scene: int, one: Sight | Claim, how: str, people: Sequence[str], **more: Any) -> Any:
        return self._story.event.create(
            name=f"{scene} {how}",
            summary=f"{one.thing}: {one.where}",
            roles=[{"entityId": self._people[name], "name": name} for name in people],
            moment={"chapter": 0, "scene": scene},
            secrecy="private",
            **more,
        )
