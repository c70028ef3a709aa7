"""`/v1/chat/completions`, `/v1/completions` and `/v1/models`, compatible with OpenAI clients."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from fabula.api.authentication import identity_of
from fabula.api.envelope import openai_error_body, pause
from fabula.api.proxy.passing import ANSWER_BYTES, passed_headers, readable, refused, whole_events
from fabula.api.proxy.text_completion import as_chat, as_text, text_events
from fabula.api.streaming import EVENTS, JSON, RECEIPT, Head, Pieces, Room, Streamed, StreamPiece, explained
from fabula.call import Call
from fabula.errors import FabulaError, LlmRateLimited, LlmUnavailable, NotFound
from fabula.llm.cancel_token import CancelToken
from fabula.llm.failures import not_understood, unavailable
from fabula.llm.upstream import UpstreamAnswer
from fabula.memory import Memory
from fabula.operations.chat.model_names import model_names
from fabula.operations.chat.proxy import ForwardRequest, Remembering, asked, forwarded
from fabula.operations.stories import list_stories
from fabula.operations.table import NoFields, run

OWNER = "fabula"


@dataclass(frozen=True, slots=True)
class _Form:
    """How the requests and answers of a route differ from those of a conversation."""

    request: Callable[[bytes], bytes]
    answer: Callable[[bytes], bytes]
    events: Callable[[Iterable[bytes]], Iterable[bytes]]


_CHAT = _Form(lambda body: body, lambda body: body, lambda events: events)
_TEXT = _Form(as_chat, as_text, text_events)


def proxy_routes(memory: Memory) -> APIRouter:
    """The routes of the proxy."""
    router = APIRouter(prefix="/v1", include_in_schema=False)

    async def answered(request: Request, form: _Form) -> Streamed:
        body = await request.body()
        call = memory.call(identity_of(request.scope))
        room: Room = request.app.state.answers

        def source(cancel_token: CancelToken) -> Pieces:
            return explained(_passed_on(call, body, cancel_token, room, form), _refused, _interrupted)

        return Streamed(source, request.app.state.is_leaving)

    @router.post("/chat/completions")
    async def chat_completions(request: Request) -> Streamed:
        return await answered(request, _CHAT)

    @router.post("/completions")
    async def completions(request: Request) -> Streamed:
        return await answered(request, _TEXT)

    @router.get("/models")
    def models(request: Request) -> Response:
        found = _offered(memory.call(identity_of(request.scope)))
        return _json({"object": "list", "data": found})

    @router.get("/models/{model:path}")
    def model(request: Request, model: str) -> Response:
        for one in _offered(memory.call(identity_of(request.scope))):
            if one["id"] == model:
                return _json(one)
        raise NotFound(f"There is no model '{model}'.", suggestion="GET /v1/models lists them.")

    return router


def _passed_on(call: Call, body: bytes, cancel_token: CancelToken, room: Room, form: _Form) -> Pieces:
    with room.place():
        wanted = run(forwarded, call, ForwardRequest(body=form.request(body)))
        upstream = call.endpoint().for_one_call()
        answer, said = asked(upstream, wanted, cancel_token)
        with answer:
            headers = {**passed_headers(answer.headers), **_notes(wanted.memory)}
            if answer.status >= 400:
                yield Head(answer.status, {**JSON, **headers})
                yield refused(answer.status, said, upstream)
            elif answer.is_events:
                yield Head(answer.status, {**EVENTS, **headers}, is_events=True)
                yield from form.events(whole_events(answer.chunks()))
            else:
                whole = readable(answer.read(ANSWER_BYTES))
                _check(answer, whole)
                yield Head(answer.status, {**JSON, **headers})
                yield form.answer(whole)


def _check(answer: UpstreamAnswer, body: bytes) -> None:
    """Raise LlmUnavailable unless the answer is JSON: a proxy's error page, say, must not be forwarded."""
    if not 200 <= answer.status < 300:
        raise unavailable("refused", f"The model's endpoint answered {answer.status}.", status=answer.status)
    try:
        json.loads(body)
    except (ValueError, RecursionError) as error:
        raise not_understood() from error


def _notes(memory: Remembering | None) -> dict[str, str]:
    """Return headers that tell which context was used, and what had to give way."""
    if memory is None:
        return {}
    notes = {
        "x-fabula-story": quote(memory.story_id, safe=""),
        "x-fabula-moment": f"{memory.chapter}.{memory.scene}",
        "x-fabula-context-tokens": str(memory.tokens),
        "x-fabula-memory": memory.memory,
    }
    if memory.receipt_id is not None:
        notes[RECEIPT] = memory.receipt_id
    if memory.dropped_messages:
        notes["x-fabula-dropped-messages"] = str(memory.dropped_messages)
    return notes


def _refused(error: FabulaError) -> Iterator[StreamPiece]:
    yield Head(error.status, {**JSON, **pause(error)})
    yield openai_error_body(error)


def _interrupted(error: FabulaError) -> bytes:
    return b"data: %s\n\n" % openai_error_body(error)


def _offered(call: Call) -> list[dict[str, Any]]:
    """List the stories as models, followed by the endpoint's own models, if it returns any."""
    stories = [
        {
            "id": name,
            "object": "model",
            "created": int(datetime.fromisoformat(story.created_at).timestamp()),
            "owned_by": OWNER,
        }
        for name, story in model_names(run(list_stories, call, NoFields())).items()
    ]
    try:
        others = call.endpoint().listed()
    except (LlmRateLimited, LlmUnavailable):
        others = ()
    return [*stories, *others]


def _json(value: Any) -> Response:
    return Response(json.dumps(value, ensure_ascii=False), media_type="application/json")
