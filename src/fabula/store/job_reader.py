"""Read jobs: which exist, which are due, and what of a scene was read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import orjson
from sqlalchemy import ColumnElement, and_, case, exists, func, not_, or_, select

from fabula.model.job import UNFINISHED, Job, JobStatus, NovelStage
from fabula.store.dialect import any_of
from fabula.store.job_tables import job_hints, job_parts, jobs, novel_readings, scene_readings
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


class JobKey(NamedTuple):
    """A story and the id of one of its jobs."""

    project_id: str
    job_id: str


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

    def due(self, now: str, stale: str, but: Collection[str] = ()) -> JobKey | None:
        """Return the job that has been due longest by its hint, except these; includes abandoned jobs."""
        columns = job_hints.c
        waits = columns.since <= case((columns.worker.is_(None), now), else_=stale)
        if but:
            waits = and_(waits, not_(any_of(columns.job_id, but)))
        own = select(columns.project_id, columns.job_id).where(waits).order_by(columns.since).limit(1)
        row = self.connection.execute(own).one_or_none()
        return None if row is None else JobKey(*row)

    def next_time(self) -> str | None:
        """Return when the next job is due; None if none is queued."""
        found: str | None = self.scalar(
            select(func.min(job_hints.c.since)).where(job_hints.c.worker.is_(None))
        )
        return found

    def held(self) -> dict[str, list[JobKey]]:
        """Return the running jobs by worker."""
        found: dict[str, list[JobKey]] = {}
        columns = job_hints.c
        at_work = select(columns.worker, columns.project_id, columns.job_id).where(
            columns.worker.is_not(None)
        )
        for worker, *key in self.connection.execute(at_work.order_by(columns.since)):
            found.setdefault(worker, []).append(JobKey(*key))
        return found

    def beyond(self, latest: str) -> list[JobKey]:
        """Return the unfinished jobs with a time later than this."""
        columns = job_hints.c
        late = select(columns.project_id, columns.job_id).where(columns.since > latest)
        return [JobKey(*row) for row in self.connection.execute(late)]

    def misplaced_hints(self) -> set[JobKey]:
        """Return the jobs of all stories whose hint is missing, left over or about another state."""
        own = (
            jobs.c.project_id,
            jobs.c.id,
            jobs.c.status,
            jobs.c.run_after,
            jobs.c.heartbeat_at,
            jobs.c.worker,
        )
        # The jobs first: whatever begins or ends meanwhile is only looked at once more.
        rows = self.connection.execute(select(*own).where(jobs.c.status.in_(UNFINISHED))).all()
        wanted = {JobKey(*row[:2]): hint_of(*row[2:]) for row in rows}
        known = self.connection.execute(select(job_hints)).all()
        hints = {JobKey(row.project_id, row.job_id): (row.since, row.worker) for row in known}
        return {
            key
            for key in wanted.keys() | hints.keys()
            if key not in hints or not _is_right(hints[key], wanted.get(key))
        }

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


JobHint = tuple[str, str | None]
"""Since when a job waits, or its last noted heartbeat; and its worker, if it runs."""


def hint_of(status: str, run_after: str, heartbeat_at: str | None, worker: str | None) -> JobHint | None:
    """Return what the hint of a job should say; None if it is over."""
    if status == "queued":
        return run_after, None
    return (heartbeat_at or "", worker) if status == "processing" else None


def _is_right(hint: JobHint, wanted: JobHint | None) -> bool:
    """Whether a hint leads to its job in time; heartbeats are not noted, so that it may be older."""
    if wanted is None or hint[1] != wanted[1]:
        return False
    return hint[0] == wanted[0] if hint[1] is None else hint[0] <= wanted[0]


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
