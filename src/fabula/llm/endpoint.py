"""An HTTP client for an OpenAI-compatible endpoint, with retries, time limits and a hidden key."""

from __future__ import annotations

import ipaddress
import itertools
import json
import random
import re
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx
from pydantic import SecretStr

from fabula.llm.cancel_token import CancelToken
from fabula.llm.failures import Failure, explanation, in_the_middle, of_status, of_transport, unavailable

CONNECT_S = 10.0
ANSWER_PER_SILENCE = 5
REFUSAL_BYTES = 65_536
NO_KEY = SecretStr("")
# A key of this length is in no text by chance, so it is masked even inside a word.
LONG_KEY = 16

# The events by which the HTTP client reports a new connection.
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for an endpoint, and how often to retry before an answer has started."""

    silence_s: float = 120.0
    answer_s: float = 600.0
    retries: int = 3
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0

    @classmethod
    def of(cls, silence_s: float) -> Self:
        """Patience with this limit of silence; a whole answer may take five times as long."""
        return cls(silence_s=silence_s, answer_s=ANSWER_PER_SILENCE * silence_s)

    @classmethod
    def hasty(cls, seconds: float) -> Self:
        """One attempt with a short time limit."""
        return cls(silence_s=seconds, answer_s=seconds, retries=0)

    def wait(self, attempt: int, asked_for: float | None, jitter: float) -> float | None:
        """Seconds until the next attempt; None if there is none or the endpoint asks for a longer pause."""
        if attempt >= self.retries or (asked_for is not None and asked_for > self.longest_wait_s):
            return None
        backoff = min(self.first_wait_s * (1 << attempt), self.longest_wait_s) * (1 + jitter) / 2
        return max(backoff, asked_for or 0.0)


@dataclass(frozen=True, slots=True)
class Tempo:
    """The clock, sleep and jitter an endpoint uses."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


