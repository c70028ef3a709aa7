"""Lorebooks and modules of RisuAI; folders are kept in their places."""

from __future__ import annotations

from typing import Any

from fabula.formats.lorebooks.card_book import undecorated
from fabula.formats.lorebooks.columns import Family, RawEntry, column, flag, number, text
from fabula.formats.lorebooks.decorators import decorate, decorated
from fabula.formats.lorebooks.keys import PATTERN, joined_by_commas, keys_between_commas
from fabula.formats.lorebooks.layout import Layout


def _completed(found: RawEntry, view: RawEntry, _: Any) -> RawEntry:
    key = found.get("key")
    if found.get("useRegex") is True and isinstance(key, str):
        view["key"] = [key] if key.strip() else []
    if found.get("mode") == "constant":
        view["constant"] = True
    return decorated(found.get("content"), view)


def _taken(found: RawEntry, changes: RawEntry, book: Any) -> RawEntry:
    if "key" in changes:
        keys = changes["key"]
        is_pattern = len(keys) == 1 and isinstance(keys[0], str) and bool(PATTERN.fullmatch(keys[0]))
        if is_pattern or "useRegex" in found:
            found["useRegex"] = is_pattern
    if changes.get("constant") is False and found.get("mode") == "constant":
        found["mode"] = "normal"
    changes = undecorated(found, changes, book)
    content = changes.get("content", found.get("content"))
    said = content if isinstance(content, str) else ""
    written = decorate(said, changes)
    if written != said:
        changes["content"] = written
    return changes


FAMILY = Family(
    name="risu",
    columns=(
        column("key", "key", keys_between_commas, joined_by_commas),
        column("keysecondary", "secondkey", keys_between_commas, joined_by_commas),
        column("comment", "comment", text),
        column("content", "content", text),
        column("constant", "alwaysActive", flag),
        column("selective", "selective", flag),
        column("order", "insertorder", number),
        column("probability", "activationPercent", number),
        column("caseSensitive", "extentions.risu_case_sensitive", flag),
    ),
    blank={
        "key": "",
        "secondkey": "",
        "insertorder": 100,
        "comment": "",
        "content": "",
        "mode": "normal",
        "alwaysActive": False,
        "selective": False,
    },
    defaults={"selective": False, "matchWholeWords": False},
    ignored=frozenset({"loreCache"}),
    runs=frozenset({"useRegex", "mode"}),
    is_entry=lambda found: isinstance(found, dict) and found.get("mode") != "folder",
    completed=_completed,
    taken=_taken,
)


def _is_list(found: Any) -> bool:
    return isinstance(found, list)


LOREBOOK = Layout(
    format="risu",
    program="RisuAI",
    family=FAMILY,
    matches=lambda found: (
        isinstance(found, dict) and found.get("type") == "risu" and _is_list(found.get("data"))
    ),
    entries="data",
    blank={"type": "risu", "ver": 1, "data": []},
)
MODULE = Layout(
    format="risu-module",
    program="RisuAI module",
    family=FAMILY,
    matches=lambda found: isinstance(found, dict) and found.get("type") == "risuModule",
    container=("module",),
    entries="lorebook",
    blank={"type": "risuModule", "module": {"name": "", "description": "", "id": "", "lorebook": []}},
    columns=(column("name", "name", text),),
)
BARE_MODULE = Layout(
    format="risu-bare-module",
    program="RisuAI module",
    family=FAMILY,
    matches=lambda found: (
        isinstance(found, dict) and _is_list(found.get("lorebook")) and "entries" not in found
    ),
    entries="lorebook",
    blank={"name": "", "description": "", "id": "", "lorebook": []},
    columns=(column("name", "name", text),),
)
