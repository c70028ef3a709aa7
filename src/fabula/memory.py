"""Create a memory: choose the store and connect the operations; the only module that names a backend."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pydantic import BaseModel
from uuid_utils import uuid7

from fabula.backends import embedder, language_models
from fabula.call import Call
from fabula.config import (
    DEFAULT_CALLS_PER_MINUTE,
    DEFAULT_RECEIPTS,
    DEFAULT_STORY_MEMORY_MB,
    DEFAULT_TOKEN_MODEL,
    Config,
    Neo4jPlace,
    load,
)
from fabula.context.embedding_redaction import withholding
from fabula.errors import InvalidInput, JobInProgress, NotFound
from fabula.index.cache import StoryIndexes
from fabula.jobs.board import JobBoard
from fabula.jobs.crew import Crew
from fabula.llm.chat import ChatModel
from fabula.llm.embedder import Embedder
from fabula.llm.kept_models import KeptModels, OneModel
from fabula.llm.rate import CallRate, MeteredChatModel, MeteredUpstream, Rate
from fabula.llm.setup import ModelDesk
from fabula.llm.upstream import Upstream
from fabula.meters import Meters
from fabula.model.account import LOCAL, Identity
from fabula.model.clock import Clock
from fabula.model.relation import Language
from fabula.model.story import Limits, Story
from fabula.operations import accounts, stories
from fabula.operations.catalogue import CHANNELS, OPERATIONS
from fabula.operations.import_export.any_file import ImportFileResponse, take_file
from fabula.operations.import_export.import_folder import import_story, read_source
from fabula.operations.job_kinds import WORKS
from fabula.operations.search.embedding import start_embedding
from fabula.operations.table import AnswerT, NoFields, Request, StoryRequest, log_refusal, run
from fabula.projections.follower import Follower, Way
from fabula.projections.meaning import NO_MEANING, Meaning, VectorMeaning
from fabula.projections.mirror import Mirror
from fabula.projections.mirror_server import GraphServer, Neo4jServer
from fabula.projections.story_folders import StoryFolders
from fabula.projections.text_sources import EVERYTHING
from fabula.store.audit import AuditReport, audit
from fabula.store.backup import Manifest, backup_before_migrating, make_backup, restore_backup
from fabula.store.call_rate import SharedCallRate
from fabula.store.place import DatabasePlace, PostgresPlace, place_of
from fabula.store.store import Store
from fabula.store.whole_file import ByteProgress, complaints
from fabula.story_memory import StoryMemory
from fabula.tokens import vocabulary

# A story's folder is written when it has been unchanged this long, or its changes have waited too long.
QUIET_SECONDS = 1.0
LONGEST_SECONDS = 10.0


class SystemClock:
    """The system time, strictly increasing; if the system clock is set back, it continues from where it was.

    Standing still until the system clock has caught up would delay everything scheduled for later.
    """

    def __init__(self, wall: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._wall = wall
        self._last = datetime.min.replace(tzinfo=UTC)
        self._at = self.monotonic()
        self._lock = threading.Lock()

    def now(self) -> str:
        """Return the time in UTC as ISO 8601 with microseconds, later than any returned before."""
        with self._lock:
            passed = self.monotonic() - self._at
            self._at += passed
            least = self._last + timedelta(microseconds=1)
            self._last = max(self._wall(), least, self._last + timedelta(seconds=passed))
            return self._last.isoformat(timespec="microseconds").replace("+00:00", "Z")

    def new_id(self) -> str:
        """Return a new UUIDv7."""
        return str(uuid7())

    def monotonic(self) -> float:
        """Return monotonic seconds."""
        return time.perf_counter()


class Memory:
    """All stories of one database, and every operation on them."""

    def __init__(
        self,
        db: str | Path | PostgresPlace,
        *,
        limits: Limits | None = None,
        story_memory_mb: int = DEFAULT_STORY_MEMORY_MB,
        token_model: str = DEFAULT_TOKEN_MODEL,
        chat: ChatModel | KeptModels | None = None,
        vectors_by: Embedder | None = None,
        embedding_secrets: bool = False,
        model_calls_per_minute: int = DEFAULT_CALLS_PER_MINUTE,
        calls_file: Path | None = None,
        clock: Clock | None = None,
        import_dir: Path | None = None,
        export_dir: Path | None = None,
        graph: GraphServer | None = None,
        receipts: int = DEFAULT_RECEIPTS,
    ) -> None:
        self._receipts = receipts
        self._limits = limits or Limits()
        self._clock = clock or SystemClock()
        self._store = Store(place_of(db), limits=self._limits, clock=self._clock)
        self._indexes = StoryIndexes(story_memory_mb * 1_000_000)
        self._meters = Meters()
        self._token_model = vocabulary(token_model)
        self._crew = Crew(self._store, self._clock, WORKS, self.call)
        self._jobs = JobBoard(self._store, self._clock, self._crew)
        self._models: ModelDesk = chat if isinstance(chat, KeptModels) else OneModel(chat)
        self._embedder = vectors_by
        self._meaning = self._meaning_by(vectors_by, embedding_secrets)
        self._rate: Rate = (
            CallRate(model_calls_per_minute, self._clock.monotonic)
            if calls_file is None
            else SharedCallRate(calls_file, model_calls_per_minute, self._clock.monotonic)
        )
        self._import_dir = import_dir
        self._forget: Callable[[], object] = lambda: None
        self._mirror = Mirror(self._store, graph, self._clock.new_id) if graph else None
        self._is_mirroring = False
        # Follows the change log for every projection of this process.
        self.follower = Follower(self._store, self._clock.monotonic)
        if export_dir:
            folders = StoryFolders.below(self._store, export_dir)
            way = Way(folders, quiet=QUIET_SECONDS, longest=LONGEST_SECONDS, finishes=True)
            self.follower.follow(way)

    @classmethod
    def configured(cls, config: Config, *, calls_file: Path | None = None) -> Self:
        """Create a memory from the settings; processes that share a limit count model calls in the file."""
        from fabula import __version__

        backup_before_migrating(config.db, version=__version__, now=SystemClock().now())
        with ExitStack() as made:  # closed again if the database cannot be opened
            chat, vectors_by = language_models(config), embedder(config)
            graph = None if config.neo4j is None else _neo4j(config.neo4j)
            for one in (chat, vectors_by, graph):
                if one is not None:
                    made.callback(one.close)
            memory = cls(
                config.db,
                limits=config.limits,
                story_memory_mb=config.story_memory_mb,
                token_model=config.token_model,
                chat=chat,
                vectors_by=vectors_by,
                embedding_secrets=config.embedding_secrets,
                model_calls_per_minute=config.model_calls_per_minute,
                calls_file=calls_file,
                import_dir=config.import_dir,
                export_dir=config.export_dir,
                graph=graph,
                receipts=config.receipts,
            )
            made.pop_all()
        return memory

    @classmethod
    def throwaway(cls, config: Config | None = None) -> Self:
        """Create a memory in a temporary folder that is deleted when it is closed or the program ends."""
        folder = Path(tempfile.mkdtemp(prefix="fabula-"))
        memory = cls.configured(
            replace(config or load(), db=folder / "fabula.db", export_dir=None, neo4j=None)
        )
        memory._forget = weakref.finalize(memory, shutil.rmtree, folder, ignore_errors=True)
        return memory

    @property
    def place(self) -> DatabasePlace:
        """The database: its file or its address."""
        return self._store.place

    def work(self, *, after_saving: bool = True) -> None:
        """Start running jobs in threads of this process, including those triggered by saving a scene.

        Servers do this. Without it no jobs are queued automatically; what a caller asks for is still done.
        """
        self._crew.stand_by(after_saving=after_saving)
        mirror = self._mirror
        if mirror is not None and not self._is_mirroring:
            self._is_mirroring = True
            self.follower.follow(
                Way(
                    mirror,
                    positions=mirror.positions,
                    look=lambda look: mirror.remove_deleted() if look.is_whole else None,
                )
            )

    def close(self) -> None:
        """Wait for running work, then close the database and the models."""
        self._crew.close()
        self.follower.close()
        if self._mirror is not None:
            self._mirror.close()
        self._store.close()
        self._models.close()
        if self._embedder is not None:
            self._embedder.close()
        self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, request: Request[AnswerT], *, identity: Identity = LOCAL) -> AnswerT:
        """Answer a typed request; raises a FabulaError if it is refused."""
        for operation in OPERATIONS.values():
            if type(request) is operation.request:
                answer: AnswerT = run(operation, self.call(identity), request)
                return answer
        raise InvalidInput(f"{type(request).__name__} is not a request that Fabula knows.")

    def answer(self, channel: str, payload: Any, *, identity: Identity = LOCAL) -> BaseModel:
        """Answer a channel request given as plain data; raises a FabulaError if it is refused."""
        operation = CHANNELS.get(channel)
        if operation is None:
            refusal = NotFound(
                f"There is no channel '{channel}'.",
                details={"channel": channel},
                suggestion=f"Channels: {', '.join(CHANNELS)}.",
            )
            log_refusal(None, payload, refusal)
            raise refusal
        answer: BaseModel = run(operation, self.call(identity), payload)
        return answer

    def identify(self, token: str) -> Identity:
        """Return the owner of a token; raises Unauthenticated if it is not valid."""
        return accounts.identify(self.call(), token)

    def known_tokens(self, token_ids: Iterable[str]) -> frozenset[str]:
        """Return the tokens that have not been revoked."""
        return accounts.known_tokens(self.call(), token_ids)

    def call(self, identity: Identity = LOCAL) -> Call:
        """Return the context in which operations run for one caller."""
        store = self._store.seen_by(identity.user_id)
        caller = identity.user_id or LOCAL.id
        models = self._models.chats()
        writes = models.get("write")
        return Call(
            store,
            self._indexes,
            self._limits,
            self._clock,
            self._token_model,
            self._jobs,
            identity,
            chats={task: MeteredChatModel(model, self._rate, caller) for task, model in models.items()},
            upstream=MeteredUpstream(writes, self._rate, caller)
            if writes is not None and isinstance(writes, Upstream)
            else None,
            models=self._models,
            meaning=self._meaning,
            import_dir=self._import_dir,
            mirror=self._mirror,
            meters=self._meters,
            receipts=self._receipts,
        )

    def _meaning_by(self, vectors_by: Embedder | None, embedding_secrets: bool) -> Meaning:
        """Return the similarity measure of an embedder; a remote one is sent no secrets."""
        if vectors_by is None:
            return NO_MEANING
        withholds = vectors_by.is_remote and not embedding_secrets
        discretion = withholding(self._indexes) if withholds else EVERYTHING
        return VectorMeaning(vectors_by, self._see_to_vectors, self._clock.monotonic, discretion)

    def _see_to_vectors(self, project_id: str) -> None:
        """Update the embeddings of a story in the background, unless that is already happening."""
        with suppress(JobInProgress, NotFound):
            start_embedding(self.call(), StoryRequest(project_id=project_id))

    def audit(self) -> tuple[AuditReport, ...]:
        """Check whether the rows of each story match its change log."""
        with self._store.read() as reader:
            return tuple(audit(reader, story) for story in reader.stories())

    def complaints(self, *, thorough: bool = True) -> tuple[str, ...]:
        """Return the defects of the database file, if any; a database server checks its own."""
        place = self._store.place
        return complaints(place, thorough=thorough) if isinstance(place, Path) else ()

    def backup(
        self, target: Path | None = None, *, overwrite: bool = False, seen: ByteProgress = lambda done: None
    ) -> tuple[Path, Manifest]:
        """Back up the database into one file, even during writes; returns its path and manifest.

        In a folder, the file is named after the time; the default folder is `backups` beside the database.
        """
        from fabula import __version__

        now, place = self._clock.now(), self._store.place
        if target is None or target.is_dir():
            folder = target or (place.parent if isinstance(place, Path) else Path()) / "backups"
            target = folder / f"fabula-{now[:19].replace('-', '').replace(':', '')}Z.backup"
        made = make_backup(place, target, version=__version__, now=now, overwrite=overwrite, seen=seen)
        return target, made

    # Stories

    def stories(self) -> tuple[Story, ...]:
        """Return all stories, the most recently changed first."""
        return stories.list_stories(self.call(), NoFields())

    def story(self, title: str, *, language: Language = "zh", id: str | None = None) -> StoryMemory:
        """Return the story with this title, or create it."""
        for known in self.stories():
            if known.id == id or (id is None and known.title == title):
                return StoryMemory(self, known.id)
        return StoryMemory(self, stories.create_story(self.call(), title=title, language=language, id=id).id)

    def import_story(self, source: str | Path) -> StoryMemory:
        """Create a story from an exported folder or an archive of one."""
        return StoryMemory(self, import_story(self.call(), read_source(Path(source))).story_id)

    def import_file(self, source: str | Path, **wishes: Any) -> ImportFileResponse:
        """Import a file of any kind, as a new story or into the one named by `story_id`."""
        path = Path(source)
        return take_file(self.call(), data=path.read_bytes(), name=path.name, **wishes)


def open_memory(db: str | Path | None = None) -> Memory:
    """Open the stories in a file, or those of the settings; `:memory:` is discarded at the end."""
    if db == ":memory:":
        return Memory.throwaway()
    if db is None:
        return Memory.configured(load())
    return Memory.configured(replace(load(), db=place_of(db)))


def restore_memory(backup: Path, db: DatabasePlace, *, seen: ByteProgress = lambda done: None) -> Manifest:
    """Restore a backup into a new database, and return its manifest."""
    return restore_backup(backup, db, seen=seen)


def _neo4j(place: Neo4jPlace) -> GraphServer:
    return Neo4jServer(place.uri, place.user, place.password.get_secret_value(), place.database)
