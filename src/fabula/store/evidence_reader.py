"""Read evidence, and convert it to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement

from fabula.model.evidence import Evidence, FactKind
from fabula.store.dialect import any_of
from fabula.store.evidence_tables import fact_evidence
from fabula.store.querying import Querying, of_story
from fabula.store.rowkind import Row

_COLUMNS = fact_evidence.c


def evidence_row(evidence: Evidence) -> Row:
    """Convert evidence to a row."""
    return {**dict(evidence), "fact_kind": evidence.fact_kind.value}


def evidence_from_row(row: Mapping[str, Any]) -> Evidence:
    """Convert a row to evidence."""
    return Evidence.trusted(**{**row, "fact_kind": FactKind(row["fact_kind"])})


class EvidenceReader(Querying):
    """Reads the evidence of all stories."""

    def of_facts(self, project_id: str, kind: FactKind, ids: Iterable[str]) -> tuple[Evidence, ...]:
        """Return the evidence of these facts, the oldest first."""
        wanted = any_of(_COLUMNS.fact_id, ids)
        return self._found(project_id, wanted, _COLUMNS.fact_kind == kind.value)

    def of_scenes(self, project_id: str, ids: Iterable[str]) -> tuple[Evidence, ...]:
        """Return the evidence in these scenes, the oldest first."""
        return self._found(project_id, any_of(_COLUMNS.scene_id, ids))

    def _found(self, project_id: str, *conditions: ColumnElement[bool]) -> tuple[Evidence, ...]:
        query = of_story(fact_evidence, project_id).where(*conditions)
        rows = self.all(query.order_by(_COLUMNS.created_at, _COLUMNS.id))
        return tuple(map(evidence_from_row, rows))
