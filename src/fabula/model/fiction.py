"""The default ontology, for works of fiction; an author may replace it."""

from __future__ import annotations

from typing import Any

from fabula.model.ontology import DEFAULT_RELATION_TYPES
from fabula.model.story_ontology import EdgeType, JsonSchema, NodeType, Ontology

_NODES: dict[str, tuple[str, list[str]]] = {
    "Character": (
        "Somebody who acts: a person, an animal, a ghost. 人物",
        ["Lin Yuan", "Su Wan", "Old Zhou"],
    ),
    "Location": ("A place. 地点", ["Fogharbour", "the Homeward Tower"]),
    "Event": ("Something that happens. 事件", ["the night of the storm", "the trial"]),
    "Item": ("A thing. 物品", ["the brass lamp", "the ledger"]),
    "Faction": ("A group with aims of its own: a family, a guild, a state. 势力", ["the Harbour Office"]),
    "Concept": ("An idea, a rule of the world, a word of its own. 概念", ["lamp-speech"]),
    "Unknown": ("Something whose type is not known yet. 未知", ["the grey visitor"]),
}
_USUAL_ENDS = {
    "ally": "character or faction → character or faction",
    "enemy": "character or faction → character or faction",
    "parent": "character → character, the parent first",
    "sibling": "character → character",
    "belongs_to": "the part → the whole, the member → the faction",
    "owns": "the owner → the item",
    "located_at": "anything → location",
    "participates_in": "character or faction → event",
    "knows": "character → character",
    "mentors": "the teacher → the pupil",
    "rivals": "character or faction → character or faction",
    "occurs_at": "event → location",
    "follows": "the earlier event → the later event",
    "located_in": "location → the location around it",
}

_SECRECY: JsonSchema = {"type": "string", "description": "Private if only those who know it may know it"}


def _moment(meaning: str) -> JsonSchema:
    return {"type": ["object", "null"], "description": f"{meaning}, as chapter and scene counted from 0"}


def _world_time(meaning: str) -> JsonSchema:
    return {
        "type": ["object", "null"],
        "description": f"{meaning}, as a day from day 0, with a label",
    }


def _node(name: str, meaning: str, examples: list[str]) -> NodeType:
    properties: dict[str, Any] = {
        "name": {"type": "string", "description": "One per type", "examples": examples},
        "description": {
            "type": "string",
            "description": "The author's prose",
            "examples": ["Short sentences, few explanations."],
        },
        "aliases": {"type": "array", "description": "Other names"},
        "aiContextLevel": {"type": "string", "description": "When a model is told of it"},
        "secrecy": _SECRECY,
        "significance": {
            "type": "number",
            "description": "How much it matters, 0 to 1",
            "examples": [0.9, 0.6],
        },
        "since": _moment("From when it is part of the story"),
        "until": _moment("Until when it is part of the story"),
        "validFrom": _world_time("From which day of the story's own time it is there"),
        "validTo": _world_time("Until which day of the story's own time it is there"),
        "told": _moment("When the telling establishes it"),
        "attributes": {
            "type": "object",
            "description": "Whatever else is true of it, by key",
            "examples": [{"mood": "calm"}],
        },
    }
    schema: JsonSchema = {
        "type": "object",
        "description": meaning,
        "required": ["name"],
        "properties": properties,
    }
    return NodeType(
        name=name, identity=("name",), json_schema=schema, search=("name", "aliases", "description")
    )


def _edge(key: str, labels: str) -> EdgeType:
    properties: dict[str, Any] = {
        "description": {
            "type": "string",
            "description": "What there is to say about it",
            "examples": ["Since the storm they trust each other."],
        },
        "relationshipType": {"type": "string", "description": "A finer word for it"},
        "secrecy": _SECRECY,
        "since": _moment("From when it holds"),
        "until": _moment("Until when it holds"),
        "validFrom": _world_time("From which day of the story's own time it holds"),
        "validTo": _world_time("Until which day of the story's own time it holds"),
        "told": _moment("When the telling establishes it"),
        "properties": {"type": "object", "description": "Whatever else is true of it, by key"},
    }
    schema: JsonSchema = {
        "type": "object",
        "description": f"{labels}. Usually {_USUAL_ENDS[key]}",
        "properties": properties,
    }
    return EdgeType(name=key.upper(), json_schema=schema)


FICTION = Ontology(
    nodes=tuple(_node(name, meaning, examples) for name, (meaning, examples) in _NODES.items()),
    edges=tuple(_edge(word.key, f"{word.en}, {word.zh}") for word in DEFAULT_RELATION_TYPES),
)
