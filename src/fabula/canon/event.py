"""Keeping an event: its entity, its own row, and who takes part, in one step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.assembly.prose import sentences
from fabula.call import Call
from fabula.canon.entry_links import rename_entry_with
from fabula.canon.event_values import (
    EventFields,
    EventParticipantGiven,
    EventPatch,
    EventPlaceGiven,
)
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import keep_relations, profile_of
from fabula.canon.scope import refuse_foreign
from fabula.canon.versions import touched
from fabula.errors import InvalidInput, NotFound
from fabula.model.edge_fields import apart
from fabula.model.entity import Entity, check_attribute_count
from fabula.model.event import EVENT, Event, EventRole, LinkKind, blank_event
from fabula.model.names import name_key
from fabula.model.participation import edge_properties
from fabula.model.relation import Period
from fabula.model.wire import is_same
from fabula.operations.graph.entities import (
    EntityFields,
    EntityPatch,
    new_entity,
    patched,
    refuse_backward,
    refuse_duplicate,
)
from fabula.store.naming import Bearers, bearers_of
from fabula.store.settling import PREFERRED
from fabula.store.writer import Writer

LONGEST_TITLE = 60

# The entity's names for what an event calls otherwise.
_OF_ENTITY = {
    "name": "name",
    "summary": "description",
    "significance": "significance",
    "moment": "since",
    "ai_context_level": "ai_context_level",
    "aliases": "aliases",
    "attributes": "attributes",
}
_OF_EVENT = ("event", "time_anchor", "logic", "causality", "level")
_LINKS: dict[str, LinkKind] = {"roles": "role", "locations": "place"}


def put_new_event(call: Call, writer: Writer, fields: EventFields, event_id: str | None = None) -> Entity:
    """Keep a new event; EntityDuplicate if an event of the given name is there already."""
    said = fields.said()
    of_entity = {_OF_ENTITY[name]: said[name] for name in _OF_ENTITY if said.get(name) is not None}
    if "name" not in of_entity:
        of_entity["name"] = _free_name(writer, said)
    profile = profile_of(of_entity.get("attributes", {}))
    check_attribute_count(profile.attributes, call.limits.max_attribute_keys)
    told = EntityFields(type=EVENT, **of_entity)
    ontology = story_ontology(writer, writer.project_id)
    entity = new_entity(writer, event_id or call.clock.new_id(), told, ontology)
    refuse_duplicate(writer, entity)
    writer.add([entity])
    blank = blank_event(writer.project_id, entity.id)
    writer.add([blank.model_copy(update=_own_fields(said))])
    keep_relations(call, writer, {entity.id: profile})
    _put_links(call, writer, entity.id, said)
    return entity


def change_event(call: Call, writer: Writer, entity: Entity, patch: EventPatch) -> Entity:
    """Apply a patch to an event; whatever of it changes, its entity is one version on."""
    said = patch.said()
    changes = {_OF_ENTITY[name]: said[name] for name in _OF_ENTITY if name in said}
    after = entity
    if changes:
        after = patched(entity, EntityPatch.model_construct(_fields_set=set(changes), **changes))
    is_changed = not is_same(after, entity)
    if is_changed:
        check_attribute_count(after.attributes, call.limits.max_attribute_keys)
        refuse_duplicate(writer, after)
        refuse_backward(after)
        rename_entry_with(writer, entity, after)
    keep_relations(call, writer, {entity.id: profile_of(said.get("attributes") or {})})
    is_changed |= _change_row(writer, entity.id, _own_fields(said))
    is_changed |= _put_links(call, writer, entity.id, said)
    if is_changed:
        after = touched(writer, after)
        writer.replace([(entity, after)])
    return after


def _own_fields(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in _OF_EVENT if said.get(name) is not None}


def _change_row(writer: Writer, event_id: str, fields: dict[str, Any]) -> bool:
    known = writer.events.event(writer.project_id, event_id)
    before = known or blank_event(writer.project_id, event_id)
    after: Event = before.model_copy(update=fields)
    if known is None and fields:
        writer.add([after])
        return True
    if is_same(before, after):
        return False
    writer.replace([(before, after)])
    return True


def _free_name(writer: Writer, said: Mapping[str, Any]) -> str:
    """A name for an event that was given none: its title, or how its summary begins, counted on if taken."""
    title = " ".join((said.get("event") or "").split()) or _beginning(said.get("summary") or "")
    name, count = title, 2
    while any(one.type == EVENT for one in writer.entities_named(writer.project_id, [name_key(name)])):
        name, count = f"{title} {count}", count + 1
    return name


def _beginning(summary: str) -> str:
    text = " ".join(summary.split())
    _, end = next(iter(sentences(text)))
    return text[: min(end, LONGEST_TITLE)].rstrip("。！？.!?… ") or text[:LONGEST_TITLE]


# Who takes part, and where


def _put_links(call: Call, writer: Writer, event_id: str, said: Mapping[str, Any]) -> bool:
    """Let those who are given take part, and nobody else; whether that changed anything."""
    given = {kind: said[name] for name, kind in _LINKS.items() if said.get(name) is not None}
    if not given:
        return False
    writer.settle()
    known = writer.events.roles(writer.project_id, [event_id])
    everybody = [_meant(link) for links in given.values() for link in links]
    names = _names_by_id(
        writer, event_id, {link.entity_id for link in everybody if link.entity_id is not None}
    )
    keys = {name_key(link.name) for link in everybody if link.entity_id is None and link.name is not None}
    bearers = bearers_of(writer, writer.project_id, keys)
    changed = False
    for kind, links in given.items():
        casting = _Casting(event_id, kind, [role for role in known if role.kind == kind])
        for link in map(_meant, links):
            casting.take(call, writer, link, names, bearers)
        writer.remove(casting.left_over)
        writer.replace(casting.changed)
        writer.add(casting.fresh)
        changed |= bool(casting.left_over or casting.changed or casting.fresh)
    return changed


class _Casting:
    """The roles of one kind in an event: those that stay, with what changes of them, and new ones."""

    def __init__(self, event_id: str, kind: LinkKind, known: Iterable[EventRole]) -> None:
        self.left_over = list(known)
        self.changed: list[tuple[EventRole, EventRole]] = []
        self.fresh: list[EventRole] = []
        self._event_id, self._kind = event_id, kind
        self._taken: set[tuple[str | None, str, str]] = set()

    def take(
        self, call: Call, writer: Writer, link: EventParticipantGiven, names: dict[str, str], bearers: Bearers
    ) -> None:
        """Cast somebody."""
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
                    id=call.clock.new_id(),
                    project_id=writer.project_id,
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
        """The role that somebody has already, one with the same words before others."""
        own = [
            known
            for known in self.left_over
            if known.entity_id == entity_id
            and (entity_id is not None or name_key(known.name) == name_key(name))
        ]
        return next((known for known in own if known.role == role), own[0] if own else None)


def _beside(known: EventRole | None, properties: dict[str, Any] | None) -> dict[str, Any]:
    """What is said of a role beside who plays it, where anything is."""
    if properties is None:
        return (
            {} if known is not None else {"description": "", "properties": {}, "since": None, "until": None}
        )
    shown, held = (edge_properties(known), known.properties) if known is not None else ({}, {})
    own, said = apart(properties, shown, held)
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


def _names_by_id(writer: Writer, event_id: str, ids: set[str]) -> dict[str, str]:
    """The names of entities that were given by id; refused where one is no part of the story."""
    if event_id in ids:
        raise InvalidInput("An event does not take part in itself.", details={"entityId": event_id})
    names = writer.events.names(writer.project_id, ids)
    missing = sorted(ids - names.keys())
    if missing:
        refuse_foreign(writer, writer.project_id, missing)
        raise NotFound(f"There is no entity '{missing[0]}' in this story.", details={"id": missing[0]})
    return names
