"""JSON as YAML: the same but for one way to write rare characters."""

from __future__ import annotations

import json
import re

_PAIR = re.compile(rb"(?<!\\)((?:\\\\)*)(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})")


def json_as_yaml(data: bytes) -> bytes:
    """JSON that a reader of YAML takes for the same: a character written as two halves is written out."""
    return _PAIR.sub(lambda pair: pair[1] + json.loads(b'"' + pair[2] + b'"').encode(), data)
