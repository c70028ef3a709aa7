"""Finds stored relations that exceed the cardinality of their type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from fabula.formats.bundle_ends import LIMITED_BY, RelationEnd
from fabula.model.relation import Relation
from fabula.model.story_ontology import Ontology
from fabula.model.validity import spans_of

SIDES: tuple[RelationEnd, RelationEnd] = ("source", "target")


class CardinalityGroups:
    """The relations of a story with limited cardinality, grouped by the end that is limited."""

    def __init__(self, ontology: Ontology) -> None:
        self._sides = {
            edge.key: [side for side, limiting in LIMITED_BY.items() if edge.cardinality in limiting]
            for edge in ontology.edges
        }
        self._met: dict[tuple[str, RelationEnd, str], list[Relation]] = defaultdict(list)

    def join(self, relation: Relation) -> None:
        """Add a relation to its groups."""
        for side in self._sides.get(relation.relation_type, ()):
            self._met[relation.relation_type, side, end_of(relation, side)].append(relation)

    def excess(self) -> Iterator[tuple[Relation, RelationEnd]]:
        """The relations that overlap an earlier one of their group in time, with the limited end."""
        for (_, side, _), relations in self._met.items():
            until = None
            spans = zip(spans_of(relations), relations, strict=True)
            for (start, end), relation in sorted(spans, key=lambda one: (one[0][0], one[1].id)):
                if until is not None and start <= until:
                    yield relation, side
                until = end if until is None else max(until, end)


def end_of(relation: Relation, side: RelationEnd) -> str:
    """The id of the entity at one end of a relation."""
    return relation.source_entity_id if side == "source" else relation.target_entity_id
