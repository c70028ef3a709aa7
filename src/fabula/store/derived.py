"""Columns and rows derived from others, which are not recorded in the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update

from fabula.model.lore import Category
from fabula.store.dialect import any_listed, insert_rows
from fabula.store.event_tables import kg_entity_aliases
from fabula.store.statement import STORY, Statement, run, run_many, within_story
from fabula.store.tables import kg_entities, lorebook_entries

_OF_ENTITIES = tuple(category.value for category in Category if category is not Category.CUSTOM)

_FORGET = Statement(
    delete(kg_entity_aliases).where(
        within_story(kg_entity_aliases),
        kg_entity_aliases.c.name_key == bindparam("key"),
        kg_entity_aliases.c.entity_id == bindparam("entity"),
    )
)
_TYPE = (
    select(kg_entities.c.type)
    .where(
        # Explicit, so that a sharded database stays on one shard.
        within_story(kg_entities),
        kg_entities.c.id == lorebook_entries.c.entity_id,
        or_(*(kg_entities.c.type == kind for kind in _OF_ENTITIES)),
    )
    .scalar_subquery()
)
_CATEGORISE = Statement(
    update(lorebook_entries)
    .where(
        within_story(lorebook_entries),
        or_(
            any_listed(lorebook_entries.c.id, "entries"), any_listed(lorebook_entries.c.entity_id, "entities")
        ),
    )
    .values(category=func.coalesce(_TYPE, Category.CUSTOM.value))
)
_RETELL = Statement(
    update(kg_entities)
    .where(within_story(kg_entities), kg_entities.c.id == bindparam("entity"))
    .values(prompt_text=bindparam("text"))
)

# A folded alias, and the id of its entity.
Alias = tuple[str, str]


class DerivedWriter:
    """Writes the derived data of one story."""

    def __init__(self, connection: Connection, project_id: str) -> None:
        self._connection, self._project_id = connection, project_id

    def put_aliases(self, gone: Collection[Alias], come: Collection[Alias]) -> None:
        """Update the index of aliases."""
        if gone:
            own = {STORY: self._project_id}
            run_many(
                self._connection,
                _FORGET,
                [{**own, "key": key, "entity": entity_id} for key, entity_id in gone],
            )
        if come:
            names = ("project_id", "name_key", "entity_id")
            rows = [dict(zip(names, (self._project_id, *alias), strict=True)) for alias in come]
            insert_rows(self._connection, kg_entity_aliases, rows)

    def put_categories(self, entries: Iterable[str], entities: Iterable[str]) -> None:
        """Update the categories of these entries and of the entries of these entities."""
        given = {STORY: self._project_id, "entries": entries, "entities": entities}
        run(self._connection, _CATEGORISE, given)

    def put_texts(self, texts: Mapping[str, str]) -> None:
        """Update the prompt texts of entities."""
        own = {STORY: self._project_id}
        rows = [{**own, "entity": entity_id, "text": text} for entity_id, text in texts.items()]
        run_many(self._connection, _RETELL, rows)
