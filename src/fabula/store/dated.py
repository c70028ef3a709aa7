"""Rows at a place in the manuscript, or dated by one."""

from __future__ import annotations

from sqlalchemy import or_

from fabula.model.wire import Value
from fabula.store.kinds import (
    CHAPTER,
    ENTITY,
    ENTRY,
    EVENT_ROLE,
    PENDING_RELATION,
    PROPOSAL,
    RELATION,
    SCENE,
    SNAPSHOT,
    STATE,
)
from fabula.store.querying import Querying, of_story

DATED = (ENTITY, STATE, RELATION, PENDING_RELATION, ENTRY, EVENT_ROLE)
PLACED = (CHAPTER, SCENE, SNAPSHOT, PROPOSAL)


class DatedReader(Querying):
    """Reads rows by their place in the manuscript."""

    def facts(self, project_id: str, first: int, last: int) -> dict[str, list[Value]]:
        """Return the rows that begin or end in these chapters, by kind."""
        found: dict[str, list[Value]] = {}
        for kind in DATED:
            columns = kind.table.c
            within = or_(
                columns.since_chapter.between(first, last), columns.until_chapter.between(first, last)
            )
            rows = self.all(of_story(kind.table, project_id).where(within))
            found[kind.name] = [kind.to_value(row) for row in rows]
        return found

    def places(self, project_id: str, first: int, last: int) -> dict[str, list[Value]]:
        """Return these chapters, their scenes and snapshots, and the proposals from them, by kind."""
        found: dict[str, list[Value]] = {}
        for kind in PLACED:
            within = kind.table.c.chapter_index.between(first, last)
            rows = self.all(of_story(kind.table, project_id).where(within))
            found[kind.name] = [kind.to_value(row) for row in rows]
        return found
