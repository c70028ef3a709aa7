"""Steps of the change log, as shown to people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from fabula.model.history import HistoryStep, RowChange
from fabula.store.kinds import KINDS, STORY


def step_from_rows(step: Mapping[Any, Any], changes: Iterable[Mapping[Any, Any]]) -> HistoryStep:
    """Convert rows to a step with (the first of) its changes."""
    return HistoryStep(
        revision=step["revision"],
        at=step["at"],
        actor=step["actor"],
        action=step["action"],
        reverts=step["reverts"],
        reverted_by=step["reverted_by"],
        change_count=step["change_count"],
        changes=tuple(map(_change_from_row, changes)),
    )


def _change_from_row(row: Mapping[Any, Any]) -> RowChange:
    return RowChange(
        kind=row["kind"],
        id=row["row_id"],
        before=_shown(row, row["before_json"]),
        after=_shown(row, row["after_json"]),
    )


def _shown(row: Mapping[Any, Any], image_json: str | None) -> dict[str, Any] | None:
    kind = KINDS[row["kind"]]
    image = kind.remembered(image_json)
    if image is None:
        return None
    if kind is STORY:
        return {
            "title": image["title"],
            "language": image["language"],
            "settings": orjson.loads(image["settings_json"]),
        }
    return kind.value(row["project_id"], image).model_dump(mode="json", by_alias=True)
