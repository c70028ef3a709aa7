"""Relations as told to an audience."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabula.context.audience import ModelView
from fabula.context.edition_cache import relation_labels
from fabula.model.entity import Entity
from fabula.model.moment import Moment
from fabula.model.wire import Value


class ToldRelation(Value):
    """A relation between two entities; `label` is the story's own word for it."""

    id: str
    source_id: str
    source: str
    target_id: str
    target: str
    type: str
    label: str
    description: str
    properties: dict[str, Any]
    since: Moment | None


def told_relations(
    view: ModelView, links: Sequence[int], people: dict[int, Entity]
) -> tuple[ToldRelation, ...]:
    """Return the relations between the given entities, except those whose type or label names a secret."""
    graph = view.index.graph(view.reader)
    labels = relation_labels(view.reader, view.index)
    open_links = [link for link in links if graph.sources[link] in people and graph.targets[link] in people]
    return tuple(
        ToldRelation(
            id=relation.id,
            source_id=relation.source_entity_id,
            source=people[graph.sources[link]].name,
            target_id=relation.target_entity_id,
            target=people[graph.targets[link]].name,
            type=relation.relation_type,
            label=labels[relation.relation_type],
            description=view.prose(relation.description),
            properties=view.json(relation.properties),
            since=relation.since,
        )
        for link, relation in zip(open_links, view.index.relations(view.reader, open_links), strict=True)
        if view.label(relation.relation_type) and view.label(labels[relation.relation_type])
    )
