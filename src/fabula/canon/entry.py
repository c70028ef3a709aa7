"""The two sides of an entry: its own row, and the entity that it belongs to."""

from __future__ import annotations

from typing import Any

from fabula.call import Call
from fabula.canon.entry_links import key_taken, refuse_taken_key, rename_entry_with
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import keep_relations, profile_of
from fabula.canon.versions import touched
from fabula.errors import InvalidInput, NotFound
from fabula.model.entity import Entity, aliases_beside, check_attribute_count
from fabula.model.level import AiContextLevel, stricter
from fabula.model.lore import (
    DEFAULT_TOKEN_BUDGET,
    ActivationRules,
    Category,
    InsertionPosition,
    LoreEntry,
    category_of,
)
from fabula.model.names import name_key
from fabula.model.prompt_text import prompt_text
from fabula.model.wire import is_same
from fabula.operations.graph.entities import refuse_backward, refuse_duplicate
from fabula.store.writer import Writer

_OPEN = AiContextLevel.WHEN_DETECTED
_PATCHED = ("ai_context_level", "aliases", "attributes", "since", "until")


def new_entry(call: Call, writer: Writer, request: LorebookEntryCreate, entity: Entity | None) -> LoreEntry:
    """The entry that the request describes, before it is kept."""
    own = entity is None
    return LoreEntry.trusted(
        id=call.clock.new_id(),
        project_id=writer.project_id,
        entity_id=None if entity is None else entity.id,
        user_id=call.actor,
        entry_key=request.entry_key if entity is None else entity.name,
        display_name=request.display_name or request.entry_key,
        content=request.content if own else "",
        keywords=tuple(dict.fromkeys(request.keywords)),
        priority=request.priority,
        enabled=request.enabled,
        insertion_position=request.insertion_position,
        token_budget=request.token_budget,
        ai_context_level=request.ai_context_level if own and request.ai_context_level else _OPEN,
        rules=request.rules,
        since=request.since if own else None,
        until=request.until if own else None,
        extensions=request.extensions,
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )


def entry_beside(call: Call, writer: Writer, entity: Entity) -> LoreEntry:
    """An entry with the default rules for an entity that has none."""
    refuse_taken_key(writer, entity.name, None)
    return LoreEntry.trusted(
        id=call.clock.new_id(),
        project_id=writer.project_id,
        entity_id=entity.id,
        user_id=call.actor,
        entry_key=entity.name,
        display_name=entity.name,
        content="",
        keywords=(),
        priority=0,
        enabled=True,
        insertion_position=InsertionPosition.BEFORE_SCENE,
        token_budget=DEFAULT_TOKEN_BUDGET,
        ai_context_level=_OPEN,
        rules=ActivationRules(),
        since=None,
        until=None,
        extensions={},
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )


def entity_for(call: Call, writer: Writer, request: LorebookEntryCreate) -> Entity:
    """The entity of a new entry: the known one of that name with the entry's text, or a new one."""
    known = _entity_of(writer, request.category, request.entry_key)
    given = {name: getattr(request, name) for name in _PATCHED if getattr(request, name) is not None}
    if known is not None:
        taken = writer.lore.entries_of(writer.project_id, [known.id]).get(known.id)
        if taken is not None:
            raise key_taken(taken)
        return changed_entity(call, writer, known, {**given, "content": request.content})
    entity = fresh_entity(call, writer, request.category, request.entry_key, request.content, given)
    writer.add([entity])
    keep_relations(call, writer, {entity.id: profile_of(given.get("attributes") or {})})
    return entity


def fresh_entity(
    call: Call, writer: Writer, category: Category, name: str, content: str, given: dict[str, Any]
) -> Entity:
    """A new entity behind an entry, before it is kept."""
    attributes = profile_of(given.get("attributes") or {}).attributes
    check_attribute_count(attributes, call.limits.max_attribute_keys)
    return Entity.trusted(
        id=call.clock.new_id(),
        project_id=writer.project_id,
        type=_type_of(writer, category),
        name=name,
        description=content,
        attributes=attributes,
        aliases=aliases_beside(name, given.get("aliases") or ()),
        ai_context_level=given.get("ai_context_level") or _OPEN,
        significance=0.5,
        layout_x=None,
        layout_y=None,
        prompt_text=prompt_text(content, attributes),
        since=given.get("since"),
        until=given.get("until"),
        version=1,
        created_at=writer.now,
        updated_at=writer.now,
    )


