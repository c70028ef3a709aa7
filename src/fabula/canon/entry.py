"""Lorebook entries: the only way to save, change and remove them.

An entry consists of its own row and, unless it is custom, the entity it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabula.canon import entity as entities
from fabula.canon.book_values import existing_book
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
from fabula.canon.world_time import resolved
from fabula.errors import InvalidInput, NotFound
from fabula.model.activation import ActivationRules
from fabula.model.book import OWN_BOOK
from fabula.model.entity import Entity
from fabula.model.fact import Secrecy, more_private
from fabula.model.level import AiContextLevel, stricter
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, Category, InsertionPosition, LoreEntry, category_of
from fabula.model.names import name_key
from fabula.model.story_ontology import Ontology
from fabula.model.validity import WHEN
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
    "place",
)
_TEXT_FIELDS = ("entry_key", "content", "ai_context_level", "secrecy", *WHEN)
# Entry fields that are stored on the entity, by the entity's name for them.
_OF_ENTITY = {"entry_key": "name", "content": "description"} | {
    name: name for name in ("ai_context_level", "secrecy", "aliases", "attributes", *WHEN)
}
_OPEN = AiContextLevel.WHEN_DETECTED
# The values of an entry's own columns when the entity holds the text.
_WITHOUT_TEXT: dict[str, Any] = {
    "content": "",
    "ai_context_level": _OPEN,
    "secrecy": Secrecy.PUBLIC,
    **dict.fromkeys(WHEN),
}


def save(step: Step, before: LoreEntry | None, told: LorebookEntryCreate | LorebookEntryPatch) -> LoreEntry:
    """Save a new entry, or apply a patch to an existing one and its entity."""
    if before is None and isinstance(told, LorebookEntryCreate):
        return _created(step, told)
    if before is not None and isinstance(told, LorebookEntryPatch):
        return _changed(step, before, told)
    raise TypeError("a new entry takes fields, a known one takes a patch")


def _created(step: Step, told: LorebookEntryCreate) -> LoreEntry:
    existing_book(step, step.project_id, told.book_id)
    refuse_taken_key(step, told.entry_key, None, told.book_id)
    entity = None if told.category is Category.CUSTOM else _entity_for(step, told)
    entry = _drafted(step, told, entity)
    if told.place is None and told.book_id != OWN_BOOK:
        entry = entry.model_copy(update={"place": step.books.next_place(step.project_id, told.book_id)})
    step.add([entry])
    return entry


def _drafted(step: Step, told: LorebookEntryCreate, entity: Entity | None) -> LoreEntry:
    fields = {name: getattr(told, name) for name in OWN_FIELDS}
    fields["place"] = told.place or 0
    fields["book_id"] = told.book_id
    fields["display_name"] = told.display_name or told.entry_key
    fields["keywords"] = tuple(dict.fromkeys(told.keywords))
    if entity is None:
        fields |= resolved(step, step.project_id, {name: getattr(told, name) for name in WHEN})
        fields["content"] = told.content
        fields["ai_context_level"] = told.ai_context_level or _OPEN
        fields["secrecy"] = told.secrecy or Secrecy.PUBLIC
    return _blank(step, told.entry_key, entity).model_copy(update=fields)


def add_to_book(step: Step, book_id: str, told: Sequence[LorebookEntryCreate]) -> list[LoreEntry]:
    """Save many new custom entries of one book; LoreKeyDuplicate if a key is taken or stands there twice.

    Those without a place follow the entries of the book in the order given.
    """
    existing_book(step, step.project_id, book_id)
    known = step.lore.entries_of_keys(step.project_id, (one.entry_key for one in told), book_id)
    end = step.books.next_place(step.project_id, book_id)
    added: list[LoreEntry] = []
    for number, one in enumerate(told):
        place = end + number if one.place is None else one.place
        entry = _drafted(step, one, None).model_copy(update={"book_id": book_id, "place": place})
        other = known.setdefault(name_key(one.entry_key), entry)
        if other is not entry:
            raise key_taken(other)
        added.append(entry)
    step.add(added)
    return added


def move_to_book(step: Step, book_id: str, entries: Sequence[LoreEntry]) -> None:
    """Move custom entries to the end of another book; LoreKeyDuplicate if it has one of their keys."""
    known = step.lore.entries_of_keys(step.project_id, (one.entry_key for one in entries), book_id)
    if known:
        raise key_taken(next(iter(known.values())))
    end = step.books.next_place(step.project_id, book_id)
    moved = [touched(step, one, book_id=book_id, place=end + n) for n, one in enumerate(entries)]
    step.replace(list(zip(entries, moved, strict=True)))


def _blank(step: Step, key: str, entity: Entity | None) -> LoreEntry:
    """Return a new entry with the default rules, custom or for an entity."""
    return LoreEntry.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        entity_id=None if entity is None else entity.id,
        user_id=step.call.actor,
        book_id=OWN_BOOK,
        place=0,
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
    given = resolved(step, step.project_id, _checked(entry, patch))
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
    after = _placed(step, _with(after, given, OWN_FIELDS), given)
    if after == entry:
        return entry
    if (after.entry_key, after.book_id) != (entry.entry_key, entry.book_id):
        refuse_taken_key(step, after.entry_key, entry.id, after.book_id)
    after = touched(step, after)
    step.replace([(entry, after)])
    return after


def _with(entry: LoreEntry, given: dict[str, Any], fields: tuple[str, ...]) -> LoreEntry:
    return entry.model_copy(update={name: given[name] for name in fields if name in given})


def _checked(entry: LoreEntry, patch: LorebookEntryPatch) -> dict[str, Any]:
    given = patch.given()
    if not given:
        raise InvalidInput("The patch names nothing to change.")
    is_own = given.get("book_id", entry.book_id) == OWN_BOOK
    if "content" in given and is_own and not given["content"].strip():
        raise _blank_content()
    return given


def _placed(step: Step, entry: LoreEntry, given: dict[str, Any]) -> LoreEntry:
    """Return the entry in the book it goes to; one that has become an entity is in the story's own."""
    book_id = given.get("book_id", entry.book_id if entry.entity_id is None else OWN_BOOK)
    if book_id == entry.book_id:
        return entry
    existing_book(step, step.project_id, book_id)
    if entry.entity_id is not None and book_id != OWN_BOOK:
        raise InvalidInput(
            f"'{entry.entry_key}' is the entry of an entity, which belongs to the story's own book.",
            details={"field": "bookId", "entry": entry.id},
            suggestion="Make it custom first.",
        )
    if entry.entity_id is None and book_id == OWN_BOOK and not entry.content.strip():
        raise _blank_content()
    place = 0 if book_id == OWN_BOOK else step.books.next_place(step.project_id, book_id)
    return entry.model_copy(update={"book_id": book_id, "place": given.get("place", place)})


def _blank_content() -> InvalidInput:
    return InvalidInput("content must not be blank.", details={"field": "content"})


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
        **{name: getattr(entry, name) or (known and getattr(known, name)) for name in WHEN},
        "ai_context_level": stricter(entry.ai_context_level, known.ai_context_level if known else _OPEN),
        "secrecy": more_private(entry.secrecy, known.secrecy if known else entry.secrecy),
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
            **{name: getattr(entity, name) for name in WHEN},
            "ai_context_level": entity.ai_context_level,
            "secrecy": entity.secrecy,
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
