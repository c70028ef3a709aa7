"""The server's log: one JSON object per line, with codes and ids but no story text."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from functools import lru_cache
from typing import Any

import orjson

from fabula.api.request_id import request_id

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """Formats a record and its extra fields as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record."""
        line: dict[str, Any] = {
            "at": _at(int(record.created)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        number = request_id.get()
        if number is not None:
            line["requestId"] = number
        line.update({key: value for key, value in vars(record).items() if key not in _STANDARD})
        if record.exc_info:
            line["exception"] = _outline(record.exc_info[1])
        return orjson.dumps(line, default=str).decode()


@lru_cache(maxsize=1)
def _at(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(second))


def _outline(error: BaseException | None) -> list[str]:
    """Return the traceback of an error and its causes, with messages only where they cannot quote a story."""
    outline: list[str] = []
    while error is not None:
        kind = type(error)
        # SQLite's own messages name tables; those of its Python module quote what could not be decoded.
        harmless = isinstance(error, OSError) or hasattr(error, "sqlite_errorcode")
        outline.append(f"{kind.__module__}.{kind.__qualname__}" + (f": {error}" if harmless else ""))
        outline += [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        error = error.__cause__ or error.__context__
    return outline


def log_as_json(level: str) -> None:
    """Send all log records to stderr as JSON lines."""
    # Nobody reads where a record was made or by which thread, and finding out takes longer than the line.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Below this level, the WebSocket library logs headers and texts of messages: tokens and stories.
    logging.getLogger("uvicorn.error").setLevel(max(logging.INFO, logging.getLogger().level))
    # These log the address of every outgoing call, or every message.
    for name in ("httpx", "httpcore", "mcp"):
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))
