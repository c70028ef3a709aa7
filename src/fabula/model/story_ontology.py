"""The ontology of a story: its entity and relation types, and what identifies an entity of each.

A node type is a type of entity, an edge type a type of relation. Their JSON Schemas (draft 7) say which
properties an item of a bundle may have. Some properties are columns of the entity or relation; the others are
its attributes.
"""

from __future__ import annotations

import json
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from fabula.errors import InvalidInput
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE, Moment, first_instant
from fabula.model.names import name_key
from fabula.model.ontology import known_type, relation_type
from fabula.model.wire import Value
from fabula.model.world_time import LONGEST_LABEL, MOST_DAYS, WorldTime

Cardinality = Literal["1:1", "1:N", "N:1", "N:N"]
JsonSchema = dict[str, Any]
IdentityValue = str | int

CARDINALITIES: tuple[Cardinality, ...] = ("1:1", "1:N", "N:1", "N:N")
RESERVED_PROPERTIES = frozenset({"type", "action", "source", "target"})
MAX_NAME = 256
_NAMED_TYPES = 40

_NAMESPACE = uuid.UUID("625f392c-4bbf-4f55-9542-023ec2f05855")
_MOMENT: JsonSchema = {
    "type": ["object", "null"],
    "required": ["chapter"],
    "properties": {
        "chapter": {"type": "integer", "minimum": 0, "maximum": MAX_CHAPTER},
        "scene": {"type": "integer", "minimum": 0, "maximum": MAX_SCENE},
    },
    "additionalProperties": False,
}
_WORLD_TIME: JsonSchema = {
    "type": ["object", "null"],
    "required": ["day"],
    "properties": {
        "day": {"type": "number", "minimum": -MOST_DAYS, "maximum": MOST_DAYS},
        "label": {"type": "string", "maxLength": LONGEST_LABEL},
    },
    "additionalProperties": False,
}
_WHEN: dict[str, JsonSchema] = {
    "since": _MOMENT,
    "until": _MOMENT,
    "validFrom": _WORLD_TIME,
    "validTo": _WORLD_TIME,
    "told": _MOMENT,
}
_SECRECY: JsonSchema = {"type": "string", "enum": [one.value for one in Secrecy]}
_TEXT: JsonSchema = {"type": "string", "maxLength": 65_536}
_NAME: JsonSchema = {"type": "string", "minLength": 1, "maxLength": MAX_NAME}
_OPEN: JsonSchema = {"type": "object"}

# What the columns of an entity and of a relation can hold. A property of that name is stored in the column if
# its schema has a fitting type; otherwise (a date as text in `since`, say) it is an attribute like any other.
NODE_COLUMNS: dict[str, JsonSchema] = {
    "name": _NAME,
    "description": _TEXT,
    "aliases": {"type": "array", "maxItems": 256, "items": _NAME},
    "aiContextLevel": {"type": "string", "enum": [level.value for level in AiContextLevel]},
    "secrecy": _SECRECY,
    "significance": {"type": "number", "minimum": 0, "maximum": 1},
    **_WHEN,
    "attributes": _OPEN,
}
EDGE_COLUMNS: dict[str, JsonSchema] = {
    "description": _TEXT,
    "secrecy": _SECRECY,
    **_WHEN,
    "properties": _OPEN,
}


class NodeType(Value):
    """A type of entity: what identifies one, and which properties it has."""

    name: str
    identity: tuple[str, ...]
    json_schema: JsonSchema = Field(alias="schema")
    search: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """The type as entities carry it."""
        return type_key(self.name)

    @cached_property
    def properties(self) -> dict[str, JsonSchema]:
        """The schema of every property that an item may have."""
        return dict(self.json_schema.get("properties", {}))

    @cached_property
    def columns(self) -> frozenset[str]:
        """The properties stored in the entity's columns; `name` only if it is the whole identity."""
        own = _columns(self.properties, NODE_COLUMNS)
        return own if self.is_named else own - {"name"}

    @property
    def is_named(self) -> bool:
        """Whether the name alone identifies an entity of this type."""
        return self.identity == ("name",)

    def identity_of(self, item: Mapping[str, Any]) -> tuple[IdentityValue, ...]:
        """The identity of an item, or of the end of an edge; all its identity fields must be present."""
        return tuple(identity_value(item[field]) for field in self.identity)


class EdgeType(Value):
    """A type of relation: the types it may connect, its cardinality, and its properties.

    No types at an end means any. A `symmetric` relation holds both ways, one that is not holds only one way;
    without it nothing is said. `excludes` are types that cannot hold between the same two at the same time.
    """

    name: str
    from_types: tuple[str, ...] = ()
    to_types: tuple[str, ...] = ()
    json_schema: JsonSchema = Field(alias="schema")
    cardinality: Cardinality = "N:N"
    symmetric: bool | None = None
    excludes: tuple[str, ...] = ()

    @cached_property
    def key(self) -> str:
        """The relation type as relations carry it."""
        return relation_type(self.name)

    @cached_property
    def properties(self) -> dict[str, JsonSchema]:
        """The schema of every property that an item may have besides its ends."""
        return dict(self.json_schema.get("properties", {}))

    @cached_property
    def columns(self) -> frozenset[str]:
        """The properties stored in the relation's columns."""
        return _columns(self.properties, EDGE_COLUMNS)


