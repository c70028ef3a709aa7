"""`/stories/{storyId}/chat`: a conversation with a model that knows the story, streamed or whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import orjson
from fastapi import Request
from pydantic import BaseModel

from fabula.api.envelope import error_body, pause
from fabula.api.rest.route import Route, routes
from fabula.api.streaming import EVENTS, JSON, RECEIPT, Head, Pieces, Room, Streamed, StreamPiece, explained
from fabula.call import Call
from fabula.errors import FabulaError, RateLimited
from fabula.llm.cancel_token import CancelToken
from fabula.llm.chat import ChatEnd
from fabula.operations.chat.chat import Conversation, begin_chat, end_chat
from fabula.operations.chat.values import StoryChatReply, StoryChatRequest
from fabula.operations.table import run

_DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {"model": StoryChatReply, "content": {"text/event-stream": {}}},
    RateLimited.status: {},
}


async def _chat(http: Request, call: Call, asked: StoryChatRequest) -> Streamed:
    """Stream the answer as it is written, or return it whole."""
    room: Room = http.app.state.answers

    def source(cancel_token: CancelToken) -> Pieces:
        return explained(_answered(call, asked, cancel_token, room), _refused, _interrupted)

    return Streamed(source, http.app.state.is_leaving)


def _answered(call: Call, asked: StoryChatRequest, cancel_token: CancelToken, room: Room) -> Pieces:
    with room.place():
        talk = run(begin_chat, call, asked)
        if asked.stream:
            yield from _told(call, asked, talk, cancel_token)
            return
        answer = talk.model.complete(talk.asked, cancel_token=cancel_token)
        done = end_chat(call, asked, talk, answer.text, answer)
        yield Head(headers={**JSON, **_receipt(talk)})
        yield _json(StoryChatReply(context=talk.context, text=answer.text, **dict(done)))


def _told(call: Call, asked: StoryChatRequest, talk: Conversation, cancel_token: CancelToken) -> Pieces:
    """Stream the context, then the model's words as they arrive, then how the answer ended."""
    yield Head(headers={**EVENTS, **_receipt(talk)}, is_events=True, beats=True)
    yield _event("context", _json(talk.context))
    words: list[str] = []
    with closing(talk.model.stream(talk.asked, cancel_token=cancel_token)) as pieces:
        while True:
            try:
                words.append(next(pieces))
            except StopIteration as ended:
                end: ChatEnd = ended.value
                break
            yield _event("delta", orjson.dumps({"text": words[-1]}))
    yield _event("done", _json(end_chat(call, asked, talk, "".join(words), end)))


def _receipt(talk: Conversation) -> dict[str, str]:
    """Return the header that says which receipt tells what the model was told."""
    receipt_id = talk.context.receipt_id
    return {} if receipt_id is None else {RECEIPT: receipt_id}


def _refused(error: FabulaError) -> Iterator[StreamPiece]:
    yield Head(error.status, {**JSON, **pause(error)})
    yield error_body(error)


def _interrupted(error: FabulaError) -> bytes:
    return _event("error", error_body(error))


def _event(name: str, data: bytes) -> bytes:
    # Some clients treat these as line ends; in JSON they occur only in strings, where they can be escaped.
    for character in "\x85\u2028\u2029":
        data = data.replace(character.encode(), b"\\u%04x" % ord(character))
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


def _json(value: BaseModel) -> bytes:
    return value.model_dump_json(by_alias=True).encode()


router = routes(
    "/stories/{storyId}",
    "chat",
    (Route("POST", "/chat", begin_chat, serve=_chat, name="chat", described={"responses": _DESCRIBED}),),
)
