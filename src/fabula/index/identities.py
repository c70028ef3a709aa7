"""The names that entities bear for a period, and which entities turn out to be one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from itertools import combinations
from typing import Any, NamedTuple

from fabula.index.appearances import Appearances, NameOfEntity
from fabula.model.entity import EntityName
from fabula.model.moment import first_instant, last_instant
from fabula.model.names import name_key
from fabula.model.reveal import Reveal
from fabula.store.graph_rows import names_from
from fabula.store.reader import Reader
from fabula.store.reveal_reader import reveal_from_row
from fabula.store.scans import scan_dated_names

BYTES_EACH = 400


class ToldIdentity(NamedTuple):
    """How the entities that turn out to be one are told at an instant to somebody.

    `leaders` has the entity that each revealed one is told as, `groups` the entities told as each leader, the
    leader first. `apart` has the entities that each one must not be joined with.
    """

    leaders: Mapping[str, str]
    groups: Mapping[str, tuple[str, ...]]
    apart: Mapping[str, frozenset[str]]


NOBODY = ToldIdentity({}, {}, {})


class Identities:
    """The names with moments and the reveals of a story, brought up to date from the change log."""

    def __init__(self, reader: Reader, project_id: str) -> None:
        self.project_id = project_id
        self.names: dict[str, tuple[EntityName, ...]] = {
            entity_id: names_from(names) for entity_id, names in scan_dated_names(reader, project_id)
        }
        self.reveals: dict[str, Reveal] = {one.id: one for one in reader.reveals.all_of(project_id)}
        self._known: dict[tuple[int | None, str | None], ToldIdentity] = {}
        self._secret: tuple[frozenset[NameOfEntity], frozenset[NameOfEntity]] | None = None

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return BYTES_EACH * (len(self.names) + len(self.reveals) + len(self._known))

    def entity_changed(self, entity_id: str, after: Mapping[str, Any] | None) -> bool:
        """Take up the names of a changed entity; whether they have changed."""
        names = () if after is None else names_from(after.get("names_json"))
        self._secret = None
        known = self.names.pop(entity_id, ())
        if names:
            self.names[entity_id] = names
        return names != known

    def reveal_changed(self, reveal_id: str, after: Mapping[str, Any] | None) -> None:
        """Take up a changed reveal."""
        self._known.clear()
        self.reveals.pop(reveal_id, None)
        if after is not None:
            self.reveals[reveal_id] = reveal_from_row({"project_id": self.project_id, **after})

    def supposing(self, reveal: Reveal) -> Identities:
        """Return the same with a reveal as it might be."""
        other = copy(self)
        other.reveals, other._known = {**self.reveals, reveal.id: reveal}, {}
        return other

    def secret_names(self, appearances: Appearances) -> frozenset[NameOfEntity]:
        """The names that are hidden before a moment, or that not everybody knows, each with its entity."""
        later = appearances.later_names
        if not self.names:
            return later
        if self._secret is None or self._secret[0] is not later:
            own = (
                NameOfEntity(entity_id, one.name)
                for entity_id, names in self.names.items()
                for one in names
                if one.since is not None or one.known_to is not None
            )
            self._secret = later, later.union(own)
        return self._secret[1]

    def is_unknown(self, entity_id: str, name: str, instant: int | None, pov: str | None) -> bool:
        """Whether an entity does not bear a name yet at an instant, or somebody does not know it.

        A name that an entity no longer bears is known. Without a point of view everybody's names are known.
        """
        same = [one for one in self.names.get(entity_id, ()) if name_key(one.name) == name_key(name)]
        return bool(same) and not any(_is_known(entity_id, one, instant, pov) for one in same)

    def name_in_use(self, entity_id: str, instant: int | None, pov: str | None) -> str | None:
        """The newest name that an entity bears at an instant and that somebody knows."""
        borne = [
            one
            for one in self.names.get(entity_id, ())
            if _is_known(entity_id, one, instant, pov)
            and (instant is None or instant <= last_instant(one.until))
        ]
        # Of several that begin together, the one that the author lists last is the newest.
        newest = max(reversed(borne), key=lambda one: first_instant(one.since), default=None)
        return None if newest is None else newest.name

    def at(self, instant: int | None, pov: str | None) -> ToldIdentity:
        """How entities that turn out to be one are told at an instant to somebody, or to all."""
        if not self.reveals:
            return NOBODY
        key = (instant, pov)
        if key not in self._known:
            self._known[key] = self._told(instant, pov)
        return self._known[key]

    def _told(self, instant: int | None, pov: str | None) -> ToldIdentity:
        open_reveals = [one for one in self.reveals.values() if is_revealed(one, instant, pov)]
        leaders = {one: group[0] for group in _groups(open_reveals) for one in group}
        apart: dict[str, set[str]] = {}
        for group in _groups(self.reveals.values()):
            for one, other in combinations(group, 2):
                if leaders.get(one, one) != leaders.get(other, other):
                    apart.setdefault(one, set()).add(other)
                    apart.setdefault(other, set()).add(one)
        groups = {group[0]: tuple(group) for group in _groups(open_reveals)}
        return ToldIdentity(leaders, groups, {one: frozenset(others) for one, others in apart.items()})


def is_revealed(reveal: Reveal, instant: int | None, pov: str | None) -> bool:
    """Whether somebody, or the reader without a point of view, is told at an instant that two are one."""
    # Nobody has to be told who they are themselves.
    if pov is not None and reveal.known_to is not None and pov not in (*reveal.known_to, *reveal.entity_ids):
        return False
    return instant is None or first_instant(reveal.at) <= instant


def _is_known(bearer: str, name: EntityName, instant: int | None, pov: str | None) -> bool:
    if pov is not None and name.known_to is not None and pov not in (bearer, *name.known_to):
        return False
    return instant is None or first_instant(name.since) <= instant


def _groups(reveals: Iterable[Reveal]) -> list[list[str]]:
    """The entities that reveals join, each group in the order in which the reveals name them."""
    groups: list[list[str]] = []
    for reveal in sorted(reveals, key=lambda one: (first_instant(one.at), one.created_at, one.id)):
        touched = [group for group in groups if not set(group).isdisjoint(reveal.entity_ids)]
        joined = list(dict.fromkeys((*(one for group in touched for one in group), *reveal.entity_ids)))
        groups = [group for group in groups if group not in touched]
        groups.append(joined)
    return groups
