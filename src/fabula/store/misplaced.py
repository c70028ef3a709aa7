"""Find what older versions misplaced: times among properties, and event roles stored as relations."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_, or_, select

from fabula.model.edge_fields import KEPT_ELSEWHERE
from fabula.model.entity import Entity
from fabula.model.event import EVENT, TIMES
from fabula.model.participation import KIND_OF_WORD
from fabula.model.relation import Relation
from fabula.store.graph_rows import entity_from_row, relation_from_row
from fabula.store.querying import of_story
from fabula.store.reader import Reader
from fabula.store.tables import kg_entities, kg_relations


def doubtful_relations(reader: Reader, project_id: str) -> Iterator[Relation]:
    """Return the relations with a field's name among their properties, and those that are event roles."""
    own = kg_relations.c
    events = select(kg_entities.c.id).where(
        kg_entities.c.project_id == project_id, kg_entities.c.type == EVENT
    )
    roles = [
        and_(
            own.relation_type == word,
            (own.source_entity_id if kind == "place" else own.target_entity_id).in_(events),
        )
        for word, kind in KIND_OF_WORD.items()
    ]
    query = of_story(kg_relations, project_id).where(or_(_names(own.properties_json, KEPT_ELSEWHERE), *roles))
    return map(relation_from_row, reader.all(query.order_by(own.id)))


def doubtful_events(reader: Reader, project_id: str) -> Iterator[Entity]:
    """Return the events that have times among their attributes."""
    own = kg_entities.c
    query = of_story(kg_entities, project_id).where(own.type == EVENT, _names(own.attributes_json, TIMES))
    return map(entity_from_row, reader.all(query.order_by(own.id)))


def _names(column: ColumnElement[str], words: tuple[str, ...]) -> ColumnElement[bool]:
    return or_(*(column.contains(f'"{word}":', autoescape=True) for word in words))
