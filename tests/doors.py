"""The ways into Fabula as tests use them: a real server, a real pipe, a socket, Python, and the bare file."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import httpx
from websockets.sync.client import ClientConnection

from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.store.place import DatabasePlace, PostgresPlace
from forked import Forked, can_be_forked
from postgres import found as found_in_postgresql
from postgres import place_at
from waiting import PATIENCE, eventually
from web_sockets import web_socket

FABULA = str(Path(sys.executable).with_name("fabula"))

Envelope = dict[str, Any]
Ask = Callable[[str, Any], Envelope]


def environment(**settings: str) -> dict[str, str]:
    """The environment of a command: ours without any setting of Fabula or language, and what is given."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("FABULA_", "LC_", "COV")) and key not in ("LANG", "LANGUAGE", "COLUMNS")
    }
    return {**kept, "LANG": "C.UTF-8", "PYTHONUTF8": "1", "TERM": "dumb", **settings}


def fabula(
    *arguments: str, cwd: Path, stdin: str | bytes = b"", **settings: str
) -> subprocess.CompletedProcess[str]:
    """Run a command of `fabula` to its end."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    with _started(
        (FABULA,),
        arguments,
        settings,
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            out, err = process.communicate(given, PATIENCE)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(
        [FABULA, *arguments], process.returncode, out.decode("utf-8"), err.decode("utf-8")
    )


class Running:
    """A `fabula serve` or `fabula demo` that has said where it listens."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._more = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        said = self.wait_for_line(lambda line: "http://" in line)
        self.url = re.search(r"http://\S+", said)[0]

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._more:
                self.lines.append(line.rstrip("\n"))
                self._more.notify_all()
        with self._more:
            self._ended = True
            self._more.notify_all()

    def wait_for_line(self, wanted: Callable[[str], bool]) -> str:
        """The first line of stderr that is wanted, now or as soon as it comes."""
        found: list[str] = []

        def seen() -> bool:
            found.extend(line for line in self.lines if wanted(line))
            return bool(found) or self._ended

        with self._more:
            self._more.wait_for(seen, PATIENCE)
        if not found:
            raise AssertionError("the line never came; there was only:\n" + "\n".join(self.lines))
        return found[0]

    def records(self) -> list[dict[str, Any]]:
        """The JSON lines logged so far."""
        return [json.loads(line) for line in self.lines if line.startswith("{")]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the exit code."""
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def close(self) -> None:
        """Let nothing of it stay behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        if self.process.stderr is not None:
            self.process.stderr.close()


class Server(Running):
    """A running server, the file it keeps its stories in, and a client for it."""

    def __init__(self, process: subprocess.Popen[str], db: DatabasePlace) -> None:
        super().__init__(process)
        self.db = db
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE, trust_env=False)

    def close(self) -> None:
        """Close the client, end the process."""
        self.client.close()
        super().close()

    @property
    def socket_url(self) -> str:
        """Where the WebSocket is."""
        return self.url.replace("http:", "ws:") + "/api/v2/ipc"

    def ask(self, channel: str, payload: Any) -> Envelope:
        """The answer of a channel over POST, whose status is always 200."""
        response = self.client.post(f"/api/v2/ipc/{channel}", content=json.dumps(payload))
        assert response.status_code == 200, response.text
        return response.json()

    def data(self, channel: str, payload: Any) -> Any:
        """The data of an answer that must be a success."""
        answer = self.ask(channel, payload)
        assert answer["ok"], answer
        return answer["data"]

    def error(self, channel: str, payload: Any) -> dict[str, Any]:
        """The error of an answer that must be a refusal."""
        answer = self.ask(channel, payload)
        assert not answer["ok"], answer
        return answer["error"]

    def new_story(self, title: str = "试", language: str = "zh") -> str:
        """The id of a fresh story."""
        response = self.client.post("/api/v2/stories", json={"title": title, "language": language})
        assert response.status_code == 201, response.text
        return str(response.json()["id"])

    def entity(self, story: str, name: str, **fields: Any) -> str:
        """The id of a new entity."""
        payload = {"projectId": story, "type": "character", "name": name, **fields}
        return str(self.data("knowledge:entity:create", payload)["id"])

    def ended(self, job_id: str) -> dict[str, Any]:
        """A job when it has ended."""

        def look() -> dict[str, Any] | None:
            job: dict[str, Any] = self.client.get(f"/api/v2/jobs/{job_id}").json()
            return job if job["status"] not in ("queued", "processing") else None

        return eventually(look, never=f"{job_id} never ended")

    def relation(self, story: str, source: str, target: str, word: str = "ally", **fields: Any) -> str:
        """The id of a new relation."""
        ends = {"sourceEntityId": source, "targetEntityId": target, "relationType": word}
        return str(self.data("knowledge:relation:create", {"projectId": story, **ends, **fields})["id"])


