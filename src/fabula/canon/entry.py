"""Lorebook entries: the only way to save, change and remove them.

An entry consists of its own row and, unless it is custom, the entity it belongs to.
"""

from __future__ import annotations

from typing import Any

from fabula.canon import entity as entities
from fabula.canon.entity import EntityFields, EntityPatch
from fabula.canon.entry_keys import key_taken, refuse_taken_key
from fabula.canon.entry_values import (
    LorebookEntry,
    LorebookEntryCreate,
    LorebookEntryPatch,
    shown,
    shown_version,
)
from fabula.canon.ontology import story_ontology
from fabula.canon.step import Step
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import InvalidInput, NotFound
from fabula.model.activation import ActivationRules
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel, stricter
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, Category, InsertionPosition, LoreEntry, category_of
from fabula.model.names import name_key
from fabula.model.story_ontology import Ontology
from fabula.store.kinds import ENTRY
from fabula.store.reader import Reader

OWN_FIELDS = (
    "display_name",
    "keywords",
    "priority",
    "enabled",
    "insertion_position",
    "token_budget",
    "rules",
    "extensions",
)
_TEXT_FIELDS = ("entry_key", "content", "ai_context_level", "since", "until")
# Entry fields that are stored on the entity, by the entity's name for them.
_OF_ENTITY = {"entry_key": "name", "content": "description"} | {
    name: name for name in ("ai_context_level", "aliases", "attributes", "since", "until")
}
_OPEN = AiContextLevel.WHEN_DETECTED
# The values of an entry's own columns when the entity holds the text.
_WITHOUT_TEXT: dict[str, Any] = {"content": "", "since": None, "until": None, "ai_context_level": _OPEN}


def save(step: Step, before: LoreEntry | None, told: LorebookEntryCreate | LorebookEntryPatch) -> LoreEntry:
    """Save a new entry, or apply a patch to an existing one and its entity."""
    if before is None and isinstance(told, LorebookEntryCreate):
        return _created(step, told)
    if before is not None and isinstance(told, LorebookEntryPatch):
        return _changed(step, before, told)
    raise TypeError("a new entry takes fields, a known one takes a patch")


def _created(step: Step, told: LorebookEntryCreate) -> LoreEntry:
    refuse_taken_key(step, told.entry_key, None)
    entity = None if told.category is Category.CUSTOM else _entity_for(step, told)
    fields = {name: getattr(told, name) for name in OWN_FIELDS}
    fields["display_name"] = told.display_name or told.entry_key
    fields["keywords"] = tuple(dict.fromkeys(told.keywords))
    if entity is None:
        fields |= {"content": told.content, "since": told.since, "until": told.until}
        fields["ai_context_level"] = told.ai_context_level or _OPEN
    entry = _blank(step, told.entry_key, entity).model_copy(update=fields)
    step.add([entry])
    return entry


def _blank(step: Step, key: str, entity: Entity | None) -> LoreEntry:
    """Return a new entry with the default rules, custom or for an entity."""
    return LoreEntry.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        entity_id=None if entity is None else entity.id,
        user_id=step.call.actor,
        entry_key=key if entity is None else entity.name,
        display_name=key,
        keywords=(),
        priority=0,
        enabled=True,
        insertion_position=InsertionPosition.BEFORE_SCENE,
        token_budget=DEFAULT_TOKEN_BUDGET,
        rules=ActivationRules(),
        extensions={},
        version=1,
        created_at=step.now,
        updated_at=step.now,
        **_WITHOUT_TEXT,
    )


def add_beside(step: Step, entity: Entity, **fields: Any) -> LoreEntry:
    """Save an entry for an entity that has none, with the default rules except for the given fields."""
    refuse_taken_key(step, entity.name, None)
    entry = _blank(step, entity.name, entity).model_copy(update=fields)
    step.add([entry])
    return entry


def _changed(step: Step, entry: LoreEntry, patch: LorebookEntryPatch) -> LoreEntry:
    entity = None if entry.entity_id is None else step.entity(step.project_id, entry.entity_id)
    if patch.expected_version not in (None, version := shown_version(entry, entity)):
        latest = shown(step.call, step, entry)
        refuse_stale_version(f"The entry '{entry.entry_key}'", version, patch.expected_version, latest)
    given = _checked(patch)
    is_custom = given.get("category", category_of(entity)) is Category.CUSTOM
    if entity is None and is_custom:
        after = _with(entry, given, _TEXT_FIELDS)
    elif entity is None:
        after = _joined_to_entity(step, entry, given)
    elif is_custom and category_of(entity) is not Category.CUSTOM:
        after = _with(_parted_from(entry, entity), given, _TEXT_FIELDS)
    else:
        if "entry_key" in given:
            refuse_taken_key(step, given["entry_key"], entry.id)
        saved = _change_entity(step, entity, given)
        if saved.name != entity.name:
            entry = existing_entry(step, step.project_id, entry.id)
        after = entry.model_copy(update={"entry_key": saved.name})
    after = _with(after, given, OWN_FIELDS)
    if after == entry:
        return entry
    if after.entry_key != entry.entry_key:
        refuse_taken_key(step, after.entry_key, entry.id)
    after = touched(step, after)
    step.replace([(entry, after)])
    return after


def _with(entry: LoreEntry, given: dict[str, Any], fields: tuple[str, ...]) -> LoreEntry:
    return entry.model_copy(update={name: given[name] for name in fields if name in given})


