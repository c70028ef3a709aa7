"""Reads JSON from strangers: any common encoding, bounded size and depth."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import orjson

from fabula.errors import InvalidInput, PayloadTooLarge
from fabula.formats.novel_text import decoded

MAX_BYTES = 64 << 20
MAX_DEPTH = 100

_HALF = re.compile("[\ud800-\udfff]")


def json_value(data: bytes) -> Any:
    """The value of a JSON file; InvalidInput or PayloadTooLarge if it cannot be used."""
    if len(data) > MAX_BYTES:
        raise PayloadTooLarge(
            f"The file has {len(data):,} bytes; {MAX_BYTES:,} are allowed.",
            details={"limit": MAX_BYTES, "reason": "file_too_large"},
            suggestion="Split the lorebook into several files.",
        )
    try:
        value = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        value = _in_another_encoding(data, error)
    if _is_deep(value):
        raise InvalidInput(
            f"The file is nested deeper than {MAX_DEPTH} levels.",
            details={"limit": MAX_DEPTH, "reason": "too_deep"},
            suggestion="Export it again from the program that made it.",
        )
    return value


def _in_another_encoding(data: bytes, error: ValueError) -> Any:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = decoded(data).text
    try:
        return orjson.loads(text)
    except ValueError as other:
        error = other
    if "surrogate" in str(error):
        try:
            return _without_halves(text)
        except (ValueError, RecursionError):
            pass
    raise InvalidInput(
        f"The file is no valid JSON: {str(error)[:200]}.",
        details={"field": "data", "reason": "no_json"},
        suggestion="It may be cut off or damaged: export it again from the program that made it.",
    ) from None


def _without_halves(text: str) -> Any:
    """The value of a text in which characters were cut in two, as programs that count UTF-16 units do."""
    value = json.loads(text, parse_constant=_refused)
    whole = _HALF.sub("\ufffd", json.dumps(value, ensure_ascii=False, allow_nan=False))
    return orjson.loads(whole)


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _is_deep(value: Any) -> bool:
    """Whether a value is nested too deep, found level by level without recursion."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        for one in level:
            inside = one.values() if type(one) is dict else one
            below += [inner for inner in inside if type(inner) in (dict, list)]
        if not below:
            return False
        level = below
    return True
