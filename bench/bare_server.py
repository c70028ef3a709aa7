"""A server that does nothing: `python -m bench.bare_server PORT`, measured beside Fabula in the same run.

It reads each request whole and answers with as many bytes as its `x-bytes` header asks for, on the same
server program and in one process, so what Fabula takes more of the processor is its own.
"""

from __future__ import annotations

import sys
from typing import Any

import uvicorn


async def answered(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer with so many bytes."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body", False):
        pass
    size = next((int(value) for name, value in scope["headers"] if name == b"x-bytes"), 15)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(size).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b" " * size})


if __name__ == "__main__":
    uvicorn.run(answered, host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False)