class Answer:
    """An answer that has started; leaving the context closes it."""

    def __init__(
        self, response: httpx.Response, first: bytes, rest: Iterator[bytes], is_late: Callable[[], bool]
    ) -> None:
        self._response = response
        self._chunks = itertools.chain((first,), rest)
        self._is_late = is_late

    @property
    def status(self) -> int:
        """The HTTP status; an error status only for requests that are passed on."""
        return self._response.status_code

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, with case-insensitive names."""
        return self._response.headers

    @property
    def is_events(self) -> bool:
        """Whether the body is a stream of server-sent events."""
        return bool(self._response.headers.get("content-type", "").startswith("text/event-stream"))

    @property
    def is_json(self) -> bool:
        """Whether the body is a single JSON value."""
        return bool(self._response.headers.get("content-type", "").startswith("application/json"))

    def chunks(self) -> Iterator[bytes]:
        """The body as it arrives; LlmUnavailable if it breaks off or takes too long."""
        try:
            for chunk in self._chunks:
                if self._is_late():
                    raise unavailable("too_slow", "The model's answer took too long.")
                yield chunk
        except httpx.HTTPError as error:
            raise in_the_middle(error) from error

    def read(self, limit: int) -> bytes:
        """The whole body; LlmUnavailable if it exceeds the limit."""
        body = bytearray()
        for chunk in self.chunks():
            body += chunk
            if len(body) > limit:
                raise unavailable("too_long", f"The answer has more than {limit:,} bytes.", limit=limit)
        return bytes(body)

    def beginning(self) -> bytes:
        """The first part of an error response."""
        return _beginning(self._chunks)

    def close(self) -> None:
        """Close the connection."""
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Endpoint:
    """An endpoint's address, its key and a connection pool; threads may share it.

    A call can be cancelled at any time only if it does not share its connection: `keeps_connections=False`.
    """

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr = NO_KEY,
        *,
        patience: Patience | None = None,
        tempo: Tempo | None = None,
        keeps_connections: bool = True,
    ) -> None:
        self._base_url = base_url.rstrip("/").removesuffix("/chat/completions").removesuffix("/embeddings")
        self._key = api_key
        self._patience = patience or Patience()
        self._tempo = tempo or Tempo()
        self._client = httpx.Client(
            # The environment's proxy is for remote hosts, not for a model on this machine.
            trust_env=not _is_here(httpx.URL(self._base_url).host),
            limits=httpx.Limits(max_keepalive_connections=None if keeps_connections else 0),
            follow_redirects=False,
        )

    def __repr__(self) -> str:
        return f"Endpoint({self._base_url!r})"

    def ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        *,
        cancel_token: CancelToken | None = None,
        patience: Patience | None = None,
    ) -> Answer:
        """The answer, as soon as its first byte has arrived.

        Temporary failures before that are retried with growing pauses.
        Raises LlmRateLimited or LlmUnavailable if there is no answer.
        """
        patience = patience or self._patience
        until = self._tempo.monotonic() + patience.answer_s
        # A lone surrogate in a text is replaced instead of failing.
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        attempt = 0
        while True:
            outcome = self._attempt(self._request(method, path, content, cancel_token, patience), until)
            if isinstance(outcome, Answer):
                return outcome
            wait = patience.wait(attempt, outcome.wait_s, self._tempo.jitter())
            if not outcome.may_pass or wait is None or self._tempo.monotonic() + wait >= until:
                raise outcome.error
            (self._tempo.sleep if cancel_token is None else cancel_token.wait)(wait)
            if cancel_token is not None and cancel_token.is_cancelled:
                raise outcome.error
            attempt += 1

    def pass_on(self, method: str, path: str, content: bytes, cancel_token: CancelToken) -> Answer:
        """The answer to a forwarded request, an error too, as soon as its first byte has arrived; no retries.

        Raises LlmUnavailable if there is no answer at all.
        """
        until = self._tempo.monotonic() + self._patience.answer_s
        request = self._request(method, path, content, cancel_token, self._patience)
        outcome = self._attempt(request, until, refusals=True)
        if isinstance(outcome, Answer):
            return outcome
        raise outcome.error

    def without_key(self, said: str) -> str:
        """The endpoint's message with the key masked, which it may repeat."""
        key = self._key.get_secret_value()
        if self.shows_key(said):
            return said.replace(key, "***")
        return re.sub(rf"(?<![\w-]){re.escape(key)}(?![\w-])", "***", said, flags=re.ASCII) if key else said

    def shows_key(self, said: str) -> bool:
        """Whether a text contains the key, and not by chance."""
        key = self._key.get_secret_value()
        return len(key) >= LONG_KEY and key in said

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _attempt(self, request: httpx.Request, until: float, *, refusals: bool = False) -> Answer | Failure:
        try:
            response = self._client.send(request, stream=True)
        except httpx.HTTPError as error:
            return of_transport(error)
        answer = None
        try:
            if not (response.is_success or refusals):
                return of_status(response.status_code, response.headers, self._said(response))
            rest = response.iter_bytes()
            answer = Answer(response, next(rest, b""), rest, lambda: self._tempo.monotonic() >= until)
        except httpx.HTTPError as error:
            return of_transport(error)
        finally:
            if answer is None:
                response.close()
        return answer

    def _request(
        self,
        method: str,
        path: str,
        content: bytes | None,
        cancel_token: CancelToken | None,
        patience: Patience,
    ) -> httpx.Request:
        # No compression: a compressed answer could unpack to any size.
        headers = {"accept-encoding": "identity", "content-type": "application/json", "user-agent": "fabula"}
        if self._key.get_secret_value():
            headers["authorization"] = f"Bearer {self._key.get_secret_value()}"
        noting = {} if cancel_token is None else {"trace": _noting(cancel_token)}
        return self._client.build_request(
            method,
            self._base_url + path,
            content=content,
            headers=headers,
            timeout=httpx.Timeout(patience.silence_s, connect=min(CONNECT_S, patience.silence_s)),
            extensions=noting,
        )

    def _said(self, response: httpx.Response) -> str:
        """The message of an error response, with the key masked."""
        return self.without_key(explanation(_beginning(response.iter_bytes())))


def _beginning(chunks: Iterator[bytes]) -> bytes:
    """The first part of an error response; if it breaks off, the status says enough."""
    body = b""
    try:
        for chunk in chunks:
            body += chunk
            if len(body) > REFUSAL_BYTES:
                break
    except httpx.HTTPError:
        pass
    return body[:REFUSAL_BYTES]


def _noting(cancel_token: CancelToken) -> Callable[[str, dict[str, Any]], None]:
    """Let the token close the connection as soon as the HTTP client has opened one."""

    def noted(event: str, info: dict[str, Any]) -> None:
        if event.endswith(_CONNECTED):
            connection: socket.socket = info["return_value"].get_extra_info("socket")
            cancel_token.on_cancel(lambda: _shut(connection))

    return noted


def _shut(connection: socket.socket) -> None:
    """Shut a connection down; unlike closing, this wakes a thread that reads from it."""
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def _is_here(host: str) -> bool:
    """Whether the host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
