"""The two formats of channel answers, and the error formats of the other interfaces."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from pydantic_core import from_json

from fabula.errors import FabulaError, InvalidInput
from fabula.memory import Memory
from fabula.model.account import Identity
from fabula.store.receipt import receipted

CHANNEL_PREFIX = "/api/v2/ipc/"
PROXY_PREFIX = "/v1/"

_OPENAI_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}


def parse_json(text: bytes | str) -> Any:
    """Parse JSON; raises InvalidInput if it is malformed, or contains infinity or NaN."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise InvalidInput(
            f"The request is not valid JSON: {error}.",
            suggestion="Send one JSON object, encoded as UTF-8.",
        ) from error


def success(
    answer: BaseModel, revision: int | None, message_id: Any = None, *, with_id: bool = False
) -> bytes:
    """Return `{"ok": true, "data": …}`, with the message's id and the revision it wrote, if any."""
    data = answer.model_dump_json(by_alias=True).encode()
    step = b"" if revision is None else b',"revision":%d' % revision
    return b"{" + _id_part(message_id, with_id) + b'"ok":true,"data":' + data + step + b"}"


def failure(error: FabulaError, message_id: Any = None, *, with_id: bool = False) -> bytes:
    """Return `{"ok": false, "error": …}`, with the message's id, if any."""
    return b"{" + _id_part(message_id, with_id) + b'"ok":false,"error":' + error_body(error) + b"}"


def error_body(error: FabulaError) -> bytes:
    """Return the error as REST shows it."""
    return _json(error.as_dict())


def openai_error_body(error: FabulaError) -> bytes:
    """Return the error as OpenAI clients expect it; many of them show only the message."""
    said = " ".join(filter(None, (error.message, error.suggestion)))
    details = error.details or {}
    kind = _OPENAI_TYPES.get(error.status, "api_error")
    return _json(
        {"error": {"message": said, "type": kind, "param": details.get("field"), "code": error.code}}
    )


def refusal(path: str, error: FabulaError) -> bytes:
    """Return the error in the format of the interface at this path."""
    if path.startswith(PROXY_PREFIX):
        return openai_error_body(error)
    return failure(error) if path.startswith(CHANNEL_PREFIX) else error_body(error)


def pause(error: FabulaError) -> dict[str, str]:
    """Return the header that says how long to wait before a retry, if that is known."""
    seconds = (error.details or {}).get("retryAfterSeconds")
    return {} if seconds is None else {"retry-after": str(seconds)}


def _id_part(message_id: Any, with_id: bool) -> bytes:
    return b'"id":' + _json(message_id) + b"," if with_id else b""


def _json(value: Any) -> bytes:
    """Encode any value as JSON: integers of any size, and a question mark for what UTF-8 cannot encode."""
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "replace")


def answer_body(memory: Memory, channel: str, body: bytes, *, identity: Identity) -> bytes:
    """Answer a request whose channel is given separately."""
    try:
        with receipted() as receipt:
            answer = memory.answer(channel, parse_json(body), identity=identity)
        return success(answer, receipt.revision)
    except FabulaError as error:
        return failure(error)


def answer_message(memory: Memory, message: bytes | str, *, identity: Identity) -> bytes:
    """Answer a `{"id", "channel", "payload"}` message."""
    message_id: Any = None
    try:
        parsed = parse_json(message)
        if not isinstance(parsed, dict) or not isinstance(parsed.get("channel"), str):
            raise InvalidInput(
                "A message is an object with id, channel and payload.",
                suggestion='Send {"id": 1, "channel": "knowledge:entity:list", "payload": {…}}.',
            )
        if isinstance(parsed.get("id"), str | int) and not isinstance(parsed["id"], bool):
            message_id = parsed["id"]
        with receipted() as receipt:
            answer = memory.answer(parsed["channel"], parsed.get("payload"), identity=identity)
        return success(answer, receipt.revision, message_id, with_id=True)
    except FabulaError as error:
        return failure(error, message_id, with_id=True)
