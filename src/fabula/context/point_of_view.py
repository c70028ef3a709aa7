"""The point of view of somebody in the story: the one place that decides who is meant, and what they know."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from fabula.canon.knowing import refuse_knowing_nothing
from fabula.context.edition_cache import recalled
from fabula.errors import InvalidInput, NotFound
from fabula.index.adjacency import Adjacency, AdjacencyWithout
from fabula.index.knowledge import Knowledge, Learnings
from fabula.index.story_index import StoryIndex
from fabula.index.world_clock import WorldClock
from fabula.model.entity import Entity, EntityState
from fabula.model.fact import FactKind, FactRef, Secrecy
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.wire import Name
from fabula.store.naming import bearers_of
from fabula.store.reader import Reader

Pov = Annotated[
    Name | None,
    Field(
        description="The id, name or alias of the person from whose point of view to answer: nothing private "
        "that they do not know."
    ),
]


@dataclass(frozen=True, slots=True)
class PointOfView:
    """What somebody knows at an instant: everything private that they do not know is hidden from them."""

    knower: str
    instant: int | None
    version: int
    knowledge: Knowledge = field(compare=False, repr=False)
    learned: Learnings = field(compare=False, repr=False)
    hidden_slots: frozenset[int] = field(compare=False, repr=False)
    hidden_entries: frozenset[str] = field(compare=False, repr=False)
    hidden_links: frozenset[int] = field(compare=False, repr=False)
    graph: Adjacency = field(compare=False, repr=False)

    @property
    def key(self) -> Hashable:
        """A key that distinguishes this point of view from others."""
        return self.knower, self.instant, self.version

    @property
    def hides_something(self) -> bool:
        """Whether there is any private fact."""
        return bool(self.knowledge.rows.private_count)

    def hides(self, fact: FactRef) -> bool:
        """Whether a fact is private and not known."""
        if not self.knowledge.rows.is_private(fact):
            return False
        learned = self.learned.get(fact)
        return learned is None or bool(learned.belief)

    def belief(self, kind: FactKind, fact_id: str) -> str:
        """What they hold true instead of a fact; empty if they hold the fact true or know nothing of it."""
        learned = self.learned.get(FactRef.trusted(kind=kind, id=fact_id))
        return "" if learned is None else learned.belief

    def states(self, states: Sequence[EntityState], clock: WorldClock) -> list[EntityState]:
        """Return the states of an entity as they see them: known ones that hold, beliefs, and what is over.

        Who knew a state and does not know that it ended still believes it.
        """
        seen, now = [], self.instant
        for state in states:
            belief = self.belief(FactKind.STATE, state.id)
            if belief:
                if clock.has_begun(state, now):
                    seen.append(state.model_copy(update={"description": belief, "attributes": {}}))
            elif not self._hides_state(state) and (
                clock.holds(state, now) or self._believes(state, states, clock)
            ):
                seen.append(state)
        return seen

    def _believes(self, state: EntityState, states: Sequence[EntityState], clock: WorldClock) -> bool:
        """Whether a state that is over is still believed, because they do not know how it ended."""
        now = self.instant
        if now is None or not clock.has_begun(state, now) or state.entity_id == self.knower:
            return False
        begun = _beginning(state, clock)
        later = [
            one
            for one in states
            if one is not state
            and clock.has_begun(one, now)
            and _beginning(one, clock) >= begun
            and _is_about_the_same(state, one)
        ]
        if state.secrecy is Secrecy.PUBLIC and all(one.secrecy is Secrecy.PUBLIC for one in later):
            return False
        if any(not self._hides_state(one) for one in later):
            return False
        return self.knower not in self.knowledge.stages.get(first_instant(state.until), ())

    def _hides_state(self, state: EntityState) -> bool:
        return self.hides(FactRef.trusted(kind=FactKind.STATE, id=state.id))


def _beginning(state: EntityState, clock: WorldClock) -> tuple[float, int]:
    """When a state begins, in the order of the world."""
    since = first_instant(state.since)
    if state.valid_from is not None:
        return state.valid_from.day, since
    return (clock.day_at(since) if since >= 0 else float("-inf")), since


def _is_about_the_same(state: EntityState, other: EntityState) -> bool:
    """Whether a later state tells that another is over: it has one of its attributes, or it has none."""
    return not state.attributes or not state.attributes.keys().isdisjoint(other.attributes)


def seen_by(reader: Reader, index: StoryIndex, pov: str | None, instant: int | None) -> PointOfView | None:
    """Return the point of view that an id, a name or an alias means, at an instant; None without one."""
    if pov is None:
        return None
    return eyes_of(reader, index, point_of_view(reader, index, pov, instant).id, instant)


def eyes_of(reader: Reader, index: StoryIndex, knower: str, instant: int | None) -> PointOfView:
    """Return the point of view of an entity at an instant."""
    return recalled(index, ("pov", knower, instant), lambda: _seen(reader, index, knower, instant))


def _seen(reader: Reader, index: StoryIndex, knower: str, instant: int | None) -> PointOfView:
    knowledge = index.knowledge(reader)
    rows, graph, slots = knowledge.rows, index.graph(reader), index.roster.slot_of
    learned = knowledge.learnings(knower, instant)
    known = {(fact.kind, fact.id) for fact, how in learned.items() if not how.belief}

    def unknown(kind: FactKind, ids: Iterable[str]) -> list[str]:
        return [key for key in ids if (kind, key) not in known]

    hidden = frozenset(
        graph.slot_of[key] for key in unknown(FactKind.RELATION, rows.ties) if key in graph.slot_of
    )
    return PointOfView(
        knower=knower,
        instant=instant,
        version=index.known.version,
        knowledge=knowledge,
        learned=learned,
        hidden_slots=frozenset(slots[key] for key in unknown(FactKind.ENTITY, rows.entities) if key in slots),
        hidden_entries=frozenset(unknown(FactKind.ENTRY, rows.entries)),
        hidden_links=hidden,
        graph=AdjacencyWithout(graph, hidden) if hidden else graph,
    )


def point_of_view(reader: Reader, index: StoryIndex, pov: str, instant: int | None) -> Entity:
    """Return the entity that an id, a name or an alias means.

    NotFound if there is none, InvalidInput if it is not part of the story at the instant or knows nothing.
    """
    entity = somebody_called(reader, index, pov)
    refuse_knowing_nothing(entity, "pov")
    if not index.roster.is_present(index.roster.slot_of[entity.id], instant):
        raise InvalidInput(
            f"'{pov}' is not part of the story at this moment.",
            details={"field": "pov", "pov": pov},
            suggestion="Ask for a later or an earlier scene, or for somebody else's point of view.",
        )
    return entity


def somebody_called(reader: Reader, index: StoryIndex, pov: str) -> Entity:
    """Return the entity that an id, a name or an alias means, whatever it is and whenever it is there."""
    project_id, key = index.project_id, name_key(pov)
    entity = reader.entity(project_id, pov)
    if entity is None:
        meant = bearers_of(reader, project_id, {key}).meant_by(key, preferred="character", but_not="")
        entity = None if meant is None else reader.entity(project_id, meant)
    if entity is None:
        raise nobody_called(pov)
    return entity


def nobody_called(pov: str) -> NotFound:
    """Return the error for a point of view that nobody in the story has."""
    return NotFound(
        f"There is nobody called '{pov}' in this story.",
        details={"pov": pov},
        suggestion="Give the id, the name or an alias of one person.",
    )
