"""Converts a parsed story folder to rows, resolving references and reporting inconsistencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from fabula.formats.folder_evidence import folder_evidence
from fabula.formats.folder_knowings import folder_knowings
from fabula.formats.folder_lore import folder_books, folder_entry
from fabula.formats.folder_proposals import folder_proposal
from fabula.formats.folder_read import FolderError, FolderShapes, refuse
from fabula.formats.folder_rows import FolderRows
from fabula.formats.folder_scenes import folder_scenes
from fabula.formats.folder_shapes import (
    EntityFile,
    EntryPart,
    RoleRow,
    SnapshotPart,
    usual_id,
)
from fabula.formats.folder_threads import folder_threads
from fabula.formats.folder_waivers import folder_waivers
from fabula.formats.folder_write import usual_entity_id
from fabula.formats.nearest import nearest
from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.edge_fields import dated
from fabula.model.entity import Entity, EntityState, aliases_beside
from fabula.model.event import EVENT, Event, EventRole, LinkKind, PendingRelation
from fabula.model.evidence import Evidence
from fabula.model.fact import FactKind
from fabula.model.knowing import Knowing
from fabula.model.lore import LoreEntry
from fabula.model.manuscript import Chapter, Scene, Snapshot
from fabula.model.names import name_key
from fabula.model.ontology import known_type, relation_type
from fabula.model.prompt_text import prompt_text
from fabula.model.proposal import Proposal
from fabula.model.relation import Relation, RelationType
from fabula.model.reveal import Reveal
from fabula.model.story_ontology import relation_id, type_key
from fabula.model.thread import Thread
from fabula.model.validity import VALIDITY, WHEN, FactStart, beginning


def folder_rows(told: FolderShapes, project_id: str, now: str, *, max_attributes: int) -> FolderRows:
    """The rows of a folder; BundleInvalid with all inconsistencies."""
    builder = _RowBuilder(told, project_id, now)
    builder.build()
    builder.errors.extend(_too_many_attributes(told, max_attributes))
    refuse(builder.errors)
    return builder.rows()


def _too_many_attributes(told: FolderShapes, limit: int) -> Iterator[FolderError]:
    for path, shape in told.entities:
        if len(shape.attributes) > limit:
            yield FolderError(path, f"has {len(shape.attributes)} attributes; {limit} are allowed")


T = TypeVar("T", Scene, Thread, Evidence, Knowing)


class _RowBuilder:
    """Builds the rows and collects errors."""

    def __init__(self, told: FolderShapes, project_id: str, now: str) -> None:
        self.told = told
        self.errors: list[FolderError] = []
        self._story = {"project_id": project_id}
        self._times = {"created_at": now, "updated_at": now}
        self._new = {**self._story, "version": 1, **self._times}
        self._taken: dict[tuple[str, str], str] = {}
        self._named: dict[tuple[str, str], Entity] = {}
        self._entry_keys: dict[tuple[str, str], str] = {}
        self._by_path: list[tuple[str, EntityFile, Entity]] = []
        self.types: dict[str, RelationType] = {}
        self.books: list[LoreBook] = []
        self.entries: list[LoreEntry] = []
        self.states: list[EntityState] = []
        self.relations: list[Relation] = []
        self.events: list[Event] = []
        self.roles: list[EventRole] = []
        self.waiting: list[PendingRelation] = []
        self.scenes: list[Scene] = []
        self.snapshots: list[Snapshot] = []
        self.proposals: list[Proposal] = []
        self.evidence: list[Evidence] = []
        self.knowings: list[Knowing] = []
        self.threads: list[Thread] = []
        self.reveals: list[Reveal] = []

    def build(self) -> None:
        self._add_types()
        for path, shape in self.told.entities:
            self._add_entity(path, shape)
        for path, shape, entity in self._by_path:
            self._add_event(path, shape, entity)
            if shape.entry is not None:
                self._add_entry(path, shape.entry, shape.entry.key or entity.name, entity)
            self._add_states(path, shape, entity)
            self._add_relations(path, shape, entity)
            self._add_waiting(path, shape, entity)
            self._add_reveals(path, shape, entity)
        self._add_books()
        for path, entry in self.told.entries:
            self._add_entry(path, entry, entry.key, None, entry.book)
        self._add_manuscript()
        self._add_threads()
        self._add_evidence()
        self._add_proposals()

    def rows(self) -> FolderRows:
        chapters = (
            Chapter.trusted(
                id=usual_id("chapter", number), chapter_index=number, title=shape.title, **self._new
            )
            for number, shape in sorted(self.told.chapters.items())
        )
        return FolderRows(
            tuple(self.types.values()),
            tuple(entity for _, _, entity in self._by_path),
            tuple(self.books),
            tuple(self.entries),
            tuple(self.states),
            tuple(self.events),
            tuple(self.roles),
            tuple(self.relations),
            tuple(self.waiting),
            tuple(chapters),
            tuple(self.scenes),
            tuple(self.snapshots),
            tuple(self.proposals),
            tuple(self.evidence),
            tuple(self.knowings),
            tuple(self.threads),
            tuple(folder_waivers(self.told.waivers, self._story | self._times)),
            tuple(self.reveals),
        )

    def _refuse(self, path: str, message: str, suggestion: str | None = None) -> None:
        self.errors.append(FolderError(path, message, suggestion=suggestion))

    def _claim(self, path: str, kind: str, row_id: str) -> str:
        """Reserve an id, which no other row of the kind may have."""
        if (kind, row_id) in self._taken:
            first = self._taken[kind, row_id]
            self._refuse(
                path, f"the id '{row_id}' is taken by another {kind} in {first}", "Leave the id out."
            )
        self._taken[kind, row_id] = path
        return row_id

    # Types and entities

    def _add_types(self) -> None:
        path = "relation-types.yaml"
        for row in self.told.relation_types:
            key = relation_type(row.key)
            if key in self.types:
                self._refuse(path, f"the relation type '{key}' appears twice")
            self._keep_type(key, row.label, row.labels, row.builtin, row.id)

    def _keep_type(
        self, key: str, label: str, labels: dict[Any, str], builtin: bool, row_id: str | None
    ) -> None:
        self.types[key] = RelationType.trusted(
            id=self._claim("relation-types.yaml", "relation type", row_id or usual_id("relation type", key)),
            key=key,
            label=label,
            labels=labels,
            builtin=builtin,
            created_at=self._times["created_at"],
            **self._story,
        )

    def _word(self, word: str) -> str:
        """The relation type a word stands for, registered if it is new."""
        key = relation_type(word)
        if key not in self.types:
            self._keep_type(key, word, {}, False, None)
        return key

    def _add_entity(self, path: str, shape: EntityFile) -> None:
        types = self.told.ontology.node_of_key
        kind = type_key(shape.type) if shape.type_unlisted else self._kind(shape.type)
        if kind not in types and not shape.type_unlisted:
            near = nearest(kind, types)
            hint = f"Did you mean '{near}'?" if near else f"Use one of: {', '.join(sorted(types))}."
            self._refuse(path, f"'{shape.type}' is not an entity type of this story", hint)
        identity = (kind, name_key(shape.name))
        if identity in self._named:
            self._refuse(path, f"there is another {kind} named '{shape.name}'")
            return
        entity = Entity.trusted(
            id=self._claim(path, "entity", shape.id or usual_entity_id(kind, shape.name)),
            type=kind,
            name=shape.name,
            description=shape.description,
            attributes=shape.attributes,
            aliases=aliases_beside(shape.name, shape.aliases),
            names=shape.names,
            ai_context_level=shape.ai_context_level,
            secrecy=shape.secrecy,
            significance=float(shape.significance),
            layout_x=None if shape.layout_x is None else float(shape.layout_x),
            layout_y=None if shape.layout_y is None else float(shape.layout_y),
            prompt_text=prompt_text(shape.description, shape.attributes),
            **{name: getattr(shape, name) for name in WHEN},
            **self._new,
        )
        self._named[identity] = entity
        self._by_path.append((path, shape, entity))

    def _kind(self, word: str) -> str:
        """The entity type a word stands for, in any spelling; an unknown word stands for itself."""
        return known_type(word, self.told.ontology.node_of_key) or type_key(word)

    def _meant(self, path: str, reference: str) -> Entity | None:
        kind, _, name = reference.partition("/")
        key = name_key(name)
        found = self._named.get((type_key(kind), key)) or self._named.get((self._kind(kind), key))
        if found is None:
            self._refuse(path, f"there is no '{reference}' in this folder")
        return found

    # Everything that belongs to an entity

    def _add_event(self, path: str, shape: EntityFile, entity: Entity) -> None:
        is_told = shape.event is not None or shape.places or shape.roles
        if is_told and entity.type != EVENT:
            self._refuse(path, f"event, places and roles are for events, not for a {entity.type}")
            return
        if shape.event is not None:
            self.events.append(Event.trusted(id=entity.id, **self._story, **dict(shape.event)))
        self._add_roles(path, entity, "place", shape.places)
        self._add_roles(path, entity, "role", shape.roles)

    def _add_roles(self, path: str, event: Entity, kind: LinkKind, rows: Iterable[RoleRow]) -> None:
        for ordinal, row in enumerate(rows):
            somebody = None if row.entity is None else self._meant(path, row.entity)
            if somebody is event:
                self._refuse(path, "an event cannot take part in itself")
            self.roles.append(
                EventRole.trusted(
                    id=self._claim(path, "role", row.id or usual_id("role", event.id, kind, ordinal)),
                    event_id=event.id,
                    kind=kind,
                    entity_id=None if somebody is None else somebody.id,
                    name=row.name or (somebody.name if somebody else ""),
                    role=row.role,
                    ordinal=ordinal,
                    description=row.description,
                    properties=row.properties,
                    since=row.since,
                    until=row.until,
                    **self._story,
                )
            )

    def _add_books(self) -> None:
        for path, book in folder_books(self.told, self._new):
            self._claim(path, "lorebook", book.id)
            if book.id == OWN_BOOK:
                self._refuse(path, f"the id '{OWN_BOOK}' is that of the story's own book")
            self.books.append(book)

    def _add_entry(
        self, path: str, shape: EntryPart, key: str, entity: Entity | None, book_id: str = OWN_BOOK
    ) -> None:
        first = self._entry_keys.setdefault((book_id, name_key(key)), path)
        if first != path:
            self._refuse(path, f"the key '{key}' is taken in {first}")
        if entity is None and book_id == OWN_BOOK and not shape.content.strip():
            self._refuse(path, "content must not be blank")
        if book_id != OWN_BOOK and ("lorebook", book_id) not in self._taken:
            self._refuse(path, f"there is no lorebook '{book_id}' in this folder")
        entry = folder_entry(shape, key, None if entity is None else entity.id, book_id, self._new)
        self._claim(path, "entry", entry.id)
        self.entries.append(entry)

    def _add_states(self, path: str, shape: EntityFile, entity: Entity) -> None:
        for number, row in enumerate(shape.states):
            row_id = self._claim(path, "state", row.id or usual_id("state", entity.id, number))
            said = {name: value for name, value in row if name != "id"}
            self.states.append(EntityState.trusted(id=row_id, entity_id=entity.id, **said, **self._new))

    def _add_relations(self, path: str, shape: EntityFile, entity: Entity) -> None:
        same: set[tuple[str, str, FactStart]] = set()
        for row in shape.relations:
            target = self._meant(path, row.to)
            if target is None:
                continue
            key = self._word(row.type)
            properties, since = dated(row.properties, row.since)
            identity = (key, target.id, beginning(since, row.valid_from))
            if target is entity:
                self._refuse(path, "a relation must connect two different entities")
            elif identity in same:
                self._refuse(path, f"the relation {key} to {row.to} appears twice")
            same.add(identity)
            usual = relation_id(key, entity.id, target.id, since, row.valid_from)
            relation = Relation.trusted(
                id=self._claim(path, "relation", row.id or usual),
                source_entity_id=entity.id,
                target_entity_id=target.id,
                relation_type=key,
                description=row.description,
                properties=properties,
                secrecy=row.secrecy,
                since=since,
                until=row.until,
                **{name: getattr(row, name) for name in VALIDITY},
                **self._new,
            )
            self.relations.append(relation)

    def _add_waiting(self, path: str, shape: EntityFile, entity: Entity) -> None:
        for number, row in enumerate(shape.waiting):
            self.waiting.append(
                PendingRelation.trusted(
                    # It becomes a relation with this id once the name exists.
                    id=self._claim(path, "relation", row.id or usual_id("waiting", entity.id, number)),
                    source_entity_id=entity.id,
                    target_name=row.to,
                    relation_type=self._word(row.type),
                    description=row.description,
                    since=row.since,
                    until=row.until,
                    **self._story,
                )
            )

    def _add_reveals(self, path: str, shape: EntityFile, entity: Entity) -> None:
        for row in shape.reveals:
            other = self._meant(path, row.other)
            if other is entity:
                self._refuse(path, "a reveal joins two different entities")
            if other is None:
                continue
            said = {"entity_ids": (entity.id, other.id), "at": row.at, "known_to": row.known_to}
            row_id = self._claim(path, "reveal", row.id or usual_id("reveal", entity.id, other.id))
            self.reveals.append(Reveal.trusted(id=row_id, **said, **self._new))

    # The manuscript and the proposals

    def _add_manuscript(self) -> None:
        people = {entity.id for _, _, entity in self._by_path}
        self._keep("scene", folder_scenes(self.told, people, self._new), self.scenes)
        for place, (path, scene) in sorted(self.told.scenes.items()):
            if scene.snapshot is not None:
                self._add_snapshot(path, place, scene.snapshot)

    def _add_snapshot(self, path: str, place: tuple[int, int], shape: SnapshotPart) -> None:
        said = {name: value for name, value in shape if name != "id"}
        row_id = self._claim(path, "snapshot", shape.id or usual_id("snapshot", *place))
        self.snapshots.append(
            Snapshot.trusted(id=row_id, chapter_index=place[0], scene_index=place[1], **said, **self._new)
        )

    def _keep(self, kind: str, found: Iterable[tuple[str, T | str]], kept: list[T]) -> None:
        """Keep rows that were read from files, and refuse what they say is wrong."""
        for path, one in found:
            if isinstance(one, str):
                self._refuse(path, one)
            else:
                self._claim(path, kind, one.id)
                kept.append(one)

    def _add_threads(self) -> None:
        people, scenes = ({entity.id for _, _, entity in self._by_path}, {one.id for one in self.scenes})
        self._keep("thread", folder_threads(self.told.threads, people, scenes, self._new), self.threads)

    def _add_evidence(self) -> None:
        facts = {
            FactKind.ENTITY: {entity.id for _, _, entity in self._by_path},
            FactKind.ENTRY: {entry.id for entry in self.entries},
            FactKind.STATE: {state.id for state in self.states},
            FactKind.THREAD: {thread.id for thread in self.threads},
            FactKind.RELATION: {row_id for kind, row_id in self._taken if kind in ("relation", "role")},
        }
        quoted = folder_evidence(self.told, facts, self.scenes, self._story | self._times)
        self._keep("evidence", quoted, self.evidence)
        self._keep("knowing", folder_knowings(self._by_path, facts, self._new), self.knowings)

    def _add_proposals(self) -> None:
        for number, (path, row) in enumerate(self.told.proposals):
            row_id = self._claim(path, "proposal", row.id or usual_id("proposal", path, number))
            self.proposals.append(folder_proposal(row, row_id, self._new))
