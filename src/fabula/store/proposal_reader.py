"""Read proposals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, select

from fabula.model.proposal import Proposal, ProposalKind
from fabula.store.dialect import any_of
from fabula.store.page import Page
from fabula.store.proposal_rows import proposal_from_row
from fabula.store.proposal_tables import entity_extractions
from fabula.store.querying import Querying, of_story
from fabula.store.tables import kg_entities


@dataclass(frozen=True, slots=True)
class ProposalFilter:
    """The filter of a list of proposals."""

    reviewed: bool | None = None
    entity_type: str | None = None
    kind: ProposalKind | None = None
    min_confidence: float | None = None
    chapter: int | None = None
    scene: int | None = None


class ProposalReader(Querying):
    """Reads the proposals of all stories."""

    def proposal(self, project_id: str, proposal_id: str) -> Proposal | None:
        """Return the proposal with this id."""
        row = self.one(of_story(entity_extractions, project_id).where(entity_extractions.c.id == proposal_id))
        return None if row is None else proposal_from_row(row)

    def proposals(self, project_id: str, ids: Iterable[str]) -> dict[str, Proposal]:
        """Return the proposals with these ids, by id."""
        rows = self.all(of_story(entity_extractions, project_id).where(any_of(entity_extractions.c.id, ids)))
        return {row["id"]: proposal_from_row(row) for row in rows}

    def proposals_about(
        self, project_id: str, name_keys: Iterable[str], names: Iterable[str]
    ) -> tuple[Proposal, ...]:
        """Return the proposals with one of these folded names, or same as one of these names, in order."""
        columns = entity_extractions.c
        rows = {
            row["id"]: row
            for condition in (any_of(columns.name_key, name_keys), any_of(columns.same_as, names))
            for row in self.all(of_story(entity_extractions, project_id).where(condition))
        }
        ordered = sorted(rows.values(), key=itemgetter("created_at", "id"))
        return tuple(map(proposal_from_row, ordered))

    def everybody(self, project_id: str) -> Iterable[Any]:
        """Return (name, type, aliases_json, names_json) of every entity, for extractors."""
        columns = kg_entities.c
        return self.connection.execute(
            select(columns.name, columns.type, columns.aliases_json, columns.names_json)
            .where(columns.project_id == project_id)
            .order_by(columns.id)
        )

    def page(self, project_id: str, wanted: ProposalFilter, limit: int, offset: int) -> Page[Proposal]:
        """Return a page of the proposals, newest first, then by descending confidence."""
        columns = entity_extractions.c
        conditions = [columns.project_id == project_id, *_conditions(wanted)]
        rows = self.all(
            select(entity_extractions)
            .where(*conditions)
            .order_by(columns.created_at.desc(), columns.confidence.desc(), columns.id)
            .limit(limit)
            .offset(offset)
        )
        return Page(tuple(map(proposal_from_row, rows)), self.count(entity_extractions, conditions))


def _conditions(wanted: ProposalFilter) -> list[ColumnElement[bool]]:
    columns = entity_extractions.c
    conditions: list[ColumnElement[bool]] = []
    if wanted.reviewed is not None:
        conditions.append(columns.reviewed == int(wanted.reviewed))
    if wanted.entity_type is not None:
        conditions.append(columns.entity_type == wanted.entity_type)
    if wanted.kind is not None:
        conditions.append(columns.kind == wanted.kind.value)
    if wanted.min_confidence is not None:
        conditions.append(columns.confidence >= wanted.min_confidence)
    if wanted.chapter is not None:
        conditions.append(columns.chapter_index == wanted.chapter)
    if wanted.scene is not None:
        conditions.append(columns.scene_index == wanted.scene)
    return conditions
