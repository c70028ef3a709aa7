"""Hints to unfinished jobs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Create the table, and note the jobs that wait or run."""
    op.create_table(
        "job_hints",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("job_id", sa.Text, nullable=False),
        sa.Column("since", sa.Text, nullable=False),
        sa.Column("worker", sa.Text),
        sa.PrimaryKeyConstraint("project_id", "job_id"),
    )
    op.create_index("idx_job_hints_since", "job_hints", ["since"])
    op.execute(
        "INSERT INTO job_hints SELECT project_id, id, run_after, NULL FROM jobs WHERE status = 'queued'"
    )
    op.execute(
        "INSERT INTO job_hints SELECT project_id, id, COALESCE(heartbeat_at, ''), worker FROM jobs "
        "WHERE status = 'processing'"
    )
