"""The name of a worker, and whether its process is still alive."""

from __future__ import annotations

import os
import socket


def _here() -> str:
    try:
        return f"{socket.gethostname()}:{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return socket.gethostname()


# This machine and PID namespace: process ids are only comparable within it, and containers may share a name.
HERE = _here()


def worker_name(unique: str) -> str:
    """Return the name of a worker in this process."""
    return f"{HERE}/{os.getpid()}/{unique}"


def is_gone(worker: str) -> bool:
    """Whether a worker's process ran on this machine and has ended; False for any other machine."""
    here, _, rest = worker.partition("/")
    process = rest.partition("/")[0]
    if here != HERE or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
