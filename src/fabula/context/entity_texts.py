"""The text about an entity for an audience: its values are redacted, then rendered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fabula.context.audience import ModelView
from fabula.context.edition_cache import event_parts_of, kept_redaction, states_of
from fabula.context.open_types import open_type
from fabula.model.audience import OpenText
from fabula.model.entity import Entity, EntityState
from fabula.model.event import EVENT, Event, Part, blank_event, event_text, present_at_start
from fabula.model.moment import first_instant, last_instant
from fabula.model.prompt_text import IDENTITY, prompt_text


class EntityText(NamedTuple):
    """The open text about an entity, and whether anything was withheld."""

    text: OpenText
    withheld: bool


def entity_text(view: ModelView, entity: Entity, states: Iterable[EntityState] = ()) -> EntityText:
    """Return the text about an entity for an audience while the given states hold."""
    holding = tuple(states)
    key = (view.key, entity.id, tuple((state.id, state.version) for state in holding))
    return kept_redaction(view.index, key, entity.prompt_text, lambda: _entity_text(view, entity, holding))


def _entity_text(view: ModelView, entity: Entity, holding: tuple[EntityState, ...]) -> EntityText:
    if entity.type == EVENT:
        ((event, cast),) = event_parts_of(view.reader, view.index, [entity.id])
        if event is not None or cast:
            parts = present_at_start(cast, entity.since)
            return _of_event(view, entity, event or blank_event(entity.project_id, entity.id), parts, holding)
    attributes = dict(entity.attributes)
    for state in holding:
        attributes.update(state.attributes)
    identity = attributes.pop(IDENTITY, "")
    descriptions = (entity.description, *(state.description for state in holding))
    whole = (identity, *descriptions, attributes)
    told = view.redaction.together(*whole)
    if not holding and told == whole:
        return EntityText(OpenText(entity.prompt_text), withheld=False)
    core, *said, facts = told
    prose = "\n".join(text.strip() for text in said if text.strip())
    if core != "" and core is not None:
        facts = {IDENTITY: core, **facts}
    return EntityText(OpenText(prompt_text(prose, facts)), withheld=told != whole)


def _of_event(
    view: ModelView, entity: Entity, event: Event, parts: Sequence[Part], states: Sequence[EntityState]
) -> EntityText:
    """Return the text about an event with only its open participants, facts and states."""
    facts = (entity.name, event.event, event.time_anchor, event.causality, entity.description)
    cast = tuple(word for part in parts for word in (part.name, part.role, part.outcome))
    added = tuple(value for state in states for value in (state.description, state.attributes))
    whole = (*facts, entity.attributes, *cast, *added)
    told = view.redaction.together(*whole)
    if not states and told == whole:
        return EntityText(OpenText(entity.prompt_text), withheld=False)
    name, title, when, why, summary, attributes = told[:6]
    people, later = told[6 : 6 + len(cast)], told[6 + len(cast) :]
    open_parts = [
        Part(part.kind, who, role, outcome)
        for part, who, role, outcome in zip(parts, people[::3], people[1::3], people[2::3], strict=True)
        if who
    ]
    open_event = event.model_copy(update={"event": title, "time_anchor": when, "causality": why})
    language = view.reader.story(entity.project_id).language
    lines = [event_text(name, summary, attributes, open_event, open_parts, language)]
    lines += [prompt_text(text, values) for text, values in zip(later[::2], later[1::2], strict=True)]
    return EntityText(OpenText("\n".join(line for line in lines if line)), withheld=told != whole)


def redacted_entity(view: ModelView, entity: Entity) -> Entity:
    """Return the entity with every value redacted for an audience; its name must be open."""
    text, withheld = entity_text(view, entity)
    _, *aliases = view.own_names(entity) or ("",)
    kind = open_type(view, entity.type)
    if not withheld and kind == entity.type and tuple(aliases) == entity.aliases:
        return entity
    description, attributes = view.redaction.together(entity.description, entity.attributes)
    return entity.model_copy(
        update={
            "type": kind,
            "aliases": tuple(aliases),
            "description": description,
            "attributes": attributes,
            "prompt_text": text,
        }
    )


def states_holding(view: ModelView, entity: Entity) -> list[EntityState]:
    """Return the states of an entity that hold at the view's instant."""
    (states,) = states_of(view.reader, view.index, [entity.id])
    now = view.instant
    return [
        state
        for state in states
        if now is None or first_instant(state.since) <= now <= last_instant(state.until)
    ]
