"""The store: one database of stories, with many readers and one writer per story at a time."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from sqlalchemy import Connection, Table, delete, select

from fabula.errors import Conflict, DatabaseDamaged, DatabaseUnreachable
from fabula.model.account import Role
from fabula.model.clock import Clock
from fabula.model.relation import RelationType
from fabula.model.story import Limits, Story
from fabula.store.accounts import AccountReader, AccountWriter, no_story
from fabula.store.conversations import ConversationWriter
from fabula.store.damage import damaged
from fabula.store.dialect import insert_rows, insert_unless_there
from fabula.store.engines import begun, engine_at, has_one_writer, take_long
from fabula.store.failures import explained, for_operators, keeping, note_commit, repeatable
from fabula.store.flushing import SharedFlush
from fabula.store.gone_tables import forget_gone, note_gone
from fabula.store.job_writer import JobWriter
from fabula.store.log import CREATE_STORY
from fabula.store.migrate import migrate
from fabula.store.move_tables import move_parts
from fabula.store.place import DatabasePlace
from fabula.store.reader import Reader
from fabula.store.receipt import note_step
from fabula.store.rowkind import Row
from fabula.store.story_rows import story_row
from fabula.store.strangers import make_folder
from fabula.store.tables import metadata, stories
from fabula.store.vectors import VectorWriter
from fabula.store.writer import Opening, Writer


class Beginning(NamedTuple):
    """A story to be created, and its initial relation types."""

    story: Story
    relation_types: tuple[RelationType, ...]


CommitListener = Callable[[str], object]
WriterT = TypeVar("WriterT", bound=Writer)


class Store:
    """The stories in one database, for anyone or for one user."""

    _user_id: str | None = None

    def __init__(self, place: DatabasePlace, *, limits: Limits, clock: Clock) -> None:
        if isinstance(place, Path):
            make_folder(place)
        self.place = place
        self.limits = limits
        self._clock = clock
        self._listeners: list[CommitListener] = []
        self._flush = SharedFlush(place) if isinstance(place, Path) else None
        self._for_writing = engine_at(place, writes=True, flush=self._flush)
        self._for_reading = engine_at(place, writes=False)
        self._turn: AbstractContextManager[object] = (
            threading.Lock() if has_one_writer(self._for_writing) else nullcontext()
        )
        try:
            with explained():
                migrate(self._for_writing)
                self._refuse_half_moved()
            self._wait_for_disk()
        except (DatabaseDamaged, UnicodeDecodeError) as error:  # error messages may contain invalid bytes
            self.close()
            raise damaged(place) from error
        except DatabaseUnreachable as error:
            self.close()
            raise for_operators(error) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close all connections."""
        self._for_reading.dispose()
        self._for_writing.dispose()
        if self._flush is not None:
            self._flush.close()

    def seen_by(self, user_id: str | None) -> Self:
        """Return the store as seen by one user: it lists only their stories and refuses to change others."""
        if user_id == self._user_id:
            return self
        seen = copy.copy(self)
        seen._user_id = user_id
        return seen

    def hear(self, listener: CommitListener) -> Callable[[], None]:
        """Notify a listener of the id of every story changed here; the returned function stops that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, project_id: str) -> None:
        for listener in tuple(self._listeners):
            listener(project_id)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """Open one consistent view of all stories."""
        with explained(), begun(self._for_reading) as connection:
            yield Reader(connection, user_id=self._user_id)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Run one transaction; it is over when what it wrote is on the disk."""
        with explained(), self._turn, begun(self._for_writing) as connection:
            yield connection
            with keeping():
                connection.commit()
        note_commit()
        # Outside the turn: whoever writes meanwhile shares the next flush.
        self._wait_for_disk()

    def _wait_for_disk(self) -> None:
        if self._flush is not None:
            self._flush.wait()

    @contextmanager
    def write_accounts(self) -> Iterator[AccountWriter]:
        """Open a transaction on users, tokens and roles."""
        with self._transaction() as connection:
            yield AccountWriter(connection)

    @contextmanager
    def write_vectors(self, project_id: str) -> Iterator[VectorWriter]:
        """Open a transaction on a story's embeddings, which are not logged; NotFound without a story."""
        with self._transaction() as connection:
            if not AccountWriter(connection).hold_story(project_id):
                raise no_story(project_id)
            yield VectorWriter(connection, project_id)

    @contextmanager
    def write_conversations(self, project_id: str) -> Iterator[ConversationWriter]:
        """Open a transaction on a story's conversations, which are not logged; NotFound without a story."""
        with self._transaction() as connection:
            if not AccountWriter(connection).hold_story(project_id):
                raise no_story(project_id)
            yield ConversationWriter(connection, project_id)

    @repeatable
    def put_rows(self, rows: Sequence[tuple[Table, list[Row]]]) -> None:
        """Insert rows as they are, referenced ones first: the copy of a story in a database of its own."""
        with self._transaction() as connection:
            for table, some in rows:
                if some:
                    insert_rows(connection, table, some)

    @contextmanager
    def write_jobs(self, project_id: str | None = None) -> Iterator[JobWriter]:
        """Open a transaction on jobs, which are not logged; the story, if given, is locked meanwhile."""
        with self._transaction() as connection:
            if project_id is not None and not AccountWriter(connection).hold_story(project_id):
                raise no_story(project_id)
            yield JobWriter(connection)

    @contextmanager
    def write(
        self,
        project_id: str,
        opened: Callable[[Opening], WriterT],
        *,
        action: str,
        actor: str,
        begin: Callable[[], Beginning] | None = None,
    ) -> Iterator[WriterT]:
        """Open one step of a story, with the writer that `opened` makes; the step and its log are atomic.

        If there is no such story, raises NotFound, or with `begin` creates it in the same transaction.
        """
        with self._transaction() as connection:
            accounts = AccountWriter(connection)
            story = accounts.hold_story(project_id)
            if story is None and begin is not None:
                self._insert_story(connection, begin(), actor)
                story = accounts.hold_story(project_id)
            self._require(accounts, project_id, Role.EDITOR)
            if story is None:
                raise no_story(project_id)
            writer = opened(self._opening(connection, story, action, actor))
            yield writer
            revision = writer.finish()
        if writer.done:
            note_step(revision)
        self._tell(project_id)

    @repeatable
    def create_story(self, beginning: Beginning, *, actor: str) -> Story:
        """Create a story; raises Conflict if its id is taken."""
        story = beginning.story
        with self._transaction() as connection:
            if not self._insert_story(connection, beginning, actor):
                raise Conflict(f"There is a story '{story.id}' already.", details={"id": story.id})
            begun = Reader(connection).story(story.id)
        note_step(begun.revision)
        self._tell(begun.id)
        return begun

    @repeatable
    def delete_story(self, project_id: str) -> Story:
        """Delete a story with all its data and history; raises NotFound if there is none."""
        with self._transaction() as connection:
            # Foreign keys are checked row by row, which takes minutes for a large story; others can go on.
            take_long(connection)
            reader = Reader(connection)
            AccountWriter(connection).hold_story(project_id, to_the_end=True)
            story = reader.story(project_id)
            self._require(reader.accounts, project_id, Role.OWNER)
            owned = (table for table in reversed(metadata.sorted_tables) if "project_id" in table.c)
            for table in owned:
                connection.execute(delete(table).where(table.c.project_id == project_id))
            note_gone(connection, project_id, story.created_at)
        self._tell(project_id)
        return story

    @repeatable
    def forget_gone(self, project_id: str, began: str) -> None:
        """Delete the record of a deleted story once nothing of it is left anywhere."""
        with self._transaction() as connection:
            forget_gone(connection, project_id, began)

    def _insert_story(self, connection: Connection, beginning: Beginning, actor: str) -> bool:
        """Insert the story, its relation types, and its owner if a user creates it; False if it exists."""
        if not insert_unless_there(connection, stories, story_row(beginning.story)):
            return False
        if self._user_id is not None:
            accounts = AccountWriter(connection)
            accounts.put_member(beginning.story.id, self._user_id, Role.OWNER, beginning.story.created_at)
        writer = Writer(self._opening(connection, beginning.story, CREATE_STORY, actor))
        writer.add(beginning.relation_types)
        writer.finish()
        return True

    def _refuse_half_moved(self) -> None:
        """Refuse a database into which a move was not completed."""
        with self._for_reading.connect() as connection:
            if connection.execute(select(move_parts.c.part).limit(1)).first() is not None:
                raise Conflict(
                    "Stories are being moved into this database, and not all of them are there.",
                    suggestion="Run the same `fabula move` again; it goes on where it was interrupted.",
                )

    def _require(self, accounts: AccountReader, project_id: str, role: Role) -> None:
        """Check the role again inside the transaction, as it may have changed."""
        if self._user_id is not None:
            accounts.require(self._user_id, project_id, role)

    def _opening(self, connection: Connection, story: Story, action: str, actor: str) -> Opening:
        return Opening(connection, story, action, actor, self._clock.now(), self.limits, self._user_id)
