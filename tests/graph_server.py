"""Real graph servers for tests: Neo4j's Community edition from its jars, and ArcadeDB, which speaks Bolt.

`make neo4j arcadedb` fetches them. The tests of a run share one of each, on free ports of this machine, which
end when the run does.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import neo4j
import pytest

from fabula.memory import Memory
from fabula.projections.mirror import Mirror
from fabula.projections.mirror_server import Neo4jServer
from fabula.story_memory import StoryMemory
from ports import free_port
from required import missing
from standstill import freeze

JARS = Path(sys.prefix) / "neo4j"
USER, PASSWORD = "neo4j", "a password for tests"
PATIENCE_S = 120.0

# Ends the server when the run of tests is over, and takes its data along.
_KEEPER = """
exec < /dev/null > /dev/null 2>&1
run="$1"; home="$2"; shift 2; cd "$home"
"$@" >> "$home/console.log" 2>&1 &
server=$!
echo $server > "$home/pid"
trap 'kill -9 $server; exit' TERM
while kill -0 "$run" 2> /dev/null && kill -0 $server 2> /dev/null; do sleep 0.5; done
kill -9 $server 2> /dev/null && rm -rf "$home"
"""
_OPTIONS = (
    *("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)
_SETTINGS = """
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
dbms.usage_report.enabled=false
dbms.security.auth_minimum_password_length=1
db.tx_log.preallocate=false
db.tx_log.rotation.size=4m
"""


class Kind(NamedTuple):
    """A graph server that can be started: its command for a home and a port, and what it says then."""

    command: Callable[[Path, int], list[str]]
    is_up: bytes


def _neo4j(home: Path, port: int) -> list[str]:
    if not any(JARS.glob("*.jar")):
        missing(f"There is no Neo4j in {JARS}: make neo4j")
    (home / "conf").mkdir(exist_ok=True)
    (home / "conf" / "neo4j.conf").write_text(_SETTINGS.format(port=port))
    options = (*_OPTIONS, "-Dio.netty.tryReflectionSetAccessible=true", "-cp", f"{JARS}/*")
    places = (f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode")
    return ["java", *options, "org.neo4j.server.CommunityEntryPoint", *places]


def _arcadedb(home: Path, port: int) -> list[str]:
    package = find_spec("arcadedb_embedded")
    if package is None or package.origin is None:
        missing("There is no ArcadeDB: make arcadedb")
    there = Path(package.origin).parent
    settings = {
        "server.rootPath": home,
        "server.rootPassword": PASSWORD,
        "server.mode": "production",
        "server.defaultDatabases": f"stories[{USER}:{PASSWORD}:admin]",
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "server.httpIncomingHost": "127.0.0.1",
        "server.httpIncomingPort": free_port(),
        "bolt.host": "127.0.0.1",
        "bolt.port": port,
        "bolt.defaultDatabase": "stories",
    }
    options = (*_OPTIONS, "--add-modules", "jdk.incubator.vector", "-cp", f"{there / 'jars'}/*")
    given = [f"-Darcadedb.{name}={value}" for name, value in settings.items()]
    return [str(there / "jre" / "bin" / "java"), *options, *given, "com.arcadedb.server.ArcadeDBServer"]


KINDS = {"neo4j": Kind(_neo4j, b"Started."), "arcadedb": Kind(_arcadedb, b"ArcadeDB Server started")}


def shared_server(folder: Path, kind: str) -> str:
    """The address of the one server of a kind in this run; whoever comes first starts it."""
    with (folder / f"{kind}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        address = folder / f"{kind}.address"
        if not address.exists():
            server = GraphProcess(folder / kind, kind)
            server.start()
            address.write_text(server.uri)
        return address.read_text()


class GraphProcess:
    """A graph server with data of its own; it can be ended, frozen, and started again."""

    def __init__(self, home: Path, kind: str) -> None:
        self._home, self._kind = home, KINDS[kind]
        self._keeper = 0
        self.port = free_port()
        self.uri = f"bolt://127.0.0.1:{self.port}"
        home.mkdir(parents=True)
        self._command = self._kind.command(home, self.port)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        console = self._home / "console.log"
        console.write_bytes(b"")
        run = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
        keeper = ["sh", "-c", _KEEPER, "sh", str(run), str(self._home), *self._command]
        self._keeper = os.posix_spawnp("sh", keeper, os.environ, setsid=True)
        until = time.monotonic() + PATIENCE_S
        while self._kind.is_up not in console.read_bytes():
            if os.waitpid(self._keeper, os.WNOHANG)[0] or time.monotonic() > until:
                pytest.fail(f"The graph server did not start:\n{console.read_text()[-3000:]}")
            time.sleep(0.1)
        self._warm_up()

    def kill(self) -> None:
        """End it as a power cut would."""
        os.kill(self._keeper, signal.SIGTERM)
        os.waitpid(self._keeper, 0)

    def freeze(self) -> None:
        """Let it fall silent, with every connection as it was."""
        freeze(self._pid())

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self._pid(), signal.SIGCONT)

    def _pid(self) -> int:
        return int((self._home / "pid").read_text())

    def _warm_up(self) -> None:
        """Set Neo4j's password; the first questions to a young server take their time."""
        first = neo4j.GraphDatabase.driver(self.uri, auth=(USER, "neo4j"))
        with first, suppress(neo4j.exceptions.AuthError), first.session(database="system") as session:
            session.run("ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $word", {"word": PASSWORD}).consume()
        with neo4j.GraphDatabase.driver(self.uri, auth=(USER, PASSWORD)) as driver:
            driver.execute_query("RETURN 1")


class Wire:
    """A stretch of wire to a server that can be cut, or go dead with everybody still holding on to it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener: socket.socket | None = None
        self._ends: list[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self.port = free_port()
        self.uri = f"bolt://127.0.0.1:{self.port}"
        self.mend()

    def mend(self) -> None:
        """Let everything through."""
        self._flows.set()
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """End every connection, and refuse new ones."""
        listener, self._listener = self._listener, None
        if listener is not None:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def deaden(self) -> None:
        """Take connections, and let nothing through."""
        self._flows.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=(source, target), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while said := source.recv(65536):
                self._flows.wait()
                target.sendall(said)
            target.shutdown(socket.SHUT_WR)


@contextmanager
def wire_to(uri: str) -> Iterator[Wire]:
    """A wire to a server, cut at the end."""
    wire = Wire(int(uri.rpartition(":")[2]))
    try:
        yield wire
    finally:
        wire.mend()
        wire.cut()


@contextmanager
def own_server(folder: Path, kind: str) -> Iterator[GraphProcess]:
    """A server that a test may kill or freeze."""
    server = GraphProcess(folder / f"own-{kind}", kind)
    server.start()
    try:
        yield server
    finally:
        server.kill()
        shutil.rmtree(folder / f"own-{kind}", ignore_errors=True)


def server_at(uri: str) -> Neo4jServer:
    """The server as a memory takes it."""
    return Neo4jServer(uri, USER, PASSWORD, "")


def mirror_of(memory: Memory) -> Mirror:
    """The mirror of a memory that has one."""
    mirror = memory.call().mirror
    assert mirror is not None
    return mirror


def crowd(story: StoryMemory, count: int) -> list[str]:
    """Some people, each of whom knows the next."""
    names = [f"p{number}" for number in range(count)]
    story.batch.upsert(
        entities=[{"type": "character", "name": name} for name in names],
        relations=[
            {"sourceName": one, "targetName": other, "relationType": "knows"}
            for one, other in pairwise(names)
        ],
    )
    return names
