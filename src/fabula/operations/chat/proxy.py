"""Forwarding a client's request to a model, with the context of the story that its model name refers to."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.llm.cancel_token import CancelToken
from fabula.llm.endpoint_dialect import is_about_order
from fabula.llm.upstream import Upstream, UpstreamAnswer
from fabula.model.wire import Value
from fabula.operations.chat.chat_context import StoryTalk, ToldTalk, told_talk
from fabula.operations.chat.context_window import MemoryShare, Talk
from fabula.operations.chat.model_names import Chosen, chosen_story
from fabula.operations.chat.placement import Spoken, arranged, folded
from fabula.operations.chat.spoken import json_bytes, sized
from fabula.operations.chat.told import note_told
from fabula.operations.chat.wishes import FIELD, ClientWishes, wishes_in
from fabula.operations.table import operation

MAX_MODEL_NAME = 1_000
MAX_MESSAGES = 20_000

_ORDER_REFUSALS = (400, 422, 500)


@dataclass(frozen=True, slots=True)
class Remembering:
    """The story and scene of a request, its tokens of context, what gave way, and the receipt."""

    story_id: str
    chapter: int
    scene: int
    tokens: int
    memory: MemoryShare
    dropped_messages: int
    receipt_id: str | None = None


@dataclass(frozen=True, slots=True)
class Forwarded:
    """A request as it is sent to the model's endpoint.

    `strict` rebuilds it for a model that accepts only one system message, at the beginning; None if no
    context was added.
    """

    content: bytes
    memory: Remembering | None = None
    strict: Callable[[], bytes] | None = None


class ForwardRequest(Value):
    """A request from an OpenAI client, byte for byte."""

    body: bytes


@operation("proxy.forward", role=None)
def forwarded(call: Call, request: ForwardRequest) -> Forwarded:
    """Add a story's context to a request, or pass it on unchanged if its model is not a story.

    Apart from messages, only the model name is changed; unknown fields are passed on.
    """
    body = request.body
    given = _understood(body)
    model = given.get("model", "")
    if not isinstance(model, str) or len(model) > MAX_MODEL_NAME:
        raise InvalidInput("model must be a name.", details={"field": "model"})
    upstream = call.endpoint()
    wishes, asked_for = wishes_in(given)
    chosen = chosen_story(call, model)
    if chosen is None:
        return Forwarded(json_bytes(asked_for) if FIELD in given else body)
    chosen = _as_wished(chosen, wishes)
    told = _told(call, chosen, asked_for, wishes)
    place = (chosen.chapter, chosen.scene)
    receipt_id = note_told(call, chosen.story.id, "proxy", place, told, model=model)
    insertions, messages = told.insertions, told.messages
    asked_for = {**asked_for, "model": upstream.chosen()}

    def with_messages(arrangement: list[Spoken]) -> bytes:
        return json_bytes({**asked_for, "messages": arrangement})

    return Forwarded(
        content=with_messages(arranged(insertions, messages)),
        memory=Remembering(
            story_id=chosen.story.id,
            chapter=chosen.chapter,
            scene=chosen.scene,
            tokens=told.context.estimated_tokens,
            memory=told.fitted.memory,
            dropped_messages=len(told.fitted.dropped),
            receipt_id=receipt_id,
        ),
        strict=(lambda: with_messages(folded(insertions, messages))) if insertions else None,
    )


def _as_wished(chosen: Chosen, wishes: ClientWishes) -> Chosen:
    """Return the scene that the field `fabula` names; a chapter without a scene means its beginning."""
    if wishes.chapter is not None:
        return replace(chosen, chapter=wishes.chapter, scene=wishes.scene or 0)
    return chosen if wishes.scene is None else replace(chosen, scene=wishes.scene)


def _told(call: Call, chosen: Chosen, asked_for: dict[str, Any], wishes: ClientWishes) -> ToldTalk:
    """Assemble the context of a conversation, as large as the window allows."""
    messages = _messages(asked_for)
    tools = tuple(
        json_bytes(asked_for[name]).decode() for name in ("tools", "functions") if asked_for.get(name)
    )
    asked = replace(wishes.for_talk(), pov=chosen.pov)
    talk = StoryTalk(chosen.story, chosen.chapter, chosen.scene, messages, asked)
    return told_talk(call, talk, Talk(sized(messages), tools, _limit(asked_for)))


def asked(upstream: Upstream, wanted: Forwarded, cancel_token: CancelToken) -> tuple[UpstreamAnswer, bytes]:
    """Send the request and return the answer and, if it is an error, its body.

    If the model accepts only one system message, the request is repeated in that form, which is then
    remembered.
    """
    if wanted.strict is not None and not upstream.takes_any_order():
        return _answer(upstream, wanted.strict(), cancel_token)
    answer, said = _answer(upstream, wanted.content, cancel_token)
    is_strict = answer.status in _ORDER_REFUSALS and is_about_order(said.decode("utf-8", "replace"))
    if wanted.strict is None or not is_strict:
        return answer, said
    answer.close()
    again, said = _answer(upstream, wanted.strict(), cancel_token)
    if again.status < 400:
        upstream.wants_strict_order()
    return again, said


def _answer(upstream: Upstream, content: bytes, cancel_token: CancelToken) -> tuple[UpstreamAnswer, bytes]:
    answer = upstream.pass_on(content, cancel_token)
    return answer, answer.beginning() if answer.status >= 400 else b""


def _understood(body: bytes) -> dict[str, Any]:
    try:
        request = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            "The request is not valid JSON.", suggestion="Send one JSON object, encoded as UTF-8."
        ) from error
    if not isinstance(request, dict):
        raise InvalidInput("The request is not a JSON object.")
    return request


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _messages(request: dict[str, Any]) -> list[Spoken]:
    messages = request.get("messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise InvalidInput("messages must be a list of objects.", details={"field": "messages"})
    if len(messages) > MAX_MESSAGES:
        raise InvalidInput(f"messages may hold {MAX_MESSAGES:,}.", details={"field": "messages"})
    return messages


def _limit(request: dict[str, Any]) -> int | None:
    """Return the maximum length of the answer, as the client requested."""
    given = [request.get(name) for name in ("max_completion_tokens", "max_tokens")]
    return next((size for size in given if isinstance(size, int) and size > 0), None)
