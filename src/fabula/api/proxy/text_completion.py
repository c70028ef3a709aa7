"""Text completions by a chat model: a prompt becomes one message, and its answer becomes a text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from fabula.errors import InvalidInput

# What a prompt may have and a conversation cannot.
_OF_PROMPTS = ("prompt", "suffix", "echo", "best_of", "logprobs")
_DATA = b"data:"


def as_chat(body: bytes) -> bytes:
    """Return a request for a text completion as one for a conversation.

    InvalidInput unless it has one prompt. What is not a JSON object is returned as it is, to be refused.
    """
    try:
        request = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(request, dict):
        return body
    prompt = request.get("prompt")
    if isinstance(prompt, list) and len(prompt) == 1:
        prompt = prompt[0]
    if not isinstance(prompt, str):
        raise InvalidInput(
            "prompt must be one text.",
            details={"field": "prompt"},
            suggestion="Send one prompt as text, or a conversation to /v1/chat/completions.",
        )
    rest = {name: value for name, value in request.items() if name not in _OF_PROMPTS}
    return json.dumps({**rest, "messages": [{"role": "user", "content": prompt}]}).encode()


def as_text(body: bytes) -> bytes:
    """Return the answer of a chat model as a text completion; what is no such answer stays as it is."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return body
    if not isinstance(answer, dict) or not isinstance(answer.get("choices"), list):
        return body
    choices = [_choice(one) for one in answer["choices"] if isinstance(one, dict)]
    return json.dumps({**answer, "object": "text_completion", "choices": choices}).encode()


def text_events(events: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the events of a chat model's stream as those of a text completion."""
    for event in events:
        yield b"".join(map(_line, event.splitlines(keepends=True)))


def _line(line: bytes) -> bytes:
    if not line.startswith(_DATA):
        return line
    said = line.rstrip(b"\r\n")
    return _DATA + b" " + as_text(said[len(_DATA) :].strip()) + line[len(said) :]


def _choice(choice: dict[str, Any]) -> dict[str, Any]:
    said = choice.get("message") or choice.get("delta")
    text = said.get("content") if isinstance(said, dict) else None
    return {
        "index": choice.get("index", 0),
        "text": text if isinstance(text, str) else "",
        "logprobs": None,
        "finish_reason": choice.get("finish_reason"),
    }
