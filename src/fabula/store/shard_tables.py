"""How each table is distributed where there is Citus, and how it is now."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import Connection, text

from fabula.store.tables import metadata

DISTRIBUTED_BY: Literal["project_id"] = "project_id"
# Small, of no story, and copied whole to every machine.
REFERENCE = frozenset({"users", "user_tokens"})
# Asked by all workers about all stories, so that it stays on the first machine.
LOCAL = frozenset({"job_hints"})
# The table that all others are placed beside.
FIRST = "stories"

_HAS_CITUS = "SELECT to_regproc('create_distributed_table') IS NOT NULL"
_LAYOUT = """SELECT table_name::text, citus_table_type, distribution_column FROM citus_tables
             WHERE citus_table_type IN ('distributed', 'reference')"""
# Machines change a table one after the other: whoever changes several in one transaction needs that.
_IN_ORDER = "SET LOCAL citus.multi_shard_modify_mode = 'sequential'"

TableLayout = dict[str, str]


def wanted(table: str) -> str | None:
    """Return how a table should be distributed: by a column, as `reference`, or None for not at all."""
    if table in LOCAL:
        return None
    if table in REFERENCE:
        return "reference"
    known = metadata.tables.get(table)
    return DISTRIBUTED_BY if known is not None and DISTRIBUTED_BY in known.columns else None


def layout(connection: Connection) -> TableLayout | None:
    """Return how the tables are distributed now; None without Citus."""
    if connection.dialect.name != "postgresql" or not connection.execute(text(_HAS_CITUS)).scalar_one():
        return None
    rows = connection.execute(text(_LAYOUT)).all()
    return {name: kind if kind == "reference" else column for name, kind, column in rows}


def go_in_order(connection: Connection) -> None:
    """Let a migration change several distributed tables in its transaction."""
    if layout(connection):
        connection.exec_driver_sql(_IN_ORDER)
