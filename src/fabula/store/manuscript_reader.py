"""Read the manuscript: chapters, scenes, snapshots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import and_, or_, select, tuple_

from fabula.model.manuscript import Chapter, Scene, Snapshot
from fabula.store.querying import Querying, of_story
from fabula.store.story_rows import chapter_from_row, scene_from_row, snapshot_from_row
from fabula.store.tables import chapters, context_snapshots, scenes


class SceneHeading(NamedTuple):
    """A scene without its text."""

    id: str
    chapter_index: int
    scene_index: int
    title: str
    word_count: int
    version: int
    updated_at: str


class ManuscriptReader(Querying):
    """Reads the manuscripts of all stories."""

    def chapters(self, project_id: str) -> tuple[Chapter, ...]:
        """Return the chapters that have fields of their own, in order."""
        rows = self.all(of_story(chapters, project_id).order_by(chapters.c.chapter_index))
        return tuple(map(chapter_from_row, rows))

    def chapter(self, project_id: str, chapter: int) -> Chapter | None:
        """Return the chapter's own fields."""
        row = self.one(of_story(chapters, project_id).where(chapters.c.chapter_index == chapter))
        return None if row is None else chapter_from_row(row)

    def headings(self, project_id: str) -> tuple[SceneHeading, ...]:
        """Return all scenes without their texts, in order."""
        columns = [scenes.c[name] for name in SceneHeading._fields]
        rows = self.connection.execute(
            select(*columns)
            .where(scenes.c.project_id == project_id)
            .order_by(scenes.c.chapter_index, scenes.c.scene_index)
        )
        return tuple(SceneHeading(*row) for row in rows)

    def scene(self, project_id: str, chapter: int, scene: int) -> Scene | None:
        """Return the scene at this place."""
        row = self.one(
            of_story(scenes, project_id).where(
                scenes.c.chapter_index == chapter, scenes.c.scene_index == scene
            )
        )
        return None if row is None else scene_from_row(row)

    def scene_of_id(self, project_id: str, scene_id: str) -> Scene | None:
        """Return the scene with this id, wherever it is."""
        row = self.one(of_story(scenes, project_id).where(scenes.c.id == scene_id))
        return None if row is None else scene_from_row(row)

    def scenes(self, project_id: str) -> tuple[Scene, ...]:
        """Return all scenes with their texts, in order."""
        columns = scenes.c
        query = of_story(scenes, project_id).order_by(columns.chapter_index, columns.scene_index)
        return tuple(map(scene_from_row, self.all(query)))

    def texts(self, project_id: str, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """Return the texts of the scenes at these places (chapter, scene)."""
        columns = scenes.c
        wanted = tuple_(columns.chapter_index, columns.scene_index).in_(sorted(places))
        query = select(columns.chapter_index, columns.scene_index, columns.text)
        rows = self.connection.execute(query.where(columns.project_id == project_id, wanted))
        return {(chapter, scene): text for chapter, scene, text in rows}

    def snapshots(self, project_id: str) -> tuple[Snapshot, ...]:
        """Return all snapshots, in story order."""
        columns = context_snapshots.c
        query = of_story(context_snapshots, project_id)
        rows = self.all(query.order_by(columns.chapter_index, columns.scene_index))
        return tuple(map(snapshot_from_row, rows))

    def snapshot(self, project_id: str, chapter: int, scene: int) -> Snapshot | None:
        """Return the snapshot of this scene."""
        columns = context_snapshots.c
        row = self.one(
            of_story(context_snapshots, project_id).where(
                columns.chapter_index == chapter, columns.scene_index == scene
            )
        )
        return None if row is None else snapshot_from_row(row)

    def snapshots_before(self, project_id: str, chapter: int, scene: int, limit: int) -> tuple[Snapshot, ...]:
        """Return the last snapshots before a scene, newest first."""
        columns = context_snapshots.c
        earlier = or_(
            columns.chapter_index < chapter,
            and_(columns.chapter_index == chapter, columns.scene_index < scene),
        )
        rows = self.all(
            of_story(context_snapshots, project_id)
            .where(earlier)
            .order_by(columns.chapter_index.desc(), columns.scene_index.desc())
            .limit(limit)
        )
        return tuple(map(snapshot_from_row, rows))
