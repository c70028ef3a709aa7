"""A PostgreSQL that stands still, or whose packets nobody answers, while people ask and write."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from clusters import Cluster, running_cluster
from doors import Server, rows, serving
from fabula.store.place import PostgresPlace
from faulty import Tell, rounds
from load import STORY, Writers, begin, held
from waiting import SLACK_S

# Three seconds of silence, two for an answer on another connection.
SILENT_S = 5.0
CROWD = 60


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as made:
        yield made


def asked(server: Server, path: str) -> tuple[int, float]:
    """The status of an answer, and how long it took."""
    began = time.monotonic()
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client:
        return client.get(path).status_code, time.monotonic() - began


def size(server: Server) -> tuple[int, int]:
    """How many threads and connections to the database the server has."""
    process = psutil.Process(server.process.pid)
    port = int(str(server.db).rsplit(":", 1)[1].split("/")[0])
    lines = [line for line in process.net_connections("tcp") if line.raddr and line.raddr.port == port]
    return process.num_threads(), len(lines)


def test_frozen_and_back(tmp_path: Path, cluster: Cluster, tell: Tell) -> None:
    place = PostgresPlace(f"{cluster.server}/fabula")
    begin(place)
    count, slowest, quickest = rounds(1, 5), 0.0, 0.0
    with serving(tmp_path, db=place) as server, ThreadPoolExecutor(CROWD) as crowd:
        writers = Writers(lambda: [server.url], count=4)
        story = f"/api/v2/stories/{STORY}"
        for _ in range(count):
            writers.start()
            writers.grow(20)
            cluster.freeze()
            try:
                # More than the server has threads, all at once.
                first = list(crowd.map(lambda _: asked(server, story), range(CROWD)))
                assert {status for status, _ in first} == {503}
                slowest = max(slowest, *(seconds for _, seconds in first))
                assert slowest < 2 * SILENT_S + SLACK_S
                # Now it is known, and said at once.
                again = list(crowd.map(lambda _: asked(server, story), range(CROWD)))
                assert {status for status, _ in again} == {503}
                quickest = max(quickest, *(seconds for _, seconds in again))
                assert quickest < SILENT_S
                assert asked(server, "/api/v2/ready")[0] == 503
                status, seconds = asked(server, "/api/v2/health")
                assert (status, seconds < SILENT_S) == (200, True)
                # Neither threads nor connections are left behind.
                threads, lines = size(server)
                assert lines <= 10, "connections to a silent server pile up"
                assert threads < 80
            finally:
                cluster.thaw()
            writers.grow(20)
            assert asked(server, story)[0] == 200
            assert asked(server, "/api/v2/ready")[0] == 200
            writers.stop()
            seen = held(place, writers)
        server.end()
    told = f"{seen}; refused in {slowest:.1f} s at most, then in {quickest:.1f} s"
    tell(f"PostgreSQL frozen (SIGSTOP) while 4 write and {CROWD} ask, {count} times", told)


def test_a_server_that_answers_slowly_is_waited_for(cluster: Cluster, tmp_path: Path, tell: Tell) -> None:
    place = PostgresPlace(f"{cluster.server}/fabula")
    begin(place)
    with serving(tmp_path, db=place) as server, ThreadPoolExecutor(1) as thread:
        import psycopg

        with psycopg.connect(place.url) as somebody:
            somebody.execute("LOCK TABLE kg_entities IN ACCESS EXCLUSIVE MODE")
            asking = thread.submit(
                server.ask, "knowledge:entity:list", {"projectId": STORY}
            )  # a reader waits for locks as long as it takes
            while rows(place, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == [0]:
                assert not asking.done()
            with pytest.raises(TimeoutError):
                asking.result(SILENT_S + 2)
            somebody.rollback()
        assert asking.result(60)["ok"]
    tell("a statement that takes longer than silence is borne", "waited for: the server answers otherwise")
