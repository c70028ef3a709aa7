"""The wording of bundle errors: where, what was found, and what to write instead."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabula.formats.nearest import nearest
from fabula.formats.plain_scalars import Scalar
from fabula.formats.safe_yaml import PathPart, YamlReading

MAX_SHOWN = 200

_SHOWN = 80
_LONGEST_STEP = 256
_PLAIN_STEP = re.compile(r"[^\W\d][\w-]*")
_TYPES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
    "null": "null",
}
_LIMITS = {
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
    "minItems": "must have at least {} items",
    "maxItems": "must have at most {} items",
    "minProperties": "must have at least {} keys",
    "maxProperties": "must have at most {} keys",
}


@dataclass(frozen=True, slots=True)
class BundleError:
    """One error of a bundle.

    `index` is that of the item in the bundle, `line` where the item starts in the file. `suggestion` is what
    to write instead, if that can be guessed.
    """

    index: int | None
    path: str
    message: str
    suggestion: str | None = None
    line: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """The error as doors return it, without empty fields."""
        parts = {
            "index": self.index,
            "path": self.path,
            "message": self.message,
            "suggestion": self.suggestion,
            "line": self.line,
        }
        return {name: value for name, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True)
class BundleErrors:
    """The first errors of a bundle, and their total; at most 200 are counted per item."""

    errors: tuple[BundleError, ...] = ()
    count: int = 0


class Problem(NamedTuple):
    """A problem at a place inside an item, before it becomes an error.

    `is_sentence` means that the words need no path before them, `hides_more` that no schema was checked.
    """

    steps: tuple[PathPart, ...]
    words: str
    suggestion: str | None = None
    is_sentence: bool = False
    hides_more: bool = False


def path_of(index: int, steps: Iterable[PathPart]) -> str:
    """The path of a place in a bundle: `[2].source.email`."""
    parts = [f"[{index}]"]
    for step in steps:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif len(step) <= _LONGEST_STEP and _PLAIN_STEP.fullmatch(step):
            parts.append(f".{step}")
        else:
            parts.append(f"[{_encodable(json.dumps(step[:_LONGEST_STEP], ensure_ascii=False))}]")
    return "".join(parts)


def as_error(index: int, problem: Problem, line: int | None = None) -> BundleError:
    """A problem as an error of the bundle."""
    path = path_of(index, problem.steps)
    message = problem.words if problem.is_sentence else f"Validation error at {path}: {problem.words}"
    return BundleError(index, path, _encodable(message), problem.suggestion, line)


def identity_words(identity: Mapping[str, Any]) -> str:
    """The identity of a node as text: `{doc_uri: "doc-001"}`."""
    return "{" + ", ".join(f"{field}: {shown(value)}" for field, value in identity.items()) + "}"


def shown(value: Any) -> str:
    """A value as quoted in a message: short, on one line."""
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    text = _encodable(json.dumps(value, ensure_ascii=False, default=lambda other: type(other).__name__))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def found(value: Any) -> str:
    """A value with its kind: `the number 5`."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, dict | list | tuple):
        return shown(value)
    kind = "text" if isinstance(value, str) else "boolean" if isinstance(value, bool) else "number"
    return f"the {kind} {shown(value)}"


def did_you_mean(word: str | None) -> str:
    """The question "Did you mean …?", if there is a suggestion."""
    return "" if word is None else f" Did you mean '{word}'?"


def problems_of(
    error: Any, item: Any, owner: str, known: Sequence[str], reading: YamlReading | None
) -> Iterator[Problem]:
    """A schema validation error in our wording; `owner` is the item's type, `known` its properties."""
    steps: tuple[PathPart, ...] = tuple(error.instance_path)
    kind, keyword = error.kind, error.kind.name
    if keyword == "required":
        yield Problem((*steps, kind.property), f'"{kind.property}" is required')
        return
    if keyword == "additionalProperties":
        for name in kind.unexpected:
            near = nearest(name, known) if not steps else None
            where = f"'{owner}'" if not steps else quoted(steps)
            words = f"{_name(name)} is not a property of {where}.{did_you_mean(near)}"
            yield Problem((*steps, name), words.removesuffix("."), near)
        return
    container, value = _place(item, steps)
    subject = quoted(steps) if steps else "the item"
    if keyword == "type":
        scalar = reading.scalar(container, steps[-1]) if reading is not None and steps else None
        yield _wrong_type(steps, subject, kind.types, value, scalar)
    elif keyword == "enum":
        yield _not_among(steps, subject, kind.options, value)
    else:
        yield Problem(steps, f"{subject} {_rule(kind, keyword, error)}; found {found(value)}")


