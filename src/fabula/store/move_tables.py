"""The table of what a move between databases has copied; empty when none is in progress."""

from __future__ import annotations

from sqlalchemy import Column, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

move_parts = Table(
    "move_parts",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("part", Text, primary_key=True),
    Column("row_count", Number, nullable=False),
    Column("checksum", Text, nullable=False),
)
