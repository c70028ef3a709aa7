"""A PostgreSQL that is killed while people write, and comes back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from clusters import Cluster, running_cluster
from doors import serving
from fabula.store.place import PostgresPlace
from faulty import Tell, rounds
from load import Writers, begin, held


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as made:
        yield made


def test_killed_and_back(tmp_path: Path, cluster: Cluster, tell: Tell) -> None:
    place = PostgresPlace(f"{cluster.server}/fabula")
    begin(place)
    count, slowest = rounds(2, 8), 0.0
    with serving(tmp_path, db=place) as server:
        writers = Writers(lambda: [server.url], count=4)
        for _ in range(count):
            writers.start()
            writers.grow(20)
            cluster.kill()
            began = time.monotonic()
            refused = server.client.post("/api/v2/stories", json={"title": "题"})
            slowest = max(slowest, time.monotonic() - began)
            assert (refused.status_code, refused.json()["code"]) == (503, "INTERNAL_ERROR")
            assert server.client.get("/api/v2/health").status_code == 200
            ready = server.client.get("/api/v2/ready")
            assert (ready.status_code, ready.json()["database"]) == (503, False)
            assert "fabula_database_up 0.0" in server.client.get("/metrics").text
            cluster.start()
            writers.grow(20)
            writers.stop()
            assert server.client.get("/api/v2/ready").status_code == 200
            seen = held(place, writers)
        refusals = writers.refusals
        server.end()
    told = f"{seen}; {refusals.total()} refused, in {slowest:.1f} s at most"
    tell(f"PostgreSQL killed (SIGKILL) while 4 people write, {count} times", told)
