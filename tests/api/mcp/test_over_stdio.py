"""`fabula mcp`: the protocol on stdin and stdout, and nothing else there."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agents import Agent, over_stdio
from doors import environment, fabula
from fabula.memory import Memory
from forked import Forked
from waiting import PATIENCE

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}


@pytest.mark.slow
def test_a_client_starts_it_and_the_usual_story_is_meant(memory: Memory) -> None:
    memory.story("Elsewhere", language="en")
    memory.story("雾港", language="zh", id="wu")
    agent = Agent(over_stdio(memory, "--story", "雾港"))
    assert agent.call("save_scene", chapter=0, scene=0, text="雾起了。")["created"]
    assert agent.call("open_story")["id"] == "wu"
    assert agent.refusal("get_entity", entity="江离")["code"] == "NOT_FOUND"


@pytest.mark.slow
def test_there_is_nothing_but_the_protocol_on_stdout(memory: Memory) -> None:
    memory.story("Fogharbour", language="en")
    said = [
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "get_entity", "arguments": {"entity": "zqprivate"}},
        },
    ]
    lines = "no message\n" + "".join(json.dumps(one) + "\n" for one in said)
    done = fabula(
        "mcp", "--db", str(memory.place), cwd=memory.place.parent, stdin=lines, FABULA_LOG_LEVEL="debug"
    )
    assert done.returncode == 0
    answers = {one.get("id"): one for one in map(json.loads, done.stdout.splitlines())}
    assert answers[1]["result"]["serverInfo"]["name"] == "fabula"
    assert all(one["jsonrpc"] == "2.0" for one in answers.values())
    logged = [json.loads(line) for line in done.stderr.splitlines()]
    assert {"tool": "get_entity", "code": "NOT_FOUND"}.items() <= next(
        line.items() for line in logged if line["logger"] == "fabula.mcp"
    )
    assert "zqprivate" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_when_it_is_told_to_although_stdin_is_open(memory: Memory, how: signal.Signals) -> None:
    with Forked(
        ["mcp", "--db", str(memory.place)],
        env=environment(),
        cwd=memory.place.parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(how)
        assert process.wait(PATIENCE) == -how


@pytest.mark.slow
def test_only_agents_wait_for_their_library(tmp_path: Path) -> None:
    code = (
        "import sys, fabula.cli.main, fabula.api.app; print([m for m in sys.modules if m.startswith('mcp')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"[]"


@pytest.mark.slow
def test_a_story_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    done = fabula("mcp", "--db", str(tmp_path / "x.db"), "--story", "nowhere", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "NOT_FOUND" in done.stderr
