"""Cards and notes in ZIP archives: `.charx`, `.byaf`, and folders of Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from fabula.errors import InvalidInput
from fabula.formats.books.archive import Archive, entry_problems, opened
from fabula.formats.lorebooks.card_book import BLANK, BLANK_DATA
from fabula.formats.lorebooks.json_file import json_value

CARD = "card.json"
MANIFEST = "manifest.json"
MAX_FILES = 60_000

_USER = re.compile(r"#?\{user\}")
_CHARACTER = re.compile(r"#?\{character\}")


def no_archive() -> InvalidInput:
    """The error for an archive that cannot be read."""
    return InvalidInput(
        "This archive is damaged or is no ZIP file.",
        details={"field": "data", "reason": "archive_damaged"},
        suggestion="Export it again from the program that made it.",
    )


def names_in(data: bytes) -> list[str]:
    """The names of the files in an archive; empty if it cannot be read."""
    try:
        with opened(data, no_archive) as archive:
            return archive.names
    except InvalidInput:
        return []


def files_in(data: bytes, is_wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """The wanted files of an archive by path; InvalidInput if one of its paths is not safe."""
    with opened(data, no_archive) as archive:
        _refuse_unsafe(archive)
        found: dict[str, bytes] = {}
        for entry in archive.entries:
            if is_wanted(entry.filename):
                found[entry.filename] = archive.read(entry)
        return found


def _refuse_unsafe(archive: Archive) -> None:
    if len(archive.entries) > MAX_FILES:
        raise InvalidInput(
            f"The archive has {len(archive.entries):,} files; {MAX_FILES:,} are allowed.",
            details={"limit": MAX_FILES, "reason": "too_many_files"},
            suggestion="Pack only the notes.",
        )
    for entry in archive.entries:
        for problem in entry_problems(entry):
            raise InvalidInput(
                f"{entry.filename[:200]} {problem}.",
                details={"path": entry.filename[:200], "reason": "archive_unsafe"},
                suggestion="Pack the files again, without links and encryption.",
            )


def charx_card(data: bytes) -> Any:
    """The card in a `.charx` archive."""
    found = files_in(data, lambda name: name == CARD)
    if CARD not in found:
        raise InvalidInput(
            f"There is no {CARD} in this archive.",
            details={"field": "data", "reason": "archive_without_card"},
            suggestion="Export the card again as .charx, PNG or JSON.",
        )
    return json_value(found[CARD])


def byaf_card(data: bytes) -> Any:
    """The character in a `.byaf` archive of Backyard AI, as a card; what it says is kept beside."""
    found = files_in(data, lambda name: name.endswith(".json"))
    manifest = _object(json_value(found.get(MANIFEST, b"{}")))
    character = _first(manifest.get("characters"), found)
    if not character:
        raise InvalidInput(
            "There is no character in this archive.",
            details={"field": "data", "reason": "archive_without_card"},
            suggestion="Export the character again as .byaf.",
        )
    scenarios = [_object(_read(path, found)) for path in _listed(manifest.get("scenarios"))]
    first = scenarios[0] if scenarios else {}
    greetings = [text for one in scenarios for text in _texts(one.get("firstMessages"))]
    items = [_object(item) for item in _listed(character.get("loreItems"))]
    card: dict[str, Any] = {
        **BLANK_DATA,
        "name": _text(character.get("displayName")) or _text(character.get("name")),
        "description": _macros(character.get("persona")),
        "scenario": _macros(first.get("narrative")),
        "first_mes": greetings[0] if greetings else "",
        "alternate_greetings": greetings[1:],
        "mes_example": "\n".join(_texts(first.get("exampleMessages"))),
        "system_prompt": _macros(first.get("formattingInstructions")),
        "extensions": {"byaf": {"manifest": manifest, "character": character, "scenarios": scenarios}},
    }
    if items:
        card["character_book"] = {"extensions": {}, "entries": [_lore(item) for item in items]}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": card}


def _lore(item: dict[str, Any]) -> dict[str, Any]:
    keys = [word.strip() for word in _text(item.get("key")).split(",") if word.strip()]
    return {**BLANK, "keys": keys, "content": _macros(item.get("value")), "selective": False}


def _first(paths: Any, found: dict[str, bytes]) -> dict[str, Any]:
    return next((_object(_read(path, found)) for path in _listed(paths)), {})


def _read(path: Any, found: dict[str, bytes]) -> Any:
    return json_value(found[path]) if isinstance(path, str) and path in found else {}


def _texts(found: Any) -> list[str]:
    return [_macros(_object(one).get("text")) for one in _listed(found)]


def _macros(found: Any) -> str:
    return _CHARACTER.sub("{{char}}", _USER.sub("{{user}}", _text(found)))


def _text(found: Any) -> str:
    return found if isinstance(found, str) else ""


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _object(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}
