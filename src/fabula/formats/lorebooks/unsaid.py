"""What a format that speaks Fabula's fields cannot say of an entry from another program."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.formats.lorebooks.overlay import DEFAULTS, EntryFields, kept_world_info
from fabula.formats.lorebooks.values import Loss

_SAID = frozenset(
    {
        "key",
        "keysecondary",
        "selective",
        "selectiveLogic",
        "comment",
        "content",
        "constant",
        "order",
        "position",
        "disable",
        "caseSensitive",
        "matchWholeWords",
        "addMemo",
        "depth",
        "role",
    }
)


def unsaid_fields(entry: EntryFields, family: str) -> Iterator[Loss]:
    """The fields of an entry's World Info object that have an effect and no counterpart."""
    kept = None if family in entry.extensions else kept_world_info(entry.extensions)
    for name, value in (kept or {}).items():
        if name in DEFAULTS and name not in _SAID and value != DEFAULTS[name] and (value or DEFAULTS[name]):
            yield Loss(entry.entry_key, name, "left_out")
