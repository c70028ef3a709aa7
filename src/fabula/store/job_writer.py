"""Write jobs: each change is one conditional statement, so that several processes run each job once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Update, and_, bindparam, delete, insert, or_, select, update

from fabula.model.job import UNFINISHED, JobStatus, NovelStage
from fabula.store.dialect import any_of
from fabula.store.job_reader import JobKey, JobReader, SceneReading, StoredJob, abandoned, hint_of
from fabula.store.job_tables import job_hints, job_parts, jobs, novel_readings, scene_readings
from fabula.store.querying import of_story
from fabula.store.rowkind import json_text

KEPT_JOBS = 100

_columns = jobs.c


class NewJob(NamedTuple):
    """What to do, about what, for whom, and when."""

    kind: str
    subject: str
    message: str
    payload: dict[str, Any]
    asked_by: str
    is_local: bool
    run_after: str


class Hold(NamedTuple):
    """A worker's hold on a job, lost when the job is cancelled, requested again, or taken over."""

    project_id: str
    job_id: str
    worker: str
    asked: int


class JobWriter(JobReader):
    """Changes jobs inside one transaction."""

    def add(self, project_id: str, job_id: str, new: NewJob, now: str) -> StoredJob:
        """Add a queued job."""
        row = {
            "project_id": project_id,
            "id": job_id,
            "status": "queued",
            "progress": 0.0,
            "asked": 1,
            "attempts": 0,
            "worker": None,
            "heartbeat_at": None,
            "created_at": now,
            "finished_at": None,
            **_said(new),
        }
        self.connection.execute(insert(jobs), row)
        self.hint(JobKey(project_id, job_id))
        return self._existing(project_id, job_id)

    def ask_again(self, known: StoredJob, new: NewJob) -> StoredJob:
        """Update an unfinished job to the new request; its current worker loses the hold."""
        own = self._own(known.job.story_id, known.job.id)
        self.connection.execute(own.values(**_said(new), asked=_columns.asked + 1))
        self.hint(JobKey(known.job.story_id, known.job.id))
        return self._existing(known.job.story_id, known.job.id)

    def claim(self, project_id: str, job_id: str, worker: str, now: str, stale: str) -> StoredJob | None:
        """Claim a job that is queued, or abandoned since `stale`; None if another worker was faster."""
        waits = or_(_columns.status == "queued", abandoned(stale))
        taken = self.connection.execute(
            self._own(project_id, job_id)
            .where(waits)
            .values(status="processing", worker=worker, heartbeat_at=now, attempts=_columns.attempts + 1)
        )
        # Also where another was faster, so that whoever follows the hint does not do so again.
        self.hint(JobKey(project_id, job_id))
        return self._existing(project_id, job_id) if taken.rowcount else None

    def try_anew(self, known: StoredJob) -> None:
        """Reset the attempts of a job that is requested again."""
        self.connection.execute(self._own(known.job.story_id, known.job.id).values(attempts=0))

    def beat(self, hold: Hold, now: str) -> bool:
        """Record a worker's heartbeat; False if the hold is lost.

        Until the transaction ends, nobody else can take over the job.
        """
        return bool(self.connection.execute(self._held(hold).values(heartbeat_at=now)).rowcount)

    def release(self, key: JobKey, worker: str) -> None:
        """Requeue a job of a worker that is gone."""
        at_work = and_(_columns.worker == worker, _columns.status == "processing")
        self.connection.execute(self._own(*key).where(at_work).values(status="queued", worker=None))
        self.hint(key)

    def bring_near(self, key: JobKey, now: str, latest: str) -> None:
        """Correct times in the far future, which stem from a clock that was set back since."""
        own = self._own(*key)
        waits = and_(_columns.status == "queued", _columns.run_after > latest)
        self.connection.execute(own.where(waits).values(run_after=now))
        seen = and_(_columns.status == "processing", _columns.heartbeat_at > latest)
        self.connection.execute(own.where(seen).values(heartbeat_at=now))
        self.hint(key)

    def hint(self, key: JobKey) -> None:
        """Make the hint of a job say how its row is now; every change of its state ends with this.

        The row is locked, so that the hint of an earlier state cannot come after that of a later one.
        """
        job = select(_columns.status, _columns.run_after, _columns.heartbeat_at, _columns.worker)
        own = job.where(_columns.project_id == key.project_id, _columns.id == key.job_id)
        found = self.connection.execute(own.with_for_update()).one_or_none()
        wanted = None if found is None else hint_of(*found)
        columns = job_hints.c
        known = and_(columns.project_id == key.project_id, columns.job_id == key.job_id)
        if wanted is None:
            self.connection.execute(delete(job_hints).where(known))
            return
        since, worker = wanted
        said = update(job_hints).where(known).values(since=since, worker=worker)
        if not self.connection.execute(said).rowcount:
            row = {**key._asdict(), "since": since, "worker": worker}
            self.connection.execute(insert(job_hints), row)

    def report(self, hold: Hold, progress: float, message: str, now: str) -> bool:
        """Record the progress of a job; False if the hold is lost."""
        said = self._held(hold).values(progress=progress, message=message, heartbeat_at=now)
        return bool(self.connection.execute(said).rowcount)

    def end(self, hold: Hold, status: JobStatus, now: str, **changes: Any) -> bool:
        """Record how a job ended, and delete its working data; False if the hold is lost."""
        if not self.note_end(hold, status, now, **changes):
            return False
        self._clear(hold.project_id, hold.job_id)
        return True

    def note_end(self, hold: Hold, status: JobStatus, now: str, **changes: Any) -> bool:
        """Record only how a job ended; False if the hold is lost."""
        return self._changed(hold, status=status, finished_at=now, worker=None, **changes)

    def give_up(self, project_id: str, job_id: str, now: str, message: str) -> None:
        """Mark a job as failed, whoever holds it and whatever its row contains."""
        unfinished = self._own(project_id, job_id).where(_columns.status.in_(UNFINISHED))
        self.connection.execute(
            unfinished.values(status="failed", finished_at=now, worker=None, message=message)
        )
        self.hint(JobKey(project_id, job_id))

    def give_back(self, hold: Hold, run_after: str, message: str, *, as_tried: bool) -> bool:
        """Requeue a job, counting the attempt or not; False if the hold is lost."""
        attempts = _columns.attempts - (0 if as_tried else 1)
        return self._changed(
            hold, status="queued", worker=None, run_after=run_after, message=message, attempts=attempts
        )

    def let_go(self, hold: Hold) -> None:
        """Restart a job that was requested again, with all its attempts."""
        mine = and_(_columns.worker == hold.worker, _columns.status == "processing")
        anew = self._own(hold.project_id, hold.job_id).where(mine, _columns.asked != hold.asked)
        self.connection.execute(anew.values(status="queued", worker=None, progress=0.0, attempts=0))
        self.hint(JobKey(hold.project_id, hold.job_id))

    def cancel(self, project_id: str, job_id: str, now: str) -> bool:
        """Cancel a queued or running job; False if it had already ended."""
        unfinished = self._own(project_id, job_id).where(_columns.status.in_(UNFINISHED))
        ended = unfinished.values(status="cancelled", finished_at=now, worker=None)
        if not self.connection.execute(ended).rowcount:
            return False
        self.hint(JobKey(project_id, job_id))
        self._clear(project_id, job_id)
        return True

    def keep_part(self, hold: Hold, part: int, content: bytes, now: str) -> bool:
        """Store a finished part, replacing an earlier one; False if the hold is lost."""
        if not self.beat(hold, now):
            return False
        key = {"project_id": hold.project_id, "job_id": hold.job_id, "part": part}
        own = and_(*(job_parts.c[name] == value for name, value in key.items()))
        self.connection.execute(delete(job_parts).where(own))
        self.connection.execute(insert(job_parts), {**key, "content": content})
        return True

    def prune(self, project_id: str) -> None:
        """Keep only the last ended jobs of a story, and none of their parts."""
        self.clear_ended(project_id)
        ended = and_(_columns.project_id == project_id, _columns.status.not_in(UNFINISHED))
        newest = select(_columns.id).where(ended).order_by(_columns.created_at.desc())
        old = self.connection.execute(newest.offset(KEPT_JOBS)).scalars().all()
        if old:
            own = and_(_columns.project_id == project_id, any_of(_columns.id, old))
            self.connection.execute(delete(jobs).where(own))

    def clear_ended(self, project_id: str) -> None:
        """Delete the leftover parts of a story's ended jobs."""
        ended = select(_columns.id).where(
            _columns.project_id == project_id, _columns.status.not_in(UNFINISHED)
        )
        own = and_(job_parts.c.project_id == project_id, job_parts.c.job_id.in_(ended))
        self.connection.execute(delete(job_parts).where(own))

    def note_novel(self, project_id: str, stage: NovelStage) -> None:
        """Record how far a story's novel was read."""
        self.connection.execute(delete(novel_readings).where(novel_readings.c.project_id == project_id))
        self.connection.execute(insert(novel_readings), {"project_id": project_id, "stage": stage})

    def note_reading(self, project_id: str, chapter: int, scene: int, reading: SceneReading) -> None:
        """Record what of a scene was processed."""
        place = {"project_id": project_id, "chapter_index": chapter, "scene_index": scene}
        own = and_(*(scene_readings.c[name] == value for name, value in place.items()))
        self.connection.execute(delete(scene_readings).where(own))
        row = {"extractor": reading.extractor, "pieces_json": json_text(list(reading.pieces))}
        self.connection.execute(insert(scene_readings), {**place, **row})

    def move_readings(self, project_id: str, moves: Mapping[tuple[int, int], tuple[int, int]]) -> None:
        """Move the reading records of scenes to their new places."""
        rows = [row for row in self.all(of_story(scene_readings, project_id)) if _place(row) in moves]
        if not rows:
            return
        columns = scene_readings.c
        gone = delete(scene_readings).where(
            columns.project_id == project_id,
            columns.chapter_index == bindparam("chapter"),
            columns.scene_index == bindparam("scene"),
        )
        places = {*map(_place, rows), *(moves[_place(row)] for row in rows)}
        self.connection.execute(gone, [{"chapter": chapter, "scene": scene} for chapter, scene in places])
        for row in rows:
            row["chapter_index"], row["scene_index"] = moves[_place(row)]
        self.connection.execute(insert(scene_readings), rows)

    def _own(self, project_id: str, job_id: str) -> Update:
        return update(jobs).where(_columns.project_id == project_id, _columns.id == job_id)

    def _held(self, hold: Hold) -> Update:
        own = self._own(hold.project_id, hold.job_id)
        return own.where(
            _columns.status == "processing",
            _columns.worker == hold.worker,
            _columns.asked == hold.asked,
        )

    def _changed(self, hold: Hold, **values: Any) -> bool:
        """Change the state of a job that is held; False if the hold is lost."""
        if not self.connection.execute(self._held(hold).values(**values)).rowcount:
            return False
        self.hint(JobKey(hold.project_id, hold.job_id))
        return True

    def _existing(self, project_id: str, job_id: str) -> StoredJob:
        found = self.job_of(project_id, job_id)
        assert found is not None
        return found

    def _clear(self, project_id: str, job_id: str) -> None:
        """Delete the parts and payload of an ended job."""
        own = and_(job_parts.c.project_id == project_id, job_parts.c.job_id == job_id)
        self.connection.execute(delete(job_parts).where(own))
        self.connection.execute(self._own(project_id, job_id).values(payload_json="{}"))


def _place(row: Mapping[Any, Any]) -> tuple[int, int]:
    return row["chapter_index"], row["scene_index"]


def _said(new: NewJob) -> dict[str, Any]:
    return {
        "kind": new.kind,
        "subject": new.subject,
        "message": new.message,
        "payload_json": json_text(new.payload),
        "asked_by": new.asked_by,
        "is_local": int(new.is_local),
        "run_after": new.run_after,
    }
