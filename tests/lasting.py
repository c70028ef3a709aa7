"""Whether what tests write would outlive the machine: it need not, and waiting for the disk takes time.

The PostgreSQL of the tests is started so, too. A server that a test starts waits, as any server does.
"""

from __future__ import annotations

from fabula.store import engines

LASTING = engines._PRAGMAS


def wait_for_no_disk() -> None:
    """Let SQLite take the word of the operating system in this process."""
    engines._PRAGMAS = tuple(one.replace("synchronous=FULL", "synchronous=OFF") for one in LASTING)
