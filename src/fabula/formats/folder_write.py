"""Writes a story as readable, diffable files: defaults are left out, references are by identity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from fabula.formats.folder_fields import (
    Fields,
    dated_fields,
    fields_unless,
    moment_fields,
    period_fields,
    plain_value,
    told_fields,
    world_fields,
)
from fabula.formats.folder_names import (
    ATTRIBUTES_OF_GIT,
    ONTOLOGY,
    RELATION_TYPES,
    STORY,
    book_path,
    chapter_path,
    entity_path,
    entry_path,
    proposals_path,
    scene_paths,
)
from fabula.formats.folder_shapes import FORMAT, LOCAL_USER, USUAL_SIGNIFICANCE, usual_id
from fabula.formats.folder_text import FactLine, FactLines, document
from fabula.model.activation import ActivationRules
from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.entity import Entity, EntityName, EntityState
from fabula.model.event import Event, EventRole, PendingRelation
from fabula.model.evidence import Attested, Evidence
from fabula.model.fact import Secrecy
from fabula.model.knowing import HowKnown, Knowing
from fabula.model.level import AiContextLevel
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, InsertionPosition, LoreEntry
from fabula.model.manuscript import AUTHOR, UNPLANNED, Chapter, Scene, Snapshot
from fabula.model.moment import first_instant
from fabula.model.proposal import Proposal, ReadFact, ReviewAction, Suggestion
from fabula.model.relation import Relation, RelationType
from fabula.model.reveal import Reveal
from fabula.model.scan_settings import ScanSettings
from fabula.model.story import Story
from fabula.model.story_ontology import entity_id, identity_key, relation_id
from fabula.model.validity import beginning, in_order

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
    knowings: tuple[Knowing, ...] = ()
    reveals: tuple[Reveal, ...] = ()


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
    return File(STORY, document(own | told_fields(settings=story.settings)))


def ontology_file(definition: str | None) -> File:
    """The ontology as its author wrote it."""
    return File(ONTOLOGY, None if definition is None else definition.encode())


def relation_types_file(types: Iterable[RelationType]) -> File:
    """The relation types."""
    rows = FactLines(
        {"key": word.key, "label": word.label}
        | told_fields(labels=dict(word.labels), builtin=word.builtin)
        | {"id": word.id}
        for word in sorted(types, key=lambda word: (word.key, word.id))
    )
    return File(RELATION_TYPES, document(rows))


def entity_file(dossier: Dossier, known: Mapping[str, Known], listed_types: frozenset[str]) -> File:
    """An entity with its entry, states, relations and event fields."""
    entity = dossier.entity
    fields: Fields = {"type": entity.type}
    fields |= told_fields(typeUnlisted=entity.type not in listed_types)
    fields |= {"name": entity.name}
    fields |= fields_unless(usual_entity_id(entity.type, entity.name), id=entity.id)
    fields |= told_fields(aliases=list(entity.aliases), names=FactLines(map(_name, entity.names)))
    fields |= fields_unless(AiContextLevel.WHEN_DETECTED, aiContextLevel=entity.ai_context_level)
    fields |= fields_unless(Secrecy.PUBLIC, secrecy=entity.secrecy)
    fields |= fields_unless(USUAL_SIGNIFICANCE, significance=entity.significance)
    fields |= dated_fields(entity)
    fields |= fields_unless(None, layoutX=entity.layout_x, layoutY=entity.layout_y)
    fields |= told_fields(description=entity.description, attributes=entity.attributes)
    if dossier.event is not None:
        fields["event"] = _event(dossier.event)
    for name, kind in (("places", "place"), ("roles", "role")):
        cast = [role for role in dossier.roles if role.kind == kind]
        fields |= told_fields(
            **{name: FactLines(_role(place, role, known) for place, role in enumerate(cast))}
        )
    if dossier.entry is not None:
        fields["entry"] = _entry(dossier.entry, entity.name)
    fields |= told_fields(
        states=FactLines(map(_state, dossier.states)),
        relations=_relations(dossier.relations, known),
        waiting=_waiting(dossier.waiting),
        knowings=FactLines(map(_knowing, dossier.knowings)),
        reveals=FactLines(_reveal(one, known) for one in dossier.reveals),
    )
    return File(entity_path(entity.type, entity.name), document(fields))


def book_file(book: LoreBook) -> File:
    """A lorebook beside the story's own, without its entries."""
    fields = {"id": book.id, "name": book.name}
    fields |= fields_unless("global", source=book.source) | fields_unless(
        "fabula", activation=book.activation
    )
    fields |= fields_unless(True, enabled=book.enabled) | told_fields(position=book.position)
    fields |= fields_unless(ScanSettings(), settings=book.settings) | told_fields(extensions=book.extensions)
    return File(book_path(book.id), document(fields))


