"""Check whether the rows match the change log."""

from __future__ import annotations

from dataclasses import dataclass

from fabula.errors import DatabaseDamaged
from fabula.model.story import Story
from fabula.store.kinds import KINDS, STORY
from fabula.store.reader import Reader
from fabula.store.rowkind import Row, RowKind

# What reading a corrupt row raises.
_UNREADABLE = (KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of one story's audit."""

    story_id: str
    title: str
    rows: int
    differing: tuple[str, ...]


def audit(reader: Reader, story: Story) -> AuditReport:
    """Replay the change log of a story and compare the result with its rows and counts."""
    expected: dict[tuple[str, str], Row] = {}
    for kind, row_id, after_json in reader.log.changes_since(story.id, 0):
        try:
            image = KINDS[kind].remembered(after_json)
        except _UNREADABLE as error:
            raise _unreadable(story, f"{kind} {row_id}") from error
        if image is None:
            expected.pop((kind, row_id), None)
        else:
            expected[(kind, row_id)] = image
    actual = {
        (kind.name, row[kind.id_column]): _image(story, kind, row)
        for kind in KINDS.values()
        for row in reader.rows_of(kind, story.id)
        if kind is not STORY or (kind.name, story.id) in expected
    }
    differing = [
        f"{kind} {row_id}"
        for kind, row_id in sorted(expected.keys() | actual.keys())
        if expected.get((kind, row_id)) != actual.get((kind, row_id))
    ]
    for kind in KINDS.values():
        if kind.counter is not None:
            counted = sum(name == kind.name for name, _ in actual)
            if counted != getattr(story, kind.counter):
                differing.append(f"{kind.counter} {getattr(story, kind.counter)} (rows: {counted})")
    return AuditReport(story.id, story.title, len(actual), tuple(differing))


def _image(story: Story, kind: RowKind, row: Row) -> Row:
    try:
        return kind.image(row)
    except _UNREADABLE as error:
        raise _unreadable(story, f"{kind.name} {row[kind.id_column]}") from error


def _unreadable(story: Story, what: str) -> DatabaseDamaged:
    return DatabaseDamaged(f"{story.id}: {what} cannot be read.", details={"reason": "damaged"})
