"""Forwarding a client's request to a model, with the context of the story that its model name refers to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.llm.cancel_token import CancelToken
from fabula.llm.endpoint_dialect import is_about_order
from fabula.llm.upstream import Upstream, UpstreamAnswer
from fabula.model.wire import Value
from fabula.operations.chat.chat import recent
from fabula.operations.chat.context_window import context_budget
from fabula.operations.chat.model_names import chosen_story
from fabula.operations.chat.placement import Spoken, folded, placed, told_by
from fabula.operations.context import assemble_context
from fabula.operations.table import operation

MAX_MODEL_NAME = 1_000
MAX_MESSAGES = 20_000
# An image costs less than this with most models.
PART_TOKENS = 1_500

_ORDER_REFUSALS = (400, 422, 500)
_UNSAFE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Remembering:
    """The story and scene of a request, and how many tokens of context it received."""

    story_id: str
    chapter: int
    scene: int
    tokens: int


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
    asked_for = _understood(body)
    model = asked_for.get("model", "")
    if not isinstance(model, str) or len(model) > MAX_MODEL_NAME:
        raise InvalidInput("model must be a name.", details={"field": "model"})
    upstream = call.endpoint()
    chosen = chosen_story(call, model)
    if chosen is None:
        return Forwarded(body)
    messages = _messages(asked_for)
    limit = _limit(asked_for)
    spoken = [text for message in messages for text in _texts(message)]
    tools = [_json(asked_for[name]).decode() for name in ("tools", "functions") if asked_for.get(name)]
    unread = PART_TOKENS * sum(map(_other_parts, messages))
    budget = context_budget(call, chosen.story, None, [*spoken, *tools], limit, unread)
    talk = (
        "\n".join(_texts(message)) for message in messages if message.get("role") in ("user", "assistant")
    )
    place = {"chapter": chosen.chapter, "scene": chosen.scene, "token_budget": budget}
    context = assemble_context(call, project_id=chosen.story.id, text=recent(talk), **place)
    told = told_by(context)
    asked_for = {**asked_for, "model": upstream.chosen()}

    def with_messages(arranged: list[Spoken]) -> bytes:
        return _json({**asked_for, "messages": arranged})

    return Forwarded(
        content=with_messages(placed(told, messages)),
        memory=Remembering(chosen.story.id, chosen.chapter, chosen.scene, context.estimated_tokens),
        strict=(lambda: with_messages(folded(told, messages))) if any(told) else None,
    )


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


def _texts(message: Spoken) -> Iterator[str]:
    """Yield the texts of a message, made safe to count: its content or text parts, and its tool calls."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            yield _UNSAFE.sub("\ufffd", text)
    if message.get("tool_calls"):
        yield _UNSAFE.sub("\ufffd", _json(message["tool_calls"]).decode())


def _other_parts(message: Spoken) -> int:
    """Return how many parts of a message are not text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    return sum(isinstance(part, dict) and not isinstance(part.get("text"), str) for part in parts)


def _json(value: Any) -> bytes:
    """Encode a value as JSON; an unpaired surrogate, which UTF-8 cannot represent, stays escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The request holds a number that is too large for JSON.") from error
