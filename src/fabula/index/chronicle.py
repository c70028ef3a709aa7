"""The index of who took part in which events: events as hyperedges.

Entities that share an event are linked. The strength of a link depends on the significance of the events and
their age in chapters at the instant of the query.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Mask
from fabula.index.roster import Roster
from fabula.model.moment import SCENE_BITS

# An event counts half as much after this many chapters, a third after twice as many.
HALVING_CHAPTERS = 8.0
# For an entity in very many events, only the most significant and recent ones are considered.
MOST_EVENTS = 512

BYTES_EACH = 350


class SharedEvents(NamedTuple):
    """An entity that shares events with another: how many, when last, and their total weight."""

    slot: int
    count: int  # type: ignore[assignment]  # a tuple's own count is of no use here
    last_instant: int
    weight: float


class _Link(NamedTuple):
    event: int
    slot: int
    is_place: bool


class Chronicle:
    """For every entity slot its events, and for every event slot its participants and places.

    Moments and significance are those of the event's entity, and come from the roster.
    """

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._links: dict[str, _Link] = {}
        self._events: dict[int, array[int]] = {}
        self._people: dict[int, array[int]] = {}
        self._places: dict[int, array[int]] = {}
        self._levels: dict[int, int] = {}
        # The roles with a start of their own, by (event, slot).
        self._dated: dict[tuple[int, int], dict[str, int]] = {}

    def __len__(self) -> int:
        return len(self._people.keys() | self._places.keys())

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self._links) * BYTES_EACH

    @property
    def instant_of(self) -> array[int]:
        """The instant of each event, by slot; -1 for one without a moment."""
        return self._roster.since

    def level_of(self, event: int) -> int:
        """The level of detail of an event: 0 a detail, 1 an outline."""
        return self._levels.get(event, 0)

    def put_all(self, rows: Iterable[tuple[str, int, int, bool]]) -> None:
        """Add many new roles: (id, event, slot, whether it is a place)."""
        events: dict[int, dict[int, None]] = {}
        for role_id, event, slot, is_place in rows:
            self._links[role_id] = _Link(event, slot, is_place)
            (self._places if is_place else self._people).setdefault(event, array("q")).append(slot)
            events.setdefault(slot, {})[event] = None
        self._events.update((slot, array("q", own)) for slot, own in events.items())

    def date(self, role_id: str, since: int) -> None:
        """Set the start of a known role that begins later than its event."""
        link = self._links[role_id]
        self._dated.setdefault((link.event, link.slot), {})[role_id] = since

    def put(self, role_id: str, event: int, slot: int, *, is_place: bool) -> None:
        """Add or update a role or place of an event."""
        self.drop(role_id)
        if not self._is_linked(event, slot):
            self._events.setdefault(slot, array("q")).append(event)
        self._links[role_id] = _Link(event, slot, is_place)
        (self._places if is_place else self._people).setdefault(event, array("q")).append(slot)

    def drop(self, role_id: str) -> None:
        """Remove a role or place of an event."""
        link = self._links.pop(role_id, None)
        if link is None:
            return
        dated = self._dated.get((link.event, link.slot), {})
        dated.pop(role_id, None)
        if not dated:
            self._dated.pop((link.event, link.slot), None)
        side = self._places if link.is_place else self._people
        _take_out(side, link.event, link.slot)
        if not self._is_linked(link.event, link.slot):
            _take_out(self._events, link.slot, link.event)

    def put_level(self, event: int, level: int) -> None:
        """Set the level of detail of an event."""
        if level:
            self._levels[event] = level
        else:
            self._levels.pop(event, None)

    def participants(self, event: int, instant: int | None = None) -> list[int]:
        """The participants of an event up to an instant, each once, ordered by slot."""
        people = sorted(set(self._people.get(event, ())))
        return [slot for slot in people if not self._joins_after(event, slot, instant)]

    def cast(self, event: int) -> dict[int, int]:
        """The participants of an event, each with the instant of joining it; -1 if there from the start."""
        joined: dict[int, int] = {}
        for slot in self._people.get(event, ()):
            dated = self._dated.get((event, slot), {})
            is_late = len(dated) == self._people[event].count(slot)
            joined[slot] = min(dated.values()) if dated and is_late else -1
        return joined

    def all_events_of(self, slot: int) -> list[int]:
        """The events an entity takes part in at any time, or that happen there."""
        return list(self._events.get(slot, ()))

    def places(self, event: int) -> list[int]:
        """The places of an event, each once, ordered by slot."""
        return sorted(set(self._places.get(event, ())))

    def events_of(
        self, slot: int, instant: int | None, *, limit: int | None = MOST_EVENTS, allowed: Mask | None = None
    ) -> list[int]:
        """The events an entity took part in, or that happened there, up to an instant.

        The heaviest come first: significance, discounted by the chapters since.
        """
        if slot not in self._events:
            return []
        events: list[int] = self._weighed(slot, instant, limit, allowed)[0].tolist()
        return events

    def companions(
        self,
        slot: int,
        instant: int | None,
        limit: int,
        *,
        allowed: Mask | None = None,
        most_events: int = MOST_EVENTS,
    ) -> list[SharedEvents]:
        """The entities that share events with this one up to an instant, the closest first.

        With `allowed`, only allowed events and entities count.
        """
        if slot not in self._events:
            return []
        events, weights = self._weighed(slot, instant, most_events, allowed)
        if not len(events):
            return []
        casts = [self._people.get(event, _NOBODY) for event in events.tolist()]
        lengths = np.fromiter(map(len, casts), np.int64, len(casts))
        peers = np.fromiter((peer for cast in casts for peer in cast), np.int64, int(lengths.sum()))
        places = np.repeat(np.arange(len(events)), lengths)
        others = peers != slot if allowed is None else (peers != slot) & allowed[peers]
        if self._dated and instant is not None:
            ends = zip(events[places].tolist(), peers.tolist(), strict=True)
            others &= np.array([not self._joins_after(*pair, instant) for pair in ends], dtype=np.bool_)
        # Two roles of one entity in one event still count as one event.
        pairs = np.unique(peers[others] * len(events) + places[others])
        peers, places = np.divmod(pairs, len(events))
        found, owner = np.unique(peers, return_inverse=True)
        counts = np.bincount(owner, minlength=len(found))
        sums = np.bincount(owner, weights=weights[places], minlength=len(found))
        last = np.full(len(found), -1, np.int64)
        np.maximum.at(last, owner, _numbers(self._roster.since)[events[places]])
        close = np.flatnonzero(_are_among_best(np.round(sums, 9), limit))
        columns = (column[close].tolist() for column in (found, counts, last, sums))
        shared = (SharedEvents(*row) for row in zip(*columns, strict=True))
        ids = self._roster.ids
        return sorted(shared, key=lambda one: (-round(one.weight, 9), -one.count, ids[one.slot]))[:limit]

    def _weighed(
        self, slot: int, instant: int | None, limit: int | None, allowed: Mask | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The events of an entity with their weights, heaviest first; ties are broken by id."""
        roster = self._roster
        events = np.array(self._events.get(slot, _NOBODY), np.int64)
        if allowed is not None:
            events = events[allowed[events]]
        if instant is not None:
            events = events[roster.are_present(events, instant)]
            if self._dated:
                has_joined = [not self._joins_after(event, slot, instant) for event in events.tolist()]
                events = events[np.array(has_joined, dtype=np.bool_)]
        begins = _numbers(roster.since)[events]
        now = instant if instant is not None else int(begins.max(initial=-1))
        ages = np.maximum(0, (now >> SCENE_BITS) - np.maximum(0, begins >> SCENE_BITS))
        weights = np.frombuffer(roster.significance)[events] / (1 + ages / HALVING_CHAPTERS)
        if limit is not None:
            best = _are_among_best(weights, limit)
            events, weights, begins = events[best], weights[best], begins[best]
        order = np.lexsort((-begins, -weights))
        events, weights, begins = events[order], weights[order], begins[order]
        if np.any((np.diff(weights) == 0) & (np.diff(begins) == 0)):
            ids = np.array([roster.ids[event] for event in events.tolist()], dtype=np.str_)
            order = np.lexsort((ids, -begins, -weights))
            events, weights = events[order], weights[order]
        return events[:limit], weights[:limit]

    def _joins_after(self, event: int, slot: int, instant: int | None) -> bool:
        """Whether all roles of an entity in an event start after the instant."""
        dated = self._dated.get((event, slot))
        if not dated or instant is None or min(dated.values()) <= instant:
            return False
        own = (self._people.get(event, _NOBODY), self._places.get(event, _NOBODY))
        return len(dated) == sum(side.count(slot) for side in own)

    def _is_linked(self, event: int, slot: int) -> bool:
        return slot in self._people.get(event, _NOBODY) or slot in self._places.get(event, _NOBODY)


_NOBODY = array("q")


def _are_among_best(weights: NDArray[np.float64], limit: int) -> Mask:
    """Which of the weights are among the `limit` largest, ties with the last of these included."""
    if not 0 < limit < len(weights):
        return np.full(len(weights), limit > 0)
    least: float = np.partition(weights, -limit)[-limit]
    return weights >= least


def _numbers(column: array[int]) -> NDArray[np.int64]:
    """A view of a roster column for the duration of a query; the column cannot grow meanwhile."""
    return np.frombuffer(column, np.int64)


def _take_out(lists: dict[int, array[int]], key: int, item: int) -> None:
    """Remove one item from the list of a key, and the list itself once it is empty."""
    own = lists[key]
    own.remove(item)
    if not own:
        del lists[key]
