"""The mirror of the stories in a graph server: a projection of the change log that can be rebuilt.

The mirrored revision of a story is stored on a node of the graph and changes in the same transaction as the
graph. So every step is mirrored exactly once, even if a process is killed and however many follow the log.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import NamedTuple, TypeVar

from fabula.errors import GraphUnavailable
from fabula.model.wire import Value
from fabula.projections.mirror_changes import FOLLOWED, WAIVED, Saying, everything, sayings_for, sum_of_story
from fabula.projections.mirror_cypher import (
    ALL_EDGES,
    ALL_NODES,
    BUILDING,
    FORGET_POSITION,
    HOLD,
    POSITION,
    POSITIONS,
    REACHED,
    REMOVE_SOME,
)
from fabula.projections.mirror_server import GraphServer, Record, Run, Spoilt, busy
from fabula.projections.mirror_shapes import SHAPE, Sum
from fabula.projections.projection import NOWHERE, Overtaken, ProjectionProgress, catch_up, unheeded
from fabula.store.changes import Changes, changes_between
from fabula.store.export_reader import editions
from fabula.store.kinds import STORY
from fabula.store.reader import Edition, Reader
from fabula.store.store import Store

# Beyond this many changes, writing everything is faster than following the log.
FOLLOWED_CHANGES = 20_000
# At most this many rows are written in one transaction, and while a query waits.
AT_ONCE = 2_000
REMOVED_AT_ONCE = 5_000
MOST_TRIES = 10
# How often a query runs alongside writers before it makes them wait.
FREE_TRIES = 3

T = TypeVar("T")


class MirrorReport(Value):
    """A comparison of a story with its mirror: the counts of nodes and edges, and checksums over both."""

    story_id: str
    revision: int
    equal: bool
    checksum: str
    mirror_checksum: str
    nodes: int
    edges: int
    mirror_nodes: int
    mirror_edges: int
    differing: tuple[str, ...]


class Position(NamedTuple):
    """The edition a graph holds; `building` is the token of whoever is rebuilding it."""

    edition: Edition
    building: str | None


SHOWN_DIFFERENCES = 20


class Mirror:
    """The graphs of all stories of a store, in one graph server."""

    name = "mirror"
    # The story's title is kept on the node that stores the position.
    kinds = FOLLOWED | {STORY}
    waived = WAIVED
    most_changes = FOLLOWED_CHANGES

    def __init__(self, store: Store, server: GraphServer, new_token: Callable[[], str]) -> None:
        self._store, self._server, self._new_token = store, server, new_token

    def check(self) -> None:
        """Raise GraphUnavailable unless the graph server answers."""
        self._server.check()

    def close(self) -> None:
        """Close the connections to the graph server."""
        self._server.close()

    def positions(self) -> dict[str, Edition]:
        """Return how far each story in the graph server is mirrored."""
        records = self._server.read(lambda run: run(POSITIONS, {}))
        return {record["storyId"]: _edition(_position(record)) for record in records}

    def position(self, story: str) -> Edition:
        """Return how far one story is mirrored; NOWHERE while its graph is being rebuilt."""
        return _edition(self._position(story))

    def apply(self, story: str, changes: Changes, report: ProjectionProgress = unheeded) -> bool:
        """Write the changes to a story's graph, in one transaction."""
        sayings = sayings_for(changes)
        reached = _reached(changes.reader, story, changes.until)

        def work(run: Run) -> None:
            if _held(run, story) != Position(changes.since, None):
                raise Overtaken
            for saying in sayings:
                run(saying.statement, saying.parameters)
            run(REACHED, reached)

        try:
            self._server.write(work)
        except Spoilt:
            changes.release()
            return self.rebuild(story, report)
        return True

    def rebuild(self, story: str, report: ProjectionProgress = unheeded) -> bool:
        """Write the whole graph of a story; False if the report said to stop."""
        try:
            with self._store.read() as reader:
                reader.story(story)
                return self._rebuild(reader, story, reader.edition(story), report)
        except Spoilt as error:
            raise Overtaken from error

    def bring_up_to_date(
        self, project_id: str, report: ProjectionProgress = unheeded, *, anew: bool = False
    ) -> bool:
        """Bring the graph of a story up to date; False if the report said to stop.

        Raises NotFound if there is no such story.
        """
        try:
            return catch_up(self._store, self, project_id, report, anew=anew)
        except Overtaken as error:
            raise busy() from error

    def remove_deleted(self) -> None:
        """Remove the graphs of deleted stories, except those created again with the same id."""
        with self._store.read() as reader:
            gone = reader.gone_stories()
            living = editions(reader, gone) if gone else {}
        for story, began in gone.items():
            if story not in living:
                self.delete_story_graph(story)
            self._store.forget_gone(story, began)

    def answer(self, project_id: str, question: Callable[[Run], T]) -> T:
        """Run a query on a story's graph, which is brought up to date first.

        Raises GraphUnavailable if the graph is too far behind.
        """
        with self._store.read() as reader:
            reader.story(project_id)
            edition = reader.edition(project_id)
        asked = _asked(project_id, partial(_reaches, edition), question)
        for attempt in range(MOST_TRIES):
            ask = self._server.read if attempt < FREE_TRIES else partial(self._undisturbed, project_id)
            answer = ask(asked)
            if answer is not None:
                return answer[0]
            self._catch_up_a_little(project_id)
        raise busy()

    def _undisturbed(self, project_id: str, asked: Callable[[Run], T]) -> T:
        """Run a query while all writers of the graph wait."""

        def holding(run: Run) -> T:
            _held(run, project_id)
            return asked(run)

        return self._server.write(holding)

    def delete_story_graph(self, project_id: str) -> None:
        """Remove all data of a story from the graph server."""
        self._server.write(lambda run: self._begin(run, project_id, Edition("", 0), ""))
        while self._server.write(lambda run: _remove_some(run, project_id)):
            pass
        self._server.write(lambda run: run(FORGET_POSITION, {"storyId": project_id}))

    def verify(self, project_id: str) -> MirrorReport:
        """Compare a story with its graph at the same revision."""
        for _ in range(MOST_TRIES):
            self.bring_up_to_date(project_id)
            with self._store.read() as reader:
                edition = reader.edition(project_id)
                expected = sum_of_story(reader, project_id)
            is_same = Position(edition, None).__eq__
            found = self._server.read(_asked(project_id, is_same, partial(_sum_of_graph, project_id)))
            if found is not None:
                return _report(project_id, edition, expected, found[0])
        raise busy()

    def _position(self, project_id: str) -> Position:
        return self._server.read(lambda run: _position_in(run, project_id))

    def _catch_up_a_little(self, project_id: str) -> None:
        """Bring a story's graph up to date while a query waits; GraphUnavailable if that would take long."""
        with self._store.read() as reader:
            edition, position = reader.edition(project_id), self._position(project_id)
            is_near = position.building is None and (
                changes_between(reader, project_id, position.edition, edition, AT_ONCE) is not None
                or _size(reader, project_id) <= AT_ONCE
            )
        if not is_near:
            raise _behind(position, edition)
        self.bring_up_to_date(project_id)

    def _rebuild(self, reader: Reader, project_id: str, edition: Edition, report: ProjectionProgress) -> bool:
        """Write a whole story: a small one in one transaction, a large one in several, under a token."""
        total, done, token = _size(reader, project_id), 0, self._new_token()
        reached = _reached(reader, project_id, edition)
        if total <= AT_ONCE:
            sayings = list(everything(reader, project_id))
            self._server.write(lambda run: self._write_at_once(run, project_id, sayings, reached))
            return report(total, total)
        self._server.write(lambda run: self._begin(run, project_id, edition, token))
        while self._server.write(lambda run: _own(run, project_id, token) and _remove_some(run, project_id)):
            if not report(0, total):
                return False
        with closing(everything(reader, project_id)) as parts:
            for saying in parts:
                self._server.write(partial(_say, project_id, token, saying))
                done += saying.rows
                if not report(done, total):
                    return False
        self._server.write(lambda run: _own(run, project_id, token) and run(REACHED, reached))
        return True

    def _write_at_once(
        self, run: Run, project_id: str, sayings: list[Saying], reached: dict[str, object]
    ) -> None:
        _held(run, project_id)
        while _remove_some(run, project_id):
            pass
        for saying in sayings:
            run(saying.statement, saying.parameters)
        run(REACHED, reached)

    def _begin(self, run: Run, project_id: str, edition: Edition, token: str) -> None:
        _held(run, project_id)
        run(BUILDING, {"storyId": project_id, "began": edition.began, "builder": token, "shape": SHAPE})


