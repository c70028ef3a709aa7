"""The table of evidence: which quotation of which scene a fact rests on."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

fact_evidence = Table(
    "fact_evidence",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("fact_kind", Text, nullable=False),
    Column("fact_id", Text, nullable=False),
    Column("scene_id", Text, nullable=False),
    Column("quotation", Text, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("occurrence", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    # Null where the whole fact rests on the quotation.
    Column("attests_json", Text),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_fact_evidence_fact", "project_id", "fact_id"),
    Index("idx_fact_evidence_scene", "project_id", "scene_id"),
)
