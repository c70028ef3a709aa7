"""The proposals of a story folder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabula.formats.folder_shapes import ProposalRow
from fabula.model.proposal import Proposal, ReadFact, ReviewAction


def folder_proposal(row: ProposalRow, row_id: str, new: Mapping[str, Any]) -> Proposal:
    """The proposal that a row describes; one with a decision is reviewed unless the row says otherwise."""
    said: dict[str, Any] = {name: value for name, value in row if name not in ("id", "reviewed")}
    said["facts"] = tuple(ReadFact.trusted(**dict(fact)) for fact in row.facts)
    is_decided = row.review_action is not ReviewAction.PENDING
    reviewed = is_decided if row.reviewed is None else row.reviewed
    return Proposal.trusted(id=row_id, reviewed=reviewed, **said, **new)
