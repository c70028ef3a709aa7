"""The parent of several processes: whatever is done to it or to them, it ends in order or goes on."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from doors import fabula, rows, serving
from endpoints import completion, connected, silent
from together import Together, together
from waiting import PATIENCE, eventually

pytestmark = pytest.mark.slow

# Pauses that are as short as a test.
IMPATIENT = (
    sys.executable,
    "-c",
    "from fabula.cli import main, processes; processes.FIRST_PAUSE_S = 0.01; main()",
)


@contextmanager
def at_work(folder: Path) -> Iterator[Together]:
    """Two processes, one of which does a job that waits for a model."""
    with connected() as model:
        model.played.plays(silent)
        settings = {"FABULA_LLM_BASE_URL": model.played.url, "FABULA_LLM_MODEL": "played"}
        with together(folder, 2, **settings) as server:
            asked = {"text": "林惊羽推开门。", "background": True, "extractor": "model"}
            started = server.post(f"/api/v2/stories/{server.new_story()}/extract-entities", asked)
            assert started.status_code == 202, started.text
            eventually(lambda: bool(model.played.asked))
            yield server
            model.played.plays(completion("[]"))


def told_twice(server: Together) -> None:
    """As a keeper of services does who tells everybody, and is impatient."""
    server.tell_all(signal.SIGTERM)
    server.wait_for_line(lambda line: "Finished server process" in line)
    server.tell_all(signal.SIGTERM)


ENDS: dict[str, tuple[Callable[[Together], None], int]] = {
    "told twice, all of them": (told_twice, 0),
    "Ctrl+C in a terminal": (lambda server: server.tell_all(signal.SIGINT), 0),
    "the terminal is closed": (lambda server: server.tell_all(signal.SIGHUP), 0),
    "the parent is killed": (lambda server: server.process.kill(), -signal.SIGKILL),
}


@pytest.mark.parametrize("how", ENDS)
def test_all_end_in_order_and_leave_their_jobs_to_others(tmp_path: Path, how: str) -> None:
    end, code = ENDS[how]
    with at_work(tmp_path) as server:
        processes = server.processes()
        end(server)
        assert server.process.wait(PATIENCE) == code
        server.assert_all_gone(processes)
        assert rows(server.db, "SELECT status, attempts FROM jobs") == [("queued", 0)]
    assert not any("Traceback" in line for line in server.lines)
    if code == 0:
        assert not [record for record in server.records() if record["level"] in ("warning", "error")]


def test_one_server_ends_in_order_when_its_terminal_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.client.get("/api/v2/health").status_code == 200
        assert server.end(signal.SIGHUP) == 0


def test_a_server_that_is_tested_under_nohup_hears_that_its_terminal_is_closed(tmp_path: Path) -> None:
    """Otherwise the test above would fail for whoever starts the tests so."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with serving(tmp_path) as server:
            assert server.client.get("/api/v2/health").status_code == 200
            assert server.end(signal.SIGHUP) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


def test_processes_are_replaced_when_who_forked_them_is_killed(tmp_path: Path) -> None:
    with together(tmp_path, 2) as server:
        first = server.processes()
        forked_by = {process.parent() for process in first}
        assert len(forked_by) == 1
        for process in forked_by:
            assert process is not None
            assert process.pid != server.process.pid
            process.kill()
        again = server.processes(but=first)
        _, left = psutil.wait_procs(first, timeout=PATIENCE)
        assert left == []
        assert server.get("/api/v2/health").status_code == 200
        assert len(list(server.temporary.glob("fabula-*/*.metrics"))) == 2
        assert server.end() == 0
        server.assert_all_gone(again)


@pytest.mark.sqlite_only(reason="its file is damaged")
def test_who_cannot_begin_again_is_given_up_after_a_few_tries(tmp_path: Path) -> None:
    with together(tmp_path, 2, IMPATIENT) as server:
        processes = server.processes()
        assert isinstance(server.db, Path)
        for file in tmp_path.glob("fabula.db*"):
            file.unlink()
        server.db.write_bytes(b"not a database" * 1000)
        for process in processes:
            process.kill()
        assert server.process.wait(PATIENCE) == 1
        server.assert_all_gone(processes)
    said = [record["message"] for record in server.records()]
    assert said.count("not started") == 10
    assert said.count("given up") == 1


def test_what_is_wrong_at_the_beginning_is_said_before_anybody_is_started(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = fabula("serve", "--db", "a.db", "--port", port, "--processes", "2", cwd=tmp_path)
    assert done.returncode != 0
    assert f"127.0.0.1:{port}" in done.stderr
    nowhere = "postgresql://nobody@127.0.0.1:1/fabula"
    done = fabula("serve", "--db", nowhere, "--port", "0", "--processes", "2", cwd=tmp_path)
    assert done.returncode != 0
    assert "database does not answer" in done.stderr
