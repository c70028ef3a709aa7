"""`fabula serve --processes`: several processes behind one port, and a parent that looks after them."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from doors import PATIENCE, Server, Socket, fabula, popen, through_messages
from neighbours import eventually

pytestmark = pytest.mark.slow


@pytest.fixture
def together(tmp_path: Path) -> Iterator[Server]:
    db = tmp_path / "fabula.db"
    command = ["serve", "--db", str(db), "--port", "0", "--processes", "3"]
    server = Server(popen(command, tmp_path, {"FABULA_WORK_AFTER_SAVING": "off"}), db)
    yield server
    server.close()


def answering(server: Server) -> set[psutil.Process]:
    """The processes that say they have started to answer, and are still there."""
    said = (record["message"] for record in server.records() if "Started server process" in record["message"])
    numbers = [int(message.split("[")[1].rstrip("]")) for message in said]
    return {psutil.Process(number) for number in numbers if psutil.pid_exists(number)}


def all_three(server: Server, but: set[psutil.Process] | None = None) -> set[psutil.Process]:
    """The processes, as soon as there are three that answer."""

    def look() -> set[psutil.Process] | None:
        there = answering(server) - (but or set())
        return there if len(there) == 3 else None

    return eventually(look)


def all_gone(processes: set[psutil.Process]) -> None:
    psutil.wait_procs(processes, timeout=PATIENCE)
    assert not any(process.is_running() for process in processes)


def test_every_door_is_open_and_one_who_dies_is_replaced(together: Server) -> None:
    first = all_three(together)
    story = together.new_story()
    key = together.entity(story, "林远")
    socket = Socket(together)
    read = through_messages(socket.say)("knowledge:entity:read", {"projectId": story, "id": key})
    assert read["data"]["name"] == "林远"
    socket.close()
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"accept": "application/json, text/event-stream"}
    tools = together.client.post("/mcp", json=hello, headers=accepted)
    assert tools.status_code == 200, tools.text
    with together.client.stream("GET", f"/api/v2/stories/{story}/live") as stream:
        assert any(line == "data: 2" for line in stream.iter_lines())
    figures = together.client.get("/metrics").text
    assert re.search(r'^fabula_index_stories\{process="[012]"\} ', figures, re.M)

    for process in first:
        process.kill()
        process.wait(PATIENCE)
        with httpx.Client(base_url=together.url, timeout=PATIENCE, trust_env=False) as client:
            assert client.get(f"/api/v2/stories/{story}").json()["entityCount"] == 1
    again = all_three(together, but=first)
    assert together.end() == 0
    all_gone(again)
    assert not any("Traceback" in line for line in together.lines)


def test_nobody_stays_behind_when_the_parent_is_killed(together: Server) -> None:
    there = all_three(together)
    together.process.send_signal(signal.SIGKILL)
    all_gone(there)


def test_what_no_process_can_do_ends_all_of_them_with_the_reason(tmp_path: Path) -> None:
    command = ["serve", "--db", "novel.db", "--port", "0", "--processes", "2"]
    done = fabula(*command, cwd=tmp_path, FABULA_EMBEDDING_MODEL=str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert "not started" in done.stderr
    assert "http://" not in done.stderr
    assert "Traceback" not in done.stderr
