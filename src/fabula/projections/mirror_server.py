"""The graph server: the port that the mirror is written against, and Neo4j behind it.

A server that is down says so within three seconds: it is asked for a sign of life before anything else, and
whoever finds another still waiting for that sign does not wait behind them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from fabula.errors import GraphUnavailable, InvalidInput
from fabula.projections.mirror_cypher import AWAIT_INDEXES, CONSTRAINTS

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

CONNECT_SECONDS = 2.0
SIGN_OF_LIFE_SECONDS = 2.5
RETRY_SECONDS = 2.0
LONGEST_QUESTION_SECONDS = 60.0
LONGEST_CHANGE_SECONDS = 600.0

Record = dict[str, Any]
# A statement with its parameters; the records it gives.
Run = Callable[[str, Mapping[str, Any]], list[Record]]
T = TypeVar("T")


class GraphServer(Protocol):
    """A server that keeps property graphs and understands Cypher."""

    def check(self) -> None:
        """Raise GraphUnavailable unless the server answers."""

    def read(self, work: Callable[[Run], T]) -> T:
        """What a work that only reads gives, in one transaction."""

    def write(self, work: Callable[[Run], T]) -> T:
        """What a work gives, in one transaction: all of it is kept, or nothing. It may be done twice."""

    def close(self) -> None:
        """Let go of the server."""


class Neo4jServer:
    """A Neo4j, or whatever speaks Bolt as it does, through its official driver."""

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
        self._database = database or None
        self._driver = neo4j.GraphDatabase.driver(
            uri,
            auth=(user, password) if user else None,
            connection_timeout=CONNECT_SECONDS,
            connection_acquisition_timeout=SIGN_OF_LIFE_SECONDS,
            max_transaction_retry_time=RETRY_SECONDS,
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
        )
        self._looking, self._preparing = threading.Lock(), threading.Lock()
        self._is_prepared = False

    def check(self) -> None:
        """Raise GraphUnavailable unless the server answers."""
        patience = monotonic() + SIGN_OF_LIFE_SECONDS
        if not self._looking.acquire(timeout=SIGN_OF_LIFE_SECONDS):
            raise _down()
        faults: list[BaseException] = []
        answered = threading.Event()

        def look() -> None:
            try:
                self._driver.verify_connectivity()
            except BaseException as fault:
                faults.append(fault)
            finally:
                answered.set()
                self._looking.release()

        # A server that took the connection and then fell silent would keep a caller for ever.
        threading.Thread(target=look, daemon=True, name="neo4j-sign-of-life").start()
        if not answered.wait(max(0.0, patience - monotonic())):
            raise _down()
        if faults:
            raise self._translated(faults[0]) from faults[0]

    def read(self, work: Callable[[Run], T]) -> T:
        """What a work that only reads gives, in one transaction."""
        self.check()
        timed = self._neo4j.unit_of_work(timeout=LONGEST_QUESTION_SECONDS)(_bound(work))
        with self._session() as session:
            answer: T = self._told(lambda: session.execute_read(timed))
            return answer

    def write(self, work: Callable[[Run], T]) -> T:
        """What a work gives, in one transaction: all of it is kept, or nothing. It may be done twice."""
        self.check()
        self._told(self._prepare)
        timed = self._neo4j.unit_of_work(timeout=LONGEST_CHANGE_SECONDS)(_bound(work))
        with self._session() as session:
            answer: T = self._told(lambda: session.execute_write(timed))
            return answer

    def close(self) -> None:
        """Let go of the server."""
        self._driver.close()

    def _session(self) -> Any:
        return self._driver.session(database=self._database)

    def _prepare(self) -> None:
        with self._preparing:
            if self._is_prepared:
                return
            with self._session() as session:
                for statement in CONSTRAINTS:
                    # Another process may make the same at the same time, which is as good.
                    with suppress(self._neo4j.exceptions.ClientError):
                        session.execute_write(_bound(partial(_say, statement)))
                session.run(AWAIT_INDEXES).consume()
            self._is_prepared = True

    def _told(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except self._neo4j.exceptions.Neo4jError as error:
            raise self._translated(error) from error
        except self._neo4j.exceptions.DriverError as error:
            raise self._translated(error) from error

    def _translated(self, fault: BaseException) -> BaseException:
        """The fault in words of ours, without what the server says of addresses and users."""
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
        if isinstance(fault, faults.DriverError | faults.TransientError | OSError):
            return _down()
        return fault


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
