"""Converts stored entities and relations to bundle items, for export."""

from __future__ import annotations

from typing import Any

from fabula.formats.bundle import OF_THE_ITEM
from fabula.model.edge_fields import place_of
from fabula.model.entity import Entity
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.relation import Relation
from fabula.model.story_ontology import EdgeType, NodeType, Ontology
from fabula.model.validity import DatedFact
from fabula.model.world_time import WorldTime

_USUAL_SIGNIFICANCE = 0.5


def node_item(entity: Entity, node: NodeType) -> dict[str, Any]:
    """The item that recreates an entity, with undeclared attributes under `attributes`."""
    attributes = dict(entity.attributes)
    item: dict[str, Any] = {"type": node.name, **node_identity(entity, node)}
    item |= told(
        description=entity.description,
        aliases=_aliases(entity, node),
        aiContextLevel=""
        if entity.ai_context_level is AiContextLevel.WHEN_DETECTED
        else str(entity.ai_context_level.value),
        secrecy=secrecy_item(entity.secrecy),
        significance="" if entity.significance == _USUAL_SIGNIFICANCE else entity.significance,
        **when_item(entity),
    )
    return item | _with_open(attributes, node, "attributes")


def node_identity(entity: Entity, node: NodeType) -> dict[str, Any]:
    """The identity values of an entity, as far as it has them."""
    if node.is_named and "name" in node.columns:
        return {"name": entity.name}
    return {field: entity.attributes[field] for field in node.identity if field in entity.attributes}


def typed(entity: Entity, ontology: Ontology) -> tuple[Entity, NodeType] | None:
    """The entity with its type, if the ontology has it and the entity has what identifies one."""
    node = ontology.node_of_key.get(entity.type)
    if node is None or len(node_identity(entity, node)) < len(node.identity):
        return None
    return entity, node


def edge_item(
    relation: Relation,
    edge: EdgeType,
    source: tuple[Entity, NodeType],
    target: tuple[Entity, NodeType],
) -> dict[str, Any]:
    """The item that recreates a relation, with its ends by identity."""
    item: dict[str, Any] = {"type": edge.name}
    for side, (entity, node), allowed in (
        ("source", source, edge.from_types),
        ("target", target, edge.to_types),
    ):
        typed = {} if len(allowed) == 1 else {"type": node.name}
        item[side] = typed | node_identity(entity, node)
    item |= told(
        description=relation.description,
        secrecy=secrecy_item(relation.secrecy),
        **when_item(relation),
    )
    place = {name: value for name, value in place_of(relation.since).items() if name in edge.properties}
    return item | _with_open({**relation.properties, **place}, edge, "properties")


def declared_part(item: dict[str, Any], type_: NodeType | EdgeType) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The item without undeclared properties, and the names of those."""
    known = OF_THE_ITEM | type_.properties.keys()
    kept = {name: value for name, value in item.items() if name in known}
    return kept, tuple(name for name in item if name not in known)


def _aliases(entity: Entity, node: NodeType) -> list[str]:
    """The aliases, without the one that an import would add by itself."""
    if node.is_named or "aliases" in node.columns:
        return list(entity.aliases)
    named = entity.attributes.get("name")
    return [
        alias for alias in entity.aliases if not isinstance(named, str) or name_key(alias) != name_key(named)
    ]


def told(**fields: Any) -> dict[str, Any]:
    """The fields that are not empty."""
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


def _with_open(held: dict[str, Any], type_: NodeType | EdgeType, box: str) -> dict[str, Any]:
    declared = {name for name in type_.properties if name not in type_.columns}
    beside = {name: value for name, value in held.items() if name in declared}
    opened = {name: value for name, value in held.items() if name not in declared}
    return beside | ({box: opened} if opened else {})


def secrecy_item(secrecy: Secrecy) -> str:
    """A secrecy as an item has it; empty if it is the usual one."""
    return "" if secrecy is Secrecy.PUBLIC else str(secrecy.value)


def when_item(fact: DatedFact) -> dict[str, Any]:
    """The dates of a fact as an item has them."""
    return {
        "since": moment_item(fact.since),
        "until": moment_item(fact.until),
        "validFrom": world_time_item(fact.valid_from),
        "validTo": world_time_item(fact.valid_to),
        "told": moment_item(fact.told),
    }


def world_time_item(time: WorldTime | None) -> dict[str, Any] | None:
    """A world time as an item has it."""
    return None if time is None else {"day": time.day} | ({"label": time.label} if time.label else {})


def moment_item(moment: Moment | None) -> dict[str, int] | None:
    """A moment as an item has it."""
    if moment is None:
        return None
    return {"chapter": moment.chapter} | ({} if moment.scene is None else {"scene": moment.scene})
