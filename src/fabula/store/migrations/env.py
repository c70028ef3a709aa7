"""How Alembic reaches the database: over the connection that `migrate` already holds."""

from __future__ import annotations

from alembic import context

from fabula.store import tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables.metadata,
)
context.run_migrations()
