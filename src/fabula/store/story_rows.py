"""Convert stories, chapters, scenes and snapshots to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.model.manuscript import (
    AUTHOR,
    Chapter,
    Scene,
    ScenePlan,
    Snapshot,
    SnapshotCharacter,
    SnapshotLocation,
)
from fabula.model.story import Story
from fabula.model.world_time import SceneTime
from fabula.store.rowkind import Row, json_text

SCENE_TIME = ("world_day", "world_end", "world_label")


def story_row(story: Story) -> Row:
    """Convert a story to a row."""
    return {
        "project_id": story.id,
        "title": story.title,
        "language": story.language,
        "settings_json": json_text(story.settings),
        "revision": story.revision,
        "entity_count": story.entity_count,
        "relation_count": story.relation_count,
        "created_at": story.created_at,
        "updated_at": story.updated_at,
    }


def story_from_row(row: Mapping[str, Any]) -> Story:
    """Convert a row to a story."""
    return Story.trusted(
        id=row["project_id"],
        title=row["title"],
        language=row["language"],
        settings=orjson.loads(row["settings_json"]),
        revision=row["revision"],
        entity_count=row["entity_count"],
        relation_count=row["relation_count"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def chapter_row(chapter: Chapter) -> Row:
    """Convert a chapter to a row."""
    return dict(chapter)


def chapter_from_row(row: Mapping[str, Any]) -> Chapter:
    """Convert a row to a chapter."""
    return Chapter.trusted(**row)


def scene_row(scene: Scene) -> Row:
    """Convert a scene to a row."""
    row = dict(scene)
    time, plan = row.pop("world_time"), row.pop("plan")
    said = (None, None, None) if time is None else (time.day, time.end, time.label)
    planned = {"pov_id": plan.pov, "notes": plan.notes or None, "word_goal": plan.word_goal}
    return row | dict(zip(SCENE_TIME, said, strict=True)) | planned


def scene_from_row(row: Mapping[str, Any]) -> Scene:
    """Convert a row to a scene."""
    fields = dict(row)
    time = scene_time_of(*(fields.pop(name) for name in SCENE_TIME))
    plan = scene_plan_of(fields.pop("pov_id"), fields.pop("notes"), fields.pop("word_goal"))
    return Scene.trusted(**fields, world_time=time, plan=plan)


def scene_plan_of(pov: str | None, notes: str | None, goal: int | None) -> ScenePlan:
    """Return the plan of a scene, as stored in three columns."""
    return ScenePlan.trusted(pov=pov, notes=notes or "", word_goal=goal)


def scene_time_of(day: float | None, end: float | None, label: str | None) -> SceneTime | None:
    """Return when a scene plays, as stored in three columns."""
    return None if day is None else SceneTime.trusted(day=day, label=label or "", end=end)


def snapshot_row(snapshot: Snapshot) -> Row:
    """Convert a snapshot to a row."""
    row = dict(snapshot)
    row["active_characters_json"] = _list_text(row.pop("active_characters"))
    row["active_locations_json"] = _list_text(row.pop("active_locations"))
    row["source"] = None if snapshot.source == AUTHOR else snapshot.source
    return row


def snapshot_from_row(row: Mapping[str, Any]) -> Snapshot:
    """Convert a row to a snapshot."""
    fields = dict(row)
    characters = orjson.loads(fields.pop("active_characters_json"))
    locations = orjson.loads(fields.pop("active_locations_json"))
    fields["source"] = fields["source"] or AUTHOR
    return Snapshot.trusted(
        **fields,
        active_characters=tuple(SnapshotCharacter.trusted(**item) for item in characters),
        active_locations=tuple(SnapshotLocation.trusted(**item) for item in locations),
    )


def _list_text(items: tuple[SnapshotCharacter | SnapshotLocation, ...]) -> str:
    return json_text([dict(item) for item in items])
