"""Reads ontologies from YAML, reporting all errors at once, and writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabula.errors import InvalidInput
from fabula.formats.nearest import nearest
from fabula.formats.safe_yaml import YamlLimits, read_yaml
from fabula.formats.type_schema import (
    MAX_PATTERNS,
    OntologyError,
    count_patterns,
    declared_properties,
    type_schema_errors,
)
from fabula.formats.yaml_text import write_yaml
from fabula.model.ontology import known_type, relation_type
from fabula.model.story_ontology import (
    CARDINALITIES,
    NODE_COLUMNS,
    EdgeType,
    NodeType,
    Ontology,
    type_key,
)

ANY = "any"
MAX_TYPES = 500
LIMITS = YamlLimits(size=1024 * 1024, depth=40, values=50_000)

_SHOWN = 50
_NAME = re.compile(r"[^\W\d]\w{0,63}")


def read_ontology(data: bytes) -> Ontology:
    """The ontology in a file; InvalidInput with all its errors."""
    value = read_yaml(data, LIMITS).value
    errors = list(ontology_errors(value))
    if errors:
        raise InvalidInput(
            _message(errors),
            details={
                "errors": [_as_dict(error) for error in errors[:_SHOWN]],
                "errorCount": len(errors),
            },
            suggestion="Correct the places named in details and send the ontology again.",
        )
    return _ontology(value)


def write_ontology(ontology: Ontology) -> str:
    """The ontology as the text of a file, the inverse of `read_ontology`."""
    told: dict[str, Any] = {"nodes": {}, "edges": {}}
    for node in ontology.nodes:
        searched = {"search": list(node.search)} if node.search else {}
        told["nodes"][node.name] = {"identity": list(node.identity), "schema": node.json_schema, **searched}
    for edge in ontology.edges:
        told["edges"][edge.name] = {
            "from": _end_words(edge.from_types),
            "to": _end_words(edge.to_types),
            "cardinality": edge.cardinality,
            "schema": edge.json_schema,
        }
        if edge.symmetric is not None:
            told["edges"][edge.name]["symmetric"] = edge.symmetric
        if edge.excludes:
            told["edges"][edge.name]["excludes"] = list(edge.excludes)
    return write_yaml(told)


def _end_words(names: tuple[str, ...]) -> str | list[str]:
    return ANY if not names else names[0] if len(names) == 1 else list(names)


def _message(errors: list[OntologyError]) -> str:
    rest = f" And {len(errors) - 1} more." if len(errors) > 1 else ""
    first = f"{errors[0].path}: {errors[0].message}" if errors[0].path else errors[0].message
    return f"The ontology is not valid. {first}{'' if first.endswith('?') else '.'}{rest}"


def _as_dict(error: OntologyError) -> dict[str, str]:
    return {key: value for key, value in error._asdict().items() if value is not None}


def _ontology(value: Mapping[str, Any]) -> Ontology:
    nodes = value.get("nodes") or {}
    edges = value.get("edges") or {}
    return Ontology(
        nodes=tuple(
            NodeType(
                name=name,
                identity=tuple(said["identity"]),
                json_schema={"type": "object", **said["schema"]},
                search=tuple(said.get("search", ())),
            )
            for name, said in nodes.items()
        ),
        edges=tuple(
            EdgeType(
                name=name,
                from_types=tuple(_spelt(word, nodes) for word in _listed(said["from"])),
                to_types=tuple(_spelt(word, nodes) for word in _listed(said["to"])),
                json_schema={"type": "object", **said.get("schema", {})},
                cardinality=said.get("cardinality", "N:N"),
                symmetric=said.get("symmetric"),
                excludes=tuple(_edge_spelt(word, edges) for word in said.get("excludes", ())),
            )
            for name, said in edges.items()
        ),
    )


def _listed(said: Any) -> list[Any]:
    return [] if said == ANY else [said] if isinstance(said, str) else list(said)


def _spelt(word: str, nodes: Mapping[str, Any]) -> str:
    """The name of the node type a word stands for, in any spelling; the word itself if there is none."""
    if word in nodes:
        return word
    names = {type_key(name): name for name in nodes}
    key = known_type(word, names)
    return word if key is None else names[key]


def ontology_errors(value: Any) -> Iterator[OntologyError]:
    """All errors of an ontology parsed from a file."""
    if not isinstance(value, dict):
        yield OntologyError("", "an ontology is a mapping with nodes and edges")
        return
    yield from _unknown_keys("", value, ("nodes", "edges"))
    nodes, edges = value.get("nodes"), value.get("edges")
    for word, types in (("nodes", nodes), ("edges", edges)):
        if types is not None and not isinstance(types, dict):
            yield OntologyError(word, "must be a mapping of names to types")
        elif types is not None and len(types) > MAX_TYPES:
            yield OntologyError(word, f"may have at most {MAX_TYPES} types, but has {len(types)}")
            return
    nodes = nodes if isinstance(nodes, dict) else {}
    edges = edges if isinstance(edges, dict) else {}
    if _patterns(nodes) + _patterns(edges) > MAX_PATTERNS:
        yield OntologyError("", f"an ontology may have at most {MAX_PATTERNS} patterns")
        return
    if not nodes:
        yield OntologyError("nodes", "at least one node type is needed")
    yield from _name_errors(nodes, edges)
    for name, said in nodes.items():
        yield from _node_errors(f"nodes.{name}", said)
    for name, said in edges.items():
        yield from _edge_errors(f"edges.{name}", said, nodes)
        yield from _rule_errors(f"edges.{name}", name, said, edges)


def _patterns(types: Mapping[str, Any]) -> int:
    return sum(count_patterns(said.get("schema")) for said in types.values() if isinstance(said, dict))


def _unknown_keys(path: str, said: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[OntologyError]:
    for key in said:
        if key not in known:
            near = nearest(key, known)
            hint = f"did you mean '{near}'?" if near else f"allowed are {', '.join(known)}"
            yield OntologyError(f"{path}.{key}".lstrip("."), f"is not allowed here; {hint}", near)


def _name_errors(nodes: Mapping[str, Any], edges: Mapping[str, Any]) -> Iterator[OntologyError]:
    taken: dict[str, str] = {}
    for word, names, key_of in (("nodes", nodes, type_key), ("edges", edges, relation_type)):
        for name in names:
            path = f"{word}.{name}"
            if not _NAME.fullmatch(name) or name == ANY:
                yield OntologyError(
                    path, "the name of a type has at most 64 letters, digits and _, and starts with a letter"
                )
                continue
            first = taken.setdefault(key_of(name), path)
            if first != path:
                yield OntologyError(path, f"is the same name as {first}, apart from case and width")


def _node_errors(path: str, said: Any) -> Iterator[OntologyError]:
    if not isinstance(said, dict):
        yield OntologyError(path, "must be a mapping with identity and schema")
        return
    yield from _unknown_keys(path, said, ("identity", "schema", "search"))
    if "schema" not in said:
        yield OntologyError(f"{path}.schema", "is required")
    else:
        yield from type_schema_errors(f"{path}.schema", said["schema"])
    properties = declared_properties(said.get("schema"))
    if "relations" in properties:
        yield OntologyError(f"{path}.schema.properties.relations", "is a reserved name: relations are edges")
    yield from _identity_errors(f"{path}.identity", said.get("identity"), properties)
    yield from _names_errors(f"{path}.search", said.get("search", []), properties)


def _identity_errors(path: str, identity: Any, properties: Mapping[str, Any]) -> Iterator[OntologyError]:
    if not identity or not isinstance(identity, list):
        yield OntologyError(path, "must be a list of the properties that identify a node")
        return
    yield from _names_errors(path, identity, properties)
    for place, field in enumerate(identity):
        declared = properties.get(field) if isinstance(field, str) else None
        if declared is None:
            continue
        kind = declared.get("type") if isinstance(declared, dict) else None
        if kind not in ("string", "integer"):
            yield OntologyError(f"{path}[{place}]", f"'{field}' must have the type string or integer")
        elif field in NODE_COLUMNS and field != "name":
            yield OntologyError(f"{path}[{place}]", f"'{field}' cannot identify a node")


def _names_errors(path: str, names: Any, properties: Mapping[str, Any]) -> Iterator[OntologyError]:
    """The errors of a list of property names."""
    if not isinstance(names, list):
        yield OntologyError(path, "must be a list of properties")
        return
    for place, name in enumerate(names):
        here = f"{path}[{place}]"
        if not isinstance(name, str):
            yield OntologyError(here, "must be the name of a property")
        elif name not in properties:
            near = nearest(name, properties)
            hint = f"; did you mean '{near}'?" if near else ""
            yield OntologyError(here, f"'{name}' is not a property of the schema{hint}", near)
        elif name in names[:place]:
            yield OntologyError(here, f"'{name}' appears twice")


def _edge_errors(path: str, said: Any, nodes: Mapping[str, Any]) -> Iterator[OntologyError]:
    if not isinstance(said, dict):
        yield OntologyError(path, "must be a mapping with from and to")
        return
    yield from _unknown_keys(path, said, ("from", "to", "schema", "cardinality", "symmetric", "excludes"))
    for side in ("from", "to"):
        yield from _end_errors(f"{path}.{side}", said.get(side), nodes)
    cardinality = said.get("cardinality", "N:N")
    if cardinality not in CARDINALITIES:
        quoted = ", ".join(f'"{known}"' for known in CARDINALITIES)
        yield OntologyError(f"{path}.cardinality", f"must be one of {quoted}")
    yield from type_schema_errors(f"{path}.schema", said.get("schema", {}))


def _rule_errors(path: str, name: str, said: Any, edges: Mapping[str, Any]) -> Iterator[OntologyError]:
    """The errors of what a type of relation says about others of its kind."""
    if not isinstance(said, dict):
        return
    if not isinstance(said.get("symmetric", False), bool):
        yield OntologyError(f"{path}.symmetric", "must be true or false")
    excluded = said.get("excludes", [])
    if not isinstance(excluded, list):
        yield OntologyError(f"{path}.excludes", "must be a list of edge types")
        return
    for place, word in enumerate(excluded):
        known = _edge_spelt(word, edges) if isinstance(word, str) else None
        if known not in edges:
            near = nearest(word, edges) if isinstance(word, str) else None
            hint = f"; did you mean '{near}'?" if near else ""
            yield OntologyError(f"{path}.excludes[{place}]", f"'{word}' is not an edge type{hint}", near)
        elif known == name:
            yield OntologyError(f"{path}.excludes[{place}]", "a type cannot exclude itself")


def _edge_spelt(word: str, edges: Mapping[str, Any]) -> str:
    """The name of the edge type a word stands for, in any spelling; the word itself if there is none."""
    return {relation_type(name): name for name in edges if isinstance(name, str)}.get(
        relation_type(word), word
    )


def _end_errors(path: str, said: Any, nodes: Mapping[str, Any]) -> Iterator[OntologyError]:
    if not isinstance(said, str | list) or not said:
        yield OntologyError(path, f"must be a node type, a list of them, or {ANY}")
        return
    listed = [_spelt(name, nodes) if isinstance(name, str) else name for name in _listed(said)]
    for place, name in enumerate(listed):
        here = path if isinstance(said, str) else f"{path}[{place}]"
        if not isinstance(name, str) or name not in nodes:
            near = nearest(name, nodes) if isinstance(name, str) else None
            hint = f" Did you mean '{near}'?" if near else ""
            yield OntologyError(here, f"Entity type '{name}' is not defined.{hint}".rstrip("."), near)
        elif name in listed[:place]:
            yield OntologyError(here, f"'{name}' appears twice")
