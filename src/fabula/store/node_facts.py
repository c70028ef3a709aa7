"""Properties of nodes that are stored in other rows: an event's time, and the place that contains a place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from fabula.model.event import TIMELINE
from fabula.model.graph import PARENT
from fabula.store.dialect import any_of
from fabula.store.reader import Reader
from fabula.store.tables import kg_relations

INSIDE = "located_in"


def node_facts(
    reader: Reader, project_id: str, ids: Iterable[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return such properties of these entities, or of all, by id; the latest containing place wins."""
    wanted = None if ids is None else list(ids)
    anchors = reader.events.anchors(project_id, wanted)
    facts: dict[str, dict[str, Any]] = {key: {TIMELINE: anchor} for key, anchor in anchors.items()}
    own = kg_relations.c
    query = select(own.source_entity_id, own.target_entity_id).where(
        own.project_id == project_id, own.relation_type == INSIDE
    )
    if wanted is not None:
        query = query.where(any_of(own.source_entity_id, wanted))
    latest_last = (own.since_chapter.nulls_first(), own.since_scene.nulls_first(), own.id)
    for source, target in reader.connection.execute(query.order_by(*latest_last)):
        facts.setdefault(source, {})[PARENT] = target
    return facts
