"""What stands at a place in the telling, or is dated with one."""

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
    """Rows by their place in the telling."""

    def facts(self, project_id: str, first: int, last: int) -> dict[str, list[Value]]:
        """By kind, whatever begins or ends in one of these chapters."""
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
        """By kind, the chapters of these numbers, their scenes and snapshots, and what was found in them."""
        found: dict[str, list[Value]] = {}
        for kind in PLACED:
            within = kind.table.c.chapter_index.between(first, last)
            rows = self.all(of_story(kind.table, project_id).where(within))
            found[kind.name] = [kind.to_value(row) for row in rows]
        return found
