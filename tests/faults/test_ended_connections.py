"""Connections to PostgreSQL that somebody ends while people write."""

from __future__ import annotations

import random
import time
from pathlib import Path

from clusters import running_cluster
from doors import rows, serving
from fabula.store.place import PostgresPlace
from faulty import Tell, rounds
from load import Writers, begin, held

OWN = "datname = current_database() AND pid != pg_backend_pid() AND backend_type = 'client backend'"


def test_any_connection_may_be_ended_at_any_time(tmp_path: Path, tell: Tell) -> None:
    chance, ended = random.Random(8), 0
    with running_cluster() as cluster:
        place = PostgresPlace(f"{cluster.server}/fabula")
        begin(place)
        with serving(tmp_path, db=place) as server:
            writers = Writers(lambda: [server.url], count=4)
            writers.start()
            over = time.monotonic() + rounds(8, 60)
            while time.monotonic() < over:
                pids = rows(place, f"SELECT pid FROM pg_stat_activity WHERE {OWN}")
                if pids:
                    rows(place, "SELECT pg_terminate_backend(?)", chance.choice(pids))
                    ended += 1
                writers.rest(chance.uniform(0.01, 0.1))
            writers.grow(20)
            writers.stop()
            server.end()
        seen = held(place, writers)
    assert set(writers.refusals) <= {"CONFLICT", "INTERNAL_ERROR"}
    assert writers.acknowledged > 20
    told = (
        f"{seen}; {writers.refusals.total()} refused, {sum(one.silences for one in writers.ledgers)} in doubt"
    )
    tell(f"{ended} connections ended (pg_terminate_backend) while 4 people write", told)
