"""Read knowings, and convert them to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import bindparam, or_, select

from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import HowKnown, Knowing, KnowingSource
from fabula.store.dialect import any_listed
from fabula.store.event_tables import TELLS_FACTS, kg_events
from fabula.store.knowing_tables import knowings
from fabula.store.querying import Querying
from fabula.store.rowkind import Row, period_columns, period_of
from fabula.store.statement import Statement, in_story, listed, rows_by, within_story

_COLUMNS = knowings.c
_ORDER = (_COLUMNS.created_at, _COLUMNS.id)
_ONE = in_story(knowings, _COLUMNS.id == bindparam("id"))
_ALL = Statement(select(knowings).where(within_story(knowings)).order_by(*_ORDER))
_OF_KNOWERS = rows_by(_COLUMNS.knower_id, *_ORDER)
_OF_FACTS = Statement(
    select(knowings)
    .where(within_story(knowings), listed(_COLUMNS.fact_id), _COLUMNS.fact_kind == bindparam("kind"))
    .order_by(*_ORDER)
)
_LEARNED_IN = Statement(
    select(knowings)
    .where(
        within_story(knowings),
        or_(
            any_listed(_COLUMNS.source_scene_id, "scenes"),
            any_listed(_COLUMNS.source_event_id, "events"),
        ),
    )
    .order_by(*_ORDER)
)
_TELLING = Statement(
    select(kg_events.c.id, kg_events.c.tells_json).where(within_story(kg_events), TELLS_FACTS)
)


def knowing_row(knowing: Knowing) -> Row:
    """Convert a knowing to a row."""
    source = knowing.source or KnowingSource()
    return {
        "project_id": knowing.project_id,
        "id": knowing.id,
        "fact_kind": knowing.fact.kind.value,
        "fact_id": knowing.fact.id,
        "knower_id": knowing.knower_id,
        "knows": int(knowing.knows),
        "how": knowing.how.value,
        "belief": knowing.belief,
        "source_scene_id": source.scene_id,
        "source_event_id": source.event_id,
        "source_quotation": None if knowing.source is None else source.quotation,
        **period_columns(knowing.since, knowing.until),
        "version": knowing.version,
        "created_at": knowing.created_at,
        "updated_at": knowing.updated_at,
    }


def knowing_from_row(row: Mapping[str, Any]) -> Knowing:
    """Convert a row to a knowing."""
    quotation = row["source_quotation"]
    return Knowing.trusted(
        id=row["id"],
        project_id=row["project_id"],
        fact=FactRef.trusted(kind=FactKind(row["fact_kind"]), id=row["fact_id"]),
        knower_id=row["knower_id"],
        knows=bool(row["knows"]),
        **period_of(row),
        how=HowKnown(row["how"]),
        belief=row["belief"],
        source=None
        if quotation is None
        else KnowingSource.trusted(
            scene_id=row["source_scene_id"], quotation=quotation, event_id=row["source_event_id"]
        ),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


class KnowingReader(Querying):
    """Reads the knowings of all stories."""

    def knowing(self, project_id: str, knowing_id: str) -> Knowing | None:
        """Return a knowing; None if there is none with this id."""
        rows = self.fetch_rows(_ONE, story=project_id, id=knowing_id)
        return knowing_from_row(rows[0]) if rows else None

    def all_of(self, project_id: str) -> tuple[Knowing, ...]:
        """Return all knowings of a story, the oldest first."""
        return tuple(map(knowing_from_row, self.fetch_rows(_ALL, story=project_id)))

    def of_knowers(self, project_id: str, ids: Iterable[str]) -> tuple[Knowing, ...]:
        """Return what these entities know, the oldest first."""
        return tuple(map(knowing_from_row, self.fetch_rows(_OF_KNOWERS, story=project_id, listed=ids)))

    def of_facts(self, project_id: str, kind: FactKind, ids: Iterable[str]) -> tuple[Knowing, ...]:
        """Return the knowings of these facts, the oldest first."""
        rows = self.fetch_rows(_OF_FACTS, story=project_id, kind=kind.value, listed=ids)
        return tuple(map(knowing_from_row, rows))

    def learned_in(self, project_id: str, scenes: list[str], events: list[str]) -> tuple[Knowing, ...]:
        """Return the knowings whose source is one of these scenes or events."""
        rows = self.fetch_rows(_LEARNED_IN, story=project_id, scenes=scenes, events=events)
        return tuple(map(knowing_from_row, rows))

    def telling(self, project_id: str) -> dict[str, str]:
        """Return what every event that tells something tells, as JSON, by the event's id."""
        return {row["id"]: row["tells_json"] for row in self.fetch_rows(_TELLING, story=project_id)}
