"""The tables of jobs and of what they have read, not recorded in the change log."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKeyConstraint, Index, LargeBinary, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

jobs = Table(
    "jobs",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("progress", Float, nullable=False),
    Column("message", Text, nullable=False),
    Column("payload_json", Text, nullable=False),
    Column("asked_by", Text, nullable=False),
    Column("is_local", Number, nullable=False),
    Column("asked", Number, nullable=False),
    Column("attempts", Number, nullable=False),
    Column("run_after", Text, nullable=False),
    Column("worker", Text),
    Column("heartbeat_at", Text),
    Column("created_at", Text, nullable=False),
    Column("finished_at", Text),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_jobs_due", "project_id", "status", "run_after"),
    Index("idx_jobs_subject", "project_id", "kind", "subject"),
)

# Every unfinished job, so that workers look in one small table instead of in all stories: since when it
# waits, or the last heartbeat that was noted of its worker. A sharded engine keeps it in one place, so that
# it refers to no story.
job_hints = Table(
    "job_hints",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("job_id", Text, primary_key=True),
    Column("since", Text, nullable=False),
    Column("worker", Text),
    Index("idx_job_hints_since", "since"),
)

# The finished parts of a job, until all of it is done.
job_parts = Table(
    "job_parts",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("job_id", Text, primary_key=True),
    Column("part", Number, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
    ForeignKeyConstraint(["project_id", "job_id"], ["jobs.project_id", "jobs.id"]),
)

# The pieces of a scene's text that were processed, and by which extractor.
scene_readings = Table(
    "scene_readings",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("chapter_index", Number, primary_key=True, autoincrement=False),
    Column("scene_index", Number, primary_key=True, autoincrement=False),
    Column("extractor", Text, nullable=False),
    Column("pieces_json", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)

# How far a novel was read; unlike jobs, this is never pruned.
novel_readings = Table(
    "novel_readings",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("stage", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)
