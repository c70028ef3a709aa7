"""The interface of a graph server, and its implementation for Neo4j.

A server that is down or unresponsive is detected within three seconds, even in the middle of a response. The
driver alone would wait forever: its timeouts cover only connecting.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from fabula.errors import GraphUnavailable, InvalidInput
from fabula.projections.mirror_cypher import AWAIT_INDEXES, CONSTRAINTS
from fabula.projections.mirror_watch import PATIENCE_SECONDS, Errand, SignsOfLife, Silence

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Session

LONGEST_QUESTION_SECONDS = 60.0
LONGEST_CHANGE_SECONDS = 600.0
# Longer than any caller waits: callers detect an unresponsive server before the driver gives up.
CONNECT_SECONDS = PATIENCE_SECONDS + 1.0
RETRY_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 0.02

Record = dict[str, Any]
# Runs a statement with its parameters and returns its records.
Run = Callable[[str, Mapping[str, Any]], list[Record]]
T = TypeVar("T")


class GraphServer(Protocol):
    """A server that stores property graphs and understands Cypher."""

    def check(self) -> None:
        """Raise GraphUnavailable unless the server answers."""

    def read(self, work: Callable[[Run], T]) -> T:
        """Run read-only work in one transaction and return its result."""

    def write(self, work: Callable[[Run], T]) -> T:
        """Run work in one transaction and return its result; the work may be run twice."""

    def close(self) -> None:
        """Close the connections to the server."""


class Spoilt(Exception):
    """The graph was modified by something other than Fabula."""


class GraphConnections:
    """The connections to a server, which can be dropped while callers are waiting on them."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._is_dropped = False
        self.signs = SignsOfLife(lambda: self.use(lambda driver: driver.verify_connectivity()))

    def use(self, work: Callable[[Driver], T]) -> T:
        """Run work with the driver."""
        try:
            return work(self._driver)
        finally:
            if self._is_dropped:
                self._cut()

    def drop(self) -> None:
        """Kill every connection, so that no caller keeps waiting for a response."""
        self._is_dropped = True
        self._cut()
        self._driver.close()

    def close(self) -> None:
        """Close every connection in an orderly way, or kill them if the server is unresponsive."""
        # A connection being opened for a liveness check would be left behind.
        if self.signs.rest():
            self._driver.close()
        else:
            self.drop()

    def _cut(self) -> None:
        # The driver's own close sends a goodbye on each connection and waits until it is accepted.
        pool: Any = self._driver._pool
        for connection in [one for some in list(pool.connections.values()) for one in list(some)]:
            connection.kill()
        pool.close()