def doubtful(steps: tuple[PathPart, ...], scalar: Scalar) -> Problem:
    """The problem of an unquoted scalar that other YAML readers take for something other than text."""
    return _unquoted(steps, quoted(steps), scalar)


def _wrong_type(
    steps: tuple[PathPart, ...], subject: str, types: Sequence[str], value: Any, scalar: Scalar | None
) -> Problem:
    asked = " or ".join(_TYPES.get(name, name) for name in types)
    if "string" in types:
        if isinstance(value, bool | int | float):
            kind = "boolean" if isinstance(value, bool) else "number"
            return _unquoted(steps, subject, scalar or Scalar(kind, json.dumps(value)), asked)
        if value is None:
            return Problem(steps, f'{subject} must be {asked}; it is empty: write "" or leave it out', '""')
    if scalar is not None and isinstance(value, str):
        cure = _plainer(types, scalar.text)
        hint = f", write {cure}" if cure else ""
        return Problem(steps, f"{subject} must be {asked}; {scalar.text} is taken for text{hint}", cure)
    return Problem(steps, f"{subject} must be {asked}; found {found(value)}")


def _unquoted(steps: tuple[PathPart, ...], subject: str, scalar: Scalar, asked: str = "a string") -> Problem:
    quoted = json.dumps(scalar.text, ensure_ascii=False)
    words = (
        f"{subject} must be {asked}; the unquoted YAML {scalar.kind} {scalar.text} must be quoted: {quoted}"
    )
    return Problem(steps, words, quoted)


def _plainer(types: Sequence[str], text: str) -> str | None:
    """The plain form of a doubtful scalar that is not meant as text."""
    if "boolean" in types:
        return {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(text.lower())
    if {"integer", "number"} & set(types):
        plain = text.replace("_", "").lstrip("+").lstrip("0") or "0"
        return plain if plain.isdecimal() else None
    return None


def _not_among(steps: tuple[PathPart, ...], subject: str, options: Sequence[Any], value: Any) -> Problem:
    texts = [option for option in options if isinstance(option, str)]
    near = nearest(value, texts) if isinstance(value, str) else None
    listed = ", ".join(shown(option) for option in options[:20]) + (", …" if len(options) > 20 else "")
    words = f"{subject} must be one of {listed}; found {found(value)}.{did_you_mean(near)}"
    return Problem(steps, words.removesuffix("."), near)


def _rule(kind: Any, keyword: str, error: Any) -> str:
    if keyword in _LIMITS:
        limit = kind.multiple_of if keyword == "multipleOf" else kind.limit
        return _LIMITS[keyword].format(limit)
    match keyword:
        case "pattern":
            known = getattr(kind, "pattern", None)
            return f"must match {known}" if known else "cannot be matched with its pattern"
        case "format":
            return f"must be a valid {kind.format}"
        case "const":
            return f"must be {shown(kind.expected_value)}"
        case "uniqueItems":
            return "must not have an item twice"
        case "anyOf" | "oneOf" | "not" | "contains" | "falseSchema":
            return "does not match any form that is allowed here"
    message = str(error.message)
    return f"is not valid ({message if len(message) <= _SHOWN else keyword})"


def _place(item: Any, steps: Sequence[PathPart]) -> tuple[Any, Any]:
    """The container and the value at a path in an item."""
    container, value = None, item
    for step in steps:
        container, value = value, value[step]
    return container, value


def quoted(steps: Sequence[PathPart]) -> str:
    """The last name of a path, with list indexes after it: `"aliases[0]"`."""
    last = max((place for place, step in enumerate(steps) if isinstance(step, str)), default=0)
    name = "".join(f"[{step}]" if isinstance(step, int) else step for step in steps[last:])
    return _name(name)


def _encodable(text: str) -> str:
    """The text with lone surrogates escaped."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _name(name: str) -> str:
    return f'"{name}"' if len(name) <= _SHOWN else f'"{name[:_SHOWN]}…"'
