"""Events: the only way to save and change them, together with their entity, row and participants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.assembly.prose import sentences
from fabula.canon import entity as entities
from fabula.canon.consequences.bindings import PREFERRED
from fabula.canon.entity import EntityDraft, EntityFields, EntityPatch
from fabula.canon.event_values import (
    EventFields,
    EventParticipantGiven,
    EventPatch,
    EventPlaceGiven,
    StoryEvent,
    shown_event,
)
from fabula.canon.fact import existing_fact
from fabula.canon.ontology import story_ontology
from fabula.canon.scope import existing_entity, refuse_foreign
from fabula.canon.step import Step
from fabula.errors import InvalidInput, NotFound
from fabula.model.edge_fields import separate_fields
from fabula.model.entity import Entity
from fabula.model.event import EVENT, Event, EventRole, LinkKind, blank_event
from fabula.model.fact import FactRef
from fabula.model.names import name_key
from fabula.model.participation import edge_properties
from fabula.model.relation import Period
from fabula.model.wire import is_same
from fabula.store.naming import Bearers, bearers_of
from fabula.store.reader import Reader

LONGEST_TITLE = 60

# Event fields that are stored on the entity, by the entity's name for them.
_OF_ENTITY = {
    "name": "name",
    "summary": "description",
    "significance": "significance",
    "moment": "since",
    "world_time": "valid_from",
    "told": "told",
    "ai_context_level": "ai_context_level",
    "secrecy": "secrecy",
    "aliases": "aliases",
    "attributes": "attributes",
}
_OF_EVENT = ("event", "time_anchor", "logic", "causality", "level", "place", "tells")
_LINKS: dict[str, LinkKind] = {"roles": "role", "locations": "place"}


def save(
    step: Step, before: Entity | None, told: EventFields | EventPatch, event_id: str | None = None
) -> Entity:
    """Save a new or changed event; any change to it increments the version of its entity."""
    said = told.said()
    of_entity = {_OF_ENTITY[name]: said[name] for name in _OF_ENTITY if name in said}
    if before is None:
        entity = entities.save(step, None, _drafted(step, of_entity, said, event_id))
        step.add([blank_event(step.project_id, entity.id).model_copy(update=_own_fields(step, said))])
        _put_links(step, entity.id, said)
        return entity
    patch = EntityPatch.model_construct(_fields_set=set(of_entity), **of_entity)
    entity = entities.save(
        step, before, entities.patched(step, before, patch) if of_entity else EntityDraft(before)
    )
    is_changed = _change_row(step, entity.id, _own_fields(step, said))
    is_changed |= _put_links(step, entity.id, said)
    return entities.touch(step, entity) if is_changed and entity is before else entity


def _drafted(
    step: Step, of_entity: Mapping[str, Any], said: Mapping[str, Any], event_id: str | None
) -> EntityDraft:
    given = {name: value for name, value in of_entity.items() if value is not None}
    fields = EntityFields(type=EVENT, **{"name": given.get("name") or _free_name(step, said), **given})
    return entities.drafted(step, fields, story_ontology(step, step.project_id), event_id)


def kept(step: Step, event_id: str) -> StoryEvent:
    """Return the event after all consequences of the step so far, for the response."""
    step.settle()
    return shown_event(step, existing_event(step, step.project_id, event_id))


def existing_event(reader: Reader, project_id: str, event_id: str) -> Entity:
    """Return the event's entity; NotFound if it does not exist, ScopeViolation if it is in another story."""
    entity = existing_entity(reader, project_id, event_id)
    if entity.type != EVENT:
        raise NotFound(
            f"'{entity.name}' is no event.",
            details={"id": event_id, "type": entity.type},
            suggestion="Give the id of an entity of type event.",
        )
    return entity


def _own_fields(step: Step, said: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: said[name] for name in _OF_EVENT if said.get(name) is not None}
    if fields.get("tells"):
        fields["tells"] = tuple(dict.fromkeys(fields["tells"]))
        for fact in fields["tells"]:
            existing_fact(step, step.project_id, fact)
    return fields


def _change_row(step: Step, event_id: str, fields: dict[str, Any]) -> bool:
    known = step.events.event(step.project_id, event_id)
    before = known or blank_event(step.project_id, event_id)
    after: Event = before.model_copy(update=fields)
    if known is None and fields:
        step.add([after])
        return True
    if is_same(before, after):
        return False
    step.replace([(before, after)])
    return True


def tell(step: Step, event_id: str, facts: Iterable[FactRef]) -> None:
    """Let an event tell these facts, which were already looked up, besides those that it tells."""
    known = step.events.event(step.project_id, event_id)
    told = () if known is None else known.tells
    _change_row(step, event_id, {"tells": tuple(dict.fromkeys((*told, *facts)))})


def _free_name(step: Step, said: Mapping[str, Any]) -> str:
    """Derive an unused name for an event from its title or the start of its summary."""
    title = " ".join((said.get("event") or "").split()) or _beginning(said.get("summary") or "")
    name, count = title, 2
    while any(one.type == EVENT for one in step.entities_named(step.project_id, [name_key(name)])):
        name, count = f"{title} {count}", count + 1
    return name


