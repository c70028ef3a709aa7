"""Writes a story as readable, diffable files: defaults are left out, references are by identity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from fabula.formats.folder_names import (
    ATTRIBUTES_OF_GIT,
    ONTOLOGY,
    RELATION_TYPES,
    STORY,
    chapter_path,
    entity_path,
    entry_path,
    proposals_path,
    scene_paths,
)
from fabula.formats.folder_shapes import FORMAT, LOCAL_USER, USUAL_SIGNIFICANCE, usual_id
from fabula.formats.folder_text import FactLine, FactLines, document
from fabula.model.activation import ActivationRules
from fabula.model.entity import Entity, EntityState
from fabula.model.event import Event, EventRole, PendingRelation
from fabula.model.evidence import Evidence
from fabula.model.level import AiContextLevel
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, InsertionPosition, LoreEntry
from fabula.model.manuscript import AUTHOR, Chapter, Scene, Snapshot
from fabula.model.moment import Moment, first_instant
from fabula.model.proposal import Proposal, ReadFact, ReviewAction, Suggestion
from fabula.model.relation import Relation, RelationType
from fabula.model.story import Story
from fabula.model.story_ontology import entity_id, identity_key, relation_id
from fabula.model.wire import Value

Fields = dict[str, Any]
_USUAL_RULES = ActivationRules()


class File(NamedTuple):
    """A file of a story folder; with `data` None, it must not exist."""

    path: str
    data: bytes | None


class Dossier(NamedTuple):
    """An entity with everything in its file."""

    entity: Entity
    entry: LoreEntry | None
    states: tuple[EntityState, ...]
    relations: tuple[Relation, ...]
    event: Event | None
    roles: tuple[EventRole, ...]
    waiting: tuple[PendingRelation, ...]


class Known(NamedTuple):
    """The type and name of an entity."""

    type: str
    name: str

    @property
    def reference(self) -> str:
        """The reference to the entity in other files."""
        return f"{self.type}/{self.name}"


def usual_entity_id(entity_type: str, name: str) -> str:
    """The default id of an entity, which is not written."""
    return entity_id(entity_type, identity_key([name]))


def git_file() -> File:
    """The file that keeps git from converting line endings."""
    return File(ATTRIBUTES_OF_GIT, b"* -text\n")


def story_file(story: Story) -> File:
    """The story's own fields."""
    own = {"fabula": FORMAT, "title": story.title, "language": story.language}
    return File(STORY, document(own | _told(settings=story.settings)))


def ontology_file(definition: str | None) -> File:
    """The ontology as its author wrote it."""
    return File(ONTOLOGY, None if definition is None else definition.encode())


def relation_types_file(types: Iterable[RelationType]) -> File:
    """The relation types."""
    rows = FactLines(
        {"key": word.key, "label": word.label}
        | _told(labels=dict(word.labels), builtin=word.builtin)
        | {"id": word.id}
        for word in sorted(types, key=lambda word: (word.key, word.id))
    )
    return File(RELATION_TYPES, document(rows))


def entity_file(dossier: Dossier, known: Mapping[str, Known], listed_types: frozenset[str]) -> File:
    """An entity with its entry, states, relations and event fields."""
    entity = dossier.entity
    fields: Fields = {"type": entity.type}
    fields |= _told(typeUnlisted=entity.type not in listed_types)
    fields |= {"name": entity.name}
    fields |= _unless(usual_entity_id(entity.type, entity.name), id=entity.id)
    fields |= _told(aliases=list(entity.aliases))
    fields |= _unless(AiContextLevel.WHEN_DETECTED, aiContextLevel=entity.ai_context_level)
    fields |= _unless(USUAL_SIGNIFICANCE, significance=entity.significance)
    fields |= _period(entity.since, entity.until)
    fields |= _unless(None, layoutX=entity.layout_x, layoutY=entity.layout_y)
    fields |= _told(description=entity.description, attributes=entity.attributes)
    if dossier.event is not None:
        fields["event"] = _event(dossier.event)
    for name, kind in (("places", "place"), ("roles", "role")):
        cast = [role for role in dossier.roles if role.kind == kind]
        fields |= _told(**{name: FactLines(_role(place, role, known) for place, role in enumerate(cast))})
    if dossier.entry is not None:
        fields["entry"] = _entry(dossier.entry, entity.name)
    fields |= _told(
        states=FactLines(map(_state, dossier.states)),
        relations=_relations(dossier.relations, known),
        waiting=_waiting(dossier.waiting),
    )
    return File(entity_path(entity.type, entity.name), document(fields))


