"""The dialect of the OpenAI protocol an endpoint accepts: all of it at first, less after each refusal."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from fabula.errors import LlmUnavailable
from fabula.llm.chat import ChatRequest
from fabula.model.context import ChatMessage

OutputFormat = Literal["json_schema", "json_object", "text"]

_MILDER: dict[OutputFormat, OutputFormat] = {"json_schema": "json_object", "json_object": "text"}
_REFUSALS = (400, 422, 500, 501)
_ABOUT_ORDER = re.compile(r"\brole|\bsystem\b|alternat|template|jinja", re.IGNORECASE)
_ORDER = "Answer with one JSON object and nothing else. It must fit this JSON Schema:"


@dataclass(frozen=True, slots=True)
class EndpointDialect:
    """The variant of the OpenAI protocol that one endpoint accepts."""

    output_format: OutputFormat = "json_schema"
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    takes_temperature: bool = True
    counts_streams: bool = True
    takes_any_order: bool = True

    def body(self, request: ChatRequest, model: str, *, stream: bool) -> dict[str, Any]:
        """The request body in this dialect."""
        messages = request.messages if self.takes_any_order else _in_strict_order(request.messages)
        body: dict[str, Any] = {"model": model, "stream": stream}
        if stream and self.counts_streams:
            body["stream_options"] = {"include_usage": True}
        if request.json_schema is not None:
            if self.output_format != "text":
                body["response_format"] = self._format(request.json_schema, request.json_schema_name)
            if self.output_format != "json_schema":
                messages = _with_schema(messages, request.json_schema)
        body["messages"] = [message.model_dump() for message in messages]
        if request.temperature is not None and self.takes_temperature:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body[self.limit_field] = request.max_tokens
        if request.stop:
            body["stop"] = list(request.stop)
        return body

    def after(self, refusal: LlmUnavailable, request: ChatRequest) -> EndpointDialect | None:
        """The dialect to retry with after this refusal; None if it was about something else."""
        details = refusal.details or {}
        if details.get("status") not in _REFUSALS:
            return None
        said = str(details.get("said", "")).lower()
        if self.counts_streams and ("stream_options" in said or "include_usage" in said):
            return replace(self, counts_streams=False)
        if request.max_tokens is not None and self.limit_field == "max_tokens" and "max_completion" in said:
            return replace(self, limit_field="max_completion_tokens")
        if request.temperature is not None and self.takes_temperature and "temperature" in said:
            return replace(self, takes_temperature=False)
        if self.takes_any_order and is_about_order(said) and _is_free_in_order(request.messages):
            return replace(self, takes_any_order=False)
        if request.json_schema is not None and self.output_format in _MILDER:
            return replace(self, output_format=_MILDER[self.output_format])
        return None

    def _format(self, schema: dict[str, Any], name: str) -> dict[str, Any]:
        if self.output_format == "json_object":
            return {"type": "json_object"}
        described = {"name": name, "schema": schema, "strict": is_strict(schema)}
        return {"type": "json_schema", "json_schema": described}


def is_strict(schema: Any) -> bool:
    """Whether a schema is closed, as endpoints require for strict output."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        named = schema.get("properties", {})
        closed = schema.get("additionalProperties") is False
        if not closed or set(named) != set(schema.get("required", ())):
            return False
    return all(map(is_strict, schema.values()))


def is_about_order(said: str) -> bool:
    """Whether a refusal is about the order of roles; many chat templates allow one system message, first."""
    return _ABOUT_ORDER.search(said) is not None


def _is_free_in_order(messages: tuple[ChatMessage, ...]) -> bool:
    return _in_strict_order(messages) != messages


def _in_strict_order(messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """One system message first, then alternating roles; consecutive messages of a role are merged."""
    ordered = sorted(messages, key=lambda message: message.role != "system")
    strict: list[ChatMessage] = []
    for message in ordered:
        if strict and strict[-1].role == message.role:
            said = f"{strict.pop().content}\n\n{message.content}"
            message = message.model_copy(update={"content": said})
        strict.append(message)
    return tuple(strict)


def _with_schema(messages: tuple[ChatMessage, ...], schema: dict[str, Any]) -> tuple[ChatMessage, ...]:
    """The messages with the schema appended to the last user message, which every template allows."""
    order = f"{_ORDER}\n{json.dumps(schema, ensure_ascii=False)}"
    *before, last = messages
    if last.role == "user":
        return (*before, ChatMessage(role="user", content=f"{last.content}\n\n{order}"))
    return (*messages, ChatMessage(role="user", content=order))
