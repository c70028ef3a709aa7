"""`fabula serve` and `fabula demo`: where they listen, what they refuse, how they end."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import demonstrating, fabula, rows, serving

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


def test_a_server_without_accounts_does_not_listen_to_the_world(tmp_path: Path) -> None:
    done = fabula("serve", "--host", "0.0.0.0", "--port", "0", "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("VALIDATION_ERROR: Fabula does not listen on 0.0.0.0: ")
    assert "What to do: --host 127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", "127.0.0.1.example.org"])
def test_no_host_but_this_machine_is_listened_on(run: Run, host: str) -> None:
    done = run("serve", "--host", host, "--port", "0", "--db", "novel.db")
    assert done.code == 1
    assert done.err.startswith(f"VALIDATION_ERROR: Fabula does not listen on {host}: ")


def test_a_host_of_the_settings_is_refused_too(run: Run) -> None:
    done = run("serve", "--port", "0", "--db", "novel.db", FABULA_HOST="0.0.0.0", FABULA_LANG="zh")
    assert done.code == 1
    assert "0.0.0.0" in done.err
    assert "建议：--host 127.0.0.1" in done.err


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = fabula("serve", "--port", str(port), "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert f"127.0.0.1:{port}" in done.stderr
    assert "What to do: --port 0" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_none_is_refused(tmp_path: Path) -> None:
    done = fabula("serve", "--port", "99999", "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert "What to do: --port 0" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_ends_in_order_and_keeps_what_it_was_told(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as server:
        entity = server.entity("p", "林远")
        assert server.end(how) in (0, 130)
        assert not any("Traceback" in line for line in server.lines)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["fabula.db"], "the write-ahead log is closed with the database"
    assert rows(server.db, "SELECT id FROM kg_entities") == [entity]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_demo_answers_and_leaves_nothing_behind(tmp_path: Path, how: signal.Signals) -> None:
    with demonstrating(tmp_path, TMPDIR=str(tmp_path)) as demo:
        with httpx.Client(base_url=demo.url, trust_env=False, timeout=60) as client:
            stories = client.get("/api/v2/stories").json()["content"]
            assert {story["language"] for story in stories} == {"zh", "en"}
            assert all(story["entityCount"] > 5 and story["relationCount"] > 5 for story in stories)
            for story in stories:
                ask = {"projectId": story["id"]}
                answer = client.post("/api/v2/ipc/knowledge:query:validate", json=ask).json()
                assert answer["ok"] is True
            assert client.get("/docs").status_code == 200
        assert list(tmp_path.iterdir()) != []
        assert demo.end(how) in (0, 130)
        assert not any("Traceback" in line for line in demo.lines)
    assert list(tmp_path.iterdir()) == []


def test_the_pipe_ends_with_its_input(tmp_path: Path) -> None:
    done = fabula("ipc", "--db", "novel.db", cwd=tmp_path, stdin=b"\n\n")
    assert (done.returncode, done.stdout) == (0, "")


def test_everything_on_stderr_of_a_server_after_its_greeting_is_json(tmp_path: Path) -> None:
    with serving(tmp_path, FABULA_LANG="zh") as server:
        assert any("Fabula 正在" in line for line in server.lines)
        server.error("knowledge:entity:read", {"projectId": {"a": 10**30}, "id": "x"})
        server.error("knowledge:秘密的话", {"projectId": "长" * 500})
        server.wait_for_line(lambda line: '"NOT_FOUND"' in line)
        records = server.records()
    refused = [record for record in records if record["logger"] == "fabula.calls"]
    assert [record["code"] for record in refused] == ["VALIDATION_ERROR", "NOT_FOUND"]
    assert [record["projectId"] for record in refused] == [None, None]
    assert not any("秘密" in line or "Logging error" in line for line in server.lines)
