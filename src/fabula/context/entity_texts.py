"""The text about an entity for an audience: its values are redacted, then rendered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fabula.context.audience import ModelView
from fabula.context.edition_cache import event_parts_of, kept_redaction, recalled, states_of
from fabula.context.open_types import open_type
from fabula.extraction.facts.stated_fact import AGES, TRAITS
from fabula.model.audience import OpenText
from fabula.model.bilingual import Bilingual
from fabula.model.chapter_names import chapter_label
from fabula.model.entity import Entity, EntityState
from fabula.model.event import EVENT, Event, Part, blank_event, event_text, present_at_start
from fabula.model.fact import FactKind
from fabula.model.lore import LoreEntry
from fabula.model.prompt_text import IDENTITY, prompt_text

_TRAIT_KEYS = frozenset(key for keys in TRAITS.values() for key in keys.values())
_AGED = Bilingual("{age} (in {chapter}).", "{age}（{chapter}时）。")


class EntityText(NamedTuple):
    """The open text about an entity, and whether anything was withheld."""

    text: OpenText
    withheld: bool


def entity_text(view: ModelView, entity: Entity, states: Iterable[EntityState] = ()) -> EntityText:
    """Return the text about an entity for an audience while the given states hold."""
    holding = tuple(_as_read(view, state) for state in states)
    # A state may come without what is stale of it.
    told = tuple((one.id, one.version, one.description, len(one.attributes)) for one in holding)
    key = (view.key, entity.id, told)
    return kept_redaction(view.index, key, entity.prompt_text, lambda: _entity_text(view, entity, holding))


def _as_read(view: ModelView, state: EntityState) -> EntityState:
    """Return a state without traits that its text tells; an age is told with the chapter that states it."""
    said, own = state.description, state.attributes
    told = {key for key in _TRAIT_KEYS & own.keys() if str(own[key]).casefold() in said.casefold()}
    if not told:
        return state
    if told & AGES and state.since is not None:
        language = view.reader.story(state.project_id).language
        titles = recalled(
            view.index, "titles", lambda: view.reader.manuscript.chapter_titles(state.project_id)
        )
        chapter = chapter_label(state.since.chapter, titles.get(state.since.chapter, ""), language)
        said = _AGED.said_in(language).format(age=said.strip().rstrip("。."), chapter=chapter)
    left = {key: value for key, value in own.items() if key not in told}
    return state.model_copy(update={"description": said, "attributes": left})


def _entity_text(view: ModelView, entity: Entity, holding: tuple[EntityState, ...]) -> EntityText:
    belief = "" if view.pov is None else view.pov.belief(FactKind.ENTITY, entity.id)
    if belief:
        # What they believe stands in the place of everything that is told of it.
        return EntityText(view.prose(belief), withheld=True)
    if entity.type == EVENT:
        ((event, cast),) = event_parts_of(view.reader, view.index, [entity.id])
        if event is not None or cast:
            parts = present_at_start(cast, entity.since)
            return _of_event(view, entity, event or blank_event(entity.project_id, entity.id), parts, holding)
    entity = _without_own_name(entity)
    attributes = dict(entity.attributes)
    for state in holding:
        attributes.update(state.attributes)
    identity = attributes.pop(IDENTITY, "")
    descriptions = (entity.description, *(state.description for state in holding))
    whole = (identity, *descriptions, attributes)
    told = view.redaction_about([entity.id]).together(*whole)
    if not holding and told == whole:
        return EntityText(OpenText(entity.prompt_text), withheld=False)
    core, *said, facts = told
    prose = "\n".join(text.strip() for text in said if text.strip())
    if core != "" and core is not None:
        facts = {IDENTITY: core, **facts}
    return EntityText(OpenText(prompt_text(prose, facts)), withheld=told != whole)


def _without_own_name(entity: Entity) -> Entity:
    """Return an entity that only its name describes, as a reading leaves some, without a description."""
    if not entity.description or entity.description.strip() != entity.name:
        return entity
    text = prompt_text("", entity.attributes)
    return entity.model_copy(update={"description": "", "prompt_text": text})


def _of_event(
    view: ModelView, entity: Entity, event: Event, parts: Sequence[Part], states: Sequence[EntityState]
) -> EntityText:
    """Return the text about an event with only its open participants, facts and states."""
    facts = (entity.name, event.event, event.time_anchor, event.causality, entity.description)
    parts = [part if not _joins(view, part) else part._replace(role="", outcome="") for part in parts]
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


def _joins(view: ModelView, part: Part) -> bool:
    """Whether a role says of a participant who they turn out to be later."""
    joining = view.redaction.joining
    return joining is not None and any(joining((part.name, part.role, part.outcome)))


def joined_text(view: ModelView, entities: Sequence[tuple[Entity, Iterable[EntityState]]]) -> EntityText:
    """Return the text about entities that are told as one, each with its states."""
    told = [entity_text(view, entity, states) for entity, states in entities]
    text = "\n".join(dict.fromkeys(one.text for one in told if one.text))
    return EntityText(OpenText(text), withheld=any(one.withheld for one in told))


def joined_attributes(entities: Sequence[tuple[Entity, Iterable[EntityState]]]) -> dict[str, Any]:
    """Return the attributes of entities that are told as one, those of the first before the others'."""
    attributes: dict[str, Any] = {}
    for entity, states in reversed(entities):
        for own in (entity.attributes, *(state.attributes for state in states)):
            attributes |= own
    return attributes


def redacted_entity(view: ModelView, entity: Entity) -> Entity:
    """Return the entity with every value redacted for an audience; its name must be open."""
    text, withheld = entity_text(view, entity)
    name, *aliases = view.own_names(entity) or (entity.name,)
    kind = open_type(view, entity.type)
    is_whole = (name, tuple(aliases)) == (entity.name, entity.aliases) and not entity.names
    if not withheld and kind == entity.type and is_whole:
        return entity
    about = view.redaction_about([entity.id])
    description, attributes = about.together(entity.description, entity.attributes)
    if view.pov is not None and view.pov.belief(FactKind.ENTITY, entity.id):
        description, attributes = text, {}
    return entity.model_copy(
        update={
            "type": kind,
            "name": name,
            "aliases": tuple(aliases),
            "names": (),
            "description": description,
            "attributes": attributes,
            "prompt_text": text,
        }
    )


def believed_content(view: ModelView, entry: LoreEntry, content: str | None = None) -> str:
    """Return the text of a custom entry, or what the point of view holds true instead."""
    belief = "" if view.pov is None else view.pov.belief(FactKind.ENTRY, entry.id)
    return belief or (entry.content if content is None else content)


def states_holding(view: ModelView, entity: Entity) -> list[EntityState]:
    """Return the states of an entity that hold at the view's instant."""
    return states_by_entity(view, [entity.id]).get(entity.id, [])


def states_by_entity(view: ModelView, ids: list[str]) -> dict[str, list[EntityState]]:
    """Return the states that hold at the view's instant, as the point of view sees them, by entity."""
    clock, now = view.index.clock, view.instant
    return {
        key: [state for state in states if clock.holds(state, now)]
        if view.pov is None
        else view.pov.states(states, clock)
        for key, states in zip(ids, states_of(view.reader, view.index, ids), strict=True)
        if states
    }
