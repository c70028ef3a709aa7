"""Entities: the only way to save, change and remove them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, NamedTuple

from pydantic import AliasChoices, Field

from fabula.canon.entry_keys import rename_entry_with
from fabula.canon.event_links import release_events
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import Profile, keep_relations, profile_of
from fabula.canon.reveal import forget_knowers
from fabula.canon.scope import existing_entity, refuse_strangers
from fabula.canon.step import Step
from fabula.canon.versions import refuse_stale_version, touched
from fabula.canon.world_time import refuse_backward_world, resolved
from fabula.errors import CapacityExceeded, EntityConflict, EntityDuplicate, InvalidInput
from fabula.model.entity import (
    MAX_ALIASES,
    MAX_NAMES,
    Aliases,
    Coordinate,
    Entity,
    EntityNames,
    Significance,
    aliases_beside,
    check_attribute_count,
)
from fabula.model.event import EVENT
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.participation import Participation
from fabula.model.patch import Patch
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Period, Relation
from fabula.model.story_ontology import Ontology
from fabula.model.validity import WHEN, ValidityGiven
from fabula.model.wire import Description, Name, OpenJson, is_same, safe_json
from fabula.model.world_time import WorldTimeGiven
from fabula.store.kinds import ENTITY
from fabula.store.reader import Reader

TypeWord = Annotated[str, Field(min_length=1, max_length=64)]
# `profile` is accepted as an alias of `attributes` in requests.
PROFILE = AliasChoices("attributes", "profile")


class EntityFields(ValidityGiven):
    """The fields of a new entity; `since` and `until` say when it is part of the story."""

    type: TypeWord
    name: Name
    description: Description = ""
    attributes: OpenJson = Field(default_factory=dict, validation_alias=PROFILE)
    aliases: Aliases = ()
    names: EntityNames = ()
    ai_context_level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    secrecy: Secrecy = Secrecy.PUBLIC
    significance: Significance = 0.5
    layout_x: Coordinate | None = None
    layout_y: Coordinate | None = None


class EntityPatch(Patch):
    """The fields of an entity to change; `attributes`, `aliases` and `names` are replaced as a whole."""

    nullable = frozenset({"layout_x", "layout_y", *WHEN})

    type: TypeWord | None = None
    name: Name | None = None
    description: Description | None = None
    attributes: OpenJson | None = Field(default=None, validation_alias=PROFILE)
    aliases: Aliases | None = None
    names: EntityNames | None = None
    ai_context_level: AiContextLevel | None = None
    secrecy: Secrecy | None = None
    significance: Significance | None = None
    layout_x: Coordinate | None = None
    layout_y: Coordinate | None = None
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTimeGiven | None = None
    valid_to: WorldTimeGiven | None = None
    told: Moment | None = None


class EntityDraft(NamedTuple):
    """An entity to be saved, and the relations that its profile names."""

    entity: Entity
    profile: Profile = Profile({})


def drafted(
    step: Step, fields: EntityFields, ontology: Ontology, entity_id: str | None = None
) -> EntityDraft:
    """Return the new entity that the fields describe."""
    profile = profile_of(fields.attributes)
    entity = Entity.trusted(
        id=entity_id or step.new_id(),
        project_id=step.project_id,
        type=ontology.entity_type(fields.type),
        name=fields.name,
        description=fields.description,
        attributes=profile.attributes,
        aliases=aliases_beside(fields.name, fields.aliases),
        names=fields.names,
        ai_context_level=fields.ai_context_level,
        secrecy=fields.secrecy,
        significance=fields.significance,
        layout_x=fields.layout_x,
        layout_y=fields.layout_y,
        prompt_text=prompt_text(fields.description, profile.attributes),
        **resolved(step, step.project_id, {name: getattr(fields, name) for name in WHEN}),
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )
    return EntityDraft(entity, profile)


def patched(step: Step, before: Entity, patch: EntityPatch) -> EntityDraft:
    """Return the entity with the patch applied, at the same version; it may keep a removed type."""
    changes = resolved(step, step.project_id, patch.given())
    if patch.type is not None:
        is_same_type = name_key(patch.type) == before.type
        ontology = story_ontology(step, step.project_id)
        changes["type"] = before.type if is_same_type else ontology.entity_type(patch.type)
    profile = profile_of(changes.get("attributes") or {})
    if "attributes" in changes:
        changes["attributes"] = profile.attributes
    return EntityDraft(retold(before, before.model_copy(update=changes)), profile)


def retold(before: Entity, after: Entity) -> Entity:
    """Return the changed entity with its aliases and prompt text recomputed."""
    told = before.prompt_text
    if (after.description, after.attributes) != (before.description, before.attributes):
        told = prompt_text(after.description, after.attributes)
    aliases = aliases_beside(after.name, after.aliases)
    return after.model_copy(update={"aliases": aliases, "prompt_text": told})


# The rules


def _refuse_many_attributes(step: Step, before: Entity | None, after: Entity) -> None:
    check_attribute_count(after.attributes, step.limits.max_attribute_keys)


def _refuse_many_aliases(step: Step, before: Entity | None, after: Entity) -> None:
    if len(after.aliases) > MAX_ALIASES:
        raise InvalidInput(
            f"'{after.name}' would have more than {MAX_ALIASES} aliases.",
            details={"aliasCount": len(after.aliases)},
            suggestion="Remove aliases of the entity first.",
        )


def _refuse_many_names(step: Step, before: Entity | None, after: Entity) -> None:
    if len(after.names) > MAX_NAMES:
        raise InvalidInput(
            f"'{after.name}' would have more than {MAX_NAMES} names with moments.",
            details={"nameCount": len(after.names)},
            suggestion="Remove names of the entity first.",
        )


def _refuse_large_attributes(step: Step, before: Entity | None, after: Entity) -> None:
    """Refuse attributes that are too large after merging several sources."""
    if before is None or after.attributes == before.attributes:
        return
    try:
        safe_json(after.attributes)
    except ValueError as error:
        raise InvalidInput(
            f"The attributes of '{after.name}' could not be kept: together they are too large.",
            suggestion="Remove attributes of the entity first.",
        ) from error


def _refuse_backward(step: Step, before: Entity | None, after: Entity) -> None:
    if not Period.is_forward(after.since, after.until):
        raise InvalidInput(
            f"'{after.name}' would leave the story before it enters it.",
            details={"field": "until"},
            suggestion="Give an `until` that is not before `since`.",
        )
    refuse_backward_world(after, f"'{after.name}'")


def _refuse_strange_knowers(step: Step, before: Entity | None, after: Entity) -> None:
    """Refuse a new name that is known to somebody who is not in the story."""
    if after.names and (before is None or before.names != after.names):
        refuse_strangers(step, step.project_id, (key for one in after.names for key in one.known_to or ()))


RULES: tuple[Callable[[Step, Entity | None, Entity], None], ...] = (
    _refuse_many_attributes,
    _refuse_many_aliases,
    _refuse_many_names,
    _refuse_large_attributes,
    _refuse_backward,
    _refuse_strange_knowers,
)


def check(step: Step, before: Entity | None, after: Entity) -> None:
    """Refuse an entity that breaks one of the rules."""
    for rule in RULES:
        rule(step, before, after)


def refuse_duplicate(reader: Reader, before: Entity | None, after: Entity) -> None:
    """Refuse a second entity of the same type and name."""
    if before is not None and (before.type, name_key(before.name)) == (after.type, name_key(after.name)):
        return
    for other in reader.entities_named(after.project_id, [name_key(after.name)]):
        if other.type == after.type and other.id != after.id:
            raise EntityDuplicate(
                f"There is a {after.type} named '{other.name}' already.",
                details={"existingId": other.id, "type": other.type, "name": other.name},
            )


def refuse_stale(entity: Entity, expected_version: int | None) -> None:
    """Refuse a change to an entity that has changed since it was read."""
    refuse_stale_version(f"'{entity.name}'", entity.version, expected_version, entity, EntityConflict)


# Writing


def save(step: Step, before: Entity | None, draft: EntityDraft) -> Entity:
    """Save a new or changed entity with its profile's relations; return `before` if nothing changed."""
    after = draft.entity
    if before is not None and is_same(before, after):
        after = before
    else:
        check(step, before, after)
        if before is None:
            try:
                is_added = step.add_unless_there(after)
            except CapacityExceeded:
                # A name that is taken is told first, however full the story is.
                refuse_duplicate(step, before, after)
                raise
            if not is_added:
                refuse_duplicate(step, before, after)
                step.add([after])
        else:
            refuse_duplicate(step, before, after)
            rename_entry_with(step, before, after)
            after = touched(step, after)
            step.replace([(before, after)])
    keep_relations(step, {after.id: draft.profile})
    return after


