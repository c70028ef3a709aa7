"""Entities and relations as values, as somebody in the story sees them."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.context.audience import ModelView
from fabula.context.author_view import AuthorView
from fabula.context.entity_texts import redacted_entity
from fabula.context.point_of_view import seen_by
from fabula.errors import NotFound
from fabula.index.deadline import Deadline
from fabula.index.story_index import StoryIndex
from fabula.model.entity import Entity
from fabula.model.relation import Relation
from fabula.store.reader import Reader


def author_view(
    reader: Reader, index: StoryIndex, instant: int | None, pov: str | None, deadline: Deadline
) -> AuthorView:
    """Return the view of the author, or of the author who looks through somebody's eyes."""
    return AuthorView(reader, index, instant, pov=seen_by(reader, index, pov, instant), deadline=deadline)


def seen_entities(view: ModelView, slots: Iterable[int]) -> list[Entity]:
    """Return entities as values, without anything private that the point of view does not know."""
    if view.pov is None:
        return view.index.entities(view.reader, slots)
    known = [slot for slot in slots if not view.is_not_known(slot)]
    entities = view.index.entities(view.reader, known)
    return [redacted_entity(view, entity) for entity in entities if view.own_names(entity)]


def seen_relations(view: ModelView, links: Iterable[int]) -> list[Relation]:
    """Return relations as values, without anything private that the point of view does not know."""
    if view.pov is None:
        return view.index.relations(view.reader, links)
    hidden = view.pov.hidden_links
    seen = []
    for relation in view.index.relations(view.reader, [link for link in links if link not in hidden]):
        description, properties = view.redaction.together(relation.description, relation.properties)
        if view.label(relation.relation_type):
            told = {"description": description, "properties": properties}
            seen.append(relation.model_copy(update=told))
    return seen


def refuse_unknown(view: ModelView, slot: int, entity_id: str) -> None:
    """Refuse an entity that the point of view does not know, as if it did not exist."""
    if view.is_not_known(slot):
        raise NotFound(f"There is no entity '{entity_id}' in this story.", details={"id": entity_id})