def popen(
    arguments: Sequence[str],
    cwd: Path,
    settings: Mapping[str, str],
    *,
    program: Sequence[str] = (FABULA,),
    in_own_group: bool = False,
) -> subprocess.Popen[str]:
    with _terminals_that_close():
        return _started(
            program,
            arguments,
            settings,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=in_own_group,
        )


def _started(
    program: Sequence[str], arguments: Sequence[str], settings: Mapping[str, str], **how: Any
) -> subprocess.Popen[Any]:
    """A command that has begun, forked where that makes no difference."""
    if tuple(program) == (FABULA,) and can_be_forked(arguments, settings):
        return Forked([*arguments], env=environment(**settings), **how)
    return subprocess.Popen([*program, *arguments], env=environment(**settings), **how)


@contextmanager
def _terminals_that_close() -> Iterator[None]:
    """Let what is started meanwhile hear that its terminal is closed, also where the tests themselves do not.

    Under `nohup` the signal is ignored, and stays so in a new program; what is handled does not.
    """
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGHUP, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


@contextmanager
def serving(folder: Path, *, db: DatabasePlace | None = None, **settings: str) -> Iterator[Server]:
    """`fabula serve` on a free port and a database in the folder, or another."""
    db = place_at(folder / "fabula.db") if db is None else db
    # A test that is about something else is to find only what it wrote.
    settings = {"FABULA_WORK_AFTER_SAVING": "off", **settings}
    server = Server(popen(["serve", "--db", str(db), "--port", "0"], folder, settings), db)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def demonstrating(folder: Path, **settings: str) -> Iterator[Running]:
    """`fabula demo` on a free port."""
    running = Running(popen(["demo", "--no-browser", "--port", "0"], folder, settings))
    try:
        yield running
    finally:
        running.close()


class Pipe:
    """`fabula ipc`: one JSON object per line."""

    def __init__(self, db: DatabasePlace, **settings: str) -> None:
        self.process = _started(
            (FABULA,),
            ["ipc", "--db", str(db)],
            settings,
            cwd=db.parent if isinstance(db, Path) else gettempdir(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self) -> Envelope:
        """The next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the pipe has ended"
        return json.loads(line)

    def say(self, message: bytes) -> Envelope:
        """Send one line and read the answer."""
        self.write(message + b"\n")
        return self.read()

    def close(self) -> int:
        """End the input; the exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return code


class Socket:
    """The WebSocket of a server."""

    def __init__(self, server: Server) -> None:
        self._open = ExitStack()
        self.connection: ClientConnection = self._open.enter_context(
            web_socket(server.socket_url, max_size=None)
        )

    def say(self, message: bytes | str) -> Envelope:
        """Send one message and read the answer."""
        self.connection.send(message)
        return self.read()

    def read(self) -> Envelope:
        """The next answer."""
        return json.loads(self.connection.recv(PATIENCE))

    def close(self) -> None:
        """Hang up."""
        self._open.close()


def through_messages(say: Callable[[bytes], Envelope]) -> Ask:
    """Ask through a door that speaks in messages with ids, and take the id off the answer."""
    count = iter(range(1, 1_000_000))

    def ask(channel: str, payload: Any) -> Envelope:
        number = next(count)
        answer = say(json.dumps({"id": number, "channel": channel, "payload": payload}).encode())
        assert answer.pop("id") == number
        return answer

    return ask


def through_python(memory: Memory) -> Ask:
    """Ask in-process, and show what comes back as the other doors do."""

    def ask(channel: str, payload: Any) -> Envelope:
        try:
            answer = memory.answer(channel, payload)
        except FabulaError as error:
            return {"ok": False, "error": json.loads(json.dumps(error.as_dict()))}
        return {"ok": True, "data": json.loads(answer.model_dump_json(by_alias=True))}

    return ask


def rows(db: DatabasePlace, statement: str, *values: Any) -> list[Any]:
    """What a plain connection finds in the database; a row of one column as its value."""
    if isinstance(db, PostgresPlace):
        found = found_in_postgresql(db, statement, values)
    else:
        with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True, timeout=PATIENCE)) as connection:
            found = connection.execute(statement, values).fetchall()
    return [row[0] if len(row) == 1 else row for row in found]


def everything(db: DatabasePlace) -> dict[str, list[Any]]:
    """Every row of every table of the database."""
    if isinstance(db, PostgresPlace):
        tables = rows(db, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    else:
        tables = rows(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
    return {table: sorted(rows(db, f'SELECT * FROM "{table}"'), key=repr) for table in tables}


def contents(db: DatabasePlace) -> dict[str, list[Any]]:
    """How many rows each table of each story has, and the revisions: what a refusal must leave alone."""
    tables = ("kg_entities", "kg_relations", "kg_relation_types", "story_steps", "story_changes")
    counts = {
        table: rows(db, f"SELECT project_id, count(*) FROM {table} GROUP BY 1 ORDER BY 1") for table in tables
    }
    return {
        **counts,
        "stories": rows(
            db, "SELECT project_id, title, revision, entity_count, updated_at FROM stories ORDER BY 1"
        ),
    }
