"""Small changes to a copy of a story, to see what its contexts would tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fabula.call import Call
from fabula.errors import NotFound
from fabula.model.level import AiContextLevel
from fabula.operations.graph.entities import update_entity
from fabula.operations.history import undo
from fabula.operations.lorebook.entries import update_entry
from fabula.store.kinds import ENTRY
from fabula.store.rowkind import RowKind


def put_level(call: Call, project_id: str, owner_id: str, level: AiContextLevel) -> None:
    """Change the level of an entry or entity; an entry that is switched off is switched on."""
    if _is_there(call, project_id, ENTRY, owner_id):
        patch: dict[str, Any] = {"ai_context_level": level}
        if level is not AiContextLevel.NEVER:
            patch["enabled"] = True
        update_entry(call, project_id=project_id, entry_id=owner_id, patch=patch)
        return
    with call.store.read() as reader:
        entity = reader.entity(project_id, owner_id)
    if entity is None:
        raise NotFound(
            f"There is no entity and no entry '{owner_id}'.",
            details={"id": owner_id},
            suggestion="Give the id of something that the receipt names as an entry or an event.",
        )
    change = {"ai_context_level": level}
    update_entity(call, project_id=project_id, id=entity.id, expected_version=entity.version, patch=change)


def put_priority(call: Call, project_id: str, entry_id: str, priority: int) -> bool:
    """Change the priority of an entry; False if there is no such entry."""
    if not _is_there(call, project_id, ENTRY, entry_id):
        return False
    update_entry(call, project_id=project_id, entry_id=entry_id, patch={"priority": priority})
    return True


@contextmanager
def taken_back(call: Call, project_id: str) -> Iterator[None]:
    """Undo afterwards the step that was made meanwhile, if any."""
    with call.store.read() as reader:
        before = reader.story(project_id).revision
    yield
    with call.store.read() as reader:
        after = reader.story(project_id).revision
    if after > before:
        undo(call, project_id=project_id, revision=after)


def _is_there(call: Call, project_id: str, kind: RowKind, row_id: str) -> bool:
    with call.store.read() as reader:
        return bool(reader.fetch_rows(kind.select_by_id, story=project_id, listed=[row_id]))
