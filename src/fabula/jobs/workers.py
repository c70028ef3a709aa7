"""Who does a job: a process of some machine, and whether it is still there."""

from __future__ import annotations

import os
import socket


def _here() -> str:
    try:
        return f"{socket.gethostname()}:{os.stat('/proc/self/ns/pid').st_ino}"
    except OSError:
        return socket.gethostname()


# This machine, as far as the numbers of processes mean the same on it: two containers may share a name.
HERE = _here()


def worker_name(unique: str) -> str:
    """The name of a worker in this process."""
    return f"{HERE}/{os.getpid()}/{unique}"


def is_gone(worker: str) -> bool:
    """Whether a worker's process was on this machine and is no more; of other machines nobody knows."""
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
