"""Finds all errors of a bundle, checking each item against the schema of its type."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import jsonschema_rs

from fabula.collector import collector_paused
from fabula.errors import InvalidInput
from fabula.formats.bundle import OF_THE_ITEM, NodeRefs, moment_in, world_time_in
from fabula.formats.bundle_branches import edge_schema_with, end_schema, node_schema
from fabula.formats.bundle_fact_check import Labels, fact_problems
from fabula.formats.bundle_facts import fact_items, fact_schema, references
from fabula.formats.bundle_types import spell_types
from fabula.formats.bundle_words import (
    MAX_SHOWN,
    BundleError,
    BundleErrors,
    Problem,
    as_error,
    did_you_mean,
    doubtful,
    found,
    identity_words,
    problems_of,
)
from fabula.formats.draft7 import compiled
from fabula.formats.nearest import nearest_type
from fabula.formats.safe_yaml import PathPart, YamlReading
from fabula.formats.unsafe_json import MOST_VALUES, is_vast, not_json
from fabula.model.edge_fields import place_in
from fabula.model.event import EVENT
from fabula.model.relation import Period
from fabula.model.story_ontology import MAX_NAME, EdgeType, NodeType, Ontology
from fabula.model.validity import is_forward_in_world
from fabula.model.wire import safe_json, safe_text, visible_text


class _Part(NamedTuple):
    """A part of an item with a schema of its own: the item itself, or one of its ends."""

    steps: tuple[PathPart, ...]
    value: Any
    validator: jsonschema_rs.Validator
    owner: str
    known: Sequence[str]


def bundle_check(data: Any, ontology: Ontology, reading: YamlReading | None = None) -> BundleErrors:
    """All errors of a bundle; with the `reading` of its file, they include lines and unquoted scalars.

    The types in the data are replaced by the ontology's spelling of them.
    """
    if not isinstance(data, list):
        words = f"A bundle is a list of items; found {found(data)}."
        hint = "Begin every item with '- '." if isinstance(data, dict) else None
        return BundleErrors((BundleError(None, "", words, hint),), 1)
    with collector_paused():
        spell_types(data, ontology)
        return _checked(data, ItemCheck(ontology, reading), reading)


def _checked(data: list[Any], check: ItemCheck, reading: YamlReading | None) -> BundleErrors:
    twice, labels = _Twice(check.refs), Labels(data, check.fact_words)
    errors: list[BundleError] = []
    count = 0
    for index, item in enumerate(data):
        problems = check.problems(item, index)
        if check.is_fact(item):
            problems += labels.problems(index, item)
        elif check.is_identified(item, problems):
            problems += twice.problems(index, item, data)
        if problems:
            line = reading.line(index) if reading is not None else None
            room = MAX_SHOWN - count
            errors.extend(as_error(index, problem, line) for problem in problems[: max(room, 0)])
            count += len(problems)
    return BundleErrors(tuple(errors), count)


class _Twice:
    """The identities seen so far in a bundle."""

    def __init__(self, refs: NodeRefs) -> None:
        self.ontology = refs.ontology
        self.refs = refs
        self.seen: dict[Any, int] = {}

    def problems(self, index: int, item: dict[str, Any], data: list[Any]) -> list[Problem]:
        """The problem that an earlier item has the same identity but different content, if so."""
        node = self.ontology.node_named.get(item["type"])
        if node is not None:
            ref = self.refs.of(node, item)
            address: tuple[Any, ...] = ref.address
        else:
            address = self.refs.edge_address(self.ontology.edge_named[item["type"]], item)
        first = self.seen.setdefault(address, index)
        if first == index or _same(data[first], item):
            return []
        who = f"'{item['type']}' " + (identity_words(ref.identity) if node else "between these two")
        return [Problem((), f"the same {who} appears at [{first}] with different content")]


class ItemCheck:
    """Checks items one by one against the compiled schemas of an ontology."""

    def __init__(self, ontology: Ontology, reading: YamlReading | None = None) -> None:
        self.ontology = ontology
        self.reading = reading
        self.refs = NodeRefs(ontology)
        self.fact_words = fact_items(ontology)
        self._validators: dict[tuple[str, bool], jsonschema_rs.Validator] = {}
        self._unknown: dict[tuple[tuple[PathPart, ...], str, bool], Problem] = {}

    def problems(self, item: Any, index: int = 0) -> list[Problem]:
        """The problems of one item; `index` is its position in the file."""
        if not isinstance(item, dict):
            return [Problem((), f'an item must be a mapping with "type"; found {found(item)}')]
        name = item.get("type")
        if not isinstance(name, str):
            words = (
                f'"type" must be a string; found {found(name)}' if "type" in item else '"type" is required'
            )
            return [Problem(("type",), words)]
        node = self.ontology.node_named.get(name)
        edge = self.ontology.edge_named.get(name) if node is None else None
        if self.is_fact(item):
            return self._problems_of_fact(item, index)
        if node is None and edge is None:
            return [self._undefined(("type",), name, is_edge="source" in item and "target" in item)]
        parts, problems = self._parts(item, node, edge)
        for part in parts:
            problems.extend(islice(self._met(index, part), MAX_SHOWN))
        if not problems:
            problems.extend(_columns_of(item, node or edge))
        if self.is_identified(item, problems):
            problems.extend(self._identity(item, node, edge))
        return list(dict.fromkeys(problems))

    def is_fact(self, item: Any) -> bool:
        """Whether an item is a state, a knowing or the like, which no type of the ontology describes."""
        return isinstance(item, dict) and item.get("type") in self.fact_words

    def _problems_of_fact(self, item: dict[str, Any], index: int) -> list[Problem]:
        word, problems = item["type"], list[Problem]()
        schema = fact_schema(word, self.ontology, is_bare=True)
        validator = self._validator(word, False, lambda: schema)
        parts = [_Part((), item, validator, word, tuple(schema["properties"]))]
        for steps, end, nodes in references(item, self.ontology):
            one = self._end_type(f"'{word}' cannot speak of", steps, nodes, end)
            if isinstance(one, Problem):
                problems.append(one)
            else:
                parts.append(_Part(steps, end, self._end_validator(one), one.name, one.identity))
        for part in parts:
            problems.extend(islice(self._met(index, part), MAX_SHOWN))
        if not problems:
            refs = {
                steps: self.refs.reference(nodes, one)
                for steps, one, nodes in references(item, self.ontology)
            }
            for steps, ref in refs.items():
                problems.extend(_bad_identity(steps, ref.identity, ref.name))
            problems.extend(fact_problems(item, refs))
        return list(dict.fromkeys(problems))

    def is_identified(self, item: Any, problems: Iterable[Problem]) -> bool:
        """Whether the identity of the item is valid, whatever else is wrong."""
        name = item.get("type") if isinstance(item, dict) else None
        if not isinstance(name, str):
            return False
        node = self.ontology.node_named.get(name)
        ends = ("source", "target", "since", "validFrom")
        identity = ("type", *(ends if node is None else node.identity))
        return not any(
            problem.hides_more or not problem.steps or problem.steps[0] in identity for problem in problems
        )

    def _parts(
        self, item: dict[str, Any], node: NodeType | None, edge: EdgeType | None
    ) -> tuple[list[_Part], list[Problem]]:
        if node is not None:
            known = tuple(node.properties)
            return [_Part((), item, self._node_validator(node), node.name, known)], []
        assert edge is not None
        known = (*edge.properties, "source", "target")
        parts = [_Part((), item, self._edge_validator(edge), edge.name, known)]
        problems: list[Problem] = []
        for side, nodes in (
            ("source", self.ontology.sources(edge)),
            ("target", self.ontology.targets(edge)),
        ):
            end = item.get(side)
            if isinstance(end, dict):
                verb = "begin" if side == "source" else "end"
                one = self._end_type(f"'{edge.name}' cannot {verb} at", (side,), nodes, end)
                if isinstance(one, Problem):
                    problems.append(one)
                else:
                    parts.append(_Part((side,), end, self._end_validator(one), one.name, one.identity))
        return parts, problems

    def _end_type(
        self, refusal: str, steps: tuple[PathPart, ...], nodes: tuple[NodeType, ...], end: Mapping[str, Any]
    ) -> NodeType | Problem:
        names = [node.name for node in nodes]
        place = (*steps, "type")
        if "type" not in end:
            if len(nodes) == 1:
                return nodes[0]
            listed = ", ".join(names[:20])
            return Problem(place, f'"type" is required, because several types are possible: {listed}')
        name = end["type"]
        if not isinstance(name, str):
            return Problem(place, f'"type" must be a string; found {found(name)}')
        if name not in self.ontology.node_named:
            return self._undefined(place, name, is_edge=False)
        if name not in names:
            listed = ", ".join(f"'{known}'" for known in names[:20])
            return Problem(place, f"{refusal} '{name}', only at {listed}")
        return self.ontology.node_named[name]

    def _undefined(self, place: tuple[PathPart, ...], name: str, *, is_edge: bool) -> Problem:
        known = self._unknown.get((place, name, is_edge))
        if known is None:
            kind = "Relation" if is_edge else "Entity"
            names = list(self.ontology.edge_named if is_edge else self.ontology.node_named)
            others = [] if place != ("type",) else [*self.ontology.node_named, *self.ontology.edge_named]
            near = nearest_type(name, names) or nearest_type(name, others)
            shown = name if len(name) <= 80 else f"{name[:80]}…"
            words = f"{kind} type '{shown}' is not defined.{did_you_mean(near)}"
            known = Problem(place, words, near, is_sentence=True)
            if len(self._unknown) < MAX_SHOWN:
                self._unknown[place, name, is_edge] = known
        return known

    def _met(self, index: int, part: _Part) -> Iterator[Problem]:
        """The problems of a part with its schema."""
        try:
            if not part.validator.is_valid(part.value):
                if is_vast(part.value):
                    yield Problem(part.steps, f"has more than {MOST_VALUES:,} values, which no item may have")
                    return
                for error in _plainest(part.validator.iter_errors(part.value)):
                    for problem in problems_of(error, part.value, part.owner, part.known, self.reading):
                        yield problem._replace(steps=(*part.steps, *problem.steps))
            if self.reading is not None and index in self.reading.doubtful:
                yield from self._doubtful(index, part)
        except ValueError:
            # A value that is not JSON cannot be validated; find out where it is.
            for problem in not_json(part.value, part.steps):
                yield problem._replace(hides_more=True)

    def _doubtful(self, index: int, part: _Part) -> Iterator[Problem]:
        """Unquoted scalars that look like another type where the schema requires a string."""
        assert self.reading is not None
        places = {(id(container), step) for container, step in self.reading.doubtful[index]}
        scalars: dict[tuple[PathPart, ...], Any] = {}
        changed = _without_doubtful(part.value, places, self.reading, (), scalars)
        for error in part.validator.iter_errors(changed) if scalars else ():
            steps = tuple(error.instance_path)
            kind: Any = error.kind
            if steps in scalars and kind.name == "type" and "string" in kind.types:
                yield doubtful((*part.steps, *steps), scalars[steps])

    def _identity(
        self, item: dict[str, Any], node: NodeType | None, edge: EdgeType | None
    ) -> Iterator[Problem]:
        """The problems with the identity of the item or its ends as names."""
        if node is not None:
            ref = self.refs.of(node, item)
            yield from _bad_identity((), ref.identity, ref.name)
        elif edge is not None:
            source, target = self.refs.ends(edge, item)
            yield from _bad_identity(("source",), source.identity, source.name)
            yield from _bad_identity(("target",), target.identity, target.name)
            if source.address == target.address:
                yield Problem(("target",), f"'{edge.name}' cannot join a node to itself")

    def _node_validator(self, node: NodeType) -> jsonschema_rs.Validator:
        return self._validator(node.name, False, lambda: node_schema(node))

    def _edge_validator(self, edge: EdgeType) -> jsonschema_rs.Validator:
        ends = {"source": {"type": "object"}, "target": {"type": "object"}}
        return self._validator(edge.name, False, lambda: edge_schema_with(edge, ends))

    def _end_validator(self, node: NodeType) -> jsonschema_rs.Validator:
        return self._validator(node.name, True, lambda: end_schema([node.name], node, typed=False))

    def _validator(self, name: str, is_end: bool, schema: Any) -> jsonschema_rs.Validator:
        validator = self._validators.get((name, is_end))
        if validator is None:
            validator = self._validators[name, is_end] = compiled(schema())
        return validator


def _plainest(errors: Iterable[jsonschema_rs.ValidationError]) -> list[jsonschema_rs.ValidationError]:
    """The first errors, without those that follow from a wrong type."""
    every = list(islice(errors, MAX_SHOWN))
    wrong = {tuple(error.instance_path) for error in every if error.kind.name == "type"}
    return [error for error in every if error.kind.name == "type" or tuple(error.instance_path) not in wrong]


def _columns_of(item: dict[str, Any], type_: NodeType | EdgeType | None) -> Iterator[Problem]:
    """Values that the schema allows but the columns cannot store."""
    assert type_ is not None
    columns = type_.columns
    for name in ("name", "description"):
        if name in item and name in columns:
            yield from _refused((name,), item[name], visible_text if name == "name" else safe_text)
    if "aliases" in columns:
        for place, alias in enumerate(item.get("aliases", ())):
            yield from _refused(("aliases", place), alias, visible_text)
    if {"since", "until"} <= columns and not Period.is_forward(
        moment_in(item, "since"), moment_in(item, "until")
    ):
        yield Problem(("until",), '"until" lies before "since"')
    if {"validFrom", "validTo"} <= columns and not is_forward_in_world(
        world_time_in(item, "validFrom"), world_time_in(item, "validTo")
    ):
        yield Problem(("validTo",), '"validTo" lies before "validFrom"')
    yield from _open_box(item, type_)


def _open_box(item: dict[str, Any], type_: NodeType | EdgeType) -> Iterator[Problem]:
    """The problems with values that are stored as attributes or properties."""
    columns = type_.columns
    box = "attributes" if isinstance(type_, NodeType) else "properties"
    opened = item.get(box, {}) if box in columns else {}
    for name in opened:
        if name in type_.properties and name not in columns:
            yield Problem((box, name), f'"{name}" is declared: give it beside "type", not in "{box}"')
    rest = {name: value for name, value in item.items() if name not in columns and name not in OF_THE_ITEM}
    for steps, inside in (((), rest), ((box,), opened)):
        if inside:
            yield from _refused(steps, inside, safe_json)
            if isinstance(type_, EdgeType) or type_.key == EVENT:
                yield from _no_place(steps, inside)


def _no_place(steps: tuple[PathPart, ...], inside: Mapping[str, Any]) -> Iterator[Problem]:
    """The problem that chapter and scene are not a valid moment, if so."""
    try:
        place_in(inside)
    except InvalidInput as error:
        field = str((error.details or {})["field"])
        yield Problem((*steps, field), error.message.removesuffix("."))


def _refused(steps: tuple[PathPart, ...], value: Any, rule: Any) -> Iterator[Problem]:
    try:
        rule(value)
    except ValueError as error:
        yield from not_json(value, steps, str(error))


def _bad_identity(steps: tuple[PathPart, ...], identity: Mapping[str, Any], name: str) -> Iterator[Problem]:
    for field, value in identity.items():
        if isinstance(value, str):
            yield from _refused((*steps, field), value, visible_text)
    if len(name) > MAX_NAME:
        yield Problem(steps, f"the identity must have at most {MAX_NAME} characters together")


def _without_doubtful(
    value: Any,
    places: set[tuple[int, PathPart]],
    reading: YamlReading,
    steps: tuple[PathPart, ...],
    scalars: dict[tuple[PathPart, ...], Any],
) -> Any:
    """A copy with an empty mapping in place of every doubtful scalar, which no schema takes for a string."""
    if not isinstance(value, dict | list):
        return value
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    copied: dict[PathPart, Any] = {}
    for step, item in inside:
        if (id(value), step) in places:
            scalars[(*steps, step)] = reading.scalar(value, step)
            copied[step] = {}
        else:
            copied[step] = _without_doubtful(item, places, reading, (*steps, step), scalars)
    return copied if isinstance(value, dict) else list(copied.values())


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two items are the same JSON; 1 and True are equal in Python, but not in JSON."""
    texts = [json.dumps({"action": "upsert", **item}, sort_keys=True) for item in (one, other)]
    return texts[0] == texts[1]
