"""A server that stands still in the middle of a write, and goes on when nobody waits for it any more."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from clusters import Cluster, running_cluster
from doors import Server, rows, serving
from fabula.memory import Memory
from fabula.store.place import PostgresPlace
from faulty import Tell
from standstill import freeze
from waiting import SLACK_S

STORY, OTHER = "held", "free"
# A request waits twice for a lock, five seconds each; a writer that says nothing is cut off after fifteen.
LOCK_S, SILENT_S = 10.0, 15.0

WAITING = """SELECT count(*) FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()"""
HOLDING = """SELECT count(*) FROM pg_stat_activity
             WHERE state = 'idle in transaction' AND datname = current_database()"""


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as made:
        yield made


def until(place: PostgresPlace, statement: str) -> None:
    patience = time.monotonic() + 30
    while rows(place, statement) == [0]:
        assert time.monotonic() < patience, statement


def update(server: Server, story: str, key: str) -> tuple[float, dict[str, Any]]:
    began = time.monotonic()
    asked = {"projectId": story, "id": key, "expectedVersion": 1, "patch": {"description": "改"}}
    return began, server.ask("knowledge:entity:update", asked)


def test_a_frozen_server_holds_its_story_for_seconds_only(
    tmp_path: Path, cluster: Cluster, tell: Tell
) -> None:
    place = PostgresPlace(f"{cluster.server}/fabula")
    with Memory(place) as memory:
        lin = memory.story("压住", id=STORY).entity.create(type="character", name="林远").id
        memory.story("别处", id=OTHER)
    with (
        serving(tmp_path, db=place) as frozen,
        serving(tmp_path, db=place) as other,
        ThreadPoolExecutor() as threads,
        psycopg.connect(place.url) as somebody,
    ):
        # Stopped while it waits for a row, with its story in its hands.
        somebody.execute("SELECT 1 FROM kg_entities WHERE id = %s FOR UPDATE", [lin])
        lost = threads.submit(update, frozen, STORY, lin)
        until(place, WAITING)
        freeze(frozen.process.pid)
        somebody.rollback()
        until(place, HOLDING)
        began = time.monotonic()
        try:
            waiting = threads.submit(
                other.ask, "knowledge:entity:create", {"projectId": STORY, "type": "item", "name": "铜铃"}
            )
            assert other.data("knowledge:entity:read", {"projectId": STORY, "id": lin})["version"] == 1
            assert other.entity(OTHER, "周岚")
            read_in = time.monotonic() - began
            assert read_in < LOCK_S / 2, "readers, or writers of other stories, waited"
            refused = waiting.result(60)
            answered_in = time.monotonic() - began
            assert answered_in < LOCK_S + SLACK_S
            assert refused["ok"] or refused["error"]["code"] == "CONFLICT"
            while not other.ask(
                "knowledge:entity:create", {"projectId": STORY, "type": "item", "name": "灯"}
            )["ok"]:
                assert time.monotonic() - began < SILENT_S + SLACK_S, "the story is held still"
            free_in = time.monotonic() - began
        finally:
            frozen.process.send_signal(signal.SIGCONT)
        _, said = lost.result(60)
        # Told as a lost race or as a lost connection, as the timing has it; either way it is said.
        assert not said["ok"]
        assert said["error"]["code"] in ("CONFLICT", "INTERNAL_ERROR")
        assert "Nothing was written" in said["error"]["suggestion"]
        assert rows(place, "SELECT version FROM kg_entities WHERE id = ?", lin) == [1]
        # It goes on as if nothing had been.
        assert update(frozen, STORY, lin)[1]["data"]["version"] == 2
        assert other.data("knowledge:entity:read", {"projectId": STORY, "id": lin})["version"] == 2
    with Memory(place) as memory:
        assert all(report.differing == () for report in memory.audit())
        assert memory.complaints() == ()
    tell(
        "a server frozen (SIGSTOP) in the middle of a write, another on the same story",
        f"read in {read_in:.1f} s, answered in {answered_in:.1f} s, written again after {free_in:.1f} s",
    )
