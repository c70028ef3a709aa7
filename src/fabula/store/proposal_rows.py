"""Convert proposals to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.model.names import name_key
from fabula.model.proposal import Proposal, ProposalKind, ReadFact, ReviewAction, Suggestion
from fabula.store.rowkind import Row, json_text


def proposal_row(proposal: Proposal) -> Row:
    """Convert a proposal to a row."""
    return {
        "project_id": proposal.project_id,
        "id": proposal.id,
        "manuscript_id": proposal.manuscript_id,
        "chapter_index": proposal.chapter,
        "scene_index": proposal.scene,
        "kind": proposal.kind.value,
        "entity_name": proposal.entity_name,
        "name_key": name_key(proposal.entity_name),
        "entity_type": proposal.entity_type,
        "attributes_json": json_text(proposal.attributes),
        "aliases_json": json_text(proposal.aliases),
        "source_text": proposal.source_text,
        "source_start": proposal.source_start,
        "source_end": proposal.source_end,
        "confidence": proposal.confidence,
        "same_as": proposal.same_as,
        "extractor": proposal.extractor,
        "suggestion": proposal.suggestion.value,
        "reviewed": int(proposal.reviewed),
        "review_action": proposal.review_action.value,
        "linked_lorebook_id": proposal.linked_lorebook_id,
        "linked_entity_id": proposal.linked_entity_id,
        "version": proposal.version,
        "created_at": proposal.created_at,
        "updated_at": proposal.updated_at,
        "facts_json": json_text([dict(fact) for fact in proposal.facts]) if proposal.facts else None,
    }


def proposal_from_row(row: Mapping[str, Any]) -> Proposal:
    """Convert a row to a proposal."""
    return Proposal.trusted(
        id=row["id"],
        project_id=row["project_id"],
        manuscript_id=row["manuscript_id"],
        chapter=row["chapter_index"],
        scene=row["scene_index"],
        kind=ProposalKind(row["kind"]),
        entity_name=row["entity_name"],
        entity_type=row["entity_type"],
        attributes=orjson.loads(row["attributes_json"]),
        aliases=tuple(orjson.loads(row["aliases_json"])),
        source_text=row["source_text"],
        source_start=row["source_start"],
        source_end=row["source_end"],
        confidence=row["confidence"],
        same_as=row["same_as"],
        extractor=row["extractor"],
        suggestion=Suggestion(row["suggestion"]),
        reviewed=bool(row["reviewed"]),
        review_action=ReviewAction(row["review_action"]),
        linked_lorebook_id=row["linked_lorebook_id"],
        linked_entity_id=row["linked_entity_id"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        facts=tuple(ReadFact.trusted(**fact) for fact in orjson.loads(row["facts_json"] or "[]")),
    )


def derived_of_proposal(image: Row) -> Row:
    """Return the folded name derived from a proposal's image."""
    return {"name_key": name_key(image["entity_name"])}
