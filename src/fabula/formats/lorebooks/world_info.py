"""World Info of SillyTavern: entries by number, each field as it is."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.columns import Family, RawEntry, column
from fabula.formats.lorebooks.layout import Layout, first_object
from fabula.formats.lorebooks.overlay import DEFAULTS, WORLD_INFO


def _taken(found: RawEntry, changes: RawEntry, _: Any) -> RawEntry:
    """Switch an entry on or off in the field that counts, and in the one that some programs write instead."""
    if "disable" in changes:
        found["disable"] = changes.pop("disable")
        if "enabled" in found:
            found["enabled"] = not found["disable"]
    return changes


FAMILY = Family(
    name=WORLD_INFO,
    columns=tuple(column(name) for name in DEFAULTS),
    blank=DEFAULTS,
    ignored=frozenset({"vectorized", "automationId"}),
    runs=frozenset({"enabled"}),
    taken=_taken,
    id_field="uid",
    is_raw=True,
)


def _matches(found: Any) -> bool:
    if not isinstance(found, dict) or "folders" in found:
        return False
    entries = found.get("entries")
    if isinstance(entries, dict):
        # A book of a card may have its entries by number, too.
        first = first_object(entries)
        return "key" in first or not {"keys", "extensions"} <= first.keys()
    return isinstance(entries, list) and "key" in first_object(entries) and "content" in first_object(entries)


LAYOUT = Layout(
    format="sillytavern",
    program="SillyTavern",
    family=FAMILY,
    matches=_matches,
    is_keyed=True,
    blank={"entries": {}},
    columns=(column("name"),),
)