def _checked(patch: LorebookEntryPatch) -> dict[str, Any]:
    given = patch.given()
    if not given:
        raise InvalidInput("The patch names nothing to change.")
    if "content" in given and not given["content"].strip():
        raise InvalidInput("content must not be blank.", details={"field": "content"})
    return given


# Entities


def _entity_for(step: Step, told: LorebookEntryCreate) -> Entity:
    """Return the entity of a new entry: the existing one of that name, updated, or a new one."""
    known = _entity_of(step, told.category, told.entry_key)
    given = {name: getattr(told, name) for name in _OF_ENTITY if getattr(told, name) is not None}
    if known is None:
        return _add_entity(step, told.category, given)
    taken = step.lore.entries_of(step.project_id, [known.id]).get(known.id)
    if taken is not None:
        raise key_taken(taken)
    return _change_entity(step, known, {**given, "entry_key": known.name})


def _add_entity(step: Step, category: Category, given: dict[str, Any]) -> Entity:
    fields = {_OF_ENTITY[name]: value for name, value in given.items() if name in _OF_ENTITY}
    ontology = story_ontology(step, step.project_id)
    told = EntityFields.model_construct(type=_type_of(ontology, category), **fields)
    return entities.save(step, None, entities.drafted(step, told, ontology))


def _change_entity(step: Step, entity: Entity, given: dict[str, Any]) -> Entity:
    """Apply what an entry's patch changes about its entity."""
    changes = {_OF_ENTITY[name]: value for name, value in given.items() if name in _OF_ENTITY}
    if "category" in given and given["category"] is not category_of(entity):
        changes["type"] = _type_of(story_ontology(step, step.project_id), given["category"])
    if not changes:
        return entity
    patch = EntityPatch.model_construct(_fields_set=set(changes), **changes)
    return entities.save(step, entity, entities.patched(step, entity, patch))


def _joined_to_entity(step: Step, entry: LoreEntry, given: dict[str, Any]) -> LoreEntry:
    """Turn a custom entry into one with an entity, which takes over its text.

    An existing entity keeps its secrecy and its period unless the change says otherwise.
    """
    key = given.get("entry_key", entry.entry_key)
    known = _entity_of(step, given["category"], key)
    said = {
        "content": entry.content,
        "since": entry.since or (known and known.since),
        "until": entry.until or (known and known.until),
        "ai_context_level": stricter(entry.ai_context_level, known.ai_context_level if known else _OPEN),
        **given,
        "entry_key": key if known is None else known.name,
    }
    if known is None:
        entity = _add_entity(step, given["category"], said)
    else:
        entity = _change_entity(step, known, said)
    return entry.model_copy(update={"entity_id": entity.id, "entry_key": entity.name, **_WITHOUT_TEXT})


def _parted_from(entry: LoreEntry, entity: Entity) -> LoreEntry:
    """Turn an entry with an entity into a custom one that copies the text; the entity stays as it is."""
    return entry.model_copy(
        update={
            "entity_id": None,
            "content": entity.description or entity.name,
            # The entity's part of the version goes with it, and no version may occur twice.
            "version": shown_version(entry, entity),
            "since": entity.since,
            "until": entity.until,
            "ai_context_level": entity.ai_context_level,
        }
    )


def _type_of(ontology: Ontology, category: Category) -> str:
    """Return the entity type of a category; InvalidInput if the story's ontology does not have it."""
    known = ontology.node_of_key
    if category.value in known:
        return category.value
    allowed = [one.value for one in Category if one is Category.CUSTOM or one.value in known]
    raise InvalidInput(
        f"'{category.value}' is not an entity type of this story.",
        details={"field": "category", "allowed": allowed},
        suggestion=f"Use one of: {', '.join(allowed)}.",
    )


def _entity_of(step: Step, category: Category, name: str) -> Entity | None:
    for entity in step.entities_named(step.project_id, [name_key(name)]):
        if entity.type == category.value:
            return entity
    return None


# Looking and removing


def kept(step: Step, entry: LoreEntry) -> LorebookEntry:
    """Return the entry after all consequences of the step so far, for the response."""
    step.settle()
    newest = step.newest(ENTRY, entry.id)
    saved = newest if isinstance(newest, LoreEntry) else existing_entry(step, step.project_id, entry.id)
    return shown(step.call, step, saved)


def remove(step: Step, entry: LoreEntry) -> None:
    """Remove an entry, together with its entity if it has one."""
    entity = None if entry.entity_id is None else step.entity(step.project_id, entry.entity_id)
    if entity is None:
        step.remove([entry])
    else:
        entities.remove(step, [entity])


def existing_entry(reader: Reader, project_id: str, entry_id: str) -> LoreEntry:
    """Return the entry; NotFound if the story has none with this id."""
    entry = reader.lore.entry(project_id, entry_id)
    if entry is None:
        reader.story(project_id)
        raise no_entry(entry_id)
    return entry


def only_entity_named(reader: Reader, project_id: str, key: str) -> Entity:
    """Return the only entity with this name; NotFound if there is none or more than one."""
    found = reader.entities_named(project_id, [name_key(key)])
    if len(found) != 1:
        raise no_entry(key)
    return found[0]


def no_entry(key: str) -> NotFound:
    """Return the error for an entry that does not exist."""
    return NotFound(f"There is no entry '{key}' in this lorebook.", details={"entry": key})
