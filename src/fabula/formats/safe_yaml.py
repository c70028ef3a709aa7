"""Parses untrusted YAML into plain data."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import yaml

from fabula.collector import collector_paused
from fabula.errors import InvalidInput, PayloadTooLarge
from fabula.formats.json_yaml import json_as_yaml
from fabula.formats.plain_scalars import Scalar, plain_value

Container = dict[str, Any] | list[Any]
PathPart = str | int

_QUICKEST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_KEY: Any = object()
_SHOWN = 60


class YamlLimits(NamedTuple):
    """The limits of a file: bytes, nesting levels, values of any kind, and doubtful scalars."""

    size: int = 64 * 1024 * 1024
    depth: int = 40
    values: int = 3_000_000
    doubtful: int = 500_000


class YamlReading(NamedTuple):
    """The data of a file, with details of how it was written.

    `lines` has the first line of every item of the top-level list. `scalars` has the spelling of unquoted
    scalars whose values do not show it, by the id of the container and the key in it. `doubtful` has, by
    item, the places of unquoted scalars that other readers take for something other than text.
    """

    value: Any
    lines: list[int]
    scalars: dict[tuple[int, PathPart], Scalar]
    doubtful: dict[int, list[tuple[Container, PathPart]]]

    def scalar(self, container: Container, step: PathPart) -> Scalar | None:
        """The spelling of an unquoted scalar, if its value does not show it."""
        return self.scalars.get((id(container), step))

    def line(self, index: int) -> int | None:
        """The line on which an item of the top-level list starts."""
        return self.lines[index] if index < len(self.lines) else None


DEFAULT_LIMITS = YamlLimits()


def read_yaml(data: bytes, limits: YamlLimits = DEFAULT_LIMITS, *, loader: Any = _QUICKEST) -> YamlReading:
    """The single document of a file as lists, dictionaries, strings, numbers, booleans and null.

    Anything that could hide a meaning or grow without bound is refused: aliases, anchors, merge keys, tags,
    duplicate keys, keys that are not strings, further documents, deep nesting, numbers beyond 64 bits.
    """
    text = _decoded(data, limits.size)
    with collector_paused():
        parser = loader(text)
        try:
            return _Builder(parser, limits).reading()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            problem = error.problem or error.context or "is not YAML"
            raise _refusal(problem, mark, _cure(problem)) from None
        except yaml.YAMLError as error:
            raise _refusal(str(error).splitlines()[0], None, None) from None
        finally:
            parser.dispose()


def _decoded(data: bytes, limit: int) -> str:
    if len(data) > limit:
        raise PayloadTooLarge(
            f"The file has {len(data):,} bytes; {limit:,} are allowed.", details={"limit": limit}
        )
    data = json_as_yaml(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidInput(
            f"YAML error at line {line}: byte {data[error.start]:#04x} is not UTF-8.",
            details={"line": line},
            suggestion="Save the file as UTF-8 and send it again.",
        ) from None
    found = _UNPRINTABLE.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise InvalidInput(
            f"YAML error at line {line}: the character U+{ord(found[0]):04X} is not allowed.",
            details={"line": line},
            suggestion="Save the file as UTF-8 text without control characters.",
        )
    return text


def _refusal(problem: str, mark: Any, suggestion: str | None) -> InvalidInput:
    if mark is None:
        return InvalidInput(f"YAML error: {problem}.", suggestion=suggestion)
    line, column = mark.line + 1, mark.column + 1
    return InvalidInput(
        f"YAML error at line {line}, column {column}: {problem}.",
        details={"line": line, "column": column},
        suggestion=suggestion or "Correct the line; quote texts with ': ' or ' #', or a symbol at the start.",
    )


def _cure(problem: str) -> str | None:
    return "Indent with spaces, never with tabs." if "\\t" in problem or "tab" in problem else None


def _clip(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class _Builder:
    """Builds the data in one pass over the parser's events, with a stack of open containers."""

    def __init__(self, parser: Any, limits: YamlLimits) -> None:
        self.next_event = parser.get_event
        self.limits = limits
        self.lines: list[int] = []
        self.scalars: dict[tuple[int, PathPart], Scalar] = {}
        self.doubtful: dict[int, list[tuple[Container, PathPart]]] = {}

    def reading(self) -> YamlReading:
        root: list[Any] = []
        while True:
            event = self.next_event()
            if isinstance(event, yaml.DocumentStartEvent):
                self._start(event, root)
                self._fill(root)
            elif isinstance(event, yaml.StreamEndEvent):
                break
        return YamlReading(root[0] if root else None, self.lines, self.scalars, self.doubtful)

    def _start(self, event: Any, root: list[Any]) -> None:
        if root:
            raise _refusal(
                "a second document begins here", event.start_mark, "Put everything in one document."
            )
        if event.tags:
            raise _refusal("tags are not allowed", event.start_mark, "Remove the %TAG line.")

    def _fill(self, root: list[Any]) -> None:  # noqa: C901, PLR0912, PLR0915 - calls would double the time
        """Read one document and append its value to the list."""
        next_event, scalars = self.next_event, self.scalars
        scalar_event, map_start, list_start = (
            yaml.ScalarEvent,
            yaml.MappingStartEvent,
            yaml.SequenceStartEvent,
        )
        most_values, most_levels = self.limits.values, self.limits.depth
        most_doubtful = self.limits.doubtful
        stack: list[tuple[Container, Any]] = []
        known: dict[str, str] = {}
        container: Any = root
        key: Any = 0
        is_map = False
        count = 0
        while True:
            event: Any = next_event()
            kind = type(event)
            if kind is scalar_event:
                text = event.value
                is_plain = event.implicit[0]
                if event.anchor is not None or event.tag is not None:
                    raise self._marked(event)
                if is_map and key is _NO_KEY:
                    if text in container or (is_plain and (text == "<<" or not text)):
                        raise self._bad_key(event, text, container)
                    key = known.setdefault(text, text)
                    continue
                value: Any = text
                if is_plain:
                    try:
                        value, scalar, doubtful = plain_value(text)
                    except ValueError as error:
                        raise _refusal(
                            f"{_clip(text)} is {error}", event.start_mark, "Quote it if it is a text."
                        ) from None
                    if scalar is not None and (doubtful or len(scalars) < most_doubtful):
                        if len(scalars) >= most_doubtful:
                            raise _refusal(
                                f"more than {most_doubtful:,} words like {_clip(text)} that not all YAML "
                                "readers take for text",
                                event.start_mark,
                                "Put them in quotes.",
                            )
                        scalars[id(container), key] = scalar
                        if doubtful and len(stack) > 1:
                            # A container is added to its list when it starts: the current item is the last.
                            self.doubtful.setdefault(len(stack[1][0]) - 1, []).append((container, key))
            elif kind is map_start or kind is list_start:
                if event.anchor is not None or event.tag is not None:
                    raise self._marked(event)
                if is_map and key is _NO_KEY:
                    raise _refusal(
                        "a key must be a text", event.start_mark, "Quote keys that begin with [ or {."
                    )
                if len(stack) >= most_levels:
                    raise _refusal(
                        f"nested deeper than {most_levels} levels", event.start_mark, "Use fewer levels."
                    )
                value = {} if kind is map_start else []
            elif kind is yaml.AliasEvent:
                raise self._marked(event)
            else:  # the end of a mapping, a sequence, or the document
                if not stack:
                    return
                container, key = stack.pop()
                is_map = type(container) is dict
                if is_map:
                    key = _NO_KEY
                continue
            count += 1
            if count > most_values:
                raise _refusal(
                    f"more than {most_values:,} values", event.start_mark, "Send it in several files."
                )
            if is_map:
                container[key] = value
                key = _NO_KEY
            else:
                if len(stack) == 1:
                    self.lines.append(event.start_mark.line + 1)
                container.append(value)
                key = len(container)
            if kind is not scalar_event:
                stack.append((container, key))
                container = value
                is_map = kind is map_start
                key = _NO_KEY if is_map else 0

    def _marked(self, event: Any) -> InvalidInput:
        if event.anchor is not None:
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            return _refusal(
                f"aliases and anchors are not allowed ({sign}{_clip(event.anchor)})",
                event.start_mark,
                f"Write the value out, or quote the text if it only begins with {sign}.",
            )
        return _refusal(
            f"tags are not allowed ({_clip(event.tag)})",
            event.start_mark,
            "Remove the tag, or quote the text if it only begins with !.",
        )

    def _bad_key(self, event: Any, text: str, container: dict[str, Any]) -> InvalidInput:
        if text in container:
            return _refusal(
                f"the key '{_clip(text)}' appears twice in one mapping",
                event.start_mark,
                "Keep one of the two.",
            )
        if text:
            return _refusal(
                "merge keys (<<) are not allowed", event.start_mark, "Write the keys out in place."
            )
        return _refusal("a key is missing before ':'", event.start_mark, "Give the key a name.")