def _own(run: Run, project_id: str, token: str) -> bool:
    """Lock the graph this token is rebuilding; Overtaken if another one has taken over."""
    if _held(run, project_id).building != token:
        raise Overtaken
    return True


def _say(project_id: str, token: str, saying: Saying, run: Run) -> None:
    _own(run, project_id, token)
    run(saying.statement, saying.parameters)


def _remove_some(run: Run, project_id: str) -> bool:
    """Remove some nodes and their edges; returns whether there were any."""
    removed = run(REMOVE_SOME, {"storyId": project_id, "limit": REMOVED_AT_ONCE})
    return bool(removed and removed[0]["removed"])


def _held(run: Run, project_id: str) -> Position:
    return _position(run(HOLD, {"storyId": project_id})[0])


def _position_in(run: Run, project_id: str) -> Position:
    records = run(POSITION, {"storyId": project_id})
    return _position(records[0]) if records else Position(NOWHERE, None)


def _position(record: Record) -> Position:
    is_of_today = record["shape"] == SHAPE
    edition = Edition(record["began"], record["revision"]) if is_of_today else NOWHERE
    return Position(edition, record["building"])


def _edition(position: Position) -> Edition:
    return position.edition if position.building is None else NOWHERE


def _reached(reader: Reader, project_id: str, edition: Edition) -> dict[str, object]:
    title = reader.story(project_id).title
    return {"storyId": project_id, "title": title, "shape": SHAPE, **edition._asdict()}