def entry_file(entry: LoreEntry) -> File:
    """A lorebook entry without an entity."""
    fields = {"key": entry.entry_key} | fields_unless(OWN_BOOK, book=entry.book_id)
    path = entry_path(entry.entry_key, entry.book_id)
    return File(path, document(fields | _entry(entry, entry.entry_key)))


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
        fields |= told_fields(title=told.title) | {"id": told.id} | world_fields(worldTime=told.world_time)
        fields |= fields_unless(UNPLANNED, plan=told.plan)
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


def _event(event: Event) -> Fields:
    return told_fields(
        event=event.event,
        timeAnchor=event.time_anchor,
        logic=list(event.logic),
        causality=event.causality,
        level=event.level,
        place=event.place,
        tells=FactLines(map(plain_value, event.tells)),
    )


def _role(place: int, role: EventRole, known: Mapping[str, Known]) -> Fields:
    rest = told_fields(role=role.role) | fields_unless(
        usual_id("role", role.event_id, role.kind, place), id=role.id
    )
    rest |= period_fields(role.since, role.until)
    rest |= told_fields(description=role.description, properties=role.properties)
    if role.entity_id is None:
        return {"name": role.name} | rest
    somebody = known[role.entity_id]
    return {"entity": somebody.reference} | fields_unless(somebody.name, name=role.name) | rest


def _entry(entry: LoreEntry, name: str) -> Fields:
    return (
        fields_unless(name, key=entry.entry_key)
        | {"id": entry.id}
        | told_fields(place=entry.place)
        | fields_unless(entry.entry_key, displayName=entry.display_name)
        | fields_unless(LOCAL_USER, userId=entry.user_id)
        | fields_unless(AiContextLevel.WHEN_DETECTED, aiContextLevel=entry.ai_context_level)
        | fields_unless(Secrecy.PUBLIC, secrecy=entry.secrecy)
        | dated_fields(entry)
        | told_fields(keywords=list(entry.keywords), priority=entry.priority)
        | fields_unless(True, enabled=entry.enabled)
        | fields_unless(InsertionPosition.BEFORE_SCENE, insertionPosition=entry.insertion_position)
        | fields_unless(DEFAULT_TOKEN_BUDGET, tokenBudget=entry.token_budget)
        | fields_unless(_USUAL_RULES, rules=entry.rules)
        | told_fields(extensions=entry.extensions, content=entry.content)
    )


def _state(state: EntityState) -> Fields:
    told = told_fields(description=state.description, attributes=state.attributes)
    told |= fields_unless(Secrecy.PUBLIC, secrecy=state.secrecy)
    return dated_fields(state) | told | {"id": state.id}


def _knowing(knowing: Knowing) -> Fields:
    return (
        {"kind": knowing.fact.kind.value, "fact": knowing.fact.id}
        | fields_unless(True, knows=knowing.knows)
        | fields_unless(HowKnown.TOLD, how=knowing.how)
        | period_fields(knowing.since, knowing.until)
        | told_fields(belief=knowing.belief)
        | fields_unless(None, source=knowing.source)
        | {"id": knowing.id}
    )


def _name(name: EntityName) -> Fields:
    return {"name": name.name} | period_fields(name.since, name.until) | _known_to(name.known_to)


