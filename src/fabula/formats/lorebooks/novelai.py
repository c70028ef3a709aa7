"""Lorebooks and scenarios of NovelAI, all versions."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.columns import ABSENT, Family, RawEntry, column, flag, negated, number, text
from fabula.formats.lorebooks.keys import key_list
from fabula.formats.lorebooks.layout import Layout

_BOTTOM = -1


def _place(value: Any) -> Any:
    """Lines from the top, from the bottom, or right above the story."""
    said = number(value)
    if said is ABSENT:
        return ABSENT
    return 0 if said >= 0 else 5 if said >= _BOTTOM else 4


def _line(position: Any) -> Any:
    return 0 if position in (0, 1) else -5 if position == 4 else _BOTTOM


def _depth(value: Any) -> Any:
    said = number(value)
    return ABSENT if said is ABSENT or said >= _BOTTOM else int(-said) - 1


def _is_off(found: RawEntry, book: Any) -> bool:
    """Whether an entry stands in a category that is switched off."""
    categories = book.get("categories") if isinstance(book, dict) else None
    own = found.get("category")
    return bool(own) and any(
        one.get("id") == own and one.get("enabled") is False
        for one in (categories if isinstance(categories, list) else ())
        if isinstance(one, dict)
    )


def _completed(found: RawEntry, view: RawEntry, book: Any) -> RawEntry:
    return {**view, "disable": True} if _is_off(found, book) else view


def _taken(found: RawEntry, changes: RawEntry, book: Any) -> RawEntry:
    if changes.get("disable") is False and _is_off(found, book):
        found["category"] = ""
    is_at_depth = changes.get("position", FAMILY.view(found)["position"]) == 4
    return changes if is_at_depth else {name: said for name, said in changes.items() if name != "depth"}


FAMILY = Family(
    name="novelai",
    columns=(
        column("key", "keys", key_list),
        column("comment", "displayName", text),
        column("content", "text", text),
        column("disable", "enabled", negated, negated),
        column("constant", "forceActivation", flag),
        column("order", "contextConfig.budgetPriority", number),
        column("position", "contextConfig.insertionPosition", _place, _line),
        column("depth", "contextConfig.insertionPosition", _depth, lambda depth: -int(depth) - 1),
        column("excludeRecursion", "nonStoryActivatable", negated, negated),
    ),
    blank={
        "text": "",
        "contextConfig": {
            "prefix": "",
            "suffix": "\n",
            "tokenBudget": 1,
            "reservedTokens": 0,
            "budgetPriority": 400,
            "trimDirection": "trimBottom",
            "insertionType": "newline",
            "maximumTrimType": "sentence",
            "insertionPosition": -1,
        },
        "lastUpdatedAt": 0,
        "displayName": "",
        "id": "",
        "keys": [],
        "searchRange": 1000,
        "enabled": True,
        "forceActivation": False,
        "keyRelative": False,
        "nonStoryActivatable": False,
        "category": "",
        "loreBiasGroups": [],
    },
    defaults={"matchWholeWords": True, "order": 400, "excludeRecursion": True, "position": 5},
    ignored=frozenset(
        {
            "contextConfig.prefix",
            "contextConfig.suffix",
            "contextConfig.tokenBudget",
            "contextConfig.reservedTokens",
            "contextConfig.trimDirection",
            "contextConfig.insertionType",
            "contextConfig.maximumTrimType",
            "searchRange",
            "keyRelative",
            "loreBiasGroups",
            "advancedConditions",
        }
    ),
    runs=frozenset({"category"}),
    completed=_completed,
    taken=_taken,
)


def _is_lorebook(found: Any) -> bool:
    return isinstance(found, dict) and "lorebookVersion" in found


def _is_scenario(found: Any) -> bool:
    return isinstance(found, dict) and _is_lorebook(found.get("lorebook"))


LOREBOOK = Layout(
    format="novelai",
    program="NovelAI",
    family=FAMILY,
    matches=_is_lorebook,
    blank={
        "lorebookVersion": 6,
        "entries": [],
        "settings": {"orderByKeyLocations": False},
        "categories": [],
        "order": [],
    },
    ending=".lorebook",
)
SCENARIO = Layout(
    format="novelai-scenario",
    program="NovelAI scenario",
    family=FAMILY,
    matches=_is_scenario,
    container=("lorebook",),
    blank={
        "scenarioVersion": 3,
        "title": "",
        "description": "",
        "prompt": "",
        "tags": [],
        "context": [],
        "lorebook": LOREBOOK.blank,
    },
    ending=".scenario",
)
