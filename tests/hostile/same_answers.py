"""What an answer says, for comparing the answers of two stories."""

from __future__ import annotations

import re
from typing import Any

import orjson

# What says how a thing is kept, or how well it fits, and not what it is.
ASIDE = frozenset({"version", "updated_at", "query_cost_ms", "withheld", "revision"})
ASIDE |= {"updatedAt", "score", "reasons", "loss", "answers", "weight"}
# A receipt is named after the revision, too.
ASIDE |= {"receipt_id", "receiptId"}
COUNTED = re.compile(r"'(?:score|left_out_count)': [\d.]+|\b[0-9a-f]{32}\b")


def plain(said: str) -> Any:
    """Return an answer without how it is kept, and in whatever order."""
    try:
        return _sorted(orjson.loads(said))
    except orjson.JSONDecodeError:
        return COUNTED.sub("", said)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(item) for key, item in sorted(value.items()) if key not in ASIDE}
    if isinstance(value, list):
        return sorted((_sorted(item) for item in value), key=orjson.dumps)
    return value
