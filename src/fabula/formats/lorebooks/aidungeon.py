"""Story cards and the older world info of AI Dungeon."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.columns import Column, Family, FieldPlace, column, text
from fabula.formats.lorebooks.keys import joined_by_commas, keys_between_commas
from fabula.formats.lorebooks.layout import Layout, first_object

FAMILY = Family(
    name="aidungeon",
    columns=(
        column("key", "keys", keys_between_commas, joined_by_commas),
        Column("comment", (FieldPlace(("title",), text), FieldPlace(("name",), text))),
        Column("content", (FieldPlace(("value",), text), FieldPlace(("entry",), text))),
    ),
    blank={
        "keys": "",
        "value": "",
        "type": "custom",
        "title": "",
        "description": "",
        "useForCharacterCreation": False,
    },
    defaults={"matchWholeWords": False},
    ignored=frozenset({"useForCharacterCreation"}),
)
_SETTINGS = {"scanDepth": 4, "recursive": False, "matchWholeWords": False}


def _is_cards(found: Any) -> bool:
    first = first_object(found) if isinstance(found, list) else {}
    return "keys" in first and bool({"value", "entry"} & first.keys()) and "content" not in first


CARDS = Layout(
    format="aidungeon",
    program="AI Dungeon",
    family=FAMILY,
    matches=_is_cards,
    entries=None,
    blank=[],
    settings=_SETTINGS,
)
ADVENTURE = Layout(
    format="aidungeon-adventure",
    program="AI Dungeon",
    family=FAMILY,
    matches=lambda found: isinstance(found, dict) and isinstance(found.get("storyCards"), list),
    entries="storyCards",
    blank={"storyCards": []},
    settings=_SETTINGS,
)
