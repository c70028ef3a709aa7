"""Read the change log: history, undoable steps, and changes since a revision."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import orjson
from sqlalchemy import ColumnElement, and_, func, select

from fabula.model.history import HistoryStep
from fabula.store.dialect import any_of
from fabula.store.page import Page
from fabula.store.querying import Querying
from fabula.store.steps import step_from_rows
from fabula.store.tables import story_changes, story_steps

CREATE_STORY = "story:create"
UNDO, REDO = "knowledge:history:undo", "knowledge:history:redo"
MERGE = "knowledge:entity:merge"
IMPORT_BUNDLE = "knowledge:bundle:import"
IMPORT_LORE = "lorebook:import"
EXTRACT, PROPOSE = "extraction:extract", "extraction:propose"
REVIEW, REVIEW_MANY = "extraction:review", "extraction:bulk-review"
READ_NOVEL = "novel:read"
LAYOUT = "graph:layout"
READ_SCENE = "scene:extract"
MAKE_SNAPSHOT = "snapshot:make"
SUM_UP_NOVEL = "novel:snapshots"
ASK_MODEL = "novel:ask-model"
# Evidence made from the proposals of a database that had none.
FIND_EVIDENCE = "evidence:found"
# Automatic actions are skipped by undo and redo.
BY_ITSELF = (LAYOUT, READ_SCENE, MAKE_SNAPSHOT, READ_NOVEL, SUM_UP_NOVEL, FIND_EVIDENCE)
SHOWN_CHANGES = 50


class RowStep(NamedTuple):
    """What one step changed in one row."""

    revision: int
    action: str
    kind: str
    before_json: str | None
    after_json: str | None


class LogReader(Querying):
    """Reads the change logs of all stories."""

    def steps(self, project_id: str, row_id: str | None, limit: int, offset: int) -> Page[HistoryStep]:
        """Return a page of the history of a story or of one row, newest first."""
        condition: ColumnElement[bool] = story_steps.c.project_id == project_id
        if row_id is not None:
            touched = select(story_changes.c.revision).where(
                story_changes.c.project_id == project_id, story_changes.c.row_id == row_id
            )
            condition = and_(condition, story_steps.c.revision.in_(touched))
        total: int = self.scalar(select(func.count()).select_from(story_steps).where(condition))
        rows = self.connection.execute(
            select(story_steps)
            .where(condition)
            .order_by(story_steps.c.revision.desc())
            .limit(limit)
            .offset(offset)
        )
        return Page(tuple(self._step(row, row_id) for row in rows.mappings().all()), total)

    def step(self, project_id: str, revision: int) -> HistoryStep | None:
        """Return the step of this revision, with the first of its changes."""
        row = self.step_row(project_id, revision)
        return None if row is None else self._step(row, None)

    def step_row(self, project_id: str, revision: int) -> Mapping[Any, Any] | None:
        """Return the stored step of this revision, without its changes."""
        columns = story_steps.c
        query = select(story_steps).where(columns.project_id == project_id, columns.revision == revision)
        return self.connection.execute(query).mappings().one_or_none()

    def last_undoable(self, project_id: str) -> int | None:
        """Return the newest step that is in effect and not itself an undo or redo."""
        columns = story_steps.c
        revision: int | None = self.scalar(
            select(func.max(columns.revision)).where(
                columns.project_id == project_id,
                columns.reverts.is_(None),
                columns.reverted_by.is_(None),
                columns.action.not_in((CREATE_STORY, *BY_ITSELF)),
            )
        )
        return revision

    def last_redoable(self, project_id: str) -> int | None:
        """Return the newest undo in effect, unless a newer step followed it."""
        columns = story_steps.c
        own = columns.project_id == project_id
        deeds = select(func.coalesce(func.max(columns.revision), 0)).where(
            own, columns.reverts.is_(None), columns.action.not_in(BY_ITSELF)
        )
        revision: int | None = self.scalar(
            select(func.max(columns.revision)).where(
                own,
                columns.action == UNDO,
                columns.reverted_by.is_(None),
                columns.revision > deeds.scalar_subquery(),
            )
        )
        return revision

    def changes_of(self, project_id: str, revision: int) -> Iterable[Any]:
        """Return (kind, row_id, before_json, after_json) of every change in a step, in order."""
        columns = story_changes.c
        return self.connection.execute(
            select(columns.kind, columns.row_id, columns.before_json, columns.after_json)
            .where(columns.project_id == project_id, columns.revision == revision)
            .order_by(columns.seq)
        )

    def removals_of(self, project_id: str, row_ids: Iterable[str]) -> Iterable[Any]:
        """Return (kind, row_id, before_json) of every removal of these rows, in order."""
        columns = story_changes.c
        return self.connection.execute(
            select(columns.kind, columns.row_id, columns.before_json)
            .where(
                columns.project_id == project_id,
                any_of(columns.row_id, row_ids),
                columns.after_json.is_(None),
            )
            .order_by(columns.revision, columns.seq)
        )

    def changes_since(
        self, project_id: str, revision: int, kinds: Collection[str] | None = None
    ) -> Iterable[Any]:
        """Return (kind, row_id, after_json) of changes after a revision, of some kinds or all, in order."""
        columns = story_changes.c
        query = select(columns.kind, columns.row_id, columns.after_json).where(
            columns.project_id == project_id, columns.revision > revision
        )
        if kinds is not None:
            query = query.where(columns.kind.in_(kinds))
        return self.connection.execute(query.order_by(columns.revision, columns.seq))

    def images_since(self, project_id: str, revision: int, kinds: Collection[str]) -> Iterable[Any]:
        """Return (kind, row_id, before_json, after_json) of every change after a revision, in order."""
        columns = story_changes.c
        return self.connection.execute(
            select(columns.kind, columns.row_id, columns.before_json, columns.after_json)
            .where(columns.project_id == project_id, columns.revision > revision, columns.kind.in_(kinds))
            .order_by(columns.revision, columns.seq)
        )

    def touched_since(self, project_id: str, revision: int, kinds: Collection[str]) -> Iterable[Any]:
        """Return (kind, row_id) of every row that changed after a revision, each once."""
        columns = story_changes.c
        return self.connection.execute(
            select(columns.kind, columns.row_id)
            .where(columns.project_id == project_id, columns.revision > revision, columns.kind.in_(kinds))
            .distinct()
        )

    def row_steps(self, project_id: str, row_id: str) -> list[RowStep]:
        """Return the changes to a row, in order."""
        step, change = story_steps.c, story_changes.c
        query = (
            select(change.revision, step.action, change.kind, change.before_json, change.after_json)
            .join_from(
                story_changes,
                story_steps,
                and_(step.project_id == change.project_id, step.revision == change.revision),
            )
            .where(change.project_id == project_id, change.row_id == row_id)
            .order_by(change.revision, change.seq)
        )
        return [RowStep(*row) for row in self.connection.execute(query)]

    def extractors_of(self, project_id: str, revision: int) -> set[str]:
        """Return the extractors of the proposals a step decided on."""
        return {
            str(orjson.loads(after)["extractor"])
            for kind, _, _, after in self.changes_of(project_id, revision)
            if kind == "proposal" and after is not None
        }

    def change_count_since(self, project_id: str, revision: int) -> int:
        """Return the number of changes after a revision."""
        count = self.scalar(
            select(func.coalesce(func.sum(story_steps.c.change_count), 0)).where(
                story_steps.c.project_id == project_id, story_steps.c.revision > revision
            )
        )
        return int(count)

    def _step(self, row: Mapping[Any, Any], row_id: str | None) -> HistoryStep:
        columns = story_changes.c
        query = select(story_changes).where(
            columns.project_id == row["project_id"], columns.revision == row["revision"]
        )
        if row_id is not None:
            query = query.where(columns.seq.in_(self._places_of(row, row_id)))
        return step_from_rows(row, self.all(query.order_by(columns.seq).limit(SHOWN_CHANGES)))

    def _places_of(self, row: Mapping[Any, Any], row_id: str) -> list[int]:
        """Return the positions of a row's changes in a step, from the index alone, as steps may be large."""
        columns = story_changes.c
        query = select(columns.revision, columns.seq).where(
            columns.project_id == row["project_id"], columns.row_id == row_id
        )
        return [seq for revision, seq in self.connection.execute(query) if revision == row["revision"]]