def touch(step: Step, entity: Entity) -> Entity:
    """Increment the version of an entity of which only dependent rows have changed."""
    after = touched(step, entity)
    step.replace([(entity, after)])
    return after


def save_all(step: Step, created: Sequence[Entity], updated: Sequence[tuple[Entity, Entity]]) -> None:
    """Save many entities at once that were already checked, no two with the same type and name."""
    step.add(created)
    for before, after in updated:
        rename_entry_with(step, before, after)
    step.replace([(before, touched(step, after)) for before, after in updated])


def kept(step: Step, entity: Entity) -> Entity:
    """Return the entity after all consequences of the step so far, for the response."""
    step.settle()
    newest = step.newest(ENTITY, entity.id)
    # The text of an event is derived from more than its own row.
    if isinstance(newest, Entity) and newest.type != EVENT:
        return newest
    return existing_entity(step, step.project_id, entity.id)


def remove(step: Step, entities: Sequence[Entity]) -> tuple[Relation, ...]:
    """Remove entities with their entries, states and relations; return the removed relations."""
    ids = [entity.id for entity in entities]
    relations = step.relations_of(step.project_id, ids)
    # Roles in events are released to wait for the same name again, or go with the event.
    step.remove([relation for relation in relations if not isinstance(relation, Participation)])
    step.remove(step.states_of(step.project_id, ids))
    step.remove(step.reveals.of_entities(step.project_id, ids))
    forget_knowers(step, ids)
    release_events(step, entities)
    step.remove(tuple(step.lore.entries_of(step.project_id, ids).values()))
    step.remove(entities)
    return relations
