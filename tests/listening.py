"""A server that really listens, in this process, and the played model behind it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from pydantic import SecretStr

from endpoints import KEY, PATIENCE, Connected, PlayedEndpoint, Scene, connected
from fabula.api.app import create_app
from fabula.api.connection import Connection
from fabula.llm.endpoint import Endpoint, Patience
from fabula.llm.openai_compatible import OpenAiCompatibleChatModel
from fabula.memory import Memory
from fabula.story_memory import StoryMemory
from postgres import place_at

WINDOW = 1_000_000
# Sooner than anybody who waits for a model would give up by themselves.
AT_ONCE = PATIENCE / 3
_numbers = count(1)


@dataclass
class Listening:
    """A listening server, its memory, and what its model plays."""

    url: str
    memory: Memory
    played: PlayedEndpoint
    client: httpx.Client

    def story(self) -> StoryMemory:
        """A fresh story of a keeper, her tower, and somebody of whom no model may hear."""
        story = self.memory.story(f"雾港 {next(_numbers)}", language="zh")
        story.entry("文风", "短句。", ai_context_level="always", insertion_position="system_prompt")
        story.entry("江离", "望归塔的守灯人。她怕盐先生。", category="character", aliases=["阿离"])
        story.entry("盐先生", "他就是陶婆婆。", category="character", ai_context_level="never")
        story.entry("灯节", "灯灭了。", category="event", since={"chapter": 9})
        story.entry("收尾", "停在动作上。", ai_context_level="always", insertion_position="after_scene")
        return story

    def title(self, story: StoryMemory) -> str:
        return next(known.title for known in self.memory.stories() if known.id == story.id)

    def chat(self, story: StoryMemory, **wishes: Any) -> httpx.Response:
        asked = {"chapter": 0, "scene": 0, **wishes}
        return self.client.post(f"/api/v2/stories/{story.id}/chat", json=asked)

    def complete(self, model: str, *messages: dict[str, Any], **more: Any) -> httpx.Response:
        body = {"model": model, "messages": list(messages), **more}
        return self.client.post("/v1/chat/completions", json=body)

    def hang_up(self, path: str, body: dict[str, Any], began: threading.Event, *, hears: int = 0) -> None:
        """Ask, and hang up once the model was asked and so many bytes of the answer were heard."""
        address = httpx.URL(self.url)
        caller = HTTPConnection(address.host, address.port or 80, timeout=PATIENCE)
        with closing(caller):
            caller.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            assert began.wait(PATIENCE)
            if hears:
                assert caller.getresponse().read(hears)


def spoken(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream with their data."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


def watched(scene: Scene, began: threading.Event, left: threading.Event) -> Scene:
    """A scene that says when it begins and when the one who asked has hung up."""

    def played(handler: BaseHTTPRequestHandler) -> None:
        def watch() -> None:
            with suppress(OSError):
                if handler.connection.recv(1) == b"":
                    left.set()

        threading.Thread(target=watch, daemon=True).start()
        began.set()
        scene(handler)

    return played


@contextmanager
def listening(
    folder: Path,
    *,
    window: int = WINDOW,
    max_characters: int = 100_000,
    silence_s: float = PATIENCE,
    auth_required: bool = False,
    key: str = KEY,
    address: str | None = None,
    **settings: Any,
) -> Iterator[Listening]:
    """A server on a free port whose model is a played one, unless it is at another address."""
    with connected() as house:
        model = OpenAiCompatibleChatModel(
            _endpoint(house, silence_s, key, address), "played", window=window, max_characters=max_characters
        )
        with (
            Memory(place_at(folder / "fabula.db"), chat=model, **settings) as memory,
            served(memory, auth_required=auth_required) as url,
            httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client,
        ):
            yield Listening(url, memory, house.played, client)


def _endpoint(house: Connected, silence_s: float, key: str, address: str | None) -> Endpoint:
    patience = Patience(silence_s=silence_s, retries=0)
    made = Endpoint(address or house.played.url, SecretStr(key), patience=patience, keeps_connections=False)
    house.opened.append(made)
    return made


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@contextmanager
def served(memory: Memory, *, auth_required: bool = False) -> Iterator[str]:
    """The address of an application that listens until the end."""
    app = create_app(memory, version="0", auth_required=auth_required)
    server = _Server(uvicorn.Config(app, http=Connection, port=0, log_config=None, access_log=False))
    app.state.is_leaving = lambda: server.should_exit
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert server.listens.wait(PATIENCE)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
