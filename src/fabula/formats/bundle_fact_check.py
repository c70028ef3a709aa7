"""What is wrong with the states, names, knowings, tellings and reveals of a bundle beyond their schemas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from fabula.formats.bundle import NodeRef, moment_in, world_time_in
from fabula.formats.bundle_facts import KNOWING, NAME, REVEAL, STATE, TELLING, Item, Steps, facts_in_item
from fabula.formats.bundle_words import Problem, shown
from fabula.formats.unsafe_json import not_json
from fabula.model.event import EVENT
from fabula.model.knowing import KNOW_NOTHING
from fabula.model.relation import Period
from fabula.model.validity import is_forward_in_world
from fabula.model.wire import safe_json, safe_text, visible_text

_TEXTS: tuple[Steps, ...] = (("description",), ("belief",), ("source", "quotation"))


class Labels:
    """The labels that the states of a bundle have, and the reveals seen so far."""

    def __init__(self, data: list[Any], words: Collection[str]) -> None:
        self._labelled: dict[str, int] = {}
        for index, item in enumerate(data):
            if STATE in words and isinstance(item, dict) and item.get("type") == STATE:
                label = item.get("label")
                if isinstance(label, str):
                    self._labelled.setdefault(label, index)

    def problems(self, index: int, item: Item) -> Iterator[Problem]:
        """A label that two states have, and one that no state has."""
        label = item.get("label")
        first = self._labelled.get(label, index) if isinstance(label, str) else index
        if first != index and item.get("type") == STATE:
            yield Problem(("label",), f"the state at [{first}] has the label {shown(label)} already")
        for steps, fact in facts_in_item(item):
            named = fact.get("state")
            if isinstance(named, str) and named not in self._labelled:
                yield Problem((*steps, "state"), f"no state in this bundle has the label {shown(named)}")


def fact_problems(item: Item, refs: Mapping[Steps, NodeRef]) -> Iterator[Problem]:
    """The problems of an item that fits its schema; `refs` are the nodes it names."""
    for steps in _TEXTS:
        yield from _refused(steps, _at(item, steps), safe_text)
    if item["type"] == NAME:
        yield from _refused(("name",), item["name"], visible_text)
    if "attributes" in item:
        yield from _refused(("attributes",), item["attributes"], safe_json)
    if not Period.is_forward(moment_in(item, "since"), moment_in(item, "until")):
        yield Problem(("until",), '"until" lies before "since"')
    if not is_forward_in_world(world_time_in(item, "validFrom"), world_time_in(item, "validTo")):
        yield Problem(("validTo",), '"validTo" lies before "validFrom"')
    yield from _RULES[item["type"]](item, refs)


def _state(item: Item, refs: Mapping[Steps, NodeRef]) -> Iterator[Problem]:
    if not item.get("description", "").strip() and not item.get("attributes"):
        yield Problem((), 'a state says something in "description" or "attributes"')


def _knowing(item: Item, refs: Mapping[Steps, NodeRef]) -> Iterator[Problem]:
    if item.get("belief", "").strip() and not item.get("knows", True):
        yield Problem(("belief",), 'give a "belief", or "knows: false", but not both')
    yield from _knowers(refs, "knower")
    event = refs.get(("source", "event"))
    if event is not None and event.type_key != EVENT:
        yield Problem(("source", "event"), f"'{event.type_name}' is not the type of an event")


def _telling(item: Item, refs: Mapping[Steps, NodeRef]) -> Iterator[Problem]:
    event = refs["event",]
    if event.type_key != EVENT:
        yield Problem(("event",), f"'{event.type_name}' is not the type of an event")


def _reveal(item: Item, refs: Mapping[Steps, NodeRef]) -> Iterator[Problem]:
    two = [refs["entities", place] for place in (0, 1)]
    if two[0].address == two[1].address:
        yield Problem(("entities",), "must be two different entities")
    for place, node in enumerate(two):
        if node.type_key == EVENT:
            yield Problem(("entities", place), "an event is not somebody who turns out to be another")


def _nothing_more(item: Item, refs: Mapping[Steps, NodeRef]) -> Iterator[Problem]:
    yield from ()


def _knowers(refs: Mapping[Steps, NodeRef], field: str) -> Iterator[Problem]:
    for steps, node in refs.items():
        if steps[0] == field and node.type_key in KNOW_NOTHING:
            yield Problem(steps, f"a '{node.type_name}' knows nothing: give a character or a faction")


_RULES: dict[str, Callable[[Item, Mapping[Steps, NodeRef]], Iterator[Problem]]] = {
    STATE: _state,
    NAME: _nothing_more,
    KNOWING: _knowing,
    TELLING: _telling,
    REVEAL: _reveal,
}


def _at(item: Item, steps: Steps) -> Any:
    value: Any = item
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _refused(steps: Steps, value: Any, rule: Callable[[Any], object]) -> Iterator[Problem]:
    if value is None:
        return
    try:
        rule(value)
    except ValueError as error:
        yield from not_json(value, steps, str(error))
