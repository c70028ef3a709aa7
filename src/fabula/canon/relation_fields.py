"""The fields of a relation, each put where it is stored, wherever it was given."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from fabula.canon.world_time import resolved
from fabula.errors import InvalidInput
from fabula.model.edge_fields import separate_fields
from fabula.model.fact import Secrecy
from fabula.model.graph import edge_of
from fabula.model.moment import Moment
from fabula.model.ontology import relation_type
from fabula.model.patch import Patch
from fabula.model.relation import Relation
from fabula.model.validity import VALIDITY, WHEN, ValidityGiven
from fabula.model.wire import Description, OpenJson, RelationWord
from fabula.model.world_time import WorldTimeGiven
from fabula.store.reader import Reader

# Fields that an edge has among its properties and a relation has as columns.
_BESIDE = ("description", "since", "until")


class RelationFields(ValidityGiven):
    """The fields of a new relation, apart from its ends."""

    relation_type: RelationWord
    description: Description = ""
    properties: OpenJson = Field(default_factory=dict)
    secrecy: Secrecy = Secrecy.PUBLIC


class RelationPatch(Patch):
    """The fields of a relation to change, of which those that date it may be null; the others stay."""

    nullable = frozenset(WHEN)

    relation_type: RelationWord | None = None
    description: Description | None = None
    properties: OpenJson | None = None
    secrecy: Secrecy | None = None
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTimeGiven | None = None
    valid_to: WorldTimeGiven | None = None
    told: Moment | None = None


def changes_of(reader: Reader, before: Relation, patch: RelationPatch) -> dict[str, Any]:
    """Return the changes of a patch, each under the field where it is stored."""
    changes = resolved(reader, before.project_id, patch.given())
    if patch.relation_type is not None:
        changes["relation_type"] = relation_type(patch.relation_type)
    if patch.properties is None:
        return changes
    shown = edge_of(before).properties
    given = {name: changes.pop(name) for name in _BESIDE if name in changes}
    _refuse_twice(patch.properties, given, shown)
    own, said = separate_fields({**patch.properties, **given}, shown, before.properties)
    return {**changes, **given, **said, "properties": own}


def told_fields(reader: Reader, project_id: str, fields: RelationFields) -> dict[str, Any]:
    """Return the fields of a new relation, each under the field where it is stored."""
    dated = resolved(reader, project_id, {name: getattr(fields, name) for name in VALIDITY})
    beside = {name: getattr(fields, name) for name in _BESIDE}
    if not fields.properties:
        return {**dated, **beside, "secrecy": fields.secrecy, "properties": {}}
    given = {name: value for name, value in beside.items() if value}
    _refuse_twice(fields.properties, given, {})
    own, said = separate_fields({**fields.properties, **given})
    return {**dated, **beside, **said, "secrecy": fields.secrecy, "properties": own}


def _refuse_twice(properties: dict[str, Any], given: dict[str, Any], shown: dict[str, Any]) -> None:
    """Refuse properties that contradict a field given beside them."""
    for name, value in given.items():
        said = properties.get(name)
        if said in (None, shown.get(name)) or separate_fields({name: said}).fields[name] == value:
            continue
        raise InvalidInput(
            f"{name} and properties.{name} say different things.",
            details={"field": f"properties.{name}"},
            suggestion="Give one of them.",
        )