def changed_entity(call: Call, writer: Writer, entity: Entity, given: dict[str, Any]) -> Entity:
    """The entity with what an entry says of it, kept."""
    changes = {name: given[name] for name in _PATCHED if name in given}
    if "content" in given:
        changes["description"] = given["content"]
    if "entry_key" in given:
        changes["name"] = given["entry_key"]
    if "category" in given and given["category"].value != category_of(entity).value:
        changes["type"] = _type_of(writer, given["category"])
    profile = profile_of(changes.get("attributes") or {})
    if "attributes" in changes:
        changes["attributes"] = profile.attributes
        keep_relations(call, writer, {entity.id: profile})
    after = entity.model_copy(update=changes)
    if is_same(after, entity):
        return entity
    check_attribute_count(after.attributes, call.limits.max_attribute_keys)
    refuse_duplicate(writer, after)
    refuse_backward(after)
    after = touched(
        writer,
        after,
        aliases=aliases_beside(after.name, after.aliases),
        prompt_text=prompt_text(after.description, after.attributes),
    )
    rename_entry_with(writer, entity, after)
    writer.replace([(entity, after)])
    return after


def joined_to_entity(
    call: Call, writer: Writer, entry: LoreEntry, category: Category, given: dict[str, Any]
) -> LoreEntry:
    """A custom entry that becomes one of a node category: its text becomes the entity's.

    A known entity that was a secret, or is not there yet, stays so unless the change says otherwise.
    """
    key = given.get("entry_key", entry.entry_key)
    known = _entity_of(writer, category, key)
    said = {
        "since": entry.since or (known and known.since),
        "until": entry.until or (known and known.until),
        "ai_context_level": stricter(entry.ai_context_level, known.ai_context_level if known else _OPEN),
        **given,
    }
    content = given.get("content", entry.content)
    if known is None:
        entity = fresh_entity(call, writer, category, key, content, said)
        writer.add([entity])
        keep_relations(call, writer, {entity.id: profile_of(said.get("attributes") or {})})
    else:
        entity = changed_entity(call, writer, known, {**said, "content": content, "entry_key": known.name})
    return entry.model_copy(
        update={
            "entity_id": entity.id,
            "entry_key": entity.name,
            "content": "",
            "since": None,
            "until": None,
            "ai_context_level": _OPEN,
        }
    )


def parted_from_entity(entry: LoreEntry, entity: Entity) -> LoreEntry:
    """An entry that becomes custom: it takes the text along, and the entity stays as it is."""
    return entry.model_copy(
        update={
            "entity_id": None,
            "content": entity.description or entity.name,
            # The entity's half of the version goes with it, and no version may come twice.
            "version": entry.version + entity.version - 1,
            "since": entity.since,
            "until": entity.until,
            "ai_context_level": entity.ai_context_level,
        }
    )


def only_entity_named(writer: Writer, key: str) -> Entity:
    """The one entity of this name; NotFound if there is none or more than one."""
    found = writer.entities_named(writer.project_id, [name_key(key)])
    if len(found) != 1:
        raise no_entry(key)
    return found[0]


def no_entry(key: str) -> NotFound:
    """The refusal of an entry that does not exist."""
    return NotFound(f"There is no entry '{key}' in this lorebook.", details={"entry": key})


def _type_of(writer: Writer, category: Category) -> str:
    """The entity type of a node category; InvalidInput if the story's ontology does not have it."""
    known = story_ontology(writer, writer.project_id).node_of_key
    if category.value in known:
        return category.value
    allowed = [one.value for one in Category if one is Category.CUSTOM or one.value in known]
    raise InvalidInput(
        f"'{category.value}' is not an entity type of this story.",
        details={"field": "category", "allowed": allowed},
        suggestion=f"Use one of: {', '.join(allowed)}.",
    )


def _entity_of(writer: Writer, category: Category, name: str) -> Entity | None:
    for entity in writer.entities_named(writer.project_id, [name_key(name)]):
        if entity.type == category.value:
            return entity
    return None
