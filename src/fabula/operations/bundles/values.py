"""Requests and responses about bundles."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from fabula.model.wire import Text, Value
from fabula.operations.table import Request

SHOWN = 200


class KnowledgeBundleSchemaResponse(Value):
    """The contract for bundles: a JSON Schema (draft 7) of the whole file, and a valid example."""

    full_bundle_schema: dict[str, Any] = Field(alias="full_bundle_schema")
    example_yaml: str = Field(alias="example_yaml")


class KnowledgeBundleSchemaRequest(Request[KnowledgeBundleSchemaResponse]):
    """The story whose bundle schema to show."""


class BundleCounts(Value):
    """How many items of each type were saved, how many of those are new, and how many were deleted."""

    upserted: dict[str, int]
    created: dict[str, int]
    deleted: dict[str, int]


class BundleTotals(Value):
    """The same counts for all types together."""

    upserted: int
    created: int
    deleted: int


class BundleStats(Value):
    """The effect of a bundle, in numbers."""

    nodes: BundleTotals
    edges: BundleTotals


def totals_of(counts: BundleCounts) -> BundleTotals:
    """Return the counts of all types together."""
    return BundleTotals(
        upserted=sum(counts.upserted.values()),
        created=sum(counts.created.values()),
        deleted=sum(counts.deleted.values()),
    )


class AbsentItem(Value):
    """An item to delete that did not exist."""

    index: int
    type: str
    identity: dict[str, Any]


class RemovedEdge(Value):
    """A relation that was deleted because an entity at one of its ends was."""

    id: str
    relation_type: str
    source_entity_id: str
    source_name: str
    target_entity_id: str
    target_name: str


class KnowledgeBundleImportResponse(Value):
    """What a bundle changed, or with `dryRun` would change; long lists are truncated."""

    status: Literal["success"] = "success"
    stats: BundleStats
    nodes: BundleCounts
    edges: BundleCounts
    facts: BundleCounts
    absent: tuple[AbsentItem, ...]
    absent_count: int
    removed_edges: tuple[RemovedEdge, ...]
    removed_edge_count: int
    dry_run: bool
    file_deleted: bool = False
    revision: int


class KnowledgeBundleImportRequest(Request[KnowledgeBundleImportResponse]):
    """A bundle as YAML or JSON; with `dryRun` nothing is saved."""

    text: Text
    dry_run: bool = False
