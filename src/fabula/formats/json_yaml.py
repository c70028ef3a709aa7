"""JSON as YAML: the same but for one way to write rare characters."""

from __future__ import annotations

import json
import re

_LISTS_OR_OBJECTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")
_PAIR = re.compile(rb"(?<!\\)((?:\\\\)*)(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})")


def json_as_yaml(data: bytes) -> bytes:
    """Data that a reader of YAML takes for the same: in JSON, a character in two halves is written out."""
    if not _has_halves(data):
        return data
    return _PAIR.sub(lambda pair: pair[1] + json.loads(b'"' + pair[2] + b'"').encode(), data)


def _has_halves(data: bytes) -> bool:
    """Whether data is JSON, where a backslash is an escape wherever it stands, with such characters."""
    if _LISTS_OR_OBJECTS.match(data) is None or _PAIR.search(data) is None:
        return False
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
