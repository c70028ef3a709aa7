"""What every projection promises, and how each is looked into: the same suite runs over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from any_story import Teller
from every_step import SOMETHING_OF_EVERYTHING, Step
from fabula.memory import Memory
from fabula.operations.stories import create_story
from fabula.projections.embeddings import Vectors, text_hash
from fabula.projections.folder import StoryFolder
from fabula.projections.live import ChangeEvent, LiveEvents
from fabula.projections.mirror import Mirror
from fabula.projections.mirror_changes import sum_of_story
from fabula.projections.mirror_cypher import ALL_EDGES, ALL_NODES
from fabula.projections.mirror_shapes import Sum
from fabula.projections.projection import Projection, catch_up
from fabula.projections.story_files import all_files
from fabula.projections.story_folders import StoryFolders
from fabula.projections.text_sources import SOURCES
from fabula.store.changes import ALL_KINDS, Changes, changes_between
from fabula.store.kinds import KINDS
from fabula.store.querying import of_story
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind
from fabula.store.vector_reader import VectorKey
from fabula.story_memory import StoryMemory
from graph_server import server_at
from index_answers import anew, asked
from plain_embedder import PlainEmbedder

TYPES = "nodes:\n  Person: {identity: [name], schema: {properties: {name: {type: string}}}}\n"
T = TypeVar("T")


class Kept(NamedTuple):
    """A projection, what it holds of a story, and what it would hold if it were made from the rows now."""

    projection: Projection
    held: Callable[[str], Any]
    made_anew: Callable[[str], Any]


# How each projection is looked into


def index(memory: Memory, folder: Path, graph: str | None) -> Kept:
    call = memory.call()
    return Kept(call.indexes, lambda story: asked(call, story), lambda story: asked(anew(call), story))


def vectors(memory: Memory, folder: Path, graph: str | None) -> Kept:
    store = memory.call().store

    def held(story: str) -> Any:
        with store.read() as reader:
            return reader.vectors.hashes(story)

    def made_anew(story: str) -> Any:
        with store.read() as reader:
            return {
                VectorKey(source.kind, owner, part): text_hash(text)
                for source in SOURCES
                for owner, part, text in source.texts(reader, story, None)
                if text.strip()
            }

    return Kept(Vectors(store, PlainEmbedder()), held, made_anew)


def folders(memory: Memory, folder: Path, graph: str | None) -> Kept:
    store = memory.call().store

    def held(story: str) -> Any:
        own = folder / story
        files = (path for path in own.rglob("*") if path.is_file() and ".fabula" not in path.parts)
        return {path.relative_to(own).as_posix(): path.read_bytes() for path in files}

    def made_anew(story: str) -> Any:
        with store.read() as reader:
            return {path: data for path, data in all_files(reader, story) if data is not None}

    return Kept(StoryFolders(store, lambda story, title: StoryFolder(folder / story)), held, made_anew)


def mirror(memory: Memory, folder: Path, graph: str | None) -> Kept:
    assert graph is not None
    store, server = memory.call().store, server_at(graph)
    title = "MATCH (s:Story {storyId: $storyId}) RETURN s.title AS title"

    def held(story: str) -> Any:
        found, wanted = Sum(), {"storyId": story}
        for record in server.read(lambda run: run(ALL_NODES, wanted)):
            found.add_node(record["labels"], record["properties"])
        for record in server.read(lambda run: run(ALL_EDGES, wanted)):
            found.add_edge(record["source"], record["target"], record["type"], record["properties"])
        (told,) = server.read(lambda run: run(title, wanted))
        return found.checksum, found.counts(), told["title"]

    def made_anew(story: str) -> Any:
        with store.read() as reader:
            expected = sum_of_story(reader, story)
            return expected.checksum, expected.counts(), reader.story(story).title

    return Kept(Mirror(store, server, memory.call().clock.new_id), held, made_anew)


def live(memory: Memory, folder: Path, graph: str | None) -> Kept:
    """A page that asks again for the rows it is told of, and for no others."""
    store = memory.call().store
    pages: dict[str, dict[str, dict[str, Any]]] = {}

    def tell(story: str, event: ChangeEvent) -> None:
        page = pages.setdefault(story, {})
        with store.read() as reader:
            for name in event.kinds:
                now, known = _rows(reader, story, KINDS[name]), page.get(name, {})
                ids = now.keys() | known.keys() if event.ids is None else event.ids
                page[name] = {key: row for key, row in known.items() if key not in ids}
                page[name] |= {key: row for key, row in now.items() if key in ids}

    def everything(story: str) -> dict[str, dict[str, Any]]:
        with store.read() as reader:
            return {kind.name: _rows(reader, story, kind) for kind in ALL_KINDS}

    return Kept(LiveEvents(store, tell), pages.__getitem__, everything)


def _rows(reader: Reader, story: str, kind: RowKind) -> dict[str, Any]:
    return {row[kind.id_column]: kind.image(row) for row in reader.all(of_story(kind.table, story))}


Look = Callable[[Memory, Path, str | None], Kept]
QUICK: tuple[Look, ...] = (index, vectors, folders, live)


# What all of them promise


class Told(NamedTuple):
    """A story being told."""

    story: StoryMemory
    teller: Teller


def begun(memory: Memory) -> Told:
    """A new story, told by hypothesis."""
    story = StoryMemory(memory, create_story(memory.call(), title="任").id)
    return Told(story, Teller(memory, story))


def follows(memory: Memory, kept: Kept, steps: list[Step], at_once: int) -> set[RowKind]:
    """Tell a story, so many steps at once; what follows is what is made anew. Which kinds of rows changed."""
    store, (story, teller) = memory.call().store, begun(memory)
    kept.projection.rebuild(story.id)
    kept.held(story.id)
    with store.read() as reader:
        first = reader.edition(story.id)
    for place in range(0, len(steps), at_once):
        part = steps[place : place + at_once]
        teller.tell(part)
        catch_up(store, kept.projection, story.id)
        assert kept.held(story.id) == kept.made_anew(story.id), part
        with store.read() as reader:
            assert kept.projection.position(story.id) == reader.edition(story.id)
    with store.read() as reader:
        changes = changes_between(reader, story.id, first, reader.edition(story.id), 10_000)
        return set() if changes is None else {kind for kind, _ in changes.touched(ALL_KINDS)}


def outlasts(memory: Memory, kept: Kept, steps: list[Step], after: int) -> None:
    """Tell a story and stop what follows after so many changes; it goes on as if nothing had happened."""
    store, (story, teller) = memory.call().store, begun(memory)
    kept.projection.rebuild(story.id)
    kept.held(story.id)
    teller.tell(steps)
    at = kept.projection.position(story.id)
    with store.read() as reader:
        changes = _Cut(reader, story.id, at, reader.edition(story.id))
        object.__setattr__(changes, "left", after)
        with suppress(_Killed):
            kept.projection.apply(story.id, changes)
    catch_up(store, kept.projection, story.id)
    assert kept.held(story.id) == kept.made_anew(story.id)


class _Killed(BaseException):
    """The process is gone."""


class _Cut(Changes):
    """Changes in the middle of which whoever reads them is killed."""

    left = 0

    def touched(self, kinds: Any) -> Iterator[Any]:
        return self._until_killed(super().touched(kinds))

    def results(self, kinds: Any) -> Iterator[Any]:
        return self._until_killed(super().results(kinds))

    def images(self, kinds: Any) -> Iterator[Any]:
        return self._until_killed(super().images(kinds))

    def _until_killed(self, changes: Iterator[T]) -> Iterator[T]:
        for number, change in enumerate(changes):
            if number >= self.left:
                raise _Killed
            yield change


EVERY_KIND: list[Step] = [
    *SOMETHING_OF_EVERYTHING,
    ("ontology", {"text": TYPES}),
    ("rename", {"who": 0, "name": "新名"}),
    ("merge", {"who": 1, "other": 2}),
    ("remove", {"who": 1}),
    ("undo", {}),
    ("unscene", {"chapter": 0, "scene": 1}),
]
