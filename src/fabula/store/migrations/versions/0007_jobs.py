"""Long work that outlives its process, what was read of each scene, and who made a snapshot."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables; the snapshots that there are come from authors."""
    _jobs()
    _parts()
    _readings()
    op.add_column("context_snapshots", sa.Column("source", sa.Text))


def _jobs() -> None:
    op.create_table(
        "jobs",
        _text("project_id"),
        _text("id"),
        _text("kind"),
        _text("subject"),
        _text("status"),
        sa.Column("progress", sa.Float, nullable=False),
        _text("message"),
        _text("payload_json"),
        _text("asked_by"),
        _number("is_local"),
        _number("asked"),
        _number("attempts"),
        _text("run_after"),
        sa.Column("worker", sa.Text),
        sa.Column("heartbeat_at", sa.Text),
        _text("created_at"),
        sa.Column("finished_at", sa.Text),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_jobs_due", "jobs", ["project_id", "status", "run_after"])
    op.create_index("idx_jobs_subject", "jobs", ["project_id", "kind", "subject"])


def _parts() -> None:
    op.create_table(
        "job_parts",
        _text("project_id"),
        _text("job_id"),
        _number("part"),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "job_id", "part"),
        sa.ForeignKeyConstraint(["project_id", "job_id"], ["jobs.project_id", "jobs.id"]),
    )


def _readings() -> None:
    op.create_table(
        "scene_readings",
        _text("project_id"),
        _number("chapter_index"),
        _number("scene_index"),
        _text("extractor"),
        _text("pieces_json"),
        sa.PrimaryKeyConstraint("project_id", "chapter_index", "scene_index"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)