def entry_file(entry: LoreEntry) -> File:
    """A lorebook entry without an entity."""
    return File(
        entry_path(entry.entry_key), document({"key": entry.entry_key} | _entry(entry, entry.entry_key))
    )


def chapter_file(number: int, chapter: Chapter | None) -> File:
    """A chapter's own fields."""
    return File(chapter_path(number), None if chapter is None else document({"title": chapter.title}))


def scene_files(
    chapter: int,
    scene: int,
    told: Scene | None,
    snapshot: Snapshot | None,
    evidence: Sequence[Evidence] = (),
) -> tuple[File, File]:
    """The file with a scene's text, byte for byte, and the file with its metadata."""
    text_path, path = scene_paths(chapter, scene)
    fields: Fields = {}
    if told is not None:
        fields |= _told(title=told.title) | {"id": told.id}
    if snapshot is not None:
        fields["snapshot"] = _snapshot(snapshot)
    if evidence:
        fields["evidence"] = FactLines(
            map(_evidence, sorted(evidence, key=lambda one: (one.fact_kind, one.fact_id, one.id)))
        )
    return (
        File(text_path, None if told is None else told.text.encode()),
        File(path, document(fields) if fields else None),
    )


def proposals_file(chapter: int | None, proposals: Iterable[Proposal]) -> File:
    """The proposals from a chapter, with their reviews."""
    rows = sorted(proposals, key=lambda p: (p.scene is not None, p.scene or 0, p.kind, p.entity_name, p.id))
    return File(proposals_path(chapter), document(FactLines(map(_proposal, rows))) or None)


# Parts


def _told(**fields: Any) -> Fields:
    """The fields that are not None, empty, false or 0, which are the defaults."""
    return {name: value for name, value in fields.items() if value}


def _unless(usual: Any, **fields: Any) -> Fields:
    """The fields that differ from the default."""
    return {name: _plain(value) for name, value in fields.items() if value != usual}


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return str(value.value) if isinstance(value, StrEnum) else value


def _moment(moment: Moment) -> FactLine:
    return (
        FactLine(chapter=moment.chapter)
        if moment.scene is None
        else FactLine(chapter=moment.chapter, scene=moment.scene)
    )


def _period(since: Moment | None, until: Moment | None) -> Fields:
    return {
        name: _moment(moment) for name, moment in (("since", since), ("until", until)) if moment is not None
    }


def _event(event: Event) -> Fields:
    return _told(
        event=event.event,
        timeAnchor=event.time_anchor,
        logic=list(event.logic),
        causality=event.causality,
        level=event.level,
    )


def _role(place: int, role: EventRole, known: Mapping[str, Known]) -> Fields:
    rest = _told(role=role.role) | _unless(usual_id("role", role.event_id, role.kind, place), id=role.id)
    rest |= _period(role.since, role.until)
    rest |= _told(description=role.description, properties=role.properties)
    if role.entity_id is None:
        return {"name": role.name} | rest
    somebody = known[role.entity_id]
    return {"entity": somebody.reference} | _unless(somebody.name, name=role.name) | rest


def _entry(entry: LoreEntry, name: str) -> Fields:
    return (
        _unless(name, key=entry.entry_key)
        | {"id": entry.id}
        | _unless(entry.entry_key, displayName=entry.display_name)
        | _unless(LOCAL_USER, userId=entry.user_id)
        | _unless(AiContextLevel.WHEN_DETECTED, aiContextLevel=entry.ai_context_level)
        | _period(entry.since, entry.until)
        | _told(keywords=list(entry.keywords), priority=entry.priority)
        | _unless(True, enabled=entry.enabled)
        | _unless(InsertionPosition.BEFORE_SCENE, insertionPosition=entry.insertion_position)
        | _unless(DEFAULT_TOKEN_BUDGET, tokenBudget=entry.token_budget)
        | _unless(_USUAL_RULES, rules=entry.rules)
        | _told(extensions=entry.extensions, content=entry.content)
    )


