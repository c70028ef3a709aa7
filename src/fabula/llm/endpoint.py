"""One address of the OpenAI-compatible kind: asked patiently, never endlessly, without showing its key."""

from __future__ import annotations

import ipaddress
import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import httpx
from pydantic import SecretStr

from fabula.llm.failures import Failure, explanation, in_the_middle, of_status, of_transport, unavailable

CONNECT_S = 10.0
ANSWER_PER_SILENCE = 5
REFUSAL_BYTES = 65_536
NO_KEY = SecretStr("")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an endpoint is waited for, and how often it is asked again before an answer has begun."""

    silence_s: float = 120.0
    answer_s: float = 600.0
    retries: int = 3
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0

    @classmethod
    def of(cls, silence_s: float) -> Self:
        """A model may be silent so long; a whole answer may take five times that."""
        return cls(silence_s=silence_s, answer_s=ANSWER_PER_SILENCE * silence_s)

    def wait(self, attempt: int, asked_for: float | None, jitter: float) -> float | None:
        """Seconds until the next attempt; None if there is none, or the endpoint wants a longer pause."""
        if attempt >= self.retries or (asked_for is not None and asked_for > self.longest_wait_s):
            return None
        backoff = min(self.first_wait_s * (1 << attempt), self.longest_wait_s) * (1 + jitter) / 2
        return max(backoff, asked_for or 0.0)


@dataclass(frozen=True, slots=True)
class Tempo:
    """The passing of time as an endpoint sees it."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


class Answer:
    """An answer that has begun; leaving it closes the connection unless it was read to its end."""

    def __init__(
        self, response: httpx.Response, first: bytes, rest: Iterator[bytes], is_late: Callable[[], bool]
    ) -> None:
        self._response = response
        self._chunks = itertools.chain((first,), rest)
        self._is_late = is_late

    @property
    def is_json(self) -> bool:
        """Whether the body is one JSON value and no stream of events."""
        return bool(self._response.headers.get("content-type", "").startswith("application/json"))

    def chunks(self) -> Iterator[bytes]:
        """The body as it comes; LlmUnavailable if it breaks off or takes too long."""
        try:
            for chunk in self._chunks:
                if self._is_late():
                    raise unavailable("too_slow", "The model's answer took too long.")
                yield chunk
        except httpx.HTTPError as error:
            raise in_the_middle(error) from error

    def read(self, limit: int) -> bytes:
        """The whole body; LlmUnavailable if it is larger than the limit."""
        body = bytearray()
        for chunk in self.chunks():
            body += chunk
            if len(body) > limit:
                raise unavailable("too_long", f"The answer has more than {limit:,} bytes.", limit=limit)
        return bytes(body)

    def close(self) -> None:
        """Let go of the connection."""
        self._response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Endpoint:
    """An address, its key and a pool of connections; threads may share it."""

    def __init__(
        self,
        base_url: str,
        api_key: SecretStr = NO_KEY,
        *,
        patience: Patience | None = None,
        tempo: Tempo | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/").removesuffix("/chat/completions").removesuffix("/embeddings")
        self._key = api_key
        self._patience = patience or Patience()
        self._tempo = tempo or Tempo()
        self._client = httpx.Client(
            timeout=httpx.Timeout(self._patience.silence_s, connect=min(CONNECT_S, self._patience.silence_s)),
            # A proxy of the environment is for the way out; a model on this machine is not out there.
            trust_env=not _is_here(httpx.URL(self._base_url).host),
            follow_redirects=False,
        )

    def __repr__(self) -> str:
        return f"Endpoint({self._base_url!r})"

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """The answer, when its first byte is there.

        Whatever may pass by itself is tried again, with growing pauses, until then and never after.
        LlmRateLimited or LlmUnavailable if there is no answer.
        """
        until = self._tempo.monotonic() + self._patience.answer_s
        attempt = 0
        while True:
            outcome = self._attempt(method, path, body, until)
            if isinstance(outcome, Answer):
                return outcome
            wait = self._patience.wait(attempt, outcome.wait_s, self._tempo.jitter())
            if not outcome.may_pass or wait is None or self._tempo.monotonic() + wait >= until:
                raise outcome.error
            self._tempo.sleep(wait)
            attempt += 1

    def close(self) -> None:
        """Let go of all connections."""
        self._client.close()

    def _attempt(self, method: str, path: str, body: dict[str, Any] | None, until: float) -> Answer | Failure:
        try:
            response = self._client.send(self._request(method, path, body), stream=True)
        except httpx.HTTPError as error:
            return of_transport(error)
        answer = None
        try:
            if not response.is_success:
                return of_status(response.status_code, response.headers, self._said(response))
            rest = response.iter_bytes()
            answer = Answer(response, next(rest, b""), rest, lambda: self._tempo.monotonic() >= until)
        except httpx.HTTPError as error:
            return of_transport(error)
        finally:
            if answer is None:
                response.close()
        return answer

    def _request(self, method: str, path: str, body: dict[str, Any] | None) -> httpx.Request:
        # Plain bytes: a compressed answer could unpack to any size.
        headers = {"accept-encoding": "identity", "content-type": "application/json", "user-agent": "fabula"}
        if self._key.get_secret_value():
            headers["authorization"] = f"Bearer {self._key.get_secret_value()}"
        # A half of a surrogate pair in somebody's text is no reason to fail.
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        return self._client.build_request(method, self._base_url + path, content=content, headers=headers)

    def _said(self, response: httpx.Response) -> str:
        """What a refusal says, without the key that it may repeat."""
        body = b""
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > REFUSAL_BYTES:
                    break
        except httpx.HTTPError:
            pass  # the status says enough
        key = self._key.get_secret_value()
        said = explanation(body[:REFUSAL_BYTES])
        return said.replace(key, "***") if key else said


def _is_here(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