def _reaches(edition: Edition, position: Position) -> bool:
    """Whether a graph has reached an edition; another process may have mirrored a newer one."""
    reached = position.edition
    is_same = position.building is None and reached.began == edition.began
    return is_same and reached.revision >= edition.revision > 0


def _asked(
    project_id: str, is_fit: Callable[[Position], bool], question: Callable[[Run], T]
) -> Callable[[Run], tuple[T] | None]:
    """Wrap a query so that it gives None unless the position is fit and the same before and after.

    A graph server may show other transactions' writes between two statements.
    """

    def asked(run: Run) -> tuple[T] | None:
        before = _position_in(run, project_id)
        if not is_fit(before):
            return None
        answer = question(run)
        return (answer,) if _position_in(run, project_id) == before else None

    return asked


def _sum_of_graph(project_id: str, run: Run) -> Sum:
    found = Sum()
    for record in run(ALL_NODES, {"storyId": project_id}):
        found.add_node(record["labels"], record["properties"])
    for record in run(ALL_EDGES, {"storyId": project_id}):
        found.add_edge(record["source"], record["target"], record["type"], record["properties"])
    return found


def _size(reader: Reader, project_id: str) -> int:
    story = reader.story(project_id)
    return story.entity_count + story.relation_count + reader.events.bound_count(project_id)


def _report(project_id: str, edition: Edition, expected: Sum, found: Sum) -> MirrorReport:
    differing = expected.differing(found)
    (nodes, edges), (mirror_nodes, mirror_edges) = expected.counts(), found.counts()
    return MirrorReport(
        story_id=project_id,
        revision=edition.revision,
        equal=not differing,
        checksum=expected.checksum,
        mirror_checksum=found.checksum,
        nodes=nodes,
        edges=edges,
        mirror_nodes=mirror_nodes,
        mirror_edges=mirror_edges,
        differing=tuple(differing[:SHOWN_DIFFERENCES]),
    )


def _behind(position: Position, edition: Edition) -> GraphUnavailable:
    reached = position.edition.revision if position.building is None else 0
    return GraphUnavailable(
        "The graph of this story is not up to date yet.",
        details={"reason": "behind", "revision": edition.revision, "mirrored": reached},
        suggestion="Wait for the running sync, or start one with POST graph/sync.",
    )
