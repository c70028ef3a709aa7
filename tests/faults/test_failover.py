"""A PostgreSQL that dies for good, and the standby that takes its place while people write."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from clusters import new_cluster, running_cluster
from doors import rows, serving
from fabula.errors import DatabaseRefused, OutcomeUnknown
from fabula.memory import Memory
from fabula.store.place import PostgresPlace
from faulty import Tell
from load import Writers, begin, held
from postgres import ask

FOLLOWS = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"


def test_a_standby_takes_over(tmp_path: Path, tell: Tell) -> None:
    with running_cluster() as first, new_cluster() as second:
        second.follow(first, "standby")
        second.start()
        # Acknowledged is what both have.
        ask(
            f"{first.server}/postgres",
            "ALTER SYSTEM SET synchronous_standby_names = 'standby'",
            "SELECT pg_reload_conf()",
        )
        while rows(PostgresPlace(f"{first.server}/postgres"), FOLLOWS) == [0]:
            assert first.log
        both = PostgresPlace(f"postgresql://postgres@127.0.0.1:{first.port},127.0.0.1:{second.port}/fabula")
        begin(both)
        with pytest.raises(DatabaseRefused), Memory(f"{second.server}/fabula") as standby:
            standby.story("只读")
        with serving(tmp_path, db=both) as server:
            writers = Writers(lambda: [server.url], count=4)
            writers.start()
            writers.grow(40)
            first.kill()
            began = time.monotonic()
            refused = server.client.post("/api/v2/stories", json={"title": "题"})
            assert (refused.status_code, refused.json()["code"]) == (503, "INTERNAL_ERROR")
            second.promote()
            writers.grow(1)
            back_in = time.monotonic() - began
            writers.grow(40)
            writers.stop()
            assert server.client.get("/api/v2/ready").status_code == 200
            server.end()
        seen = held(PostgresPlace(f"{second.server}/fabula"), writers)
        refusals = writers.refusals.total()
    tell(
        "primary killed (SIGKILL) while 4 people write, standby promoted",
        f"{seen}; {refusals} refused, writing again {back_in:.1f} s after the kill",
    )


def test_a_write_that_no_standby_confirms_is_in_doubt(monkeypatch: pytest.MonkeyPatch, tell: Tell) -> None:
    monkeypatch.setattr("fabula.store.liveness.SUSPICIOUS_S", 0.5)
    monkeypatch.setattr("fabula.store.liveness.LONGEST_S", 1.0)
    with running_cluster() as cluster, Memory(f"{cluster.server}/fabula") as memory:
        story = memory.story("悬")
        ask(
            f"{cluster.server}/postgres",
            "ALTER SYSTEM SET synchronous_standby_names = 'nobody'",
            "SELECT pg_reload_conf()",
        )

        def write() -> None:
            while True:  # until the new setting has reached the connection
                story.entity.create(type="item", name=f"物{story.entity.list().total_count}")

        with pytest.raises(OutcomeUnknown) as told:
            write()
        assert told.value.details == {"outcome": "unknown"}
        assert told.value.status == 503
        before = story.entity.list().total_count
        ask(
            f"{cluster.server}/postgres",
            "ALTER SYSTEM SET synchronous_standby_names = ''",
            "SELECT pg_reload_conf()",
        )
        patience = time.monotonic() + 30
        while story.entity.list().total_count == before:
            assert time.monotonic() < patience
        assert memory.audit()[0].differing == ()
    tell("a write that the database keeps and does not confirm", "said to be in doubt; it was there")
