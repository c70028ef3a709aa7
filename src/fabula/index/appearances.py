"""The first scene of the manuscript that names each entity and each custom entry, and by which name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fabula.index.lorebook import EntryOwner, Lorebook
from fabula.index.roster import Roster
from fabula.matching import Matcher, Term
from fabula.model.moment import instant_of
from fabula.store.reader import Reader
from fabula.store.scans import scan_scenes

BYTES_EACH = 80


class NameOfEntity(NamedTuple):
    """One name of an entity, as the owner of a term that is hidden while the entity is not."""

    entity_id: str
    name: str


class SceneNames(NamedTuple):
    """The instant of a scene, and the owners of the names in it with their terms."""

    instant: int
    terms: frozenset[tuple[Hashable, str]]

    @property
    def owners(self) -> frozenset[Hashable]:
        """The owners of the names."""
        return frozenset(owner for owner, _ in self.terms)


class NameFinders(NamedTuple):
    """The matchers of a story: for whole names and keywords, and for short forms of names."""

    names: Matcher
    short_names: Matcher

    def terms(self, text: str) -> frozenset[tuple[Hashable, str]]:
        """The names in a text with their owners; a capitalised name is not a lower-case word."""
        hits = [*self.names.find(text), *self.short_names.find(text)]
        return frozenset(
            (hit.owner, hit.term)
            for hit in hits
            if isinstance(hit.owner, EntryOwner)
            or not (hit.term[:1].isupper() and text[hit.start : hit.start + 1].islower())
        )


class Appearances:
    """Keeps the first naming scene of everything up to date; the roster has that of the entities."""

    def __init__(self, project_id: str, roster: Roster) -> None:
        self.project_id = project_id
        self.entries: dict[str, int] = {}
        self.names: dict[NameOfEntity, int] = {}
        self.later_names: frozenset[NameOfEntity] = frozenset()
        self._uses: dict[str, list[tuple[str, int]]] = {}
        self._roster = roster
        self._scenes: dict[str, SceneNames] | None = None
        self._is_off = False
        self._changed_scenes: dict[str, dict[str, Any] | None] = {}
        self._renamed: dict[Hashable, tuple[Term, ...]] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return BYTES_EACH * sum(len(scene.terms) for scene in (self._scenes or {}).values())

    @property
    def is_current(self) -> bool:
        """Whether nothing has changed since the last call of `catch_up` or `clear`."""
        return self._is_off or (self._scenes is not None and not (self._changed_scenes or self._renamed))

    def forget(self) -> None:
        """Read the whole manuscript anew when it is next needed."""
        self._scenes = None
        self._is_off = False
        self._changed_scenes, self._renamed = {}, {}

    def clear(self) -> bool:
        """Date nothing; whether anything was dated."""
        self.forget()
        self._is_off = True
        return self._note((), Lorebook())

    def scene_changed(self, scene_id: str, after: dict[str, Any] | None) -> None:
        """Note the new text of a scene, or that it is gone."""
        if self._scenes is not None:
            self._changed_scenes[scene_id] = after

    def renamed(self, owner: Hashable, terms: Iterable[Term]) -> None:
        """Note the names that an entity or an entry has now."""
        if self._scenes is not None:
            self._renamed[owner] = tuple(terms)

    def catch_up(self, reader: Reader, finders: NameFinders, lorebook: Lorebook) -> bool:
        """Work out what has changed since the last call; whether anything is named first elsewhere now."""
        if self._scenes is None:
            rows = scan_scenes(reader, self.project_id)
            self._scenes = {
                scene_id: SceneNames(instant_of(chapter, scene), finders.terms(text))
                for scene_id, chapter, scene, _, text in rows
            }
        else:
            self._follow(reader, self._scenes, finders)
        self._changed_scenes, self._renamed = {}, {}
        return self._note(self._scenes.values(), lorebook)

    def _follow(self, reader: Reader, scenes: dict[str, SceneNames], finders: NameFinders) -> None:
        for scene_id, after in self._changed_scenes.items():
            if after is None:
                scenes.pop(scene_id, None)
            else:
                instant = instant_of(after["chapter_index"], after["scene_index"])
                scenes[scene_id] = SceneNames(instant, finders.terms(after["text"]))
        if not self._renamed:
            return
        # A new name may cover another one, so that only scenes that have it are read again.
        new_names = Matcher(term for terms in self._renamed.values() for term in terms)
        for scene_id, _, _, _, text in scan_scenes(reader, self.project_id):
            known = scenes.get(scene_id)
            if known is None or (known.owners.isdisjoint(self._renamed) and not new_names.owners(text)):
                continue
            scenes[scene_id] = SceneNames(known.instant, finders.terms(text))

    def _note(self, scenes: Iterable[SceneNames], lorebook: Lorebook) -> bool:
        first: dict[Hashable, int] = {}
        names: dict[NameOfEntity, int] = {}
        for scene in sorted(scenes, key=lambda one: one.instant):
            for owner, term in scene.terms:
                first.setdefault(owner, scene.instant)
                if isinstance(owner, str):
                    names.setdefault(NameOfEntity(owner, term), scene.instant)
        entries: dict[str, int] = {}
        for owner, instant in list(first.items()):
            if not isinstance(owner, EntryOwner):
                continue
            entity_id = lorebook.entity_of.get(owner.entry_id)
            if entity_id is None:
                entries[owner.entry_id] = instant
            else:
                first[entity_id] = min(instant, first.get(entity_id, instant))
        has_changed = entries != self.entries or names != self.names
        self.entries, self.names, self._uses = entries, names, {}
        for (entity_id, name), instant in names.items():
            self._uses.setdefault(entity_id, []).append((name, instant))
        self.later_names = frozenset(_later_names(self._uses))
        for entity_id, slot in self._roster.slot_of.items():
            instant = first.get(entity_id, -1)
            if self._roster.named_from[slot] != instant:
                self._roster.set_named_from(slot, instant)
                has_changed = True
        return has_changed

    def is_used_later(self, name: NameOfEntity, instant: int) -> bool:
        """Whether the manuscript uses a name of an entity, but only after an instant."""
        return self.names.get(name, -1) > instant

    def forms_in_use(self, entity_id: str, instant: int) -> list[str]:
        """The names and short forms of an entity that the manuscript uses by an instant."""
        return [name for name, first in self._uses.get(entity_id, ()) if first <= instant]


def _later_names(uses: Mapping[str, Sequence[tuple[str, int]]]) -> Iterator[NameOfEntity]:
    """The names that come into use when another, different name of the same entity is in use already."""
    for entity_id, names in uses.items():
        for name, instant in names:
            before = [other for other, first in names if first < instant]
            if before and not any(are_forms_of_one(name, other) for other in before):
                yield NameOfEntity(entity_id, name)


def are_forms_of_one(name: str, other: str) -> bool:
    """Whether one of two names is a part of the other."""
    return name in other or other in name
