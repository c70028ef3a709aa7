"""PgBouncer in transaction mode before a PostgreSQL: each transaction gets whichever connection is free."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ports import free_port
from waiting import eventually

PATIENCE_S = 30.0

_SETTINGS = """
[databases]
* = host=127.0.0.1 port={behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 400
server_idle_timeout = 5
logfile = {folder}/log
"""


def program() -> str | None:
    """Where PgBouncer is."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@contextmanager
def pooling(server: str, connections: int = 8) -> Iterator[str]:
    """The address of a pooler before a server, which keeps so many connections for each database."""
    found = program()
    assert found is not None, "There is no PgBouncer here: make pgbouncer"
    folder = Path(tempfile.mkdtemp(prefix="fabula-pooler-"))
    port = free_port()
    settings = {"behind": server.rsplit(":", 1)[1], "port": port, "folder": folder}
    (folder / "settings").write_text(_SETTINGS.format(**settings, connections=connections))
    (folder / "users").write_text('"postgres" ""\n')
    as_root = os.geteuid() == 0
    if as_root:  # it refuses to run as root
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, "postgres", "postgres")
    process = subprocess.Popen(
        [found, "--quiet", str(folder / "settings")],
        stdin=subprocess.DEVNULL,
        cwd="/",
        **({"user": "postgres", "group": "postgres"} if as_root else {}),
    )
    try:
        _wait_for(port, process)
        yield f"postgresql://postgres@127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait(PATIENCE_S)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    def answers() -> bool:
        assert process.poll() is None, "PgBouncer did not start"
        with socket.socket() as knocking:
            return knocking.connect_ex(("127.0.0.1", port)) == 0

    eventually(answers, PATIENCE_S, "PgBouncer does not answer")
