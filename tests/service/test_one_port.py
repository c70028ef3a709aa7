"""`fabula serve --processes`: several processes behind one port answer as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from socket import create_connection
from urllib.parse import urlsplit

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from doors import Socket, fabula, through_messages
from endpoints import completion, connected
from together import Together, only, together
from waiting import PATIENCE, eventually

pytestmark = pytest.mark.slow


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Together]:
    with together(tmp_path) as server:
        yield server


def test_every_door_is_open_and_one_who_dies_is_replaced(three: Together) -> None:
    first = three.processes()
    story = three.new_story()
    key = three.entity(story, "林远")
    socket = Socket(three)
    read = through_messages(socket.say)("knowledge:entity:read", {"projectId": story, "id": key})
    assert read["data"]["name"] == "林远"
    socket.close()
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"accept": "application/json, text/event-stream"}
    tools = three.client.post("/mcp", json=hello, headers=accepted)
    assert tools.status_code == 200, tools.text
    with three.client.stream("GET", f"/api/v2/stories/{story}/live") as stream:
        assert any(line == "data: 2" for line in stream.iter_lines())

    for process in first:
        process.kill()
        process.wait(PATIENCE)
        with httpx.Client(base_url=three.url, timeout=PATIENCE, trust_env=False) as client:
            assert client.get(f"/api/v2/stories/{story}").json()["entityCount"] == 1
    again = three.processes(but=first)
    assert three.end() == 0
    three.assert_all_gone(again)
    assert not any("Traceback" in line for line in three.lines)


def test_connections_are_spread_over_all_processes(three: Together) -> None:
    processes, address = three.processes(), urlsplit(three.url)
    with ExitStack() as open_ones:
        callers = [
            open_ones.enter_context(create_connection((address.hostname, address.port))) for _ in range(24)
        ]
        for caller in callers:
            caller.sendall(b"GET /api/v2/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert caller.recv(64).startswith(b"HTTP/1.1 200")
        held = [
            sum(one.laddr.port == address.port and bool(one.raddr) for one in process.net_connections())
            for process in processes
        ]
    assert sum(held) >= 24
    assert max(held) <= 14, held


def figure(server: Together, name: str, **labels: str) -> float:
    """What the figure is by the one who happens to be asked; there is only one of it."""
    families = text_string_to_metric_families(server.get("/metrics").text)
    samples = [sample for family in families for sample in family.samples]
    found = [one.value for one in samples if one.name == name and labels.items() <= one.labels.items()]
    assert len(found) <= 1, found
    return sum(found)


def test_a_scrape_shows_what_all_have_counted_and_no_count_runs_backwards(three: Together) -> None:
    asked = {"method": "GET", "route": "/api/v2/stories", "status": "200"}

    def counted() -> float:
        return figure(three, "fabula_requests_total", **asked)

    def ask_each(processes: set[object]) -> None:
        # Who is frozen takes no connection: the others answer them all.
        for process in processes:
            with only(process, processes):
                for _ in range(2):
                    assert three.get("/api/v2/stories").status_code == 200

    first = three.processes()
    ask_each(first)
    eventually(lambda: counted() == 6)
    assert figure(three, "fabula_crew_up") == 1
    assert figure(three, "process_resident_memory_bytes") > 3 * 20e6

    killed = first.pop()
    killed.kill()
    seen = [counted()]
    while three.processes(but=[killed]) == first or len(seen) < 20:
        seen.append(counted())
    assert seen == sorted(seen)
    assert seen[0] == 6
    ask_each(three.processes(but=[killed]))
    eventually(lambda: counted() == 12)


def test_calls_of_a_model_are_counted_together(tmp_path: Path) -> None:
    talk = {"chapter": 0, "scene": 0, "stream": False, "messages": [{"role": "user", "content": "谁？"}]}
    with connected() as model:
        model.played.plays(completion("是我。"))
        settings = {"FABULA_LLM_BASE_URL": model.played.url, "FABULA_LLM_MODEL": "played"}
        with together(tmp_path, 2, **settings, FABULA_MODEL_CALLS_PER_MINUTE="3") as two:
            story, processes = two.new_story(), two.processes()
            codes = []
            for process in processes:
                with only(process, processes):
                    codes += [two.post(f"/api/v2/stories/{story}/chat", talk).status_code for _ in range(2)]
    assert codes == [200, 200, 200, 429]


def test_what_no_process_can_do_ends_all_of_them_with_the_reason(tmp_path: Path) -> None:
    command = ["serve", "--db", "novel.db", "--port", "0", "--processes", "2"]
    done = fabula(*command, cwd=tmp_path, FABULA_EMBEDDING_MODEL=str(tmp_path / "nowhere"))
    assert done.returncode == 1
    assert "not started" in done.stderr
    assert "given up" in done.stderr
    assert "http://" not in done.stderr
    assert "Traceback" not in done.stderr