class Neo4jServer:
    """Neo4j or a compatible Bolt server, through the official driver."""

    def __init__(self, uri: str, user: str, password: str, database: str) -> None:
        try:
            import neo4j
        except ImportError as error:
            raise InvalidInput(
                "FABULA_GRAPH is neo4j, but the driver for it is not installed.",
                details={"setting": "graph"},
                suggestion="pip install 'fabula[neo4j]'",
            ) from error
        self._neo4j = neo4j
        self._dial = partial(
            neo4j.GraphDatabase.driver,
            uri,
            auth=(user, password) if user else None,
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=CONNECT_SECONDS,
            max_transaction_retry_time=0.0,
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
        )
        self._database = database or None
        self._line = GraphConnections(self._dial())
        self._dialling, self._preparing = threading.Lock(), threading.Lock()
        self._is_prepared = self._is_closed = False

    def check(self) -> None:
        """Raise GraphUnavailable unless the server answers."""
        line = self._line
        try:
            line.signs.ask()
        except Silence as silence:
            self._hang_up(line)
            raise _down() from silence
        except Exception as fault:
            raise self._translated(fault) from fault

    def read(self, work: Callable[[Run], T]) -> T:
        """Run read-only work in one transaction and return its result."""
        timed = self._neo4j.unit_of_work(timeout=LONGEST_QUESTION_SECONDS)(_bound(work))
        return self._asked(lambda session: session.execute_read(timed))

    def write(self, work: Callable[[Run], T]) -> T:
        """Run work in one transaction and return its result; the work may be run twice."""
        timed = self._neo4j.unit_of_work(timeout=LONGEST_CHANGE_SECONDS)(_bound(work))

        def change(session: Session) -> T:
            self._prepare(session)
            return session.execute_write(timed)

        return self._asked(change)

    def close(self) -> None:
        """Close the connections to the server."""
        with self._dialling:
            self._is_closed = True
        self._line.close()

    def _asked(self, question: Callable[[Session], T]) -> T:
        """Run a query; it is retried after conflicts with other writers and after a broken connection."""
        until, pause = monotonic() + RETRY_SECONDS, FIRST_PAUSE_SECONDS
        faults = self._neo4j.exceptions
        while True:
            line = self._line
            errand = Errand(partial(line.use, partial(self._ask, question)), "graph-question")
            try:
                return line.signs.while_waiting_for(errand)
            except Silence as silence:
                self._hang_up(line)
                raise _down() from silence
            except (faults.Neo4jError, faults.DriverError) as fault:
                if not fault.is_retryable() or monotonic() + pause > until:
                    raise self._translated(fault) from fault
                if isinstance(fault, faults.DriverError):
                    self.check()
            sleep(pause)
            pause *= 2

    def _ask(self, question: Callable[[Session], T], driver: Driver) -> T:
        with driver.session(database=self._database) as session:
            return question(session)

    def _hang_up(self, line: GraphConnections) -> None:
        """Replace unresponsive connections, and drop everybody waiting on them."""
        with self._dialling:
            if line is not self._line:
                return
            # Connections opened after closing would never be closed.
            if not self._is_closed:
                self._line = GraphConnections(self._dial())
        line.drop()

    def _prepare(self, session: Session) -> None:
        with self._preparing:
            if self._is_prepared:
                return
            for statement in CONSTRAINTS:
                # Another process may create the same constraint at the same time, which is fine.
                with suppress(self._neo4j.exceptions.ClientError):
                    session.execute_write(_bound(partial(_say, statement)))
            # A server without this procedure has its indexes ready at once.
            with suppress(self._neo4j.exceptions.Neo4jError):
                session.run(AWAIT_INDEXES).consume()
            self._is_prepared = True

    def _translated(self, fault: BaseException) -> BaseException:
        """Translate a driver error, without the addresses and users the server mentions."""
        faults = self._neo4j.exceptions
        if isinstance(fault, faults.AuthError):
            return GraphUnavailable(
                "The graph server does not accept the user and password of the settings.",
                details={"reason": "refused"},
                suggestion="Check FABULA_NEO4J_USER and FABULA_NEO4J_PASSWORD.",
            )
        if isinstance(fault, faults.ClientError) and "Database" in (fault.code or ""):
            return GraphUnavailable(
                "The graph server has no database of the name in the settings.",
                details={"reason": "no_database"},
                suggestion="Check FABULA_NEO4J_DATABASE.",
            )
        if isinstance(fault, faults.ClientError) and "TimedOut" in (fault.code or ""):
            return GraphUnavailable("The graph server took too long.", details={"reason": "slow"})
        if isinstance(fault, faults.ConstraintError):
            return Spoilt()
        if isinstance(fault, faults.TransientError) and "Transaction" in (fault.code or ""):
            return busy()
        if isinstance(fault, faults.DriverError | faults.TransientError | OSError):
            return _down()
        return fault


def busy() -> GraphUnavailable:
    """The error for too many concurrent writers of one story's graph."""
    return GraphUnavailable("The graph of this story is changed too often.", details={"reason": "busy"})


def _down() -> GraphUnavailable:
    return GraphUnavailable("The graph server does not answer.", details={"reason": "down"})


def _say(statement: str, run: Run) -> None:
    run(statement, {})


def _bound(work: Callable[[Run], T]) -> Callable[[ManagedTransaction], T]:
    def bound(transaction: ManagedTransaction) -> T:
        def run(statement: str, parameters: Mapping[str, Any]) -> list[Record]:
            return transaction.run(statement, parameters).data()  # type: ignore[arg-type]

        return work(run)

    return bound
