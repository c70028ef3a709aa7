"""The store: one database of stories, many readers, one writer of each story at a time."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from sqlalchemy import Connection, delete, select

from fabula.errors import Conflict, DatabaseDamaged, DatabaseUnreachable
from fabula.model.account import Role
from fabula.model.clock import Clock
from fabula.model.relation import RelationType
from fabula.model.story import Limits, Story
from fabula.store.accounts import AccountWriter, no_story
from fabula.store.damage import damaged
from fabula.store.dialect import begun, engine_at, has_one_writer, insert_unless_there, take_long
from fabula.store.failures import explained, for_operators, keeping, note_commit, repeatable
from fabula.store.gone_tables import forget_gone, note_gone
from fabula.store.job_writer import JobWriter
from fabula.store.log import CREATE_STORY
from fabula.store.migrate import migrate
from fabula.store.move_tables import move_parts
from fabula.store.place import DatabasePlace
from fabula.store.reader import Reader
from fabula.store.receipt import note_step
from fabula.store.story_rows import story_row
from fabula.store.strangers import make_folder
from fabula.store.tables import metadata, stories
from fabula.store.vectors import VectorWriter
from fabula.store.writer import Opening, Writer


class Beginning(NamedTuple):
    """A story that does not exist yet, and the words for relations it begins with."""

    story: Story
    relation_types: tuple[RelationType, ...]


Ear = Callable[[str], object]
WriterT = TypeVar("WriterT", bound=Writer)


class Store:
    """Stories in one database, for everybody or for one user."""

    _user_id: str | None = None

    def __init__(self, place: DatabasePlace, *, limits: Limits, clock: Clock) -> None:
        if isinstance(place, Path):
            make_folder(place)
        self.place = place
        self.limits = limits
        self._clock = clock
        self._ears: list[Ear] = []
        self._for_writing = engine_at(place, writes=True)
        self._for_reading = engine_at(place, writes=False)
        self._turn: AbstractContextManager[object] = (
            threading.Lock() if has_one_writer(self._for_writing) else nullcontext()
        )
        try:
            with explained():
                migrate(self._for_writing)
                self._refuse_half_moved()
        except (DatabaseDamaged, UnicodeDecodeError) as error:  # a complaint can have wrong bytes in it
            self.close()
            raise damaged(place) from error
        except DatabaseUnreachable as error:
            self.close()
            raise for_operators(error) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of every connection."""
        self._for_reading.dispose()
        self._for_writing.dispose()

    def seen_by(self, user_id: str | None) -> Self:
        """The same store for one user: it lists their stories only, and refuses to change others."""
        if user_id == self._user_id:
            return self
        seen = copy.copy(self)
        seen._user_id = user_id
        return seen

    def hear(self, ear: Ear) -> Callable[[], None]:
        """Let somebody know the id of every story as soon as it was changed here; what ends that."""
        self._ears.append(ear)
        return lambda: self._ears.remove(ear)

    def _tell(self, project_id: str) -> None:
        for ear in tuple(self._ears):
            ear(project_id)

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """One consistent view of all stories."""
        with explained(), begun(self._for_reading) as connection:
            yield Reader(connection, user_id=self._user_id)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """One change to the database: all of it is kept, or none of it."""
        with explained(), self._turn, begun(self._for_writing) as connection:
            yield connection
            with keeping():
                connection.commit()
        note_commit()

    @contextmanager
    def write_accounts(self) -> Iterator[AccountWriter]:
        """One change to users, tokens and roles: all of it is kept, or none of it."""
        with self._transaction() as connection:
            yield AccountWriter(connection)

    @contextmanager
    def write_vectors(self, project_id: str) -> Iterator[VectorWriter]:
        """One change to the vectors of a story, which are not under its log; NotFound without a story."""
        with self._transaction() as connection:
            if not AccountWriter(connection).hold_story(project_id):
                raise no_story(project_id)
            yield VectorWriter(connection, project_id)

    @contextmanager
    def write_jobs(self, project_id: str | None = None) -> Iterator[JobWriter]:
        """One change to the jobs, which are not under a log; of one story it is held meanwhile."""
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
        """One step of a story, `opened` as a writer: all of it is kept, with its log, or none of it.

        Without a story of this id: NotFound, or with `begin` the story begins to exist with the step.
        """
        with self._transaction() as connection:
            reader = Reader(connection)
            held = AccountWriter(connection).hold_story(project_id)
            if not held and begin is not None and not self._insert_story(connection, begin(), actor):
                AccountWriter(connection).hold_story(project_id)
            self._require(reader, project_id, Role.EDITOR)
            writer = opened(self._opening(connection, reader.story(project_id), action, actor))
            yield writer
            revision = writer.finish()
        if writer.done:
            note_step(revision)
        self._tell(project_id)

    @repeatable
    def create_story(self, beginning: Beginning, *, actor: str) -> Story:
        """A new story; Conflict if its id is taken."""
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
        """Remove a story with everything in it and its history; NotFound if there is none."""
        with self._transaction() as connection:
            # Whoever refers to a row is looked for row by row: minutes for a large story, where others go on.
            take_long(connection)
            reader = Reader(connection)
            AccountWriter(connection).hold_story(project_id, to_the_end=True)
            story = reader.story(project_id)
            self._require(reader, project_id, Role.OWNER)
            owned = (table for table in reversed(metadata.sorted_tables) if "project_id" in table.c)
            for table in owned:
                connection.execute(delete(table).where(table.c.project_id == project_id))
            note_gone(connection, project_id, story.created_at)
        self._tell(project_id)
        return story

    @repeatable
    def forget_gone(self, project_id: str, began: str) -> None:
        """Forget that a story is gone: nothing of it is left anywhere."""
        with self._transaction() as connection:
            forget_gone(connection, project_id, began)

    def _insert_story(self, connection: Connection, beginning: Beginning, actor: str) -> bool:
        """The story with its first words, and its owner where a user begins it; False if it is there."""
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
        """Refuse a database into which a move was begun and not ended."""
        with self._for_reading.connect() as connection:
            if connection.execute(select(move_parts.c.part).limit(1)).first() is not None:
                raise Conflict(
                    "Stories are being moved into this database, and not all of them are there.",
                    suggestion="Run the same `fabula move` again; it goes on where it was interrupted.",
                )

    def _require(self, reader: Reader, project_id: str, role: Role) -> None:
        """Asked again inside the transaction: what a door saw before may no longer be so."""
        if self._user_id is not None:
            reader.accounts.require(self._user_id, project_id, role)

    def _opening(self, connection: Connection, story: Story, action: str, actor: str) -> Opening:
        return Opening(connection, story, action, actor, self._clock.now(), self.limits, self._user_id)
