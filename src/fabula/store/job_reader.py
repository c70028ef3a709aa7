"""Read jobs: which exist, which are due, and what of a scene was read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import orjson
from sqlalchemy import ColumnElement, and_, exists, func, not_, or_, select

from fabula.model.job import UNFINISHED, Job, JobStatus, NovelStage
from fabula.store.dialect import any_of
from fabula.store.job_tables import job_parts, jobs, novel_readings, scene_readings
from fabula.store.page import Page
from fabula.store.querying import Querying, of_story
from fabula.store.tables import stories


class StoredJob(NamedTuple):
    """A job with what its worker needs: payload, requester, number of requests, worker and heartbeat."""

    job: Job
    payload: dict[str, Any]
    asked_by: str
    is_local: bool
    asked: int
    worker: str | None
    heartbeat_at: str | None


class SceneReading(NamedTuple):
    """The pieces of a scene's text that were already processed, by hash."""

    extractor: str
    pieces: tuple[str, ...]


class JobReader(Querying):
    """Reads the jobs of all stories."""

    def job(self, job_id: str) -> Job | None:
        """Return the job with this id in any story, searching all shards."""
        own = select(jobs).join(stories, stories.c.project_id == jobs.c.project_id)
        row = self.one(own.where(jobs.c.id == job_id))
        return None if row is None else job_in(row)

    def job_of(self, project_id: str, job_id: str) -> StoredJob | None:
        """Return the job with this id in a story."""
        row = self.one(of_story(jobs, project_id).where(jobs.c.id == job_id))
        return None if row is None else stored_job(row)

    def page(self, project_id: str, statuses: Sequence[str] | None, limit: int, offset: int) -> Page[Job]:
        """Return a page of a story's jobs, newest first."""
        conditions = [jobs.c.project_id == project_id]
        if statuses is not None:
            conditions.append(jobs.c.status.in_(statuses))
        newest = select(jobs).where(*conditions).order_by(jobs.c.created_at.desc(), jobs.c.id.desc())
        rows = self.all(newest.limit(limit).offset(offset))
        return Page(tuple(map(job_in, rows)), self.count(jobs, conditions))

    def unfinished(self, project_id: str, kind: str, subject: str) -> StoredJob | None:
        """Return the queued or running job of this kind and subject."""
        columns = jobs.c
        row = self.one(
            of_story(jobs, project_id)
            .where(columns.kind == kind, columns.subject == subject, columns.status.in_(UNFINISHED))
            .order_by(columns.created_at)
            .limit(1)
        )
        return None if row is None else stored_job(row)

    def due(self, now: str, stale: str, but: Collection[str] = ()) -> tuple[str, str] | None:
        """Return story and id of the job that has been due longest, except these; includes abandoned jobs."""
        columns = jobs.c
        waits = or_(and_(columns.status == "queued", columns.run_after <= now), abandoned(stale))
        own = select(columns.project_id, columns.id).join(stories, stories.c.project_id == columns.project_id)
        if but:
            waits = and_(waits, not_(any_of(columns.id, but)))
        row = self.connection.execute(own.where(waits).order_by(columns.run_after).limit(1)).one_or_none()
        return None if row is None else (row[0], row[1])

    def next_time(self) -> str | None:
        """Return when the next job is due; None if none is queued."""
        own = select(func.min(jobs.c.run_after)).join(stories, stories.c.project_id == jobs.c.project_id)
        found: str | None = self.scalar(own.where(jobs.c.status == "queued"))
        return found

    def workers(self) -> set[str]:
        """Return all workers with running jobs."""
        own = select(jobs.c.worker).join(stories, stories.c.project_id == jobs.c.project_id).distinct()
        at_work = and_(jobs.c.status == "processing", jobs.c.worker.is_not(None))
        return set(self.connection.execute(own.where(at_work)).scalars())

    def by_status(self) -> dict[JobStatus, int]:
        """Return the number of jobs by status."""
        counts: dict[JobStatus, int] = dict.fromkeys(get_args(JobStatus), 0)
        counted = select(jobs.c.status, func.count()).group_by(jobs.c.status)
        counts.update({row[0]: row[1] for row in self.connection.execute(counted)})
        return counts

    def parts(self, project_id: str, job_id: str) -> dict[int, bytes]:
        """Return the finished parts of a job."""
        columns = job_parts.c
        query = select(columns.part, columns.content)
        rows = self.connection.execute(
            query.where(columns.project_id == project_id, columns.job_id == job_id)
        )
        return {row.part: row.content for row in rows}

    def left_parts(self) -> dict[str, int]:
        """Return the number of leftover parts of ended jobs, by story."""
        columns = job_parts.c
        job = and_(jobs.c.project_id == columns.project_id, jobs.c.id == columns.job_id)
        counted = select(columns.project_id, func.count()).join(jobs, job).group_by(columns.project_id)
        rows = self.connection.execute(counted.where(jobs.c.status.not_in(UNFINISHED)))
        return {row[0]: row[1] for row in rows}

    def novel_stage(self, project_id: str) -> NovelStage | None:
        """Return how far a story's novel was read; None if no novel was imported."""
        row = self.one(of_story(novel_readings, project_id))
        return None if row is None else row["stage"]

    def unread_novels(self, kind: str) -> tuple[str, ...]:
        """Return the stories whose novel was not read to the end, with no job of this kind to do so."""
        columns = novel_readings.c
        reading = and_(
            jobs.c.project_id == columns.project_id, jobs.c.kind == kind, jobs.c.status.in_(UNFINISHED)
        )
        unread = select(columns.project_id).where(columns.stage != "read", not_(exists().where(reading)))
        return tuple(self.connection.execute(unread.order_by(columns.project_id)).scalars())

    def reading(self, project_id: str, chapter: int, scene: int) -> SceneReading | None:
        """Return what of a scene was already processed."""
        columns = scene_readings.c
        row = self.one(
            of_story(scene_readings, project_id).where(
                columns.chapter_index == chapter, columns.scene_index == scene
            )
        )
        return (
            None if row is None else SceneReading(row["extractor"], tuple(orjson.loads(row["pieces_json"])))
        )


def abandoned(stale: str) -> ColumnElement[bool]:
    """Match running jobs whose worker has sent no heartbeat since `stale`."""
    columns = jobs.c
    unseen = or_(columns.heartbeat_at < stale, columns.heartbeat_at.is_(None), columns.worker.is_(None))
    return and_(columns.status == "processing", unseen)


def job_in(row: Mapping[Any, Any]) -> Job:
    """Convert a row to a job, without what only its worker needs."""
    return Job.trusted(
        story_id=row["project_id"],
        **{name: row[name] for name in Job.model_fields if name != "story_id"},
    )


def stored_job(row: Mapping[Any, Any]) -> StoredJob:
    """Convert a row to a stored job."""
    return StoredJob(
        job_in(row),
        orjson.loads(row["payload_json"]),
        row["asked_by"],
        bool(row["is_local"]),
        row["asked"],
        row["worker"],
        row["heartbeat_at"],
    )
