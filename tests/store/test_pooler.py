"""A pooler in transaction mode before PostgreSQL: no transaction leaves anything in its connection."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from clusters import Cluster, running_cluster
from fabula.errors import DatabaseUnreachable
from fabula.memory import Memory
from pooler import pooling, program
from required import missing
from waiting import SLACK_S

pytestmark = pytest.mark.slow

# Fewer than there are writers, so that they are handed around.
CONNECTIONS, PEOPLE, WRITES = 2, 6, 12


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    if program() is None:
        missing("There is no PgBouncer here: make pgbouncer")
    with running_cluster() as made:
        yield made


@pytest.fixture
def pooler(cluster: Cluster) -> Iterator[str]:
    with pooling(cluster.server, CONNECTIONS) as address:
        yield f"{address}/fabula"


def test_many_write_through_few_connections_and_leave_no_setting_behind(pooler: str) -> None:
    with Memory(f"{pooler}?pooler=transaction") as memory:
        story = memory.story("池")

        def write(who: int) -> None:
            for number in range(WRITES):
                made = story.entity.create(type="item", name=f"物{who}-{number}")
                assert story.entity.read(id=made.id).name == made.name

        with ThreadPoolExecutor(PEOPLE) as people:
            list(people.map(write, range(PEOPLE)))
        assert story.entity.list().total_count == PEOPLE * WRITES
        assert memory.audit()[0].differing == ()
        for _ in range(CONNECTIONS * 2):
            with psycopg.connect(pooler, prepare_threshold=None) as somebody:
                left = {
                    somebody.execute(f"SHOW {name}").fetchone()[0]
                    for name in ("lock_timeout", "idle_in_transaction_session_timeout", "tcp_user_timeout")
                }
                assert left == {"0"}


def test_a_server_that_stands_still_behind_a_pooler_is_noticed_and_used_again(
    pooler: str, cluster: Cluster
) -> None:
    with Memory(f"{pooler}?pooler=transaction") as memory:
        story = memory.story("冻")
        cluster.freeze()
        try:
            began = time.monotonic()
            with pytest.raises(DatabaseUnreachable):
                story.entity.create(type="item", name="铜铃")
            assert time.monotonic() - began < 15 + SLACK_S
            began = time.monotonic()
            with pytest.raises(DatabaseUnreachable):
                story.entity.list()
            assert time.monotonic() - began < 5 + SLACK_S
        finally:
            cluster.thaw()
        patience = time.monotonic() + 30
        while True:
            try:
                story.entity.create(type="item", name="灯")
                break
            except DatabaseUnreachable:
                assert time.monotonic() < patience
        assert memory.audit()[0].differing == ()
