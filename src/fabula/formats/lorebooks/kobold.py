"""World info of KoboldAI and Kobold Lite: lists, saved stories, and the version with folders."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.columns import Column, Family, FieldPlace, RawEntry, column, flag, number, text
from fabula.formats.lorebooks.keys import joined_by_commas, keys_between_commas
from fabula.formats.lorebooks.layout import Layout, first_object
from fabula.formats.lorebooks.overlay import keywords_of

_NOT_ANY = 2


def _title(value: Any) -> Any:
    return text(value) if value else text(None)


def _completed(found: RawEntry, view: RawEntry, _: Any) -> RawEntry:
    """Without secondary keys, the words that keep an entry out are secondary keys that must be absent."""
    against = keys_between_commas(found.get("keyanti"))
    has_secondary = view["selective"] is True and bool(keywords_of(view["keysecondary"]))
    if isinstance(against, list) and keywords_of(against) and not has_secondary:
        return {**view, "keysecondary": against, "selective": True, "selectiveLogic": _NOT_ANY}
    return view


def _taken(found: RawEntry, changes: RawEntry, _: Any) -> RawEntry:
    """Write secondary keys to the field that has their logic; keys keep the form they have, text or list."""
    if not {"keysecondary", "selectiveLogic", "selective"} & changes.keys():
        return changes
    view = FAMILY.view(found)
    keys = changes.pop("keysecondary", view["keysecondary"])
    logic = changes.pop("selectiveLogic", view["selectiveLogic"])
    is_asked = changes.pop("selective", view["selective"]) is True
    if logic == _NOT_ANY and is_asked:
        _put_keys(found, "keyanti", keys)
        _put_keys(found, "keysecondary", [])
        return changes
    _put_keys(found, "keysecondary", keys)
    if keys:
        found["selective"] = is_asked
    if not keys or view["selectiveLogic"] == _NOT_ANY:
        _put_keys(found, "keyanti", [])
    return changes


def _put_keys(found: RawEntry, name: str, keys: Any) -> None:
    if keys or found.get(name):
        found[name] = keys if isinstance(found.get(name), list) else joined_by_commas(keys)


FAMILY = Family(
    name="kobold",
    columns=(
        column("key", "key", keys_between_commas, joined_by_commas),
        column("keysecondary", "keysecondary", keys_between_commas, joined_by_commas),
        Column("comment", (FieldPlace(("comment",), _title), FieldPlace(("title",), _title))),
        column("content", "content", text),
        column("constant", "constant", flag),
        column("selective", "selective", flag),
        column("probability", "probability", number),
        column("disable", "widisabled", flag),
    ),
    blank={
        "key": "",
        "keysecondary": "",
        "keyanti": "",
        "content": "",
        "comment": "",
        "folder": None,
        "selective": False,
        "constant": False,
        "probability": 100,
        "wigroup": "",
        "widisabled": False,
    },
    defaults={"selective": False, "matchWholeWords": False},
    ignored=frozenset({"use_wpp", "wpp"}),
    runs=frozenset({"keyanti"}),
    completed=_completed,
    taken=_taken,
)
_SETTINGS = {"scanDepth": 1000, "recursive": False, "matchWholeWords": False}


def _is_entry(found: dict[str, Any]) -> bool:
    is_own = "uid" not in found or "folder" in found
    return isinstance(found.get("key"), str | list) and "content" in found and is_own


LIST = Layout(
    format="kobold",
    program="KoboldAI",
    family=FAMILY,
    matches=lambda found: isinstance(found, list) and _is_entry(first_object(found)),
    entries=None,
    blank=[],
    settings=_SETTINGS,
)
SAVED = Layout(
    format="kobold-save",
    program="KoboldAI story",
    family=FAMILY,
    matches=lambda found: isinstance(found, dict) and isinstance(found.get("worldinfo"), list),
    entries="worldinfo",
    blank={"worldinfo": []},
    settings=_SETTINGS,
)
UNITED = Layout(
    format="kobold-united",
    program="KoboldAI United",
    family=FAMILY,
    matches=lambda found: (
        isinstance(found, dict)
        and isinstance(found.get("worldinfo_v2"), dict)
        and isinstance(found["worldinfo_v2"].get("entries"), dict)
    ),
    container=("worldinfo_v2",),
    is_keyed=True,
    blank={"worldinfo_v2": {"folders": {}, "entries": {}}},
    settings=_SETTINGS,
)
FOLDERS = Layout(
    format="kobold-folders",
    program="KoboldAI United",
    family=FAMILY,
    matches=lambda found: (
        isinstance(found, dict) and "folders" in found and isinstance(found.get("entries"), dict)
    ),
    is_keyed=True,
    blank={"folders": {}, "entries": {}},
    settings=_SETTINGS,
)
