"""Forward a model's answer to the client unchanged, in whole events and within limits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabula.llm.failures import broken_off, explanation, unavailable, with_full_stop
from fabula.llm.upstream import Upstream

STREAM_BYTES = 64 << 20
EVENT_BYTES = 4 << 20
ANSWER_BYTES = 32 << 20
WORD_LENGTH = 200
KEY_REFUSED = (401, 403)

_ENDS = (b"\n\n", b"\n\r\n", b"\r\r")
# How the stream of an answer ends, or says that it does not; in a text, quotation marks are escaped.
_LAST = re.compile(rb'^data: ?\[DONE\]|"finish_reason"\s*:\s*"|"error"\s*:\s*[{"]', re.MULTILINE)
_PASSED = ("retry-after", "x-request-id", "openai-processing-ms")


def passed_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the endpoint's headers that a client needs, without those of the connection."""
    return {
        name: value
        for name, value in headers.items()
        if (name in _PASSED or name.startswith("x-ratelimit-")) and value.isascii() and value.isprintable()
    }


def whole_events(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the stream in whole events; invalid UTF-8 is replaced.

    Raises LlmUnavailable if the stream is too long, or if it stops before the model has said that it is done,
    which is all that tells a cut from an end on some connections. What follows the end is forwarded, too.
    """
    held, total, has_ended = b"", 0, False
    for chunk in chunks:
        total += len(chunk)
        held += chunk
        end = max(held.rfind(mark) + len(mark) if mark in held else 0 for mark in _ENDS)
        if end:
            has_ended = has_ended or _LAST.search(held, 0, end) is not None
            yield readable(held[:end])
            held = held[end:]
        if total > STREAM_BYTES or len(held) > EVENT_BYTES:
            raise unavailable(
                "too_long", f"The model's answer has more than {STREAM_BYTES:,} bytes.", limit=STREAM_BYTES
            )
    if not (has_ended or _LAST.search(held)):
        raise broken_off()
    if held:
        yield readable(held)


def readable(data: bytes) -> bytes:
    """Return the bytes with replacement characters for what is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def refused(status: int, body: bytes, upstream: Upstream) -> bytes:
    """Return the endpoint's error in OpenAI's format and without the key."""
    said = upstream.without_key(explanation(body)) or f"The model's endpoint answered {status}."
    if status in KEY_REFUSED:
        said = (
            f"The model's endpoint refused Fabula's key ({status}): {with_full_stop(said)} "
            "Your own token is fine. Check FABULA_LLM_API_KEY in the settings of Fabula."
        )
    told = _error_in(body)
    given = {name: _word(told.get(name)) or "" for name in ("type", "param", "code")}
    # Clients compare these letter for letter, so none is changed; one that is the key itself is left out.
    words = {name: None if upstream.shows_key(word) else word or None for name, word in given.items()}
    return json.dumps(
        {"error": {"message": said, **words, "type": words["type"] or "upstream_error"}}, ensure_ascii=False
    ).encode("utf-8", "replace")


def _error_in(body: bytes) -> Mapping[str, Any]:
    try:
        error = json.loads(body)["error"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}
    return error if isinstance(error, dict) else {}


def _word(value: Any) -> str | None:
    return str(value)[:WORD_LENGTH] if isinstance(value, str | int) else None
