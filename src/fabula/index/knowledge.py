"""Who knows what in a story: stored knowings, and what follows from taking part.

Nothing that follows is stored: who takes part in an event knows it and who else was there, who is on stage
in a scene knows the events in it, the two ends of a relation know it, everybody knows their own states, who
takes part in an event that tells facts knows these, who is present where a scene shows a fact knows it, and
the members of a faction know what it knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabula.index.adjacency import Adjacency
from fabula.index.chronicle import Chronicle
from fabula.index.knowings import KnowingRows, KnownFact
from fabula.index.roster import Roster
from fabula.index.witnesses import Witnesses
from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import HowKnown
from fabula.model.moment import FOREVER

# The relations of a member to a faction.
MEMBERSHIPS = frozenset({"belongs_to", "member_of"})
LONGEST_CHAIN = 8
# The instant of those who ask without a moment: everything has been told.
AT_THE_END = FOREVER - 1
KEPT = 64


class Learning(NamedTuple):
    """How somebody came to know a fact: since which instant, and through which event, knowing or faction.

    With a belief, they hold that true instead and do not know the fact.
    """

    since: int
    how: HowKnown
    place: int = 0
    is_stored: bool = False
    belief: str = ""
    knowing: str | None = None
    event: str | None = None
    faction: str | None = None


class LearningOccasion(NamedTuple):
    """Something at which everybody present sees everybody else come to know a fact."""

    kind: str
    id: str
    since: int
    place: int
    present: frozenset[str]


Learnings = Mapping[FactRef, Learning]


class Knowledge:
    """The knowledge of everybody in one edition of a story."""

    def __init__(
        self,
        rows: KnowingRows,
        roster: Roster,
        graph: Adjacency,
        chronicle: Chronicle,
        stages: Mapping[int, frozenset[str]],
        witnesses: Witnesses,
    ) -> None:
        self.rows, self.stages = rows, stages
        self._roster, self._graph, self._chronicle = roster, graph, chronicle
        self._seen = witnesses
        self._kept: dict[tuple[str, int], Learnings] = {}
        self._stages_of: dict[str, list[int]] | None = None

    # Questions

    def knows(self, knower: str, fact: FactRef, instant: int | None = None) -> bool:
        """Whether somebody knows a fact at an instant; a wrong belief is no knowledge."""
        learned = self.learned(knower, fact, instant)
        if learned is None:
            return not self.rows.is_private(fact)
        return not learned.belief

    def learned(self, knower: str, fact: FactRef, instant: int | None = None) -> Learning | None:
        """How somebody knows a fact, or what they believe instead; None if nothing says so."""
        return self.learnings(knower, instant).get(fact)

    def learnings(self, knower: str, instant: int | None = None) -> Learnings:
        """The private facts that somebody knows, and all facts about which they hold a belief."""
        now = AT_THE_END if instant is None else instant
        key = (knower, now)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            found = self._kept[key] = self._learnings(knower, now, frozenset())
        return found

    def knowers(self, fact: FactRef, instant: int | None = None) -> dict[str, Learning]:
        """Who knows a fact or believes something about it, and how."""
        found = {}
        for somebody in sorted(self._candidates(fact)):
            learned = self.learned(somebody, fact, instant)
            if learned is not None:
                found[somebody] = learned
        return found

    def seen_by_all(
        self, chain: Iterable[str], fact: FactRef, instant: int | None = None
    ) -> LearningOccasion | None:
        """The first occasion at which everybody in a chain saw all others come to know a fact.

        Then each of them thinks that the next one thinks that the next one … knows it.
        """
        names = frozenset(chain)
        if not all(self.knows(somebody, fact, instant) for somebody in names):
            return None
        now = AT_THE_END if instant is None else instant
        seen = [
            occasion
            for occasion in self.occasions(fact)
            if names <= occasion.present and self._holds(occasion.since, now)
        ]
        return min(seen, key=lambda one: (one.since, one.place, one.id), default=None)

    def is_told(self, fact: FactRef, instant: int) -> bool:
        """Whether the reader of the scene at an instant has been told of a private fact."""
        about, since = self._dated(fact)
        slots = (self._roster.slot_of.get(one) for one in about)
        return since <= instant and not any(
            slot is not None
            and (self._roster.since[slot] > instant or self._roster.is_named_later(slot, instant))
            for slot in slots
        )

    def _dated(self, fact: FactRef) -> tuple[tuple[str, ...], int]:
        """The entities a private fact is about, and the instant from which it is true; -1 if it always is."""
        if fact.kind is FactKind.RELATION:
            tie = self.rows.ties[fact.id]
            return (tie.source, tie.target), tie.since
        if fact.kind is FactKind.STATE:
            owner, since = self.rows.states[fact.id]
            return (owner,), since
        return ((fact.id,) if fact.kind is FactKind.ENTITY else ()), -1

    # What follows from the rows

    def _learnings(self, knower: str, now: int, asked: frozenset[str]) -> Learnings:
        stored = self.rows.of_knower.get(knower, {}).values()
        holding = [one for one in stored if now <= one.until and self._holds(one.since, now)]
        refused = {one.fact for one in holding if not one.knows}
        forgotten: dict[FactRef, int] = {}
        for one in stored:
            if one.knows and one.until < now:
                forgotten[one.fact] = max(one.until, forgotten.get(one.fact, -1))
        best: dict[FactRef, Learning] = {}

        def consider(fact: FactRef, learned: Learning) -> None:
            known = best.get(fact)
            if known is None or self._order(learned) > self._order(known):
                best[fact] = learned

        for fact, learned in self._derived(knower, now, asked):
            is_lost = fact in refused or learned.since <= forgotten.get(fact, -2)
            if not is_lost and self._holds(learned.since, now):
                consider(fact, learned)
        for one in holding:
            if one.knows:
                consider(one.fact, _stored(one))
        return best

    def _order(self, learned: Learning) -> tuple[float, int, bool, int]:
        """What somebody learned last, in the order of the world, is what they hold true."""
        clock = self._roster.world.clock
        day = clock.day_at(learned.since) if clock.is_used and learned.since >= 0 else float("-inf")
        return day, learned.since, learned.is_stored, learned.place

    def _holds(self, since: int, now: int) -> bool:
        """Whether something that is told at an instant is told by now, and plays by then."""
        return self._roster.world.clock.is_begun(since, None, now)

    def _derived(self, knower: str, now: int, asked: frozenset[str]) -> Iterator[tuple[FactRef, Learning]]:
        rows = self.rows
        if knower in rows.entities:
            yield _fact(FactKind.ENTITY, knower), Learning(-1, HowKnown.WITNESSED)
        for state in rows.states_of.get(knower, ()):
            yield _fact(FactKind.STATE, state), Learning(rows.states[state][1], HowKnown.WITNESSED)
        for relation in rows.ties_of.get(knower, ()):
            if self._graph.world.has_begun(self._graph.slot_of[relation], now):
                tie = rows.ties[relation]
                yield _fact(FactKind.RELATION, relation), Learning(tie.since, HowKnown.WITNESSED)
        for scene in self.scenes_of(knower):
            for event in rows.events_in.get(scene, ()):
                if not self._seen.is_away(knower, event, scene):
                    yield _fact(FactKind.ENTITY, event), Learning(scene, HowKnown.WITNESSED, event=event)
        for fact, since in self._seen.shown_to(knower):
            yield fact, Learning(since, HowKnown.WITNESSED)
        yield from self._from_events(knower, now)
        yield from self._from_factions(knower, now, asked | {knower})

    def _from_events(self, knower: str, now: int) -> Iterator[tuple[FactRef, Learning]]:
        slot = self._roster.slot_of.get(knower)
        for event in () if slot is None else self._chronicle.all_events_of(slot):
            cast = self._chronicle.cast(event)
            if slot in cast and self._roster.world.has_begun(event, now):
                yield from self._from_event(event, slot, cast)

    def _from_event(self, event: int, slot: int, cast: dict[int, int]) -> Iterator[tuple[FactRef, Learning]]:
        """Yield what one of the cast knows from an event: the event, who was there, and what it tells."""
        ids, private, begun = self._roster.ids, self.rows.entities, self._roster.since[event]
        telling = self.rows.tellings.get(ids[event])
        place = telling.place if telling is not None else 0
        how = Learning(max(begun, cast[slot]), HowKnown.WITNESSED, place, event=ids[event])
        if ids[event] in private:
            yield _fact(FactKind.ENTITY, ids[event]), how
        for other in (*cast, *self._chronicle.places(event)) if private else ():
            if ids[other] in private and other != slot:
                both = max(how.since, cast.get(other, -1))
                yield _fact(FactKind.ENTITY, ids[other]), how._replace(since=both)
        if telling is not None and cast[slot] <= begun:
            for fact in telling.facts:
                yield fact, how._replace(how=HowKnown.TOLD)

    def _from_factions(
        self, knower: str, now: int, asked: frozenset[str]
    ) -> Iterator[tuple[FactRef, Learning]]:
        for faction in self.factions_of(knower, now):
            if faction not in asked:
                for fact, learned in self._learnings(faction, now, asked).items():
                    # What is said of one member takes precedence over what the faction holds true.
                    yield fact, learned._replace(is_stored=False, faction=learned.faction or faction)

    def factions_of(self, knower: str, instant: int) -> list[str]:
        """What somebody belongs to at an instant."""
        slot = self._roster.slot_of.get(knower)
        if slot is None:
            return []
        steps = self._graph.steps(slot, None if instant == AT_THE_END else instant)
        return [
            self._roster.ids[peer]
            for peer, link in steps
            if self._graph.types[link] in MEMBERSHIPS and self._graph.sources[link] == slot
        ]

    def _members_of(self, faction: str) -> list[str]:
        slot = self._roster.slot_of.get(faction)
        if slot is None:
            return []
        return [
            self._roster.ids[peer]
            for peer, link in self._graph.steps(slot, None)
            if self._graph.types[link] in MEMBERSHIPS and self._graph.targets[link] == slot
        ]

    def scenes_of(self, knower: str) -> list[int]:
        """The scenes in which somebody is on stage."""
        if self._stages_of is None:
            self._stages_of = {}
            for scene, people in self.stages.items():
                for somebody in people:
                    self._stages_of.setdefault(somebody, []).append(scene)
        return self._stages_of.get(knower, [])

    def occasions(self, fact: FactRef) -> Iterator[LearningOccasion]:
        """Everything at which somebody comes to know a fact, with all who are present."""
        rows, slots, ids = self.rows, self._roster.slot_of, self._roster.ids
        told = rows.told_in.get(fact, set())
        for event in {*told, *({fact.id} if fact.kind is FactKind.ENTITY else ())}:
            slot = slots.get(event)
            if slot is None:
                continue
            begun = self._roster.since[slot]
            present = {ids[one] for one, joined in self._chronicle.cast(slot).items() if joined <= begun}
            if event == fact.id and event in rows.scene_of_event:
                scene = rows.scene_of_event[event]
                stage = self.stages.get(scene, frozenset())
                present |= {one for one in stage if not self._seen.is_away(one, event, scene)}
            telling = rows.tellings.get(event)
            yield LearningOccasion("event", event, begun, telling.place if telling else 0, frozenset(present))
        for place in self._seen.places(fact):
            yield LearningOccasion("scene", place.scene_id, place.instant, 0, place.present)
        for one in rows.of_fact.get(fact, {}).values():
            if one.knows and not one.belief:
                yield LearningOccasion("knowing", one.id, one.since, 0, self._witnesses(one))
        if fact.kind is FactKind.RELATION and fact.id in rows.ties:
            tie = rows.ties[fact.id]
            yield LearningOccasion("relation", fact.id, tie.since, 0, frozenset({tie.source, tie.target}))
        if fact.kind is FactKind.STATE and fact.id in rows.states:
            owner, since = rows.states[fact.id]
            yield LearningOccasion("state", fact.id, since, 0, frozenset({owner}))

    def _witnesses(self, known: KnownFact) -> frozenset[str]:
        """Who is there when somebody comes to know a fact; the members, if it is a faction."""
        present = {known.knower, *self._members_of(known.knower)}
        slot = None if known.event is None else self._roster.slot_of.get(known.event)
        if slot is not None:
            begun = self._roster.since[slot]
            cast = self._chronicle.cast(slot).items()
            present |= {self._roster.ids[one] for one, joined in cast if joined <= begun}
        return frozenset(present)

    def _candidates(self, fact: FactRef) -> set[str]:
        found = {one.knower for one in self.rows.of_fact.get(fact, {}).values()}
        for occasion in self.occasions(fact):
            found |= occasion.present
        slot = self._roster.slot_of.get(fact.id) if fact.kind is FactKind.ENTITY else None
        if slot is not None:
            found.add(fact.id)
            for event in (slot, *self._chronicle.all_events_of(slot)):
                found |= {self._roster.ids[one] for one in self._chronicle.cast(event)}
        members = {member for somebody in found for member in self._members_of(somebody)}
        return found | members


def _stored(one: KnownFact) -> Learning:
    return Learning(one.since, one.how, 0, True, one.belief.strip(), one.id, one.event)


def _fact(kind: FactKind, fact_id: str) -> FactRef:
    return FactRef.trusted(kind=kind, id=fact_id)
