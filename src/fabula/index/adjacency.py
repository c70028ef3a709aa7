"""The adjacency lists of the graph, as arrays of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from copy import copy

from fabula.index.world_dates import WorldDate, WorldDates
from fabula.model.moment import FOREVER

GONE = -1
BYTES_EACH = 350


class Adjacency:
    """Relations by slot, and for every entity slot its neighbours and the relations to them."""

    def __init__(self, size: int) -> None:
        self.ids: list[str] = []
        self.slot_of: dict[str, int] = {}
        self.sources = array("q")
        self.targets = array("q")
        self.since = array("q")
        self.until = array("q")
        self.world = WorldDates(self.since, self.until)
        self.types: list[str] = []
        self.notes: dict[int, tuple[str, ...]] = {}
        # Relations that are roles or places of events, and whether they carry text of their own.
        self.roles: dict[int, bool] = {}
        self.peers: list[list[int]] = [[] for _ in range(size)]
        self.links: list[list[int]] = [[] for _ in range(size)]

    def __len__(self) -> int:
        return len(self.slot_of)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.ids) * BYTES_EACH

    def put(
        self,
        relation_id: str,
        source: int,
        target: int,
        kind: str,
        since: int = -1,
        until: int = FOREVER,
        *,
        notes: tuple[str, ...] = (),
        is_worded_role: bool | None = None,
    ) -> None:
        """Add or update a relation; `notes` are the author's words besides its type.

        `is_worded_role` is None unless it is a role in an event; then it says whether it carries text.
        """
        if relation_id in self.slot_of:
            self.drop(relation_id)
        link = self.slot_of[relation_id] = len(self.ids)
        self.world.changed(link)
        self.ids.append(relation_id)
        self.sources.append(source)
        self.targets.append(target)
        self.since.append(since)
        self.until.append(until)
        self.types.append(kind)
        if notes:
            self.notes[link] = notes
        if is_worded_role is not None:
            self.roles[link] = is_worded_role
        self._reach(max(source, target))
        self.peers[source].append(target)
        self.links[source].append(link)
        self.peers[target].append(source)
        self.links[target].append(link)

    def drop(self, relation_id: str) -> None:
        """Remove a relation."""
        link = self.slot_of.pop(relation_id, None)
        if link is None:
            return
        for node in (self.sources[link], self.targets[link]):
            place = self.links[node].index(link)
            del self.links[node][place], self.peers[node][place]
        self.sources[link] = self.targets[link] = GONE
        self.notes.pop(link, None)
        self.roles.pop(link, None)

    def without(self, links: Collection[int]) -> Adjacency:
        """Return a graph to read that has all relations but these."""
        less = copy(self)
        less.peers, less.links = list(self.peers), list(self.links)
        for node in {end for link in links for end in (self.sources[link], self.targets[link])}:
            kept = [
                pair for pair in zip(self.peers[node], self.links[node], strict=True) if pair[1] not in links
            ]
            less.peers[node], less.links[node] = [peer for peer, _ in kept], [link for _, link in kept]
        less.slot_of = {key: link for key, link in self.slot_of.items() if link not in links}
        return less

    def degree(self, node: int) -> int:
        """The number of relations of an entity."""
        return len(self.links[node]) if node < len(self.links) else 0

    def steps(self, node: int, instant: int | None) -> Iterator[tuple[int, int]]:
        """The (neighbour, relation) pairs of an entity that are true at the instant."""
        if node >= len(self.peers):
            return iter(())
        pairs = zip(self.peers[node], self.links[node], strict=True)
        if instant is None:
            return pairs
        since, until = self.since, self.until
        elsewhere = self.world.exceptions(instant)
        if not elsewhere:
            return ((peer, link) for peer, link in pairs if since[link] <= instant <= until[link])
        return (
            (peer, link)
            for peer, link in pairs
            if (since[link] <= instant <= until[link]) != (link in elsewhere)
        )

    def date(self, relation_id: str, date: WorldDate) -> None:
        """Set the world times of a relation and the moment at which it is told, after `put`."""
        self.world.date(self.slot_of[relation_id], date)

    def is_true(self, link: int, instant: int) -> bool:
        """Whether a relation is true at an instant."""
        return (self.since[link] <= instant <= self.until[link]) != (link in self.world.exceptions(instant))

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """The (source, target, relation) triple of every relation."""
        for link in self.slot_of.values():
            yield self.sources[link], self.targets[link], link

    def _reach(self, node: int) -> None:
        while len(self.peers) <= node:
            self.peers.append([])
            self.links.append([])


class AdjacencyWithout(Adjacency):
    """The same graph without some relations, for those who may not know of them."""

    def __init__(self, graph: Adjacency, hidden: frozenset[int]) -> None:
        self.__dict__.update(graph.__dict__)
        self._hidden = hidden

    def degree(self, node: int) -> int:
        """The number of relations of an entity that are not hidden."""
        return sum(link not in self._hidden for link in self.links[node]) if node < len(self.links) else 0

    def steps(self, node: int, instant: int | None) -> Iterator[tuple[int, int]]:
        """The (neighbour, relation) pairs of an entity that are true at the instant and not hidden."""
        hidden = self._hidden
        return (step for step in super().steps(node, instant) if step[1] not in hidden)

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """The (source, target, relation) triple of every relation that is not hidden."""
        return (edge for edge in super().edges() if edge[2] not in self._hidden)
