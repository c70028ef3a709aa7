"""Columns and rows derived from others, which are not recorded in the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from fabula.model.lore import Category
from fabula.store.dialect import any_of
from fabula.store.event_tables import kg_entity_aliases
from fabula.store.tables import kg_entities, lorebook_entries

_OF_ENTITIES = tuple(category.value for category in Category if category is not Category.CUSTOM)

# A folded alias, and the id of its entity.
Alias = tuple[str, str]


class DerivedWriter:
    """Writes the derived data of one story."""

    def __init__(self, connection: Connection, project_id: str) -> None:
        self._connection, self._project_id = connection, project_id

    def put_aliases(self, gone: Collection[Alias], come: Collection[Alias]) -> None:
        """Update the index of aliases."""
        columns = kg_entity_aliases.c
        if gone:
            self._connection.execute(
                delete(kg_entity_aliases).where(
                    columns.project_id == self._project_id,
                    columns.name_key == bindparam("key"),
                    columns.entity_id == bindparam("entity"),
                ),
                [{"key": key, "entity": entity_id} for key, entity_id in gone],
            )
        if come:
            own = {"project_id": self._project_id}
            self._connection.execute(
                insert(kg_entity_aliases),
                [{**own, "name_key": key, "entity_id": entity_id} for key, entity_id in come],
            )

    def put_categories(self, entries: Iterable[str], entities: Iterable[str]) -> None:
        """Update the categories of these entries and of the entries of these entities."""
        own, types = lorebook_entries.c, kg_entities.c
        kind = (
            select(types.type)
            .where(
                # Explicit, so that a sharded database stays on one shard.
                types.project_id == self._project_id,
                types.id == own.entity_id,
                types.type.in_(_OF_ENTITIES),
            )
            .scalar_subquery()
        )
        self._connection.execute(
            update(lorebook_entries)
            .where(
                own.project_id == self._project_id,
                or_(any_of(own.id, entries), any_of(own.entity_id, entities)),
            )
            .values(category=func.coalesce(kind, Category.CUSTOM.value))
        )

    def put_texts(self, texts: Mapping[str, str]) -> None:
        """Update the prompt texts of entities."""
        columns = kg_entities.c
        self._connection.execute(
            update(kg_entities)
            .where(columns.project_id == self._project_id, columns.id == bindparam("entity"))
            .values(prompt_text=bindparam("text")),
            [{"entity": entity_id, "text": text} for entity_id, text in texts.items()],
        )