class Ontology(Value):
    """The types of a story."""

    nodes: tuple[NodeType, ...] = ()
    edges: tuple[EdgeType, ...] = ()

    @cached_property
    def node_named(self) -> dict[str, NodeType]:
        """Node types by the names that bundles use."""
        return {node.name: node for node in self.nodes}

    @cached_property
    def edge_named(self) -> dict[str, EdgeType]:
        """Edge types by the names that bundles use."""
        return {edge.name: edge for edge in self.edges}

    @cached_property
    def node_of_key(self) -> dict[str, NodeType]:
        """Node types by the types that entities carry."""
        return {node.key: node for node in self.nodes}

    @cached_property
    def edge_of_key(self) -> dict[str, EdgeType]:
        """Edge types by the types that relations carry."""
        return {edge.key: edge for edge in self.edges}

    def entity_type(self, word: str) -> str:
        """The entity type a word stands for in this story; InvalidInput if there is none."""
        known = self.node_of_key
        key = known_type(word, known)
        if key is None:
            listed = ", ".join(list(known)[:_NAMED_TYPES]) + (", …" if len(known) > _NAMED_TYPES else "")
            raise InvalidInput(
                f"'{word}' is not an entity type of this story.",
                details={"field": "type", "allowed": list(known)},
                suggestion=f"Use one of: {listed}.",
            )
        return key

    def node_for(self, word: str) -> NodeType | None:
        """The node type a word stands for, in any spelling; None if there is none."""
        if word in self.node_named:
            return self.node_named[word]
        key = known_type(word, self.node_of_key)
        return None if key is None else self.node_of_key[key]

    def edge_for(self, word: str) -> EdgeType | None:
        """The edge type a word stands for, in any spelling; None if there is none."""
        return self.edge_named.get(word) or self.edge_of_key.get(relation_type(word))

    def sources(self, edge: EdgeType) -> tuple[NodeType, ...]:
        """The node types an edge may start from."""
        return self._ends(edge.from_types)

    def targets(self, edge: EdgeType) -> tuple[NodeType, ...]:
        """The node types an edge may end at."""
        return self._ends(edge.to_types)

    def _ends(self, names: tuple[str, ...]) -> tuple[NodeType, ...]:
        return tuple(self.node_named[name] for name in names) if names else self.nodes


class StoryOntology(Value):
    """The ontology an author gave a story, as source text."""

    project_id: str
    definition: str
    version: int
    created_at: str
    updated_at: str


def _columns(properties: Mapping[str, Any], columns: Mapping[str, JsonSchema]) -> frozenset[str]:
    return frozenset(name for name in columns if _fits(properties.get(name), columns[name]))


def _fits(declared: Any, column: JsonSchema) -> bool:
    if not isinstance(declared, dict) or "type" not in declared:
        return False
    types = _types(declared)
    held = _types(column) | ({"integer"} if "number" in _types(column) else set())
    return bool(types - {"null"}) and types <= held


def _types(schema: JsonSchema) -> set[str]:
    stated = schema["type"]
    return {stated} if isinstance(stated, str) else set(stated)


def type_key(name: str) -> str:
    """The entity type for the name of a node type: `character` for `Character`."""
    return name_key(name)


def identity_value(value: Any) -> IdentityValue:
    """An identity value as it is stored: texts trimmed, numbers as integers."""
    return value.strip() if isinstance(value, str) else int(value)


def identity_key(values: Sequence[IdentityValue]) -> str:
    """The identity as it is compared: canonical JSON, texts normalised like names."""
    folded = [name_key(value) if isinstance(value, str) else value for value in values]
    return json.dumps(folded, ensure_ascii=False, separators=(",", ":"))


def entity_name(values: Sequence[IdentityValue]) -> str:
    """The name of an entity with this identity.

    A single value is the name itself. Several are joined by ` / `; slashes and backslashes inside a value are
    escaped with a backslash, so that two identities never get the same name.
    """
    texts = [str(value) for value in values]
    return texts[0] if len(texts) == 1 else " / ".join(map(_slashed, texts))


def _slashed(text: str) -> str:
    # Names are compared after NFKC, which turns other characters (`／`, `℅`) into slashes.
    plain = unicodedata.normalize("NFKC", text)
    if "/" not in plain and "\\" not in plain:
        return text
    return plain.replace("\\", "\\\\").replace("/", "\\/")


def entity_id(key: str, identity: str) -> str:
    """The id of a new entity with this type key and identity key, the same in every story."""
    return str(uuid.uuid5(_NAMESPACE, f"{key}\n{identity}"))


def relation_id(
    key: str,
    source_id: str,
    target_id: str,
    since: Moment | None = None,
    valid_from: WorldTime | None = None,
) -> str:
    """The id of a new relation between two entities; a different start gives a different id."""
    told: list[str | int | float | None] = [key, source_id, target_id]
    if since is not None or valid_from is not None:
        told.append(None if since is None else first_instant(since))
    if valid_from is not None:
        told.append(float(valid_from.day))
    return str(uuid.uuid5(_NAMESPACE, json.dumps(told, ensure_ascii=False, separators=(",", ":"))))
