"""The quotations that facts rest on, made from what was approved; and the facts that a proposal carries."""

from __future__ import annotations

import json
import uuid
from hashlib import blake2b

import sqlalchemy as sa
from alembic import op

from fabula.model.ontology import relation_type

revision = "0012"
down_revision = "0011"

_APPROVED = sa.text(
    """
    SELECT read.project_id, read.id, read.kind, read.source_text, read.source_start, read.attributes_json,
           read.linked_entity_id, read.updated_at, scenes.id AS scene_id, scenes.text
    FROM entity_extractions read
    JOIN scenes ON scenes.project_id = read.project_id AND scenes.id = read.manuscript_id
    JOIN kg_entities ON kg_entities.project_id = read.project_id AND kg_entities.id = read.linked_entity_id
    WHERE read.review_action IN ('approved', 'merged') AND read.source_start IS NOT NULL
    """
)
_RELATIONS = sa.text(
    """
    SELECT kg_relations.id FROM kg_relations
    JOIN kg_entities ON kg_entities.project_id = kg_relations.project_id
     AND kg_entities.id = kg_relations.target_entity_id
    WHERE kg_relations.project_id = :story AND kg_relations.source_entity_id = :source
      AND kg_entities.name = :target AND kg_relations.relation_type = :word
    ORDER BY kg_relations.created_at, kg_relations.id
    """
)
_NAMESPACE = uuid.UUID("8a8d4a5e-5d0b-4c52-9a43-0f1b7a1f6d21")


def upgrade() -> None:
    """Create the table, add the column, and make evidence from the proposals that were approved."""
    op.add_column("entity_extractions", sa.Column("facts_json", sa.Text))
    op.create_table(
        "fact_evidence",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("fact_kind", sa.Text, nullable=False),
        sa.Column("fact_id", sa.Text, nullable=False),
        sa.Column("scene_id", sa.Text, nullable=False),
        sa.Column("quotation", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("occurrence", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_fact_evidence_fact", "fact_evidence", ["project_id", "fact_id"])
    op.create_index("idx_fact_evidence_scene", "fact_evidence", ["project_id", "scene_id"])
    _make_evidence()


def _make_evidence() -> None:
    """Each approved find that was quoted from a scene is evidence, as a step of its story."""
    connection = op.get_bind()
    made: dict[str, list[dict[str, object]]] = {}
    for row in connection.execute(_APPROVED).mappings().all():
        start, quotation = row["source_start"], row["source_text"]
        if not quotation or not row["text"].startswith(quotation, start):
            continue
        fact = _fact(connection, row)
        if fact is not None:
            made.setdefault(row["project_id"], []).append(_evidence(row, *fact))
    for story, rows in made.items():
        _append(connection, story, rows)


def _fact(connection: sa.Connection, row: sa.RowMapping) -> tuple[str, str] | None:
    """The fact that a find became: its entity, or the relation between the two that it names."""
    if row["kind"] != "relation":
        return "entity", row["linked_entity_id"]
    said = json.loads(row["attributes_json"])
    wanted = {
        "story": row["project_id"],
        "source": row["linked_entity_id"],
        "target": said.get("target"),
        "word": relation_type(str(said.get("type"))),
    }
    found = connection.execute(_RELATIONS, wanted).scalars().first()
    return None if found is None else ("relation", found)


def _evidence(row: sa.RowMapping, kind: str, fact_id: str) -> dict[str, object]:
    quotation, start = row["source_text"], row["source_start"]
    before, found = 0, row["text"].find(quotation)
    while found < start:
        before, found = before + 1, row["text"].find(quotation, found + 1)
    folded = "".join(quotation.split()).encode("utf-8", "surrogatepass")
    return {
        "id": str(uuid.uuid5(_NAMESPACE, f"{row['project_id']}/{row['id']}")),
        "fact_kind": kind,
        "fact_id": fact_id,
        "scene_id": row["scene_id"],
        "quotation": quotation,
        "fingerprint": blake2b(folded, digest_size=16).hexdigest(),
        "occurrence": before,
        "created_at": row["updated_at"],
    }


def _append(connection: sa.Connection, story: str, rows: list[dict[str, object]]) -> None:
    """Insert the rows, and append them to the log, which has every row."""
    at = connection.execute(
        sa.text("SELECT revision, updated_at FROM stories WHERE project_id = :story"), {"story": story}
    ).one()
    step = {"story": story, "revision": at.revision + 1, "at": at.updated_at, "count": len(rows)}
    connection.execute(
        sa.text("UPDATE stories SET revision = :revision WHERE project_id = :story"),
        {"story": story, "revision": at.revision + 1},
    )
    connection.execute(
        sa.text(
            "INSERT INTO story_steps (project_id, revision, at, actor, action, change_count)"
            " VALUES (:story, :revision, :at, 'local', 'evidence:found', :count)"
        ),
        step,
    )
    connection.execute(
        sa.text(
            "INSERT INTO story_changes (project_id, revision, seq, kind, row_id, before_json, after_json)"
            " VALUES (:story, :revision, :seq, 'evidence', :id, NULL, :after)"
        ),
        [
            {**step, "seq": number, "id": row["id"], "after": json.dumps(row, ensure_ascii=False)}
            for number, row in enumerate(rows)
        ],
    )
    columns = ", ".join(rows[0])
    values = ", ".join(f":{name}" for name in rows[0])
    connection.execute(
        sa.text(f"INSERT INTO fact_evidence (project_id, {columns}) VALUES (:story, {values})"),
        [{"story": story, **row} for row in rows],
    )
