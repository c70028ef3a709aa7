"""Snapshots of scenes: the only way to save them."""

from __future__ import annotations

from typing import Any

from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.model.manuscript import Snapshot


def save(step: Step, before: Snapshot | None, fields: dict[str, Any]) -> Snapshot:
    """Save a new snapshot, or replace the previous one."""
    if before is None:
        after = Snapshot.trusted(
            **fields,
            id=step.new_id(),
            project_id=step.project_id,
            version=1,
            created_at=step.now,
            updated_at=step.now,
        )
        step.add([after])
    else:
        after = touched(step, before, **fields)
        step.replace([(before, after)])
    return after
