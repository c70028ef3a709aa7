"""Roles and places of events, shown as relations.

A relation `participates_in` to an event and a relation `occurs_at` from one are stored as the event's roles
and places. Each such fact is one row, and both sides show it.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from fabula.errors import RelationInvalid
from fabula.model.event import EventRole, LinkKind
from fabula.model.fact import Secrecy
from fabula.model.relation import Relation
from fabula.model.validity import NOT_DATED, VALIDITY

KIND_OF_WORD: dict[str, LinkKind] = {"participates_in": "role", "occurs_at": "place"}
WORD_OF_KIND: dict[LinkKind, str] = {kind: word for word, kind in KIND_OF_WORD.items()}
ROLE = "role"
LONGEST_ROLE = 256


class Participation(Relation):
    """A relation stored as a role in an event, or as its place.

    It changes with its event, whose version and times it shows.
    """

    called: str = Field(exclude=True)
    ordinal: int = Field(exclude=True)


def participation(role: EventRole, version: int, created_at: str, updated_at: str) -> Participation:
    """A role or place as a relation."""
    player, is_place = role.entity_id or "", role.kind == "place"
    return Participation.trusted(
        id=role.id,
        project_id=role.project_id,
        source_entity_id=role.event_id if is_place else player,
        target_entity_id=player if is_place else role.event_id,
        relation_type=WORD_OF_KIND[role.kind],
        description=role.description,
        properties=shown_properties(role),
        secrecy=Secrecy.PUBLIC,
        since=role.since,
        until=role.until,
        **NOT_DATED,
        version=version,
        created_at=created_at,
        updated_at=updated_at,
        called=role.name,
        ordinal=role.ordinal,
    )


def shown_properties(role: EventRole) -> dict[str, Any]:
    """The properties of a role shown as a relation."""
    return {ROLE: role.role, **role.properties} if role.role else role.properties


def edge_properties(said: Relation | EventRole) -> dict[str, Any]:
    """The properties of a role or place as an edge shows them: with its description and period."""
    own: dict[str, Any] = dict(said.properties)
    if said.description:
        own["description"] = said.description
    period = (("since", said.since), ("until", said.until))
    return own | {name: moment.chapter for name, moment in period if moment is not None}


def event_of(relation: Relation) -> str:
    """The id of the event of a participation."""
    return relation.source_entity_id if is_place(relation) else relation.target_entity_id


def player_of(relation: Relation) -> str:
    """The id of the participant or place of a participation."""
    return relation.target_entity_id if is_place(relation) else relation.source_entity_id


def is_place(relation: Relation) -> bool:
    """Whether a participation is the event's place."""
    return KIND_OF_WORD[relation.relation_type] == "place"


def role_of(relation: Relation, called: str, ordinal: int) -> EventRole:
    """A participation as a role or place; RelationInvalid if its `role` is no short text."""
    if relation.secrecy is Secrecy.PRIVATE:
        raise RelationInvalid(
            "A part in an event is as private as its event.",
            details={"reason": "private_role", "field": "secrecy"},
            suggestion="Make the event private.",
        )
    properties = dict(relation.properties)
    word = "" if is_place(relation) else properties.pop(ROLE, "") or ""
    if not isinstance(word, str) or len(word) > LONGEST_ROLE:
        raise RelationInvalid(
            f"A role in an event is a text of at most {LONGEST_ROLE} characters.",
            details={"reason": "bad_role", "field": "properties.role"},
            suggestion="Put anything longer in the description of the relation.",
        )
    if any(getattr(relation, name) is not None for name in VALIDITY):
        raise RelationInvalid(
            "A part in an event has no world time of its own.",
            details={"reason": "dated_role"},
            suggestion="Give the event its world time; since and until say when somebody joins and leaves.",
        )
    return EventRole.trusted(
        id=relation.id,
        project_id=relation.project_id,
        event_id=event_of(relation),
        kind=KIND_OF_WORD[relation.relation_type],
        entity_id=player_of(relation),
        name=called,
        role=word.strip(),
        ordinal=ordinal,
        description=relation.description,
        properties=properties,
        since=relation.since,
        until=relation.until,
    )
