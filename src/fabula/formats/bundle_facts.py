"""Items of a bundle that are neither nodes nor edges: states, names, knowings, tellings and reveals.

They speak of nodes by identity, of edges by type and ends, and of states by a label that the file gives them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fabula.formats.bundle_branches import reference_schema
from fabula.model.event import MAX_TOLD
from fabula.model.knowing import LONGEST_BELIEF, HowKnown
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.model.reveal import MAX_KNOWN_TO
from fabula.model.story_ontology import EDGE_COLUMNS, MAX_NAME, NODE_COLUMNS, JsonSchema, NodeType, Ontology

Item = Mapping[str, Any]
Steps = tuple[str | int, ...]

STATE, NAME, KNOWING, TELLING, REVEAL = "State", "Name", "Knowing", "Telling", "Reveal"
FACT_ITEMS = (STATE, NAME, KNOWING, TELLING, REVEAL)

_ACTION: JsonSchema = {"type": "string", "enum": ["upsert"], "default": "upsert"}
_LABEL: JsonSchema = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
_SINCE, _FROM = EDGE_COLUMNS["since"], EDGE_COLUMNS["validFrom"]
_PERIOD = {"since": _SINCE, "until": _SINCE}
_ANY: JsonSchema = {"type": "object"}
_REQUIRED: dict[str, tuple[str, ...]] = {
    STATE: ("of",),
    NAME: ("of", "name"),
    KNOWING: ("knower", "fact"),
    TELLING: ("event", "facts"),
    REVEAL: ("entities", "at"),
}
_MEANING = {
    STATE: "What is true of an entity for a period",
    NAME: "A name that an entity bears for a period, or that only some know",
    KNOWING: "Somebody knows a fact, or believes something else, since when and how",
    TELLING: "The facts that an event tells those who are there",
    REVEAL: "Two entities that turn out to be one",
}


class ItemReference(NamedTuple):
    """A place in an item where a node is named, and the types it may have."""

    steps: Steps
    value: Any
    nodes: tuple[NodeType, ...]


def fact_items(ontology: Ontology) -> tuple[str, ...]:
    """The words for such items; a type of the ontology with the same name takes the word."""
    if not ontology.nodes:
        return ()
    taken = (*ontology.node_of_key, *ontology.edge_of_key)
    return tuple(word for word in FACT_ITEMS if word.lower() not in taken)


def fact_item(word: Any, ontology: Ontology) -> str | None:
    """The word for such an item in its own spelling; None if the type of an item means something else."""
    if not isinstance(word, str):
        return None
    return next((one for one in fact_items(ontology) if one.lower() == word.strip().lower()), None)


def fact_schema(word: str, ontology: Ontology, *, is_bare: bool = False) -> JsonSchema:
    """The schema of such an item; if `is_bare`, without the schemas of the nodes it names."""
    node: JsonSchema | bool = _ANY if is_bare else reference_schema(ontology.nodes)
    return {
        "title": f"{word} of the story",
        "description": _MEANING[word],
        "type": "object",
        "required": ["type", *_REQUIRED[word]],
        "properties": {"type": {"const": word}, "action": _ACTION, **_properties(word, ontology, node)},
        "additionalProperties": False,
    }


def _properties(word: str, ontology: Ontology, node: JsonSchema | bool) -> JsonSchema:
    known_to = {"type": ["array", "null"], "maxItems": MAX_KNOWN_TO, "items": node}
    fact = _fact_schema(ontology, node)
    if word == STATE:
        same = ("description", "secrecy", "since", "until", "validFrom", "validTo", "told", "attributes")
        return {"of": node, "label": _LABEL, **{name: NODE_COLUMNS[name] for name in same}}
    if word == NAME:
        return {"of": node, "name": NODE_COLUMNS["name"], "knownTo": known_to, **_PERIOD}
    if word == KNOWING:
        return {
            "knower": node,
            "fact": fact,
            "knows": {"type": "boolean"},
            "how": {"type": "string", "enum": [how.value for how in HowKnown]},
            "belief": {"type": "string", "maxLength": LONGEST_BELIEF},
            "source": _source_schema(node),
            **_PERIOD,
        }
    if word == TELLING:
        return {"event": node, "facts": {"type": "array", "maxItems": MAX_TOLD, "items": fact}}
    two = {"type": "array", "minItems": 2, "maxItems": 2, "items": node}
    return {"entities": two, "at": _SINCE | {"type": "object"}, "knownTo": known_to}


def _fact_schema(ontology: Ontology, node: JsonSchema | bool) -> JsonSchema:
    """The schema of a fact that an item speaks of: a node, an edge, or a state by its label."""
    edges = [edge.name for edge in ontology.edges]
    edge: JsonSchema = {
        "type": "object",
        "required": ["type", "source", "target"],
        "properties": {
            "type": {"type": "string", "enum": edges},
            "source": node,
            "target": node,
            "since": _SINCE,
            "validFrom": _FROM,
        },
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {"entity": node, **({"relation": edge} if edges else {}), "state": _LABEL},
        "additionalProperties": False,
    }


def _source_schema(node: JsonSchema | bool) -> JsonSchema:
    return {
        "type": "object",
        "properties": {
            "chapter": {"type": "integer", "minimum": 0, "maximum": MAX_CHAPTER},
            "scene": {"type": "integer", "minimum": 0, "maximum": MAX_SCENE},
            "quotation": NODE_COLUMNS["description"],
            "event": node,
        },
        "dependencies": {"chapter": ["scene"], "scene": ["chapter"]},
        "additionalProperties": False,
    }


# What an item names


def references(item: Item, ontology: Ontology) -> Iterator[ItemReference]:
    """Every node that such an item names, as far as it is written as it should be."""
    nodes = ontology.nodes
    for field in ("of", "knower", "event"):
        if isinstance(item.get(field), dict):
            yield ItemReference((field,), item[field], nodes)
    for field in ("entities", "knownTo"):
        for place, one in enumerate(_list(item.get(field))):
            if isinstance(one, dict):
                yield ItemReference((field, place), one, nodes)
    source = item.get("source")
    if isinstance(source, dict) and isinstance(source.get("event"), dict):
        yield ItemReference(("source", "event"), source["event"], nodes)
    for steps, fact in facts_in_item(item):
        yield from _references_in(steps, fact, ontology)


def facts_in_item(item: Item) -> Iterator[tuple[Steps, Item]]:
    """Every fact that such an item speaks of, with its place."""
    if isinstance(item.get("fact"), dict):
        yield ("fact",), item["fact"]
    for place, fact in enumerate(_list(item.get("facts"))):
        if isinstance(fact, dict):
            yield ("facts", place), fact


def _references_in(steps: Steps, fact: Item, ontology: Ontology) -> Iterator[ItemReference]:
    entity, relation = fact.get("entity"), fact.get("relation")
    if isinstance(entity, dict):
        yield ItemReference((*steps, "entity"), entity, ontology.nodes)
    if not isinstance(relation, dict) or not isinstance(relation.get("type"), str):
        return
    edge = ontology.edge_named.get(relation["type"])
    for side, nodes in (
        ()
        if edge is None
        else (
            ("source", ontology.sources(edge)),
            ("target", ontology.targets(edge)),
        )
    ):
        if isinstance(relation.get(side), dict):
            yield ItemReference((*steps, "relation", side), relation[side], nodes)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
