"""Connections that are given up when the server falls silent, and only then."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest

from fabula.errors import DatabaseUnreachable
from fabula.memory import Memory
from fabula.store import engines, liveness
from fabula.store.liveness import MonitoredConnection, MonitoredServer
from fabula.store.writer import Writer
from postgres import ON_POSTGRESQL, SERVER, ask, place_at
from waiting import SLACK_S

on_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="needs FABULA_TEST_ENGINE=postgresql")


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[MonitoredConnection]:
    monkeypatch.setattr(liveness, "SUSPICIOUS_S", 0.2)
    with MonitoredServer({"conninfo": f"{os.environ[SERVER]}/postgres"}).connect() as connection:
        yield connection


@on_postgresql
def test_nobody_waits_for_ever_for_a_server_that_is_there(
    line: MonitoredConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "LONGEST_S", 0.5)
    with pytest.raises(psycopg.OperationalError, match="no longer responds"):
        line.execute("SELECT pg_sleep(20)")
    assert line.closed


@on_postgresql
def test_who_said_that_it_takes_long_is_waited_for(
    line: MonitoredConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "LONGEST_S", 0.5)
    line.takes_long = True
    assert line.execute("SELECT pg_sleep(0.9), 1").fetchone()[1] == 1  # type: ignore[index]


@on_postgresql
def test_a_server_that_lets_nobody_else_in_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liveness, "SUSPICIOUS_S", 0.2)
    server, name = os.environ[SERVER], f"full_{os.getpid()}"
    ask(f"{server}/postgres", f"CREATE DATABASE {name}")
    try:
        monitored = MonitoredServer({"conninfo": f"{server}/{name}"})
        with monitored.connect() as connection:
            ask(f"{server}/postgres", f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            assert connection.execute("SELECT pg_sleep(0.6), 1").fetchone()[1] == 1  # type: ignore[index]
        assert not monitored.is_unresponsive
    finally:
        ask(f"{server}/postgres", f"DROP DATABASE {name} WITH (FORCE)")


@on_postgresql
def test_a_large_answer_is_no_silence(line: MonitoredConnection) -> None:
    text = line.execute("SELECT repeat('风', 8000000)").fetchone()[0]  # type: ignore[index]
    assert len(text) == 8_000_000
    assert line.execute("SELECT length(%s::text)", [text]).fetchone() == (8_000_000,)


@on_postgresql
@pytest.mark.slow
@pytest.mark.every_engine
def test_who_stops_listening_in_the_middle_of_a_write_holds_its_story_for_seconds_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "_WRITING", engines._WRITING.replace("'15s'", "'1s'"))
    with Memory(place_at(tmp_path / "fabula.db")) as memory:
        story = memory.story("满")
        store = memory.call().store

        def fall_deaf() -> None:
            with store.write(story.id, Writer, action="x", actor="x") as writer:
                line = writer.connection.connection.driver_connection
                line.pgconn.send_query(b"SELECT repeat('x', 100000000)")  # type: ignore[union-attr]
                line.pgconn.flush()  # type: ignore[union-attr]
                assert story.entity.create(type="item", name="铜铃").name == "铜铃"
                writer.story(story.id)

        with pytest.raises(DatabaseUnreachable):
            fall_deaf()


@pytest.mark.slow
def test_while_nobody_answers_one_asks_and_the_others_are_told_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute, ThreadPoolExecutor(20) as crowd:
        port = mute.getsockname()[1]
        monitored = MonitoredServer(
            {"host": "127.0.0.1", "port": port, "dbname": "d", "user": "u", "connect_timeout": 2}
        )
        with pytest.raises(psycopg.OperationalError):
            monitored.connect()
        assert monitored.is_unresponsive
        own = psutil.Process().net_connections("tcp")
        assert not [line for line in own if line.raddr and line.raddr.port == port], (
            "the socket is held on to"
        )

        def refused(_: int) -> float:
            began = time.monotonic()
            with pytest.raises(psycopg.OperationalError):
                monitored.connect()
            return time.monotonic() - began

        monkeypatch.setattr(liveness, "_BELIEVED_S", 3600.0)
        assert max(crowd.map(refused, range(20))) < 2
        monkeypatch.setattr(liveness, "_BELIEVED_S", 0.0)
        waits = sorted(crowd.map(refused, range(20)))
        assert waits[-2] < 2 <= waits[-1] < 6 + SLACK_S
