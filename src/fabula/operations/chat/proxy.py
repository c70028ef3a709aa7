"""Somebody else's request to a model, with the memory of the story that its model's name means."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.llm.cancel_token import CancelToken
from fabula.llm.endpoint_dialect import is_about_order
from fabula.llm.upstream import Upstream
from fabula.model.wire import Value
from fabula.operations.chat.chat import recent
from fabula.operations.chat.context_window import context_budget
from fabula.operations.chat.model_names import chosen_story
from fabula.operations.chat.placement import Spoken, folded, placed, told_by
from fabula.operations.context import assemble_context
from fabula.operations.table import operation

if TYPE_CHECKING:  # what speaks HTTP takes a tenth of a second to import
    from fabula.llm.endpoint import Answer

MAX_MODEL_NAME = 1_000
MAX_MESSAGES = 20_000
# A picture costs most models less than this.
PART_TOKENS = 1_500

_ORDER_REFUSALS = (400, 422, 500)
_UNSAFE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Remembering:
    """The story and scene that a request was for, and how many tokens of context it got."""

    story_id: str
    chapter: int
    scene: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Forwarded:
    """A request as the model's endpoint gets it.

    `strict` makes it again for a model that takes one instruction only, at the beginning; None where
    nothing was added.
    """

    content: bytes
    memory: Remembering | None = None
    strict: Callable[[], bytes] | None = None


class ForwardRequest(Value):
    """A request of a client of OpenAI, byte for byte."""

    body: bytes


@operation("proxy.forward", role=None)
def forwarded(call: Call, request: ForwardRequest) -> Forwarded:
    """The request with the context of its story in it; byte for byte as it is if its model is no story.

    Nothing of it is changed but the name of the model: what is not known of it is passed on, too.
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


def asked(upstream: Upstream, wanted: Forwarded, cancel_token: CancelToken) -> tuple[Answer, bytes]:
    """The answer and, if it is a refusal, what it says.

    A model that takes one instruction only is asked again, and from then on as it likes it.
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


def _answer(upstream: Upstream, content: bytes, cancel_token: CancelToken) -> tuple[Answer, bytes]:
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
    """How long the answer may be, as the client says it."""
    given = [request.get(name) for name in ("max_completion_tokens", "max_tokens")]
    return next((size for size in given if isinstance(size, int) and size > 0), None)


def _texts(message: Spoken) -> Iterator[str]:
    """The texts of a message, made safe to count: plain, or in parts, and what it says to tools."""
    content = message.get("content")
    for part in content if isinstance(content, list) else [content]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            yield _UNSAFE.sub("\ufffd", text)
    if message.get("tool_calls"):
        yield _UNSAFE.sub("\ufffd", _json(message["tool_calls"]).decode())


def _other_parts(message: Spoken) -> int:
    """How many parts of a message are not text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    return sum(isinstance(part, dict) and not isinstance(part.get("text"), str) for part in parts)


def _json(value: Any) -> bytes:
    """A value as JSON; half a surrogate pair, which UTF-8 cannot hold, stays escaped as it came."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The request holds a number that is too large for JSON.") from error
