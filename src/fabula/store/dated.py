"""Rows at a place in the manuscript, or dated by one."""

from __future__ import annotations

from sqlalchemy import or_, select

from fabula.model.entity import Entity
from fabula.model.wire import Value
from fabula.store.graph_rows import entity_from_row
from fabula.store.kinds import (
    CHAPTER,
    ENTITY,
    ENTRY,
    EVENT_ROLE,
    KNOWING,
    PENDING_RELATION,
    PROPOSAL,
    RELATION,
    REVEAL,
    SCENE,
    SNAPSHOT,
    STATE,
)
from fabula.store.querying import Querying, of_story
from fabula.store.statement import Statement, within_story
from fabula.store.tables import HAS_DATED_NAMES

DATED = (ENTITY, STATE, RELATION, PENDING_RELATION, ENTRY, EVENT_ROLE, KNOWING)
_CHAPTERS = ("since_chapter", "until_chapter", "told_chapter")
PLACED = (CHAPTER, SCENE, SNAPSHOT, PROPOSAL)
_NAMED_FOR_PERIODS = Statement(
    select(ENTITY.table).where(within_story(ENTITY.table), HAS_DATED_NAMES).order_by(ENTITY.table.c.id)
)


class DatedReader(Querying):
    """Reads rows by their place in the manuscript."""

    def facts(self, project_id: str, first: int, last: int) -> dict[str, list[Value]]:
        """Return the rows that begin or end in these chapters, by kind."""
        found: dict[str, list[Value]] = {}
        for kind in DATED:
            columns = kind.table.c
            within = or_(*(columns[name].between(first, last) for name in _CHAPTERS if name in columns))
            rows = self.all(of_story(kind.table, project_id).where(within))
            found[kind.name] = [kind.to_value(row) for row in rows]
        found[REVEAL.name] = [
            REVEAL.to_value(row)
            for row in self.all(
                of_story(REVEAL.table, project_id).where(REVEAL.table.c.at_chapter.between(first, last))
            )
        ]
        dated = {entity.id for entity in found[ENTITY.name] if isinstance(entity, Entity)}
        for entity in self.named_for_periods(project_id):
            moments = [moment for one in entity.names for moment in (one.since, one.until) if moment]
            if entity.id not in dated and any(first <= moment.chapter <= last for moment in moments):
                found[ENTITY.name].append(entity)
        return found

    def named_for_periods(self, project_id: str) -> tuple[Entity, ...]:
        """Return the entities that have names with moments."""
        return tuple(map(entity_from_row, self.fetch_rows(_NAMED_FOR_PERIODS, story=project_id)))

    def places(self, project_id: str, first: int, last: int) -> dict[str, list[Value]]:
        """Return these chapters, their scenes and snapshots, and the proposals from them, by kind."""
        found: dict[str, list[Value]] = {}
        for kind in PLACED:
            within = kind.table.c.chapter_index.between(first, last)
            rows = self.all(of_story(kind.table, project_id).where(within))
            found[kind.name] = [kind.to_value(row) for row in rows]
        return found