def _reveal(reveal: Reveal, known: Mapping[str, Known]) -> Fields:
    other = known[reveal.entity_ids[1]]
    return (
        {"other": other.reference, "at": moment_fields(reveal.at)}
        | _known_to(reveal.known_to)
        | {"id": reveal.id}
    )


def _known_to(ids: tuple[str, ...] | None) -> Fields:
    return {} if ids is None else {"knownTo": list(ids)}


def _relations(relations: Iterable[Relation], known: Mapping[str, Known]) -> FactLines:
    ordered = sorted(
        relations,
        key=lambda r: (
            r.relation_type,
            known[r.target_entity_id],
            in_order(beginning(r.since, r.valid_from)),
            r.id,
        ),
    )
    return FactLines(
        {"type": relation.relation_type, "to": known[relation.target_entity_id].reference}
        | dated_fields(relation)
        | told_fields(description=relation.description, properties=relation.properties)
        | fields_unless(Secrecy.PUBLIC, secrecy=relation.secrecy)
        | fields_unless(_usual_relation_id(relation), id=relation.id)
        for relation in ordered
    )


def _usual_relation_id(relation: Relation) -> str:
    ends = (relation.source_entity_id, relation.target_entity_id)
    return relation_id(relation.relation_type, *ends, relation.since, relation.valid_from)


def _waiting(waiting: Iterable[PendingRelation]) -> FactLines:
    ordered = sorted(waiting, key=lambda w: (w.relation_type, w.target_name, first_instant(w.since), w.id))
    return FactLines(
        {"type": wish.relation_type, "to": wish.target_name}
        | period_fields(wish.since, wish.until)
        | told_fields(description=wish.description)
        | {"id": wish.id}
        for wish in ordered
    )


def _snapshot(snapshot: Snapshot) -> Fields:
    return {
        "id": snapshot.id,
        **fields_unless(None, manuscriptId=snapshot.manuscript_id),
        **told_fields(
            timelinePosition=snapshot.timeline_position,
            emotionalTone=snapshot.emotional_tone,
            wordCount=snapshot.word_count,
        ),
        **fields_unless(AUTHOR, source=snapshot.source),
        **told_fields(
            summary=snapshot.summary,
            activeCharacters=FactLines(map(plain_value, snapshot.active_characters)),
            activeLocations=FactLines(map(plain_value, snapshot.active_locations)),
        ),
    }


def _said(attests: Attested | None) -> FactLine | None:
    return (
        None if attests is None else FactLine(told_fields(text=attests.text, attributes=attests.attributes))
    )


def _evidence(evidence: Evidence) -> Fields:
    return (
        {"kind": evidence.fact_kind.value, "fact": evidence.fact_id, "quotation": evidence.quotation}
        | told_fields(occurrence=evidence.occurrence, says=_said(evidence.attests))
        | {"id": evidence.id}
    )


def _proposal(proposal: Proposal) -> Fields:
    is_decided = proposal.review_action is not ReviewAction.PENDING
    return (
        {"kind": proposal.kind.value, "entityName": proposal.entity_name, "entityType": proposal.entity_type}
        | _place(proposal)
        | fields_unless(ReviewAction.PENDING, reviewAction=proposal.review_action)
        | fields_unless(is_decided, reviewed=proposal.reviewed)
        | fields_unless(Suggestion.NEW, suggestion=proposal.suggestion)
        | {"extractor": proposal.extractor, "confidence": proposal.confidence}
        | fields_unless(None, sameAs=proposal.same_as)
        | told_fields(aliases=list(proposal.aliases), attributes=proposal.attributes)
        | told_fields(facts=FactLines(map(_fact, proposal.facts)))
        | told_fields(sourceText=proposal.source_text)
        | fields_unless(None, sourceStart=proposal.source_start, sourceEnd=proposal.source_end)
        | fields_unless(
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
        | told_fields(attributes=fact.attributes, sourceText=fact.source_text)
        | fields_unless(None, sourceStart=fact.source_start, sourceEnd=fact.source_end, sceneId=fact.scene_id)
    )


def _place(proposal: Proposal) -> Fields:
    return fields_unless(None, chapter=proposal.chapter, scene=proposal.scene)
