"""The history of a story: its steps, undo and redo."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.canon.step import Step, in_step
from fabula.canon.undo import refuse_broken
from fabula.errors import Conflict, NotFound
from fabula.model.account import Role
from fabula.model.bounds import Offset
from fabula.model.history import HistoryStep
from fabula.model.wire import MAX_INTEGER, Id, Value
from fabula.operations.table import Request, operation
from fabula.store.log import REDO, UNDO

Revision = Annotated[int, Field(ge=1, le=MAX_INTEGER, strict=True)]


class KnowledgeHistoryListResponse(Value):
    """A page of steps, newest first; of a large step, only the first changes are shown."""

    items: tuple[HistoryStep, ...]
    total_count: int


class KnowledgeHistoryListRequest(Request[KnowledgeHistoryListResponse]):
    """The steps of a story, or those that touched one entity or relation."""

    id: Annotated[Id | None, Field(default=None)]
    limit: Annotated[int, Field(ge=1, le=1000, strict=True)] = 100
    offset: Offset = 0


class KnowledgeHistoryUndoResponse(Value):
    """The step that undid another."""

    step: HistoryStep
    reverted_revision: int


class KnowledgeHistoryUndoRequest(Request[KnowledgeHistoryUndoResponse]):
    """The step to undo; without a revision, the newest one that is not undone.

    A step with more changes than `max_changes` is refused, for callers who would rather ask first.
    """

    revision: Annotated[Revision | None, Field(default=None)]
    max_changes: Annotated[int | None, Field(default=None, ge=1, le=MAX_INTEGER, strict=True)]


class KnowledgeHistoryRedoResponse(Value):
    """The step that redid another."""

    step: HistoryStep
    restored_revision: int


class KnowledgeHistoryRedoRequest(Request[KnowledgeHistoryRedoResponse]):
    """The step to redo; without a revision, the one undone last if nothing was changed since."""

    revision: Annotated[Revision | None, Field(default=None)]


@operation("history.list", role=Role.READER, channel="knowledge:history:list")
def list_history(call: Call, request: KnowledgeHistoryListRequest) -> KnowledgeHistoryListResponse:
    """List the steps of a story, or those that changed one row, newest first."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        page = reader.log.steps(request.project_id, request.id, request.limit, request.offset)
    return KnowledgeHistoryListResponse(items=page.items, total_count=page.total)


@operation("history.undo", role=Role.EDITOR, channel=UNDO)
def undo(call: Call, request: KnowledgeHistoryUndoRequest) -> KnowledgeHistoryUndoResponse:
    """Undo a step, the newest or any other that no later step depends on."""
    reverted, done = _undone(call, request)
    return KnowledgeHistoryUndoResponse(
        step=_step(call, request.project_id, done), reverted_revision=reverted
    )


@in_step(UNDO)
def _undone(step: Step, request: KnowledgeHistoryUndoRequest) -> tuple[int, int]:
    """Return the revision that was undone, and the revision that undid it."""
    revision = request.revision or step.log.last_undoable(request.project_id)
    if revision is None:
        raise _nothing_to("undo")
    wanted = step.log.step(request.project_id, revision)
    _refuse_undo_of_undo(wanted)
    _refuse_large(wanted, request.max_changes)
    refuse_broken(step, step.revert(revision))
    return revision, step.revision


@operation("history.redo", role=Role.EDITOR, channel=REDO)
def redo(call: Call, request: KnowledgeHistoryRedoRequest) -> KnowledgeHistoryRedoResponse:
    """Redo a step that was undone."""
    restored, done = _redone(call, request)
    return KnowledgeHistoryRedoResponse(
        step=_step(call, request.project_id, done), restored_revision=restored
    )


@in_step(REDO)
def _redone(step: Step, request: KnowledgeHistoryRedoRequest) -> tuple[int, int]:
    """Return the revision that was redone, and the revision that redid it."""
    project_id = request.project_id
    if request.revision is None:
        undone_by = step.log.last_redoable(project_id)
        if undone_by is None:
            raise _nothing_to("redo")
    else:
        wanted = step.log.step(project_id, request.revision)
        _refuse_undo_of_undo(wanted)
        undone_by = _undone_by(wanted, request.revision)
    undoing = step.log.step(project_id, undone_by)
    refuse_broken(step, step.revert(undone_by))
    restored = undoing.reverts if undoing is not None and undoing.reverts is not None else undone_by
    return restored, step.revision


def _refuse_undo_of_undo(step: HistoryStep | None) -> None:
    if step is not None and step.reverts is not None:
        raise Conflict(
            f"Step {step.revision} is itself an undo or redo, of step {step.reverts}.",
            details={"revision": step.revision, "reverts": step.reverts},
            suggestion="Undo or redo the step that it was about.",
        )


def _refuse_large(step: HistoryStep | None, most: int | None) -> None:
    if step is not None and most is not None and step.change_count > most:
        raise Conflict(
            f"Step {step.revision} has {step.change_count:,} changes, more than {most:,}.",
            details={"revision": step.revision, "changeCount": step.change_count},
            suggestion="To undo all of them, name the revision and leave out maxChanges.",
        )


def _undone_by(step: HistoryStep | None, revision: int) -> int:
    if step is None:
        raise NotFound(f"The story has no step {revision}.", details={"revision": revision})
    if step.reverted_by is None:
        raise Conflict(
            f"Step {revision} was not undone.",
            details={"revision": revision},
            suggestion="Look at the history for steps with revertedBy.",
        )
    return step.reverted_by


def _nothing_to(verb: str) -> Conflict:
    return Conflict(f"There is nothing to {verb}.", suggestion="Look at the history to see what was done.")


def _step(call: Call, project_id: str, revision: int) -> HistoryStep:
    with call.store.read() as reader:
        step = reader.log.step(project_id, revision)
    if step is None:
        raise NotFound(f"The story has no step {revision}.", details={"revision": revision})
    return step
