"""Books as lists of entries, with the fields of World Info in another spelling (NativeTavern and others)."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.columns import Column, Family, FieldPlace, column, flag, negated, number, text
from fabula.formats.lorebooks.keys import keys_between_commas
from fabula.formats.lorebooks.layout import Layout, first_object
from fabula.formats.lorebooks.overlay import DEFAULTS

_RENAMED = {"key", "keysecondary", "comment", "content", "disable", "constant", "selective", "order"}


def _title(value: Any) -> Any:
    return text(value) if value else text(None)


FAMILY = Family(
    name="nativetavern",
    columns=(
        Column(
            "key",
            (FieldPlace(("keys",), keys_between_commas), FieldPlace(("keywords",), keys_between_commas)),
        ),
        column("keysecondary", "secondaryKeys", keys_between_commas),
        Column("comment", tuple(FieldPlace((name,), _title) for name in ("comment", "name", "title"))),
        column("content", "content", text),
        Column(
            "disable",
            (FieldPlace(("enabled",), negated, negated), FieldPlace(("disable",), flag, is_mirror=True)),
        ),
        column("constant", "constant", flag),
        column("selective", "selective", flag),
        Column(
            "order", tuple(FieldPlace((name,), number) for name in ("insertionOrder", "order", "priority"))
        ),
        *(column(name) for name in DEFAULTS if name not in _RENAMED),
    ),
    blank={
        "keys": [],
        "content": "",
        "enabled": True,
        "constant": False,
        "insertionOrder": 100,
        "comment": "",
    },
    defaults={"position": 1},
    ignored=frozenset({"vectorized", "automationId"}),
    id_field="id",
)


def _matches(found: Any) -> bool:
    if not isinstance(found, dict) or not isinstance(found.get("entries"), list):
        return False
    first = first_object(found["entries"])
    return "entryKey" not in first and "content" in first and bool({"keys", "keywords"} & first.keys())


LAYOUT = Layout(
    format="nativetavern",
    program="NativeTavern",
    family=FAMILY,
    matches=_matches,
    blank={"name": "", "description": "", "entries": []},
    columns=(column("name", "name", text),),
)
