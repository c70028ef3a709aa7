"""Finds the parts of a value that are not storable JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from fabula.formats.bundle_words import MAX_SHOWN, Problem, quoted
from fabula.formats.safe_yaml import PathPart
from fabula.model.wire import MAX_JSON_BYTES, MAX_JSON_DEPTH, safe_json

# Open JSON counts at least 8 characters per value, and an item has little else.
MOST_VALUES = MAX_JSON_BYTES // 8 + 1_000

_DEEPEST = MAX_JSON_DEPTH + 2


def is_vast(value: Any) -> bool:
    """Whether a value is larger than any valid item, so that listing all its errors would take too long."""
    count = 0
    waiting = [value]
    while waiting and count <= MOST_VALUES:
        inside = waiting.pop()
        if isinstance(inside, dict | list):
            count += len(inside)
            waiting.extend(inside.values() if isinstance(inside, dict) else inside)
    return count > MOST_VALUES


def not_json(value: Any, steps: tuple[PathPart, ...], otherwise: str = "is not JSON") -> list[Problem]:
    """The problems at the places of a value that are not storable; at the value itself if none is found."""
    places = list(islice(_unsafe(value, steps), MAX_SHOWN))
    if places:
        return places
    subject = quoted(steps) if steps else "the item"
    return [Problem(steps, f"{subject} {otherwise}")]


def _unsafe(value: Any, steps: tuple[PathPart, ...]) -> Iterator[Problem]:
    if len(steps) > _DEEPEST:
        yield Problem(steps, f"is nested deeper than {MAX_JSON_DEPTH} levels")
    elif type(value) is dict:
        for key, inside in value.items():
            if isinstance(key, str):
                yield from _refused((*steps, key), {key: None})
                yield from _unsafe(inside, (*steps, key))
            else:
                yield Problem(steps, f"has a key that is not text but a {type(key).__name__}")
    elif type(value) in (list, tuple):
        for place, inside in enumerate(value):
            yield from _unsafe(inside, (*steps, place))
    else:
        yield from _refused(steps, {"value": value})


def _refused(steps: tuple[PathPart, ...], value: dict[str, Any]) -> Iterator[Problem]:
    try:
        safe_json(value)
    except ValueError as error:
        yield Problem(steps, str(error))
