"""Makes JSON readable as YAML, which does not know surrogate pairs."""

from __future__ import annotations

import json
import re

_LISTS_OR_OBJECTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]")
_PAIR = re.compile(rb"(?<!\\)((?:\\\\)*)(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})")


def json_as_yaml(data: bytes) -> bytes:
    """The data with the escaped surrogate pairs of JSON replaced by their characters."""
    if not _has_halves(data):
        return data
    return _PAIR.sub(lambda pair: pair[1] + json.loads(b'"' + pair[2] + b'"').encode(), data)


def _has_halves(data: bytes) -> bool:
    """Whether the data is JSON with escaped surrogate pairs."""
    if _LISTS_OR_OBJECTS.match(data) is None or _PAIR.search(data) is None:
        return False
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True
