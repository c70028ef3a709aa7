"""How Alembic reaches the database: over the connection that `migrate` already holds."""

from __future__ import annotations

from alembic import context

from fabula.store import tables
from fabula.store.dialect import fit_schema
from fabula.store.sharding import keep_distributed

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=tables.metadata)
context.run_migrations()
fit_schema(connection, tables.metadata.tables)
keep_distributed(connection)
