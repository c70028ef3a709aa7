"""Relations as told to an audience."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabula.context.audience import ModelView
from fabula.context.edition_cache import relation_labels
from fabula.model.audience import OpenText
from fabula.model.entity import Entity
from fabula.model.moment import Moment
from fabula.model.relation import Relation
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


def told_notes(view: ModelView, relation: Relation) -> tuple[OpenText, dict[str, Any]]:
    """Return the description and the properties of a relation, which is about both its ends.

    Between two who are kept apart they say nothing, since they could say that the two are one.
    """
    ends = (relation.source_entity_id, relation.target_entity_id)
    if ends[1] in view.identity.apart.get(ends[0], ()):
        return OpenText(""), {}
    description, properties = view.redaction_about(ends).together(relation.description, relation.properties)
    return description, properties


def told_relations(
    view: ModelView, links: Sequence[int], people: dict[int, Entity]
) -> tuple[ToldRelation, ...]:
    """Return the relations between the given entities, except those whose type or label names a secret."""
    graph = view.graph
    labels = relation_labels(view.reader, view.index)
    hidden = frozenset() if view.pov is None else view.pov.hidden_links
    known = [link for link in links if graph.ids[link] in graph.slot_of and link not in hidden]
    open_links = [link for link in known if graph.sources[link] in people and graph.targets[link] in people]
    told = []
    for link, relation in zip(open_links, view.index.relations(view.reader, open_links), strict=True):
        source, target = (view.leader(end) for end in (graph.sources[link], graph.targets[link]))
        is_open = view.label(relation.relation_type) and view.label(labels[relation.relation_type])
        if not is_open or source == target:
            continue
        description, properties = told_notes(view, relation)
        told.append(
            ToldRelation(
                id=relation.id,
                source_id=view.index.roster.ids[source],
                source=people[graph.sources[link]].name,
                target_id=view.index.roster.ids[target],
                target=people[graph.targets[link]].name,
                type=relation.relation_type,
                label=labels[relation.relation_type],
                description=description,
                properties=properties,
                since=relation.since,
            )
        )
    return tuple(told)
