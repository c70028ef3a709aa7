"""The program of the process that searches for one pattern after another; it is run by its path."""

from __future__ import annotations

import json
import sys

import regex

_MOST_MEMORY = 1 << 30


def _answer(line: str) -> object:
    pattern, text, seconds = json.loads(line)
    try:
        found = regex.search(pattern, text, timeout=seconds)
    except TimeoutError:
        return "timeout"
    except (regex.error, MemoryError, RecursionError, OverflowError):
        return None
    return None if found is None else found.start()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


def _serve() -> None:
    _limit_memory()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(line)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
