"""The store: one database of stories, many readers, one writer at a time."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from sqlalchemy import Connection, delete, insert

from fabula.errors import Conflict
from fabula.model.account import Role
from fabula.model.clock import Clock
from fabula.model.relation import RelationType
from fabula.model.story import Limits, Story
from fabula.store.accounts import AccountWriter
from fabula.store.dialect import sqlite_engine
from fabula.store.job_writer import JobWriter
from fabula.store.log import CREATE_STORY
from fabula.store.migrate import migrate
from fabula.store.reader import Reader
from fabula.store.story_rows import story_row
from fabula.store.tables import metadata, stories
from fabula.store.vectors import VectorWriter
from fabula.store.writer import Writer


class Beginning(NamedTuple):
    """A story that does not exist yet, and the words for relations it begins with."""

    story: Story
    relation_types: tuple[RelationType, ...]


class Store:
    """Stories in one SQLite file, for everybody or for one user."""

    _user_id: str | None = None

    def __init__(self, path: Path, *, limits: Limits, clock: Clock) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.limits = limits
        self._clock = clock
        self._writer_lock = threading.Lock()
        self._for_writing = sqlite_engine(path, writes=True)
        self._for_reading = sqlite_engine(path, writes=False)
        migrate(self._for_writing)

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

    @contextmanager
    def read(self) -> Iterator[Reader]:
        """One consistent view of all stories."""
        with self._for_reading.connect() as connection:
            yield Reader(connection, user_id=self._user_id)

    @contextmanager
    def write_accounts(self) -> Iterator[AccountWriter]:
        """One change to users, tokens and roles: all of it is kept, or none of it."""
        with self._writer_lock, self._for_writing.begin() as connection:
            yield AccountWriter(connection)

    @contextmanager
    def write_vectors(self, project_id: str) -> Iterator[VectorWriter]:
        """One change to the vectors of a story, which are not under its log; NotFound without a story."""
        with self._writer_lock, self._for_writing.begin() as connection:
            Reader(connection).accounts.require_story(project_id)
            yield VectorWriter(connection, project_id)

    @contextmanager
    def write_jobs(self) -> Iterator[JobWriter]:
        """One change to the jobs, which are not under a log."""
        with self._writer_lock, self._for_writing.begin() as connection:
            yield JobWriter(connection)

    @contextmanager
    def write(
        self, project_id: str, *, action: str, actor: str, begin: Callable[[], Beginning] | None = None
    ) -> Iterator[Writer]:
        """One step of a story: all of it is kept, with its log, or none of it.

        Without a story of this id: NotFound, or with `begin` the story begins to exist with the step.
        """
        with self._writer_lock, self._for_writing.begin() as connection:
            reader = Reader(connection)
            if begin is not None and not reader.story_exists(project_id):
                self._insert_story(connection, begin(), actor)
            self._require(reader, project_id, Role.EDITOR)
            writer = self._writer(connection, reader.story(project_id), action, actor)
            yield writer
            writer.finish()

    def create_story(self, beginning: Beginning, *, actor: str) -> Story:
        """A new story; Conflict if its id is taken."""
        story = beginning.story
        with self._writer_lock, self._for_writing.begin() as connection:
            reader = Reader(connection)
            if reader.story_exists(story.id):
                raise Conflict(f"There is a story '{story.id}' already.", details={"id": story.id})
            self._insert_story(connection, beginning, actor)
            return reader.story(story.id)

    def delete_story(self, project_id: str) -> Story:
        """Remove a story with everything in it and its history; NotFound if there is none."""
        with self._writer_lock, self._for_writing.begin() as connection:
            reader = Reader(connection)
            story = reader.story(project_id)
            self._require(reader, project_id, Role.OWNER)
            owned = (table for table in reversed(metadata.sorted_tables) if "project_id" in table.c)
            for table in owned:
                connection.execute(delete(table).where(table.c.project_id == project_id))
            return story

    def _insert_story(self, connection: Connection, beginning: Beginning, actor: str) -> None:
        """The story with its first words, and its owner where a user begins it."""
        connection.execute(insert(stories), story_row(beginning.story))
        if self._user_id is not None:
            accounts = AccountWriter(connection)
            accounts.put_member(beginning.story.id, self._user_id, Role.OWNER, beginning.story.created_at)
        writer = self._writer(connection, beginning.story, CREATE_STORY, actor)
        writer.add(beginning.relation_types)
        writer.finish()

    def _require(self, reader: Reader, project_id: str, role: Role) -> None:
        """Asked again inside the transaction: what a door saw before may no longer be so."""
        if self._user_id is not None:
            reader.accounts.require(self._user_id, project_id, role)

    def _writer(self, connection: Connection, story: Story, action: str, actor: str) -> Writer:
        return Writer(
            connection,
            story,
            action=action,
            actor=actor,
            now=self._clock.now(),
            limits=self.limits,
            user_id=self._user_id,
        )
