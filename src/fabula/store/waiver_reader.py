"""Read waivers, and convert them to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from sqlalchemy import bindparam

from fabula.model.waiver import Waiver
from fabula.store.querying import Querying, of_story
from fabula.store.rowkind import Row, json_text
from fabula.store.statement import in_story
from fabula.store.waiver_tables import check_waivers

_WAIVER = in_story(check_waivers, check_waivers.c.id == bindparam("id"))


def waiver_row(waiver: Waiver) -> Row:
    """Convert a waiver to a row."""
    row = {name: value for name, value in waiver if name != "facts"}
    return {**row, "facts_json": json_text(list(waiver.facts))}


def waiver_from_row(row: Mapping[str, Any]) -> Waiver:
    """Convert a row to a waiver."""
    own = {name: row[name] for name in Waiver.model_fields if name != "facts"}
    return Waiver.trusted(**own, facts=tuple(orjson.loads(row["facts_json"])))


class WaiverReader(Querying):
    """Reads the waivers of all stories."""

    def waiver(self, project_id: str, waiver_id: str) -> Waiver | None:
        """Return the waiver with this id."""
        row = self.fetch_row(_WAIVER, story=project_id, id=waiver_id)
        return None if row is None else waiver_from_row(row)

    def all_of(self, project_id: str) -> tuple[Waiver, ...]:
        """Return the waivers of a story, the oldest first."""
        columns = check_waivers.c
        query = of_story(check_waivers, project_id).order_by(columns.created_at, columns.id)
        return tuple(map(waiver_from_row, self.all(query)))