def _state(state: EntityState) -> Fields:
    told = _told(description=state.description, attributes=state.attributes)
    return _period(state.since, state.until) | told | {"id": state.id}


def _relations(relations: Iterable[Relation], known: Mapping[str, Known]) -> FactLines:
    ordered = sorted(
        relations,
        key=lambda r: (
            r.relation_type,
            known[r.target_entity_id],
            first_instant(r.since),
            r.id,
        ),
    )
    return FactLines(
        {"type": relation.relation_type, "to": known[relation.target_entity_id].reference}
        | _period(relation.since, relation.until)
        | _told(description=relation.description, properties=relation.properties)
        | _unless(_usual_relation_id(relation), id=relation.id)
        for relation in ordered
    )


def _usual_relation_id(relation: Relation) -> str:
    ends = (relation.source_entity_id, relation.target_entity_id)
    return relation_id(relation.relation_type, *ends, relation.since)


def _waiting(waiting: Iterable[PendingRelation]) -> FactLines:
    ordered = sorted(waiting, key=lambda w: (w.relation_type, w.target_name, first_instant(w.since), w.id))
    return FactLines(
        {"type": wish.relation_type, "to": wish.target_name}
        | _period(wish.since, wish.until)
        | _told(description=wish.description)
        | {"id": wish.id}
        for wish in ordered
    )


def _snapshot(snapshot: Snapshot) -> Fields:
    return {
        "id": snapshot.id,
        **_unless(None, manuscriptId=snapshot.manuscript_id),
        **_told(
            timelinePosition=snapshot.timeline_position,
            emotionalTone=snapshot.emotional_tone,
            wordCount=snapshot.word_count,
        ),
        **_unless(AUTHOR, source=snapshot.source),
        **_told(
            summary=snapshot.summary,
            activeCharacters=FactLines(map(_plain, snapshot.active_characters)),
            activeLocations=FactLines(map(_plain, snapshot.active_locations)),
        ),
    }


def _evidence(evidence: Evidence) -> Fields:
    return (
        {"kind": evidence.fact_kind.value, "fact": evidence.fact_id, "quotation": evidence.quotation}
        | _told(occurrence=evidence.occurrence)
        | {"id": evidence.id}
    )


def _proposal(proposal: Proposal) -> Fields:
    is_decided = proposal.review_action is not ReviewAction.PENDING
    return (
        {"kind": proposal.kind.value, "entityName": proposal.entity_name, "entityType": proposal.entity_type}
        | _place(proposal)
        | _unless(ReviewAction.PENDING, reviewAction=proposal.review_action)
        | _unless(is_decided, reviewed=proposal.reviewed)
        | _unless(Suggestion.NEW, suggestion=proposal.suggestion)
        | {"extractor": proposal.extractor, "confidence": proposal.confidence}
        | _unless(None, sameAs=proposal.same_as)
        | _told(aliases=list(proposal.aliases), attributes=proposal.attributes)
        | _told(facts=FactLines(map(_fact, proposal.facts)))
        | _told(sourceText=proposal.source_text)
        | _unless(None, sourceStart=proposal.source_start, sourceEnd=proposal.source_end)
        | _unless(
            None,
            manuscriptId=proposal.manuscript_id,
            linkedLorebookId=proposal.linked_lorebook_id,
            linkedEntityId=proposal.linked_entity_id,
        )
        | {"id": proposal.id}
    )


def _fact(fact: ReadFact) -> Fields:
    return (
        {"text": fact.text}
        | _told(attributes=fact.attributes, sourceText=fact.source_text)
        | _unless(None, sourceStart=fact.source_start, sourceEnd=fact.source_end, sceneId=fact.scene_id)
    )


def _place(proposal: Proposal) -> Fields:
    return _unless(None, chapter=proposal.chapter, scene=proposal.scene)
