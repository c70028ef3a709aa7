"""A chat model behind any OpenAI-compatible endpoint, hosted or local."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

from fabula.errors import FabulaError, LlmRateLimited, LlmUnavailable
from fabula.llm.cancel_token import CancelToken
from fabula.llm.chat import ChatAnswer, ChatEnd, ChatRequest, ChatStream
from fabula.llm.endpoint import Answer, Endpoint, Patience
from fabula.llm.endpoint_dialect import EndpointDialect
from fabula.llm.failures import broken_off, explanation, not_understood, of_status, unavailable
from fabula.llm.server_sent import events
from fabula.llm.upstream import told_window

ANSWER_CHARACTERS = 200_000
BODY_BYTES = 16 << 20
MODELS_SHOWN = 20
DONE = "[DONE]"
IN_HASTE = Patience.hasty(5.0)
REFUSED = ("refused", "not_understood")

_UNSAFE = re.compile("[\x00\ud800-\udfff]")


class OpenAiCompatibleChatModel:
    """Speaks the chat completions protocol; without a name it uses the endpoint's only model."""

    def __init__(
        self, endpoint: Endpoint, model: str = "", *, max_characters: int = ANSWER_CHARACTERS, window: int = 0
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._max_characters = max_characters
        self._dialect = EndpointDialect()
        self._window: int | None = window or None
        self._has_asked_window = window > 0

    @property
    def name(self) -> str:
        """The model's name; `default` until the endpoint has been asked for it."""
        return self._model or "default"

    def models(self) -> tuple[str, ...]:
        """The names of all models at the endpoint."""
        return tuple(str(model["id"]) for model in self.listed())

    def listed(self, *, is_hasty: bool = False) -> tuple[dict[str, Any], ...]:
        """The models at the endpoint with their metadata; if `is_hasty`, with a short time limit."""
        with self._endpoint.ask("GET", "/models", patience=IN_HASTE if is_hasty else None) as answer:
            listed = _parsed(answer.read(BODY_BYTES)).get("data")
        if not isinstance(listed, list):
            raise not_understood()
        return tuple(model for model in listed if isinstance(model, dict) and "id" in model)

    def window(self) -> int | None:
        """The model's context window in tokens: from the settings, else as the endpoint reports it."""
        if not self._has_asked_window:
            try:
                self._window = told_window(self.listed(is_hasty=True), self.chosen())
            except (LlmRateLimited, LlmUnavailable) as error:
                # The actual request will report what is wrong.
                if (error.details or {}).get("reason") not in REFUSED:
                    return None
            self._has_asked_window = True
        return self._window

    def takes_any_order(self) -> bool:
        """Whether the model accepts messages in any order, as far as known."""
        return self._dialect.takes_any_order

    def wants_strict_order(self) -> None:
        """Remember that the model wants one system message, first."""
        self._dialect = replace(self._dialect, takes_any_order=False)

    def pass_on(self, content: bytes, cancel_token: CancelToken) -> Answer:
        """The answer to a forwarded request, whatever its status."""
        return self._endpoint.pass_on("POST", "/chat/completions", content, cancel_token)

    def without_key(self, said: str) -> str:
        """The endpoint's message with the key masked, which it may repeat."""
        return self._endpoint.without_key(said)

    def shows_key(self, said: str) -> bool:
        """Whether a text contains the key, and not by chance."""
        return self._endpoint.shows_key(said)

    def complete(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatAnswer:
        """The whole answer."""
        with self._ask(request, cancel_token, stream=False) as answer:
            return self._whole(answer)

    def stream(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatStream:
        """The answer in pieces, returned once the first piece has arrived; closing it stops the model."""
        pieces = _held(self._pieces(self._ask(request, cancel_token, stream=True)))
        next(pieces)
        return pieces

    def close(self) -> None:
        """Close all connections."""
        self._endpoint.close()

    def _ask(self, request: ChatRequest, cancel_token: CancelToken | None, *, stream: bool) -> Answer:
        """Send a request, adapting the dialect to refusals; a dialect that works is kept."""
        model = self.chosen()
        dialect = self._dialect
        while True:
            body = dialect.body(request, model, stream=stream)
            try:
                answer = self._endpoint.ask("POST", "/chat/completions", body, cancel_token=cancel_token)
            except LlmUnavailable as refusal:
                milder = dialect.after(refusal, request)
                if milder is None:
                    raise
                dialect = milder
            else:
                self._dialect = dialect
                return answer

    def chosen(self) -> str:
        """The name of the model to use; LlmUnavailable if none is set and there is not exactly one."""
        if not self._model:
            offered = self.models()
            if len(offered) != 1:
                raise unavailable(
                    "not_configured",
                    "No model is set, and the endpoint does not offer exactly one.",
                    "Set FABULA_LLM_MODEL to the name of a model.",
                    models=list(offered[:MODELS_SHOWN]),
                )
            self._model = offered[0]
        return self._model

    def _whole(self, answer: Answer) -> ChatAnswer:
        body = _parsed(answer.read(BODY_BYTES))
        _raise_error_of(body)
        choice = _choice(body)
        if choice is None or not isinstance(choice.get("message"), dict):
            raise not_understood()
        text = _text(choice["message"])
        self._check(len(text))
        end = _end_told_by(body, ChatEnd(model=self.name))
        return ChatAnswer(text=text, **dict(end))

    def _pieces(self, answer: Answer) -> ChatStream:
        """The texts of a stream; a single text if the endpoint does not stream."""
        with answer:
            if answer.is_json:
                whole = self._whole(answer)
                yield whole.text
                return ChatEnd(**whole.model_dump(exclude={"text"}))
            said = 0
            end = ChatEnd(model=self.name)
            for text, known in _texts(answer, end):
                end = known
                said += len(text)
                self._check(said)
                if text:
                    yield text
            return end

    def _check(self, characters: int) -> None:
        if characters > self._max_characters:
            limit = self._max_characters
            raise unavailable(
                "too_long",
                f"The model's answer has more than {limit:,} characters.",
                "Ask for less, or set a token limit.",
                limit=limit,
            )


def _held(pieces: ChatStream) -> ChatStream:
    """The pieces, preceded by an empty one that is yielded once the first piece has arrived.

    Only a generator that has started releases its resources when it is closed or garbage-collected.
    """
    with closing(pieces):
        try:
            first = next(pieces)
        except StopIteration as ended:
            yield ""
            end: ChatEnd = ended.value
            return end
        yield ""
        yield first
        return (yield from pieces)


def _texts(answer: Answer, end: ChatEnd) -> Iterator[tuple[str, ChatEnd]]:
    """The texts of the events, each with the known end; LlmUnavailable if the end is missing."""
    has_ended = False
    try:
        for event in events(answer.chunks()):
            for chunk in _chunks(event):
                if chunk is None:
                    return
                _raise_error_of(chunk)
                end = _end_told_by(chunk, end)
                has_ended = has_ended or end.finish_reason is not None
                delta = (_choice(chunk) or {}).get("delta")
                yield _text(delta if isinstance(delta, dict) else {}), end
    except LlmUnavailable:
        if not has_ended:
            raise
    if not has_ended:
        raise broken_off()


def _end_told_by(body: dict[str, Any], known: ChatEnd) -> ChatEnd:
    """The known end of an answer, updated from one chunk."""
    usage = body.get("usage")
    counted = usage if isinstance(usage, dict) else {}
    told = {
        "model": _word(body.get("model")),
        "finish_reason": _word((_choice(body) or {}).get("finish_reason")),
        "prompt_tokens": _count(counted.get("prompt_tokens")),
        "completion_tokens": _count(counted.get("completion_tokens")),
    }
    return known.model_copy(update={field: value for field, value in told.items() if value not in (None, "")})


def _chunks(event: str) -> Iterator[dict[str, Any] | None]:
    """The chunks in an event, None for the end marker; some endpoints put several chunks into one event."""
    try:
        yield _chunk(event)
    except LlmUnavailable:
        for line in event.split("\n"):
            yield _chunk(line)


def _chunk(text: str) -> dict[str, Any] | None:
    return None if text.strip() == DONE else _parsed(text)


def _parsed(body: bytes | str) -> dict[str, Any]:
    try:
        parsed = json.loads(body.decode("utf-8", "replace") if isinstance(body, bytes) else body)
    except (ValueError, RecursionError) as error:
        raise not_understood() from error
    if not isinstance(parsed, dict):
        raise not_understood()
    return parsed


def _raise_error_of(body: dict[str, Any]) -> None:
    """Raise the error in a body with a success status, which is how gateways report errors of their model."""
    problem = body.get("error")
    if not problem:
        return
    said = explanation(json.dumps(body).encode())
    status = problem.get("code") if isinstance(problem, dict) else None
    error: FabulaError = (
        of_status(status, {}, said).error if isinstance(status, int) else not_understood(said)
    )
    raise error


def _choice(body: dict[str, Any]) -> dict[str, Any] | None:
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _text(message: dict[str, Any]) -> str:
    """The text of a message: plain, or in parts."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return _UNSAFE.sub("\ufffd", "".join(text for text in texts if isinstance(text, str)))


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None
