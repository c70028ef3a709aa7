"""Convert lorebook entries to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.model.activation import ActivationRules
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition, LoreEntry
from fabula.model.names import name_key, search_fold
from fabula.store.rowkind import Row, json_text, period_columns, period_of, validity_columns, validity_of


def entry_row(entry: LoreEntry) -> Row:
    """Convert an entry to a row."""
    return {
        "project_id": entry.project_id,
        "id": entry.id,
        "entity_id": entry.entity_id,
        "user_id": entry.user_id,
        "book_id": entry.book_id,
        "place": entry.place,
        "entry_key": entry.entry_key,
        "key_fold": name_key(entry.entry_key),
        "search_fold": search_fold(entry.entry_key, entry.display_name, *entry.keywords, entry.content),
        "display_name": entry.display_name,
        "content": entry.content,
        "keywords_json": json_text(entry.keywords),
        "priority": entry.priority,
        "enabled": int(entry.enabled),
        "insertion_position": entry.insertion_position.value,
        "token_budget": entry.token_budget,
        "ai_context_level": entry.ai_context_level.value,
        "secrecy": entry.secrecy.value,
        "rules_json": entry.rules.model_dump_json(),
        **period_columns(entry.since, entry.until),
        **validity_columns(entry),
        "extensions_json": json_text(entry.extensions),
        "category": _category(entry.entity_id),
        "version": entry.version,
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
    }


def entry_from_row(row: Mapping[str, Any]) -> LoreEntry:
    """Convert a row to an entry."""
    return LoreEntry.trusted(
        id=row["id"],
        project_id=row["project_id"],
        entity_id=row["entity_id"],
        user_id=row["user_id"],
        book_id=row["book_id"],
        place=row["place"],
        entry_key=row["entry_key"],
        display_name=row["display_name"],
        content=row["content"],
        keywords=tuple(orjson.loads(row["keywords_json"])),
        priority=row["priority"],
        enabled=bool(row["enabled"]),
        insertion_position=InsertionPosition(row["insertion_position"]),
        token_budget=row["token_budget"],
        ai_context_level=AiContextLevel(row["ai_context_level"]),
        secrecy=Secrecy(row["secrecy"]),
        rules=ActivationRules.model_validate_json(row["rules_json"]),
        **period_of(row),
        **validity_of(row),
        extensions=orjson.loads(row["extensions_json"]),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def derived_of_entry(image: Row) -> Row:
    """Return the columns derived from an entry's image: folded key and search text.

    With an entity, its category depends on that and is set at the end of the step.
    """
    keywords = orjson.loads(image["keywords_json"])
    return {
        "key_fold": name_key(image["entry_key"]),
        "search_fold": search_fold(image["entry_key"], image["display_name"], *keywords, image["content"]),
        "category": _category(image["entity_id"]),
    }


def _category(entity_id: str | None) -> str | None:
    return Category.CUSTOM.value if entity_id is None else None
