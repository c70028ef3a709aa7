"""Books inside character cards, and the same books as files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabula.formats.lorebooks.columns import (
    ABSENT,
    Column,
    Family,
    FieldPlace,
    RawEntry,
    column,
    flag,
    negated,
    text,
)
from fabula.formats.lorebooks.columns import number as number_of
from fabula.formats.lorebooks.decorators import decorated, without_decorators
from fabula.formats.lorebooks.keys import key_list
from fabula.formats.lorebooks.layout import Layout, first_object

_PLACES = {"before_char": 0, "after_char": 1}
_OWN_NAMES = {"selectiveLogic": "selectiveLogic", "useProbability": "useProbability"}
# The fields of World Info that SillyTavern writes into the extensions of an entry.
_EXTENDED = (
    "excludeRecursion",
    "probability",
    "useProbability",
    "depth",
    "selectiveLogic",
    "outletName",
    "group",
    "groupOverride",
    "groupWeight",
    "preventRecursion",
    "delayUntilRecursion",
    "scanDepth",
    "matchWholeWords",
    "useGroupScoring",
    "role",
    "sticky",
    "cooldown",
    "delay",
    "matchPersonaDescription",
    "matchCharacterDescription",
    "matchCharacterPersonality",
    "matchCharacterDepthPrompt",
    "matchScenario",
    "matchCreatorNotes",
    "triggers",
    "ignoreBudget",
)


def _snake(name: str) -> str:
    return _OWN_NAMES.get(name) or "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def _place_number(value: Any) -> Any:
    return value if isinstance(value, int) and not isinstance(value, bool) else ABSENT


def _place_of_word(value: Any) -> Any:
    return _PLACES.get(value, ABSENT) if isinstance(value, str) else ABSENT


def _word_of_place(value: Any) -> str:
    return "before_char" if value == 0 else "after_char"


def _title(value: Any) -> Any:
    return value if isinstance(value, str) and value.strip() else ABSENT


COLUMNS = (
    column("key", "keys", key_list),
    column("keysecondary", "secondary_keys", key_list),
    Column("comment", (FieldPlace(("comment",), _title), FieldPlace(("name",), _title))),
    column("content", "content", text),
    column("constant", "constant", flag),
    column("selective", "selective", flag),
    column("order", "insertion_order", number_of),
    column("disable", "enabled", negated, negated),
    Column(
        "position",
        (
            FieldPlace(("extensions", "position"), _place_number),
            FieldPlace(("position",), _place_of_word, _word_of_place, is_mirror=True),
        ),
    ),
    Column(
        "caseSensitive",
        (
            FieldPlace(("extensions", "case_sensitive"), flag),
            FieldPlace(("case_sensitive",), flag, is_mirror=True),
        ),
    ),
    *(column(name, f"extensions.{_snake(name)}") for name in _EXTENDED),
)
BLANK: Mapping[str, Any] = {
    "keys": [],
    "secondary_keys": [],
    "comment": "",
    "content": "",
    "constant": False,
    "selective": True,
    "insertion_order": 100,
    "enabled": True,
    "position": "before_char",
    "extensions": {"position": 0},
}


def _decorated(found: RawEntry, view: RawEntry, _: Any) -> RawEntry:
    return decorated(found.get("content"), view)


def undecorated(found: RawEntry, changes: RawEntry, _: Any) -> RawEntry:
    """Take out the decorators that say otherwise than the changes; they stay changes of columns."""
    content = changes.get("content", found.get("content"))
    fields = changes.keys() - {"content"}
    if isinstance(content, str) and content.startswith("@@") and fields:
        if "content" in changes:
            changes["content"] = without_decorators(content, fields)
        else:
            found["content"] = without_decorators(content, fields)
    return changes


_DEFAULTS = {"position": 1, "selective": False}
_IGNORED = frozenset({"priority", "extensions.vectorized", "extensions.automation_id"})
FAMILY = Family(
    name="card", columns=COLUMNS, blank=BLANK, defaults=_DEFAULTS, ignored=_IGNORED, id_field="id"
)
FAMILY_V3 = Family(
    name="card",
    columns=COLUMNS,
    blank={**BLANK, "use_regex": False},
    defaults=_DEFAULTS,
    ignored=_IGNORED,
    completed=_decorated,
    taken=undecorated,
    id_field="id",
)
SETTINGS = (
    column("name", "name", text),
    column("scanDepth", "scan_depth", number_of),
    column("recursive", "recursive_scanning", flag),
    column("budgetCap", "token_budget", number_of),
)
_NAME = (column("name", "name", text),)


def _is_spec(spec: str) -> Any:
    return lambda found: (
        isinstance(found, dict) and found.get("spec") == spec and isinstance(found.get("data"), dict)
    )


_V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")


# The names that the fields of a first version had before: Pygmalion, Text generation web UI.
_BEFORE = {
    "char_name": "name",
    "char_persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "example_dialogue": "mes_example",
}


def first_version(found: dict[str, Any]) -> dict[str, Any]:
    """A card of the first version by its own names; what it says otherwise stays beside."""
    if "char_name" not in found:
        return found
    named = {_BEFORE[name]: value for name, value in found.items() if name in _BEFORE}
    return {**found, **dict.fromkeys(_V1_FIELDS, ""), **named}


def _is_v1(found: Any) -> bool:
    if isinstance(found, dict) and isinstance(found.get("char_name"), str):
        return any(isinstance(found.get(name), str) for name in (*_BEFORE,)[1:])
    if not isinstance(found, dict) or not isinstance(found.get("name"), str) or "entries" in found:
        return False
    return sum(isinstance(found.get(field), str) for field in _V1_FIELDS[1:]) >= 2


def _is_book(found: Any) -> bool:
    """Whether it is a book as in a card: entries with keys and an order, in a list or by number."""
    if not isinstance(found, dict) or not isinstance(found.get("entries"), list | dict):
        return False
    first = first_object(found["entries"])
    return "keys" in first and bool({"insertion_order", "extensions", "secondary_keys"} & first.keys())


def _is_empty_book(found: Any) -> bool:
    return isinstance(found, dict) and found.get("entries") == []


BLANK_DATA: Mapping[str, Any] = {
    "name": "",
    "description": "",
    "personality": "",
    "scenario": "",
    "first_mes": "",
    "mes_example": "",
    "creator_notes": "",
    "system_prompt": "",
    "post_history_instructions": "",
    "alternate_greetings": [],
    "tags": [],
    "creator": "",
    "character_version": "",
    "extensions": {},
}
# What a card of the third version has and one of the second has no field for.
ONLY_V3 = (
    "nickname",
    "creator_notes_multilingual",
    "source",
    "group_only_greetings",
    "creation_date",
    "modification_date",
    "assets",
)

V1 = Layout(
    format="card-v1",
    program="Character card V1",
    family=FAMILY,
    matches=_is_v1,
    container=("character_book",),
    blank=dict.fromkeys(_V1_FIELDS, ""),
    columns=_NAME,
    is_card=True,
)
V2 = Layout(
    format="card-v2",
    program="Character card V2",
    family=FAMILY,
    matches=_is_spec("chara_card_v2"),
    container=("data", "character_book"),
    blank={"spec": "chara_card_v2", "spec_version": "2.0", "data": BLANK_DATA},
    columns=_NAME,
    is_card=True,
)
V3 = Layout(
    format="card-v3",
    program="Character card V3",
    family=FAMILY_V3,
    matches=_is_spec("chara_card_v3"),
    container=("data", "character_book"),
    blank={
        "spec": "chara_card_v3",
        "spec_version": "3.0",
        "data": {**BLANK_DATA, "group_only_greetings": []},
    },
    columns=_NAME,
    is_card=True,
)
BOOK = Layout(
    format="character-book",
    program="Character book",
    family=FAMILY,
    matches=lambda found: _is_book(found) or _is_empty_book(found),
    blank={"extensions": {}, "entries": []},
    columns=SETTINGS,
)
LOREBOOK_V3 = Layout(
    format="lorebook-v3",
    program="Lorebook V3",
    family=FAMILY_V3,
    matches=_is_spec("lorebook_v3"),
    container=("data",),
    blank={"spec": "lorebook_v3", "data": {"extensions": {}, "entries": []}},
    columns=SETTINGS,
)
