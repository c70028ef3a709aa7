"""Write in one transaction that changes rows and appends to the story's change log.

Logged rows change only through `add`, `replace`, `remove` and `revert`, each of which records what it did,
so that the rows and the log cannot disagree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.exc import IntegrityError

from fabula.errors import CapacityExceeded, Conflict, NotFound
from fabula.model.participation import Participation, event_of
from fabula.model.relation import Relation
from fabula.model.story import Limits, Story
from fabula.model.story_ontology import StoryOntology
from fabula.model.wire import Value
from fabula.store.change import PLACE, Change, place_in
from fabula.store.derived import DerivedWriter
from fabula.store.dialect import insert_rows, insert_unless_there
from fabula.store.event_reader import IS_WAITED_FOR
from fabula.store.kinds import EVENT_ROLE, KIND_OF, KINDS, ONTOLOGY, PENDING_RELATION, RELATION
from fabula.store.linking import moving_house, told_apart
from fabula.store.log import CREATE_STORY
from fabula.store.ontology_rows import ontology_from_row
from fabula.store.ontology_tables import story_ontologies
from fabula.store.reader import Reader
from fabula.store.rowkind import Row, RowKind
from fabula.store.statement import STORY, Statement, run, run_many, within_story
from fabula.store.step_log import LoggedStep, append_step
from fabula.store.tables import stories, story_steps

_MARK = Statement(
    update(story_steps)
    .where(within_story(story_steps), story_steps.c.revision == bindparam("number"))
    .values(reverted_by=bindparam("by"))
)


_BEGINNING = Statement(
    select(story_ontologies, IS_WAITED_FOR.label("is_waited_for"))
    .select_from(stories.outerjoin(story_ontologies, story_ontologies.c.project_id == stories.c.project_id))
    .where(within_story(stories))
)
# What was written is remembered for the answer, unless there is more than anybody is answered with.
_REMEMBERED = 16


class Opening(NamedTuple):
    """What a step starts from."""

    connection: Connection
    story: Story
    action: str
    actor: str
    now: str
    limits: Limits
    user_id: str | None


class Writer(Reader):
    """One step of a story, not yet committed."""

    def __init__(self, opening: Opening) -> None:
        super().__init__(opening.connection, user_id=opening.user_id)
        self.project_id = opening.story.id
        self.now = opening.now
        self.limits = opening.limits
        self.next_revision = opening.story.revision + 1
        self.entity_count = opening.story.entity_count
        self.derived = DerivedWriter(opening.connection, opening.story.id)
        self._story = opening.story
        self._action = opening.action
        self._actor = opening.actor
        self._reverts: int | None = None
        # Events with a role that was changed through its relation.
        self.stirred: set[str] = set()
        self._done: list[Change] = []
        self._written: dict[tuple[str, str], Value] = {}
        self._grown: Counter[str] = Counter()

    @property
    def done(self) -> Sequence[Change]:
        """The changes of this step so far, in order."""
        return self._done

    @cached_property
    def _beginning(self) -> Row:
        """What nearly every step asks for, in one statement: the ontology, and whether a name is awaited."""
        return self.fetch_row(_BEGINNING, story=self.project_id) or {}

    def ontology(self, project_id: str) -> StoryOntology | None:
        """Return the ontology the story was given, if any."""
        if project_id != self.project_id or any(change.kind is ONTOLOGY for change in self._done):
            return super().ontology(project_id)
        row = self._beginning
        return None if row.get("definition") is None else ontology_from_row(row)

    @property
    def is_waited_for(self) -> bool:
        """Whether any role or relation may be waiting for a name: before the step, or because of it."""
        return bool(self._beginning["is_waited_for"]) or any(
            change.kind in (EVENT_ROLE, PENDING_RELATION) for change in self._done
        )

    @property
    def is_reverting(self) -> bool:
        """Whether this step reverts another, so that rows must become what they were."""
        return self._reverts is not None

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Run a part of the step that is rolled back alone if it fails."""
        done, grown = len(self._done), self._grown.copy()
        stirred = self.stirred.copy()
        savepoint = self.connection.begin_nested()
        try:
            yield
        except BaseException:
            savepoint.rollback()
            del self._done[done:]
            self._written.clear()
            self._grown, self.stirred = grown, stirred
            raise
        savepoint.commit()

    def add(self, values: Sequence[Value]) -> None:
        """Insert values of one kind."""
        if not values:
            return
        kind = KIND_OF[type(values[0])]
        if kind is RELATION:
            values = self._without_roles(values)
            if not values:
                return
        rows = [kind.to_row(value) for value in values]
        self._grow(kind, len(rows))
        insert_rows(self.connection, kind.table, rows)
        self._added(kind, values, rows)

    def add_unless_there(self, value: Value) -> bool:
        """Insert a value; False if there is another with one of its keys."""
        kind = KIND_OF[type(value)]
        row = kind.to_row(value)
        self._grow(kind, 1)
        if not insert_unless_there(self.connection, kind.table, row):
            self._grow(kind, -1)
            return False
        self._added(kind, [value], [row])
        return True

    def _added(self, kind: RowKind, values: Sequence[Value], rows: Sequence[Row]) -> None:
        changes = [Change(kind, row[kind.id_column], None, kind.image(row)) for row in rows]
        self._done.extend(changes)
        self._remember(changes, values)

    def newest(self, kind: RowKind, row_id: str) -> Value | None:
        """Return the row as this step has written it last, if it has written it by itself."""
        return self._written.get((kind.name, row_id))

    def _remember(self, changes: Sequence[Change], values: Sequence[Value]) -> None:
        if len(changes) > _REMEMBERED:
            self._written.clear()
            return
        for change, value in zip(changes, values, strict=True):
            self._written[(change.kind.name, change.row_id)] = value

    def _without_roles(self, values: Sequence[Any]) -> Sequence[Value]:
        """Store those new relations that are event roles as roles, and return the rest."""
        homes = told_apart(self, self.project_id, values)
        roles = len(homes.roles) + len(homes.united)
        if roles:
            # The limit of relations applies to them, too.
            self._grow(RELATION, roles)
            self._grow(RELATION, -roles)
            self.add(homes.roles)
            self.replace(homes.united)
            self.stirred |= {role.event_id for role in homes.roles}
            self.stirred |= {role.event_id for _, role in homes.united}
        return homes.relations

    def replace(self, pairs: Sequence[tuple[Value, Value]]) -> None:
        """Replace the first of each pair with the second; pairs are of one kind, or relations."""
        if not pairs:
            return
        if isinstance(pairs[0][0], Relation):
            pairs = self._moved_house(pairs)
            for before, _ in pairs:
                self._stir(before)
        changes = []
        for before, after in pairs:
            kind = KIND_OF[type(before)]
            row = kind.to_row(after)
            changes.append(
                Change(kind, row[kind.id_column], kind.image(kind.to_row(before)), kind.image(row))
            )
        self._apply(changes)
        self._remember(changes, [after for _, after in pairs])

    def remove(self, values: Sequence[Value]) -> None:
        """Delete values of one kind, or relations."""
        changes = []
        for value in values:
            kind = KIND_OF[type(value)]
            row = kind.to_row(value)
            changes.append(Change(kind, row[kind.id_column], kind.image(row), None))
            self._stir(value)
        self._apply(changes)

    def _moved_house(self, pairs: Sequence[Any]) -> Sequence[tuple[Value, Value]]:
        """Convert relations that become a role or cease to be one, and return the other pairs."""
        staying, moving = moving_house(self, self.project_id, pairs)
        self.remove([before for before, _ in moving])
        self.add([after for _, after in moving])
        return staying

    def _stir(self, value: Value) -> None:
        if isinstance(value, Participation):
            self.stirred.add(event_of(value))

    def revert(self, revision: int) -> list[Change]:
        """Revert a step and return the changes; raises Conflict if its rows were changed since."""
        step = self._revertible(revision)
        changes = [change.reversed() for change in reversed(self._changes_of(revision))]
        current = self._current_images(changes)
        last = self._last_images(changes)
        fresh: list[Change] = []
        for change in changes:
            now = current.get((change.kind.name, change.row_id))
            if _content(now, change) != _content(change.before, change):
                raise Conflict(
                    f"Step {revision} cannot be taken back: {change.kind.name} '{change.row_id}' "
                    "was changed by a later step.",
                    details={"revision": revision, "kind": change.kind.name, "id": change.row_id},
                    suggestion="Undo the later steps first, or change the row by hand.",
                )
            after = self._renewed(change, now or last.get((change.kind.name, change.row_id)))
            fresh.append(Change(change.kind, change.row_id, now, after))
            current[(change.kind.name, change.row_id)] = after
        try:
            self._apply(fresh)
        except IntegrityError as error:
            raise Conflict(
                f"Step {revision} cannot be taken back: later steps depend on it.",
                details={"revision": revision},
                suggestion="Undo the later steps first.",
            ) from error
        self._mark_reverted(revision, step["reverts"])
        return fresh

    def finish(self) -> int:
        """Append the step to the log, and return the story's newest revision."""
        if not self._done:
            return self._story.revision
        step = LoggedStep(
            project_id=self.project_id,
            revision=self.next_revision,
            at=self.now,
            actor=self._actor,
            action=self._action,
            reverts=self._reverts,
            change_count=len(self._done),
            entities=self._grown["entity_count"],
            relations=self._grown["relation_count"],
        )
        append_step(self.connection, step, self._done)
        return self.next_revision

    def _apply(self, changes: Sequence[Change]) -> None:
        for (kind_name, operation), group in groupby(changes, key=lambda c: (c.kind.name, c.operation)):
            kind, batch = KINDS[kind_name], list(group)
            if operation == "add":
                self._grow(kind, len(batch))
                rows = [kind.row(self.project_id, change.after or {}) for change in batch]
                insert_rows(self.connection, kind.table, rows)
            elif operation == "remove":
                self._grow(kind, -len(batch))
                own = {STORY: self.project_id}
                run_many(self.connection, kind.delete, [{**own, "row_id": c.row_id} for c in batch])
            else:
                self._update_rows(kind, batch)
        self._done.extend(changes)
        for change in changes if self._written else ():
            self._written.pop((change.kind.name, change.row_id), None)

    def _update_rows(self, kind: RowKind, batch: list[Change]) -> None:
        rows = []
        for change in batch:
            image = change.after or {}
            rows.append({**image, **kind.derive(image)})
        names = tuple(name for name in rows[0] if name != kind.id_column)
        given = [
            {STORY: self.project_id, "row_id": change.row_id, **{f"new_{name}": row[name] for name in names}}
            for change, row in zip(batch, rows, strict=True)
        ]
        run_many(self.connection, kind.update_of(names), given)

    def _grow(self, kind: RowKind, by: int) -> None:
        if kind.counter is None:
            return
        limit, noun = {
            "entity_count": (self.limits.max_entities, "node"),
            "relation_count": (self.limits.max_relations, "edge"),
        }[kind.counter]
        count = getattr(self._story, kind.counter) + self._grown[kind.counter] + by
        if by > 0 and count > limit:
            raise CapacityExceeded(
                f"A story may hold {limit:,} {kind.name} rows; this would make {count:,}.",
                details={"kind": noun, "limit": limit},
            )
        self._grown[kind.counter] += by

    def _revertible(self, revision: int) -> Row:
        row = self.log.step_row(self.project_id, revision)
        if row is None:
            raise NotFound(f"The story has no step {revision}.", details={"revision": revision})
        if row["action"] == CREATE_STORY:
            raise Conflict(
                "The beginning of a story cannot be taken back.",
                details={"revision": revision},
                suggestion="Delete the story instead.",
            )
        if row["reverted_by"] is not None:
            raise Conflict(
                f"Step {revision} was already taken back by step {row['reverted_by']}.",
                details={"revision": revision, "revertedBy": row["reverted_by"]},
            )
        return dict(row)

    def _changes_of(self, revision: int) -> list[Change]:
        rows = self.log.changes_of(self.project_id, revision)
        return [
            Change(kind, row_id, kind.remembered(before), kind.remembered(after))
            for kind, row_id, before, after in ((KINDS[name], *rest) for name, *rest in rows)
        ]

    def _current_images(self, changes: Iterable[Change]) -> dict[tuple[str, str], Row | None]:
        images: dict[tuple[str, str], Row | None] = {}
        by_kind: dict[str, set[str]] = {}
        for change in changes:
            by_kind.setdefault(change.kind.name, set()).add(change.row_id)
        for name, ids in by_kind.items():
            kind = KINDS[name]
            for row in self.fetch_rows(kind.select_by_id, story=self.project_id, listed=ids):
                images[(name, row[kind.id_column])] = kind.image(row)
        return images

    def _last_images(self, changes: Iterable[Change]) -> dict[tuple[str, str], Row | None]:
        """Return the last images of removed rows that are to be restored."""
        returning = [change.row_id for change in changes if change.before is None]
        removals = self.log.removals_of(self.project_id, returning) if returning else ()
        return {(kind, row_id): KINDS[kind].remembered(before) for kind, row_id, before in removals}

    def _renewed(self, change: Change, last: Row | None) -> Row | None:
        """Return the image to restore, with a version newer than any a client may hold."""
        if change.after is None:
            return None
        image = dict(change.after)
        if last is not None and not change.moves:
            image |= place_in(last)
        if "version" in image:
            seen = (image, change.before or image, last or image)
            image["version"] = 1 + max(row["version"] for row in seen)
            image["updated_at"] = self.now
        return image

    def _mark_reverted(self, revision: int, undone: int | None) -> None:
        self._reverts = revision
        marks: list[tuple[int, int | None]] = [(revision, self.next_revision)]
        if undone is not None:
            marks.append((undone, None))
        for number, by in marks:
            run(self.connection, _MARK, {STORY: self.project_id, "number": number, "by": by})


def _content(image: Row | None, change: Change) -> Row | None:
    """Return an image without version and time, and without its position unless the change moves it."""
    if image is None:
        return None
    aside = ("version", "updated_at", *(() if change.moves else PLACE))
    return {name: value for name, value in image.items() if name not in aside}
