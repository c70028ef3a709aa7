"""What lorebook entries are about: it follows from the types of their entities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select, update

from fabula.model.lore import Category
from fabula.store.dialect import any_of
from fabula.store.tables import kg_entities, lorebook_entries

if TYPE_CHECKING:
    from fabula.store.settling import Turn
    from fabula.store.writer import Change, Writer

_OF_ENTITIES = tuple(category.value for category in Category if category is not Category.CUSTOM)


def categorise(writer: Writer, changes: Iterable[Change], turns: Mapping[str, Turn]) -> None:
    """Enter what the entries of a step are about, and those of entities that changed their type."""
    entries = [change.row_id for change in changes if change.kind.name == "entry" and change.after]
    entities = [
        key for key, (before, after) in turns.items() if before and after and before["type"] != after["type"]
    ]
    if not entries and not entities:
        return
    own, types = lorebook_entries.c, kg_entities.c
    kind = (
        select(types.type)
        .where(
            # Named outright, so that a sharded database need not look elsewhere.
            types.project_id == writer.project_id,
            types.id == own.entity_id,
            types.type.in_(_OF_ENTITIES),
        )
        .scalar_subquery()
    )
    writer.connection.execute(
        update(lorebook_entries)
        .where(
            own.project_id == writer.project_id,
            or_(any_of(own.id, entries), any_of(own.entity_id, entities)),
        )
        .values(category=func.coalesce(kind, Category.CUSTOM.value))
    )
