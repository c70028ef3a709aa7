"""Scans for tests: entries in few words, and what fired."""

from __future__ import annotations

from typing import Any

from fabula.world_info import Scan, ScanMessage, ScanResult, ScanSettings, compile_book, scan
from fabula.world_info.trial import vectors_count


def entry(uid: int, *keys: str, content: str | None = None, **fields: Any) -> dict[str, Any]:
    """An entry with the fields of a new one."""
    return {
        "uid": uid,
        "key": list(keys),
        "content": f"Entry {uid}." if content is None else content,
        "selective": True,
        "order": 100,
        "position": 0,
        "probability": 100,
        "useProbability": True,
        **fields,
    }


def scanned(
    entries: list[dict[str, Any]], *messages: str, settings: dict[str, Any] | None = None, **more: Any
) -> ScanResult:
    """A scan of one book; the last message is the newest."""
    given: dict[str, Any] = {
        "books": {"global": (compile_book("book", entries),)},
        "chat": tuple(ScanMessage("Mira", False, text) for text in messages),
        "count": vectors_count,
        "settings": ScanSettings(**(settings or {})),
        "user": "Tobin",
        "char": "Mira",
        **more,
    }
    return scan(Scan(**given))


def uids(result: ScanResult) -> list[object]:
    """The uids that fired, in order."""
    return [one.entry.uid for one in result.activated]


def reasons(result: ScanResult) -> dict[object, str]:
    """Why every entry that was looked at fired or did not."""
    return {one.entry.uid: one.reason for one in (*result.activated, *result.left_out)}
