"""What is said of a relation, each thing where it is kept, wherever it was given."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from fabula.errors import InvalidInput
from fabula.model.edge_fields import separate_fields
from fabula.model.graph import edge_of
from fabula.model.moment import Moment
from fabula.model.ontology import relation_type
from fabula.model.patch import Patch
from fabula.model.relation import Period, Relation
from fabula.model.wire import Description, OpenJson, RelationWord

# What an edge tells among its properties and a relation beside them.
_BESIDE = ("description", "since", "until")


class RelationFields(Period):
    """What an author says of a new relation, apart from whom it joins."""

    relation_type: RelationWord
    description: Description = ""
    properties: OpenJson = Field(default_factory=dict)


class RelationPatch(Patch):
    """What is to change of a relation; what is not named stays, `since` and `until` may be null."""

    nullable = frozenset({"since", "until"})

    relation_type: RelationWord | None = None
    description: Description | None = None
    properties: OpenJson | None = None
    since: Moment | None = None
    until: Moment | None = None


def changes_of(before: Relation, patch: RelationPatch) -> dict[str, Any]:
    """What a patch changes, each thing where it is kept."""
    changes = patch.given()
    if patch.relation_type is not None:
        changes["relation_type"] = relation_type(patch.relation_type)
    if patch.properties is None:
        return changes
    shown = edge_of(before).properties
    given = {name: changes.pop(name) for name in _BESIDE if name in changes}
    _refuse_twice(patch.properties, given, shown)
    own, said = separate_fields({**patch.properties, **given}, shown, before.properties)
    return {**changes, **given, **said, "properties": own}


def told_fields(fields: RelationFields) -> dict[str, Any]:
    """What is said of a new relation, each thing where it is kept, wherever it was given."""
    beside = {name: getattr(fields, name) for name in _BESIDE}
    given = {name: value for name, value in beside.items() if value}
    _refuse_twice(fields.properties, given, {})
    own, said = separate_fields({**fields.properties, **given})
    return {**beside, **said, "properties": own}


def _refuse_twice(properties: dict[str, Any], given: dict[str, Any], shown: dict[str, Any]) -> None:
    """Refuse that the properties say otherwise what is given beside them."""
    for name, value in given.items():
        said = properties.get(name)
        if said in (None, shown.get(name)) or separate_fields({name: said}).fields[name] == value:
            continue
        raise InvalidInput(
            f"{name} and properties.{name} say different things.",
            details={"field": f"properties.{name}"},
            suggestion="Give one of them.",
        )
