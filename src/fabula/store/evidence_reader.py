"""Read evidence, and convert it to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from fabula.model.entity import EntityState
from fabula.model.evidence import Attested, Evidence
from fabula.model.fact import FactKind
from fabula.store.evidence_tables import fact_evidence
from fabula.store.graph_rows import state_from_row
from fabula.store.querying import Querying
from fabula.store.rowkind import Row, json_text
from fabula.store.statement import Statement, in_story, listed, rows_by, within_story
from fabula.store.tables import kg_entity_states

_COLUMNS = fact_evidence.c
_OLDEST_FIRST = (_COLUMNS.created_at, _COLUMNS.id)
_OF_SCENES = rows_by(_COLUMNS.scene_id, *_OLDEST_FIRST)
_ONE = in_story(fact_evidence, _COLUMNS.id == bindparam("id"))
_ALL = Statement(select(fact_evidence).where(within_story(fact_evidence)).order_by(*_OLDEST_FIRST))
_STATES = rows_by(kg_entity_states.c.id)
_OF_FACTS = Statement(
    select(fact_evidence)
    .where(within_story(fact_evidence), listed(_COLUMNS.fact_id), _COLUMNS.fact_kind == bindparam("kind"))
    .order_by(*_OLDEST_FIRST)
)


def evidence_row(evidence: Evidence) -> Row:
    """Convert evidence to a row."""
    row = {name: value for name, value in evidence if name != "attests"}
    attests = None if evidence.attests is None else json_text(dict(evidence.attests))
    return {**row, "fact_kind": evidence.fact_kind.value, "attests_json": attests}


def evidence_from_row(row: Mapping[str, Any]) -> Evidence:
    """Convert a row to evidence."""
    own = {name: row[name] for name in row if name != "attests_json"}
    said = row["attests_json"]
    attests = None if said is None else Attested.trusted(**orjson.loads(said))
    return Evidence.trusted(**own | {"fact_kind": FactKind(row["fact_kind"])}, attests=attests)


class EvidenceReader(Querying):
    """Reads the evidence of all stories."""

    def of_id(self, project_id: str, evidence_id: str) -> Evidence | None:
        """Return the evidence with this id."""
        row = self.fetch_row(_ONE, story=project_id, id=evidence_id)
        return None if row is None else evidence_from_row(row)

    def all_of(self, project_id: str) -> tuple[Evidence, ...]:
        """Return all evidence of a story, the oldest first."""
        return tuple(map(evidence_from_row, self.fetch_rows(_ALL, story=project_id)))

    def of_facts(self, project_id: str, kind: FactKind, ids: Iterable[str]) -> tuple[Evidence, ...]:
        """Return the evidence of these facts, the oldest first."""
        rows = self.fetch_rows(_OF_FACTS, story=project_id, kind=kind.value, listed=ids)
        return tuple(map(evidence_from_row, rows))

    def states(self, project_id: str, ids: Iterable[str]) -> dict[str, EntityState]:
        """Return the states with these ids, by id."""
        rows = self.fetch_rows(_STATES, story=project_id, listed=ids)
        return {row["id"]: state_from_row(row) for row in rows}

    def of_scenes(self, project_id: str, ids: Iterable[str]) -> tuple[Evidence, ...]:
        """Return the evidence in these scenes, the oldest first."""
        return tuple(map(evidence_from_row, self.fetch_rows(_OF_SCENES, story=project_id, listed=ids)))