def _beginning(summary: str) -> str:
    text = " ".join(summary.split())
    _, end = next(iter(sentences(text)))
    return text[: min(end, LONGEST_TITLE)].rstrip("。！？.!?… ") or text[:LONGEST_TITLE]


# Who takes part, and where


def _put_links(step: Step, event_id: str, said: Mapping[str, Any]) -> bool:
    """Replace the participants or places of an event by the given ones; return whether anything changed."""
    given = {kind: said[name] for name, kind in _LINKS.items() if said.get(name) is not None}
    if not given:
        return False
    step.settle()
    known = step.events.roles(step.project_id, [event_id])
    everybody = [_meant(link) for links in given.values() for link in links]
    names = _names_by_id(step, event_id, {link.entity_id for link in everybody if link.entity_id is not None})
    keys = {name_key(link.name) for link in everybody if link.entity_id is None and link.name is not None}
    bearers = bearers_of(step, step.project_id, keys)
    changed = False
    for kind, links in given.items():
        casting = _Casting(event_id, kind, [role for role in known if role.kind == kind])
        for link in map(_meant, links):
            casting.take(step, link, names, bearers)
        step.remove(casting.left_over)
        step.replace(casting.changed)
        step.add(casting.fresh)
        changed |= bool(casting.left_over or casting.changed or casting.fresh)
    return changed


class _Casting:
    """The roles of one kind in an event, sorted into unchanged, changed, new and left over."""

    def __init__(self, event_id: str, kind: LinkKind, known: Iterable[EventRole]) -> None:
        self.left_over = list(known)
        self.changed: list[tuple[EventRole, EventRole]] = []
        self.fresh: list[EventRole] = []
        self._event_id, self._kind = event_id, kind
        self._taken: set[tuple[str | None, str, str]] = set()

    def take(self, step: Step, link: EventParticipantGiven, names: dict[str, str], bearers: Bearers) -> None:
        """Add a participant or place, reusing its existing role if there is one."""
        entity_id = link.entity_id or bearers.meant_by(
            name_key(link.name or ""), preferred=PREFERRED[self._kind], but_not=self._event_id
        )
        name = link.name or names[link.entity_id or ""]
        known = self._known(entity_id, name, link.role)
        role = link.role if link.role is not None else known.role if known else ""
        whom = (entity_id, "" if entity_id else name_key(name), role.strip())
        if whom in self._taken:
            return
        self._taken.add(whom)
        said = {"entity_id": entity_id, "name": name, "role": role.strip(), "ordinal": len(self._taken) - 1}
        said |= _beside(known, link.properties)
        if known is None:
            self.fresh.append(
                EventRole.trusted(
                    id=step.new_id(),
                    project_id=step.project_id,
                    event_id=self._event_id,
                    kind=self._kind,
                    **said,
                )
            )
            return
        self.left_over.remove(known)
        after = known.model_copy(update=said)
        if not is_same(after.model_copy(update={"name": known.name}), known):
            self.changed.append((known, after))

    def _known(self, entity_id: str | None, name: str, role: str | None) -> EventRole | None:
        """Return the existing role of an entity or name, preferring one with the same wording."""
        own = [
            known
            for known in self.left_over
            if known.entity_id == entity_id
            and (entity_id is not None or name_key(known.name) == name_key(name))
        ]
        return next((known for known in own if known.role == role), own[0] if own else None)


def _beside(known: EventRole | None, properties: dict[str, Any] | None) -> dict[str, Any]:
    """Return the description, properties and period of a role, as far as they are given."""
    if properties is None:
        return (
            {} if known is not None else {"description": "", "properties": {}, "since": None, "until": None}
        )
    shown, held = (edge_properties(known), known.properties) if known is not None else ({}, {})
    own, said = separate_fields(properties, shown, held)
    kept = {name: getattr(known, name) for name in ("description", "since", "until")} if known else {}
    beside = {"description": "", "since": None, "until": None, **kept, **said, "properties": own}
    if not Period.is_forward(beside["since"], beside["until"]):
        raise InvalidInput(
            "Somebody's part in an event would end before it begins.",
            details={"field": "properties.until"},
            suggestion="Give an `until` that is not before `since`.",
        )
    return beside


def _meant(link: EventPlaceGiven | str) -> EventParticipantGiven:
    if isinstance(link, EventParticipantGiven):
        return link
    if isinstance(link, EventPlaceGiven):
        return EventParticipantGiven(
            entity_id=link.entity_id, name=link.name, properties=link.properties, role=""
        )
    return EventParticipantGiven(name=link)


def _names_by_id(step: Step, event_id: str, ids: set[str]) -> dict[str, str]:
    """Return the names of entities given by id; refused if one is not part of the story."""
    if event_id in ids:
        raise InvalidInput("An event does not take part in itself.", details={"entityId": event_id})
    names = step.events.names(step.project_id, ids)
    missing = sorted(ids - names.keys())
    if missing:
        refuse_foreign(step, step.project_id, missing)
        raise NotFound(f"There is no entity '{missing[0]}' in this story.", details={"id": missing[0]})
    return names
