"""Views of a story: by which names entities are known to an audience, and which of them are one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from fabula.context.edition_cache import recalled
from fabula.context.joining import joining_links, names_another
from fabula.index.adjacency import Adjacency
from fabula.index.identities import NOBODY, ToldIdentity
from fabula.index.lorebook import EntryOwner
from fabula.index.story_index import StoryIndex
from fabula.matching import Term
from fabula.store.reader import Reader


@dataclass(frozen=True, slots=True)
class IdentityView:
    """When a story is told for an audience, at an instant or at all times, and who is who in it then."""

    reader: Reader
    index: StoryIndex
    instant: int | None

    @abstractmethod
    def may_be_told(self, slot: int) -> bool:
        """Whether the audience may see an entity at this instant."""

    @property
    def point_of_view(self) -> str | None:
        """The id of the person from whose point of view the story is told; None if it is told by nobody."""
        return None

    @property
    def day(self) -> float | None:
        """The day of the story's own time at this instant; None if no scene told by then has one."""
        clock = self.index.clock
        return (
            clock.day_at(self.instant)
            if self.instant is not None and clock.is_used_at(self.instant)
            else None
        )

    @property
    def identity(self) -> ToldIdentity:
        """Which entities are told as one, and which must not be joined yet."""
        identities = self.index.identities
        return identities.at(self.instant, self.point_of_view) if identities.reveals else NOBODY

    def is_name_unknown(self, entity_id: str, name: str) -> bool:
        """Whether a name must not lead to an entity: not borne yet, or not known to the audience.

        Neither must the name of somebody that it turns out to be later.
        """
        names, apart = self.index.identities, self.identity.apart
        if entity_id in names.names and names.is_unknown(entity_id, name, self.instant, self.point_of_view):
            return True
        return entity_id in apart and names_another(self.reader, self.index, apart[entity_id], name)

    def unknown_term(self) -> Callable[[Term], bool] | None:
        """Return a predicate for terms that must not lead to their owners; None if there are none."""
        if not (self.index.identities.names or self.identity.apart):
            return None
        entity_of = self.index.lorebook(self.reader).entity_of

        def is_unknown(term: Term) -> bool:
            owner = term.owner
            entity_id = entity_of.get(owner.entry_id) if isinstance(owner, EntryOwner) else str(owner)
            return entity_id is not None and self.is_name_unknown(entity_id, term.text)

        return is_unknown

    @property
    def graph(self) -> Adjacency:
        """The relations, without those that say of two who are kept apart that they are one."""
        graph, joining = self.known_graph, self.unrevealed_links()
        if not joining:
            return graph
        key = ("graph", self.instant, self.point_of_view, joining)
        return recalled(self.index, key, lambda: graph.without(joining))

    @property
    def known_graph(self) -> Adjacency:
        """The relations that the audience may know."""
        return self.index.graph(self.reader)

    def unrevealed_links(self) -> frozenset[int]:
        """Return the relations that say of two who are kept apart that they are one."""
        apart = self.identity.apart
        if not apart:
            return frozenset()
        key = ("unrevealed", self.instant, self.point_of_view)
        return recalled(self.index, key, lambda: joining_links(self.reader, self.index, apart))

    def members(self, slot: int) -> tuple[int, ...]:
        """Return the open entities that are told as one with an entity, the one they are told as first."""
        leaders = self.identity.leaders
        if not leaders or self.index.roster.ids[slot] not in leaders:
            return (slot,)
        ids = self.index.roster.ids
        slots, group = self.index.roster.slot_of, self.identity.groups[leaders[ids[slot]]]
        open_ones = tuple(slots[key] for key in group if key in slots and self.may_be_told(slots[key]))
        return open_ones if slot in open_ones else (slot,)

    def leader(self, slot: int) -> int:
        """Return the entity that an entity is told as, itself unless it was revealed to be another."""
        return self.members(slot)[0]

    def name_in_use(self, entity_id: str) -> str | None:
        """The newest of an entity's names with moments that it bears and that the audience knows."""
        return self.index.identities.name_in_use(entity_id, self.instant, self.point_of_view)
