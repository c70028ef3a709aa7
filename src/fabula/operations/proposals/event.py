"""Reading a proposal as an event; whatever fits no field stays an attribute."""

from __future__ import annotations

from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from fabula.canon.event_values import (
    MAX_PLACES,
    MAX_ROLES,
    EventFields,
    EventLevel,
    EventParticipantGiven,
    EventPatch,
    EventTitle,
    Logic,
    PhraseText,
    StoryEvent,
)
from fabula.model.names import name_key
from fabula.model.proposal import Proposal
from fabula.model.wire import Description, Name

SUMMARY = "summary"

_NAME: TypeAdapter[str] = TypeAdapter(Name)
_FIELDS: dict[str, TypeAdapter[Any]] = {
    SUMMARY: TypeAdapter(Description),
    "event": TypeAdapter(EventTitle),
    "time_anchor": TypeAdapter(PhraseText),
    "logic": TypeAdapter(Logic),
    "causality": TypeAdapter(Description),
    "level": TypeAdapter(EventLevel),
}
_SPELLINGS = {"timeAnchor": "time_anchor", "role": "roles", "location": "locations"}


class ProposedEvent(NamedTuple):
    """What a proposal says about an event: fields, participants, places, and other attributes."""

    fields: dict[str, Any]
    roles: tuple[EventParticipantGiven, ...]
    places: tuple[str, ...]
    attributes: dict[str, Any]


def told_event(proposal: Proposal) -> ProposedEvent:
    """Return the event of a proposal; a value that does not fit its field is kept as an attribute."""
    fields: dict[str, Any] = {}
    people: list[EventParticipantGiven] = []
    places: list[str] = []
    others: dict[str, Any] = {}
    for key, value in proposal.attributes.items():
        field = _SPELLINGS.get(key, key)
        if field == "roles":
            people += [one for one in map(_participant, _listed(value)) if one is not None]
        elif field == "locations":
            places += [one.name for one in map(_participant, _listed(value)) if one and one.name]
        elif field in _FIELDS and (held := _held(_FIELDS[field], field, value)) is not None:
            fields[field] = held
        else:
            others[key] = value
    if not fields.get(SUMMARY, "").strip() and proposal.source_start is not None:
        fields[SUMMARY] = proposal.source_text.strip()
    return ProposedEvent(fields, tuple(people[:MAX_ROLES]), tuple(dict.fromkeys(places))[:MAX_PLACES], others)


def new_event_fields(proposal: Proposal) -> EventFields:
    """Return the fields of a new event from a proposal."""
    told = told_event(proposal)
    return EventFields(
        name=proposal.entity_name,
        **told.fields,
        roles=told.roles,
        locations=told.places,
        attributes=told.attributes,
        aliases=proposal.aliases,
        moment=proposal.moment,
    )


def event_additions(known: StoryEvent, told: ProposedEvent) -> EventPatch | None:
    """Return what a proposal adds to an existing event: empty fields, and new participants and places."""
    fields = {name: value for name, value in told.fields.items() if not getattr(known, name) and value}
    cast = {name_key(one.name) for one in known.roles}
    places = {name_key(one.name) for one in known.locations}
    people = [one for one in told.roles if name_key(one.name or "") not in cast]
    spots = [name for name in told.places if name_key(name) not in places]
    if people:
        present = [
            EventParticipantGiven(entity_id=one.entity_id, name=one.name, role=one.role)
            for one in known.roles
        ]
        fields["roles"] = (*present, *people)
    if spots:
        fields["locations"] = (*(one.name for one in known.locations), *spots)
    return EventPatch(**fields) if fields else None


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _participant(said: Any) -> EventParticipantGiven | None:
    """Return a participant from a name, or from a name and role; None if the name is invalid."""
    name, role = (said.get("name"), said.get("role")) if isinstance(said, dict) else (said, None)
    try:
        shown = _NAME.validate_python(name)
        return EventParticipantGiven(name=shown, role=role if isinstance(role, str) else None)
    except ValidationError:
        return None


def _held(kind: TypeAdapter[Any], field: str, value: Any) -> Any:
    """Return the value as validated for the field; None if it is invalid."""
    try:
        return kind.validate_python([value] if field == "logic" and isinstance(value, str) else value)
    except ValidationError:
        return None
