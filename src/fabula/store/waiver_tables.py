"""The table of waivers: which findings of checks are intended."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Table, Text

from fabula.store.tables import metadata

check_waivers = Table(
    "check_waivers",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("rule", Text, nullable=False),
    Column("facts_json", Text, nullable=False),
    Column("here", Text, nullable=False),
    Column("there", Text, nullable=False),
    Column("here_quotation", Text, nullable=False),
    Column("there_quotation", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)
