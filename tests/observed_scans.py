"""The observed World Info scans: cases by feature, with the books they refer to."""

from __future__ import annotations

import json
import lzma
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "world_info" / "vectors"

Case = dict[str, Any]


def _lines(name: str) -> list[Any]:
    text = lzma.decompress((FOLDER / name).read_bytes()).decode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@cache
def cases() -> dict[str, list[Case]]:
    """All cases by feature, each with its book."""
    books = {row["name"]: row["book"] for row in _lines("books.jsonl.xz")}
    found: dict[str, list[Case]] = defaultdict(list)
    for case in _lines("cases.jsonl.xz"):
        if "book_ref" in case:
            case["book"] = books[case["book_ref"]]
        found[case["feature"]].append(case)
    return dict(found)


def expected(case: Case) -> list[dict[str, Any]]:
    """What was observed, turn by turn."""
    seen = case["expect"]
    return seen if isinstance(seen, list) else [seen]
