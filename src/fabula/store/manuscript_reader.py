"""Read the manuscript: chapters, scenes, snapshots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import and_, func, or_, select, tuple_

from fabula.model.manuscript import Chapter, Scene, Snapshot
from fabula.model.world_time import SceneTime
from fabula.store.dialect import any_of
from fabula.store.querying import Querying, of_story
from fabula.store.statement import STORY, Statement, rows_by, run, within_story
from fabula.store.story_rows import (
    SCENE_TIME,
    chapter_from_row,
    scene_from_row,
    scene_time_of,
    snapshot_from_row,
)
from fabula.store.tables import chapters, context_snapshots, scenes

_TITLES = Statement(
    select(chapters.c.chapter_index, chapters.c.title).where(within_story(chapters), chapters.c.title != "")
)
# How much of a text is read for its first words.
_OPENING = 120
_WORDS = 48
_SCENES_OF_IDS = rows_by(scenes.c.id)


class SceneHeading(NamedTuple):
    """A scene without its text."""

    id: str
    chapter_index: int
    scene_index: int
    title: str
    word_count: int
    version: int
    updated_at: str
    pov_id: str | None
    word_goal: int | None
    has_notes: bool
    opening: str
    world_time: SceneTime | None


class WrittenSoFar(NamedTuple):
    """How much of a story is written, and the scene that was changed last."""

    project_id: str
    word_count: int
    scene_count: int
    chapter_index: int
    scene_index: int
    title: str
    chapter_title: str


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

    def chapter_titles(self, project_id: str) -> dict[int, str]:
        """Return the titles of the chapters that have one."""
        return {row[0]: row[1] for row in run(self.connection, _TITLES, {STORY: project_id})}

    def headings(self, project_id: str) -> tuple[SceneHeading, ...]:
        """Return all scenes without their texts, in order."""
        columns = [
            *(scenes.c[name] for name in SceneHeading._fields[:-3]),
            scenes.c.notes.is_not(None),
            func.substr(scenes.c.text, 1, _OPENING),
            *(scenes.c[name] for name in SCENE_TIME),
        ]
        rows = self.connection.execute(
            select(*columns)
            .where(scenes.c.project_id == project_id)
            .order_by(scenes.c.chapter_index, scenes.c.scene_index)
        )
        return tuple(
            SceneHeading._make((*row[:-5], bool(row[-5]), _first_line(row[-4]), scene_time_of(*row[-3:])))
            for row in rows
        )

    def written_so_far(self, ids: Iterable[str]) -> dict[str, WrittenSoFar]:
        """Return how much is written of these stories, and where last; those without scenes are left out."""
        own = scenes.c
        latest = (own.updated_at.desc(), own.chapter_index.desc(), own.scene_index.desc())
        ranked = (
            select(
                own.project_id,
                func.sum(own.word_count).over(partition_by=own.project_id).label("word_count"),
                func.count().over(partition_by=own.project_id).label("scene_count"),
                own.chapter_index,
                own.scene_index,
                own.title,
                func.row_number().over(partition_by=own.project_id, order_by=latest).label("rank"),
            )
            .where(any_of(own.project_id, ids))
            .subquery()
        )
        of_chapter = and_(
            chapters.c.project_id == ranked.c.project_id, chapters.c.chapter_index == ranked.c.chapter_index
        )
        columns = [ranked.c[name] for name in WrittenSoFar._fields[:-1]]
        query = (
            select(*columns, func.coalesce(chapters.c.title, ""))
            .select_from(ranked.outerjoin(chapters, of_chapter))
            .where(ranked.c.rank == 1)
        )
        return {row[0]: WrittenSoFar._make(row) for row in self.connection.execute(query)}

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

    def scenes_of_ids(self, project_id: str, ids: Iterable[str]) -> dict[str, Scene]:
        """Return the scenes with these ids, by id."""
        rows = self.fetch_rows(_SCENES_OF_IDS, story=project_id, listed=ids)
        return {row["id"]: scene_from_row(row) for row in rows}

    def scenes(self, project_id: str) -> tuple[Scene, ...]:
        """Return all scenes with their texts, in order."""
        columns = scenes.c
        query = of_story(scenes, project_id).order_by(columns.chapter_index, columns.scene_index)
        return tuple(map(scene_from_row, self.all(query)))

    def scenes_of_povs(self, project_id: str, entity_ids: Iterable[str]) -> tuple[Scene, ...]:
        """Return the scenes that are told from the points of view of these entities."""
        query = of_story(scenes, project_id).where(any_of(scenes.c.pov_id, entity_ids))
        return tuple(map(scene_from_row, self.all(query.order_by(scenes.c.id))))

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


def _first_line(text: str) -> str:
    line = next(iter(text.strip().splitlines()), "")
    if len(line) <= _WORDS:
        return line
    # Between words, where the script has spaces.
    return (line[:_WORDS].rpartition(" ")[0] or line[:_WORDS]) + "…"
