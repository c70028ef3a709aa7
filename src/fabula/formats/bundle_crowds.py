"""Relations that are one too many at one of their ends, by the cardinality of their type."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from fabula.formats.bundle_ends import CROWDING, RelationEnd
from fabula.model.moment import first_instant, last_instant
from fabula.model.relation import Relation
from fabula.model.story_ontology import Ontology

SIDES: tuple[RelationEnd, RelationEnd] = ("source", "target")


class Crowds:
    """The relations of a story that may not be many, by the end at which they would be."""

    def __init__(self, ontology: Ontology) -> None:
        self._sides = {
            edge.key: [side for side, crowding in CROWDING.items() if edge.cardinality in crowding]
            for edge in ontology.edges
        }
        self._met: dict[tuple[str, RelationEnd, str], list[Relation]] = defaultdict(list)

    def join(self, relation: Relation) -> None:
        """Put a relation beside those of its kind at its ends."""
        for side in self._sides.get(relation.relation_type, ()):
            self._met[relation.relation_type, side, end_of(relation, side)].append(relation)

    def excess(self) -> Iterator[tuple[Relation, RelationEnd]]:
        """Those that hold while an earlier one of their kind does, each with the end that is crowded."""
        for (_, side, _), relations in self._met.items():
            until = None
            for relation in sorted(relations, key=lambda one: (first_instant(one.since), one.id)):
                if until is not None and first_instant(relation.since) <= until:
                    yield relation, side
                end = last_instant(relation.until)
                until = end if until is None else max(until, end)


def end_of(relation: Relation, side: RelationEnd) -> str:
    """The id of the entity at one end of a relation."""
    return relation.source_entity_id if side == "source" else relation.target_entity_id
