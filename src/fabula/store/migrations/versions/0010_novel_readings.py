"""How far each novel is read; and queues come free that a part of an ended job held up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

_ENDED = "('done', 'failed', 'cancelled')"
_OF_AN_ENDED_JOB = f"""
EXISTS (SELECT 1 FROM jobs WHERE jobs.project_id = job_parts.project_id
        AND jobs.id = job_parts.job_id AND jobs.status IN {_ENDED})
"""


def upgrade() -> None:
    """Create the table, fill it from what is left of each reading, and free the jobs."""
    op.create_table(
        "novel_readings",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    _note_stages()
    _free_queues()


def _note_stages() -> None:
    """That the job had ended was taken for the end of the reading; what it wrote says how far it came.

    A reading that found nothing has no step: that it looked through every scene is noted with them.
    """
    op.execute(
        """
        INSERT INTO novel_readings (project_id, stage)
        SELECT told.project_id, CASE
          WHEN EXISTS (SELECT 1 FROM story_steps WHERE story_steps.project_id = told.project_id
                       AND story_steps.action = 'novel:snapshots')
            OR EXISTS (SELECT 1 FROM jobs WHERE jobs.project_id = told.project_id
                       AND jobs.kind = 'novel-reading' AND jobs.status = 'done')
            THEN 'read'
          WHEN EXISTS (SELECT 1 FROM story_steps WHERE story_steps.project_id = told.project_id
                       AND story_steps.action = 'novel:read')
            OR EXISTS (SELECT 1 FROM job_parts WHERE job_parts.project_id = told.project_id
                       AND job_parts.part = -1)
            OR NOT EXISTS (SELECT 1 FROM scenes LEFT JOIN scene_readings
                           ON scene_readings.project_id = scenes.project_id
                           AND scene_readings.chapter_index = scenes.chapter_index
                           AND scene_readings.scene_index = scenes.scene_index
                           WHERE scenes.project_id = told.project_id AND scene_readings.project_id IS NULL)
            THEN 'proposed'
          ELSE 'stored' END
        FROM stories told
        WHERE EXISTS (SELECT 1 FROM story_steps WHERE story_steps.project_id = told.project_id
                      AND story_steps.action = 'novel:import')
        """
    )
    op.execute("DELETE FROM job_parts WHERE part = -1")


def _free_queues() -> None:
    """A part that was kept after its job had ended let no other job of the story end."""
    op.execute(
        f"""
        UPDATE jobs SET status = 'queued', worker = NULL, attempts = 0
        WHERE status NOT IN {_ENDED}
        AND project_id IN (SELECT job_parts.project_id FROM job_parts WHERE {_OF_AN_ENDED_JOB})
        """
    )
    op.execute(f"DELETE FROM job_parts WHERE {_OF_AN_ENDED_JOB}")
