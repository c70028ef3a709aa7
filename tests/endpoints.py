"""An OpenAI endpoint on loopback that plays one scene per request, faults included."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import SecretStr

from fabula.errors import FabulaError
from fabula.llm.chat import ChatRequest
from fabula.llm.endpoint import Endpoint, Patience, Tempo
from fabula.llm.openai_compatible import OpenAiCompatibleChatModel
from fabula.model.context import ChatMessage
from ports import free_port

KEY = "sk-very-secret-key-0123456789"
PATIENCE = 60.0

Scene = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Asked:
    """A request as the endpoint got it."""

    path: str
    headers: dict[str, str]
    body: Any


class PlayedEndpoint:
    """What was asked, and what is still to be played; the last scene is played for ever."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.asked: list[Asked] = []
        self.scenes: deque[Scene] = deque()
        self.was_left = threading.Event()
        self.is_over = threading.Event()

    def plays(self, *scenes: Scene) -> PlayedEndpoint:
        self.scenes = deque(scenes)
        return self

    @property
    def bodies(self) -> list[Any]:
        return [asked.body for asked in self.asked]


class Lapse:
    """Time that passes only when somebody sleeps, or by a step at every look."""

    def __init__(self, step: float = 0.0) -> None:
        self.now = 1000.0
        self.step = step
        self.slept: list[float] = []

    def monotonic(self) -> float:
        self.now += self.step
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def tempo(self) -> Tempo:
        return Tempo(monotonic=self.monotonic, sleep=self.sleep, jitter=lambda: 1.0)


@dataclass
class Connected:
    """An endpoint of Fabula's that is connected to the played one."""

    played: PlayedEndpoint
    lapse: Lapse = field(default_factory=Lapse)
    opened: list[Endpoint] = field(default_factory=list)

    def endpoint(self, *, key: str = KEY, url: str | None = None, **patience: Any) -> Endpoint:
        made = Endpoint(
            url or self.played.url,
            SecretStr(key),
            patience=Patience(**{"silence_s": PATIENCE, **patience}),
            tempo=self.lapse.tempo(),
        )
        self.opened.append(made)
        return made


@contextmanager
def connected() -> Iterator[Connected]:
    """A played endpoint, running until the end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            said = json.loads(body) if body else None
            played.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, said))
            scene = played.scenes.popleft() if len(played.scenes) > 1 else played.scenes[0]
            try:
                scene(self)
            except (BrokenPipeError, ConnectionResetError):
                played.was_left.set()
                self.close_connection = True

        do_GET = do_POST

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    played = PlayedEndpoint(server.server_address[1])
    server.played = played
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    house = Connected(played)
    try:
        yield house
    finally:
        played.is_over.set()
        for endpoint in house.opened:
            endpoint.close()
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


def closed_address() -> str:
    """An address at which nobody listens."""
    return f"http://127.0.0.1:{free_port()}/v1"


def asking(text: str = "谁在门外？", **fields: Any) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage(role="user", content=text),), **fields)


def model(house: Connected, *, max_characters: int = 1000, **patience: Any) -> OpenAiCompatibleChatModel:
    return OpenAiCompatibleChatModel(house.endpoint(**patience), "played", max_characters=max_characters)


def reason(error: FabulaError) -> str:
    assert error.details is not None
    return str(error.details["reason"])


# Scenes


def plain(body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> Scene:
    """Answer with a body."""

    def scene(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response_only(status)
        handler.send_header("content-type", kind)
        handler.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return scene


def data(body: Any, status: int = 200, **headers: str) -> Scene:
    """Answer with JSON."""
    return plain(json.dumps(body).encode(), status, **headers)


def refusal(status: int, message: str = "no", **headers: str) -> Scene:
    """Refuse as OpenAI does."""
    return data({"error": {"message": message, "type": "invalid_request_error"}}, status, **headers)


def completion(text: str, **fields: Any) -> Scene:
    """Answer with a whole text."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return data({"model": "played-1", "choices": [choice], "usage": usage, **fields})


def event(text: str | None, finish: str | None = None) -> bytes:
    """One event of a stream."""
    choice = {"index": 0, "delta": {} if text is None else {"content": text}, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def stream(chunks: Iterable[bytes], *, drops: bool = False) -> Scene:
    """Answer with bytes, each chunk for itself; then end, or drop the connection."""

    def scene(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            handler.wfile.flush()
        if drops:
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
        else:
            handler.wfile.write(b"0\r\n\r\n")

    return scene


def unchunked(chunks: Iterable[bytes]) -> Scene:
    """Answer with bytes whose end is the end of the connection, as a cut would be."""

    def scene(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("connection", "close")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(chunk)
        handler.close_connection = True

    return scene


def told(*texts: str) -> Scene:
    """Stream these texts as it should be done."""
    return stream([*map(event, texts), event(None, "stop"), DONE])


def dropped(handler: BaseHTTPRequestHandler) -> None:
    """Hang up without a word."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def silent(handler: BaseHTTPRequestHandler) -> None:
    """Say nothing until the play is over."""
    handler.server.played.is_over.wait(PATIENCE)
    dropped(handler)


def silent_after(chunks: Iterable[bytes]) -> Scene:
    """Begin, then say nothing more."""

    def scene(handler: BaseHTTPRequestHandler) -> None:
        def then_wait() -> Iterator[bytes]:
            yield from chunks
            silent(handler)

        stream(then_wait())(handler)

    return scene


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Talk until nobody listens any more."""

    def forever() -> Iterator[bytes]:
        while True:
            yield event("and then " * 20)

    stream(forever())(handler)
