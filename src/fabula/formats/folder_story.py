"""Converts a parsed story folder to rows, resolving references and reporting inconsistencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from fabula.formats.folder_evidence import folder_evidence
from fabula.formats.folder_read import FolderError, FolderShapes, refuse
from fabula.formats.folder_shapes import (
    LOCAL_USER,
    EntityFile,
    EntryPart,
    RoleRow,
    SnapshotPart,
    usual_id,
)
from fabula.formats.folder_write import usual_entity_id
from fabula.formats.nearest import nearest
from fabula.model.edge_fields import dated
from fabula.model.entity import Entity, EntityState, aliases_beside
from fabula.model.event import EVENT, Event, EventRole, LinkKind, PendingRelation
from fabula.model.evidence import Evidence, FactKind
from fabula.model.lore import LoreEntry
from fabula.model.manuscript import Chapter, Scene, Snapshot, word_count
from fabula.model.moment import first_instant
from fabula.model.names import name_key
from fabula.model.ontology import known_type, relation_type
from fabula.model.prompt_text import prompt_text
from fabula.model.proposal import Proposal, ReadFact, ReviewAction
from fabula.model.relation import Relation, RelationType
from fabula.model.story_ontology import relation_id, type_key


class FolderRows(NamedTuple):
    """All rows of a story except its own, in an order in which they can be inserted."""

    relation_types: tuple[RelationType, ...]
    entities: tuple[Entity, ...]
    entries: tuple[LoreEntry, ...]
    states: tuple[EntityState, ...]
    events: tuple[Event, ...]
    roles: tuple[EventRole, ...]
    # After the roles, so that a relation already stated by a role is not duplicated.
    relations: tuple[Relation, ...]
    waiting: tuple[PendingRelation, ...]
    chapters: tuple[Chapter, ...]
    scenes: tuple[Scene, ...]
    snapshots: tuple[Snapshot, ...]
    proposals: tuple[Proposal, ...]
    evidence: tuple[Evidence, ...]


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
        self._entry_keys: dict[str, str] = {}
        self._by_path: list[tuple[str, EntityFile, Entity]] = []
        self.types: dict[str, RelationType] = {}
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
        for path, entry in self.told.entries:
            self._add_entry(path, entry, entry.key, None)
        self._add_manuscript()
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
            ai_context_level=shape.ai_context_level,
            significance=float(shape.significance),
            layout_x=None if shape.layout_x is None else float(shape.layout_x),
            layout_y=None if shape.layout_y is None else float(shape.layout_y),
            prompt_text=prompt_text(shape.description, shape.attributes),
            since=shape.since,
            until=shape.until,
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

    def _add_entry(self, path: str, shape: EntryPart, key: str, entity: Entity | None) -> None:
        first = self._entry_keys.setdefault(name_key(key), path)
        if first != path:
            self._refuse(path, f"the key '{key}' is taken in {first}")
        if entity is None and not shape.content.strip():
            self._refuse(path, "content must not be blank")
        self.entries.append(
            LoreEntry.trusted(
                id=self._claim(path, "entry", shape.id or usual_id("entry", name_key(key))),
                entity_id=None if entity is None else entity.id,
                user_id=LOCAL_USER if shape.user_id is None else shape.user_id,
                entry_key=key,
                display_name=key if shape.display_name is None else shape.display_name,
                content=shape.content,
                keywords=shape.keywords,
                priority=shape.priority,
                enabled=shape.enabled,
                insertion_position=shape.insertion_position,
                token_budget=shape.token_budget,
                ai_context_level=shape.ai_context_level,
                rules=shape.rules,
                since=shape.since,
                until=shape.until,
                extensions=shape.extensions,
                **self._new,
            )
        )

    def _add_states(self, path: str, shape: EntityFile, entity: Entity) -> None:
        for number, row in enumerate(shape.states):
            row_id = self._claim(path, "state", row.id or usual_id("state", entity.id, number))
            said = {name: getattr(row, name) for name in ("description", "attributes", "since", "until")}
            self.states.append(EntityState.trusted(id=row_id, entity_id=entity.id, **said, **self._new))

    def _add_relations(self, path: str, shape: EntityFile, entity: Entity) -> None:
        same: set[tuple[str, str, int]] = set()
        for row in shape.relations:
            target = self._meant(path, row.to)
            if target is None:
                continue
            key = self._word(row.type)
            properties, since = dated(row.properties, row.since)
            identity = (key, target.id, first_instant(since))
            if target is entity:
                self._refuse(path, "a relation must connect two different entities")
            elif identity in same:
                self._refuse(path, f"the relation {key} to {row.to} appears twice")
            same.add(identity)
            usual = relation_id(key, entity.id, target.id, since)
            relation = Relation.trusted(
                id=self._claim(path, "relation", row.id or usual),
                source_entity_id=entity.id,
                target_entity_id=target.id,
                relation_type=key,
                description=row.description,
                properties=properties,
                since=since,
                until=row.until,
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

    # The manuscript and the proposals

    def _add_manuscript(self) -> None:
        for place, text in sorted(self.told.texts.items()):
            path, shape = self.told.scenes.get(place, ("", None))
            self.scenes.append(
                Scene.trusted(
                    id=self._claim(path, "scene", (shape and shape.id) or usual_id("scene", *place)),
                    chapter_index=place[0],
                    scene_index=place[1],
                    title=shape.title if shape else "",
                    text=text,
                    word_count=word_count(text),
                    **self._new,
                )
            )
        for place, (path, scene) in sorted(self.told.scenes.items()):
            if scene.snapshot is not None:
                self._add_snapshot(path, place, scene.snapshot)

    def _add_snapshot(self, path: str, place: tuple[int, int], shape: SnapshotPart) -> None:
        said = {name: value for name, value in shape if name != "id"}
        row_id = self._claim(path, "snapshot", shape.id or usual_id("snapshot", *place))
        self.snapshots.append(
            Snapshot.trusted(id=row_id, chapter_index=place[0], scene_index=place[1], **said, **self._new)
        )

    def _add_evidence(self) -> None:
        facts = {
            FactKind.ENTITY: {entity.id for _, _, entity in self._by_path},
            FactKind.ENTRY: {entry.id for entry in self.entries},
            FactKind.STATE: {state.id for state in self.states},
            FactKind.RELATION: {row_id for kind, row_id in self._taken if kind in ("relation", "role")},
        }
        for path, one in folder_evidence(self.told, facts, self.scenes, self._story | self._times):
            if isinstance(one, Evidence):
                self._claim(path, "evidence", one.id)
                self.evidence.append(one)
            else:
                self._refuse(path, one)

    def _add_proposals(self) -> None:
        for number, (path, row) in enumerate(self.told.proposals):
            said: dict[str, Any] = {name: value for name, value in row if name not in ("id", "reviewed")}
            said["facts"] = tuple(ReadFact.trusted(**dict(fact)) for fact in row.facts)
            is_decided = row.review_action is not ReviewAction.PENDING
            self.proposals.append(
                Proposal.trusted(
                    id=self._claim(path, "proposal", row.id or usual_id("proposal", path, number)),
                    reviewed=is_decided if row.reviewed is None else row.reviewed,
                    **said,
                    **self._new,
                )
            )
