"""Converts a SillyTavern World Info book to lorebook entries; the original is kept in `extensions`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabula.model.lore import InsertionPosition

_PATTERN = re.compile(r"/.+/[a-z]*", re.DOTALL)
_LOGIC = ("and_any", "not_all", "not_any", "and_all")
# Before and after: character definitions, author's note; at depth; before and after: examples; an outlet.
_POSITIONS = (
    *[InsertionPosition.SYSTEM_PROMPT] * 2,
    *[InsertionPosition.BEFORE_SCENE] * 2,
    InsertionPosition.AFTER_SCENE,
    *[InsertionPosition.BEFORE_SCENE] * 3,
)
_LONGEST_NAME = 200
_PRIORITIES = range(-1_000_000, 1_000_001)
_DEFAULT_ORDER = 100


def world_info_entries(book: Mapping[str, Any]) -> list[Any]:
    """The entries in numeric order, each with a unique name."""
    taken: set[str] = set()
    return [_entry(uid, found, taken) if isinstance(found, dict) else found for uid, found in _in_order(book)]


def _in_order(book: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    def place(uid: str) -> tuple[int, str]:
        return (int(uid) if uid.isdecimal() else len(_PRIORITIES), uid)

    return ((uid, book[uid]) for uid in sorted(book, key=place))


def _entry(uid: str, found: dict[str, Any], taken: set[str]) -> dict[str, Any]:
    keys = _words(found.get("key"))
    entry: dict[str, Any] = {
        "entryKey": _own_name(uid, found.get("comment"), keys, taken),
        "content": found.get("content"),
        "keywords": keys,
        "priority": _priority(found.get("order")),
        "enabled": found.get("disable") is not True,
        "insertionPosition": _chosen(_POSITIONS, found.get("position")),
        "rules": _rules(found),
        "extensions": {"sillytavern": found},
    }
    if found.get("constant") is True:
        entry["aiContextLevel"] = "always"
    return entry


def _rules(found: dict[str, Any]) -> dict[str, Any]:
    rules: dict[str, Any] = {"caseSensitive": found.get("caseSensitive") is True}
    if isinstance(found.get("matchWholeWords"), bool):
        rules["wholeWord"] = found["matchWholeWords"]
    secondary = _words(found.get("keysecondary"))
    if secondary and found.get("selective") is not False:
        rules["secondaryKeywords"] = secondary
        rules["secondaryLogic"] = _chosen(_LOGIC, found.get("selectiveLogic"))
    return rules


def _words(found: Any) -> list[str]:
    """The distinct plain keywords, without regular expressions."""
    words = (word.strip() for word in found if isinstance(word, str)) if isinstance(found, list) else ()
    return list(dict.fromkeys(word for word in words if word and not _PATTERN.fullmatch(word)))


def _own_name(uid: str, comment: Any, keys: list[str], taken: set[str]) -> str:
    """The title of an entry, else its first keyword; numbered if taken."""
    title = comment.strip() if isinstance(comment, str) else ""
    name = (title or next(iter(keys), "") or f"Entry {uid}")[: _LONGEST_NAME - 12]
    chosen, number = name, 2
    while chosen.casefold() in taken:
        chosen, number = f"{name} ({number})", number + 1
    taken.add(chosen.casefold())
    return chosen


def _priority(order: Any) -> int:
    is_number = isinstance(order, int | float) and not isinstance(order, bool) and order == order
    return int(min(max(order, _PRIORITIES[0]), _PRIORITIES[-1])) if is_number else _DEFAULT_ORDER


def _chosen(choices: Sequence[str], number: Any) -> str:
    return choices[number] if isinstance(number, int) and number in range(len(choices)) else choices[0]
