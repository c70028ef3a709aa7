"""Memory books of Agnai, with wildcards in their keywords."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.columns import ABSENT, Family, column, flag, negated, number, text
from fabula.formats.lorebooks.keys import from_wildcards, key_list, to_wildcards
from fabula.formats.lorebooks.layout import Layout

_PLACES = {"before_char": 0, "after_char": 1}


def _place(value: Any) -> Any:
    return _PLACES.get(value, ABSENT) if isinstance(value, str) else ABSENT


FAMILY = Family(
    name="agnai",
    columns=(
        column("key", "keywords", from_wildcards, to_wildcards),
        column("keysecondary", "secondaryKeys", key_list),
        column("comment", "name", text),
        column("content", "entry", text),
        column("disable", "enabled", negated, negated),
        column("constant", "constant", flag),
        column("selective", "selective", flag),
        column("order", "priority", number),
        column("position", "position", _place, lambda place: "before_char" if place == 0 else "after_char"),
    ),
    blank={"name": "", "entry": "", "keywords": [], "priority": 100, "weight": 100, "enabled": True},
    defaults={"matchWholeWords": True, "selective": False},
    ignored=frozenset({"weight"}),
)
LAYOUT = Layout(
    format="agnai",
    program="Agnai",
    family=FAMILY,
    matches=lambda found: isinstance(found, dict) and found.get("kind") == "memory",
    blank={"kind": "memory", "_id": "", "name": "", "description": "", "userId": "", "entries": []},
    columns=(
        column("name", "name", text),
        column("scanDepth", "scanDepth", number),
        column("recursive", "recursiveScanning", flag),
        column("budgetCap", "tokenBudget", number),
    ),
)
