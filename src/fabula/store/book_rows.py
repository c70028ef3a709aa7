"""Convert lorebooks to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.model.book import LoreBook
from fabula.model.scan_settings import ScanSettings
from fabula.store.rowkind import Row, json_text


def book_row(book: LoreBook) -> Row:
    """Convert a book to a row; settings that have their defaults are left out."""
    row = {name: value for name, value in book if name not in ("settings", "extensions")}
    settings = book.settings.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {
        **row,
        "enabled": int(book.enabled),
        "settings_json": json_text(settings),
        "extensions_json": json_text(book.extensions),
    }


def book_from_row(row: Mapping[str, Any]) -> LoreBook:
    """Convert a row to a book."""
    own = {name: row[name] for name in LoreBook.model_fields if name in row}
    return LoreBook.trusted(
        **own | {"enabled": bool(row["enabled"])},
        settings=ScanSettings.model_validate_json(row["settings_json"]),
        extensions=orjson.loads(row["extensions_json"]),
    )
