"""How Alembic reaches the database: over the connection that `migrate` already holds."""

from __future__ import annotations

from alembic import context

from fabula.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
