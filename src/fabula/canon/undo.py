"""What must hold after a step was undone or redone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from fabula.canon.relation import relation_identity
from fabula.errors import Conflict
from fabula.model.book import OWN_BOOK
from fabula.model.participation import ROLE, Participation, event_of
from fabula.store.change import Change
from fabula.store.reader import RelationFilter
from fabula.store.writer import Writer


def refuse_broken(writer: Writer, changes: Sequence[Change]) -> None:
    """Refuse changes that would leave duplicate relations, unknown types, or entries without their book."""
    refuse_broken_relations(writer, changes)
    _refuse_broken_waiting(writer, changes)
    _refuse_entries_without_book(writer, changes)


def refuse_broken_relations(writer: Writer, changes: Sequence[Change]) -> None:
    """Refuse changes that would leave a duplicate relation or one of an unknown type."""
    _refuse_broken_roles(writer, [change.row_id for change in changes if change.kind.name == "event_role"])
    rows = [change for change in changes if change.kind.name == "relation"]
    words = [change for change in changes if change.kind.name == "relation_type"]
    touched = writer.relations(writer.project_id, [change.row_id for change in rows]).values()
    sources = {relation.source_entity_id for relation in touched}
    held = writer.relations_from(writer.project_id, sources)
    said = Counter(relation_identity(one) for one in held if not isinstance(one, Participation))
    known = {kind.key for kind in writer.relation_types(writer.project_id)}
    for relation in touched:
        if said[relation_identity(relation)] > 1 or relation.relation_type not in known:
            raise _later_steps_depend(relation.id)
    for key in {change.before["key"] for change in words if change.before} - known:
        for relation in writer.relation_page(writer.project_id, RelationFilter(key), 1, 0).items:
            raise _later_steps_depend(relation.id)


def _refuse_broken_roles(writer: Writer, ids: list[str]) -> None:
    """Refuse changes that would leave a duplicate role in an event."""
    touched = writer.links.of_ids(writer.project_id, ids).values()
    events = {event_of(role) for role in touched}
    said = Counter(_role_identity(role) for role in writer.links.at(writer.project_id, events))
    for role in touched:
        if said[_role_identity(role)] > 1:
            raise _later_steps_depend(role.id)


def _role_identity(role: Participation) -> tuple[Any, ...]:
    return (*relation_identity(role), role.properties.get(ROLE, ""))


def _later_steps_depend(relation_id: str) -> Conflict:
    return Conflict(
        "This cannot be taken back or brought back: a relation would stand twice, or without its word.",
        details={"kind": "relation", "id": relation_id},
        suggestion="Undo the later steps first.",
    )


def _refuse_broken_waiting(writer: Writer, changes: Sequence[Change]) -> None:
    """Refuse changes that would leave a pending relation of an unknown type."""
    rows = [change.row_id for change in changes if change.kind.name == "pending_relation"]
    gone = [
        change.before["key"]
        for change in changes
        if change.kind.name == "relation_type" and change.before is not None and change.after is None
    ]
    if not rows and not gone:
        return
    known = {kind.key for kind in writer.relation_types(writer.project_id)}
    waiting = (
        *writer.events.pending(writer.project_id, rows),
        *writer.events.pending_of_types(writer.project_id, gone),
    )
    for pending in waiting:
        if pending.relation_type not in known:
            raise Conflict(
                "This cannot be taken back or brought back: a relation would wait without its word.",
                details={"kind": "pending_relation", "id": pending.id},
                suggestion="Undo the later steps first.",
            )


def _refuse_entries_without_book(writer: Writer, changes: Sequence[Change]) -> None:
    """Refuse changes that would leave an entry in a book that does not exist."""
    named = {change.row_id for change in changes if change.kind.name == "book"}
    named |= {change.after["book_id"] for change in changes if change.kind.name == "entry" and change.after}
    named -= {OWN_BOOK, *(book.id for book in writer.books.all_of(writer.project_id))} if named else set()
    for book_id in sorted(named & writer.books.entry_counts(writer.project_id).keys() if named else ()):
        raise Conflict(
            "This cannot be taken back or brought back: an entry would stand in a lorebook that is gone.",
            details={"kind": "book", "id": book_id},
            suggestion="Undo the later steps first.",
        )
