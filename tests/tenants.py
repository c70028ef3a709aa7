"""A server that requires tokens, and somebody for each role, as tests use them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from doors import Server, serving
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.catalogue import CHANNELS
from fabula.operations.members import put_member
from waiting import PATIENCE

BEGINNINGS = {"knowledge:entity:create", "knowledge:batch:upsert"}
FIELDS: dict[str, dict[str, Any]] = {
    "entity:create": {"type": "item", "name": "铜铃"},
    "entity:read": {"id": "x"},
    "entity:update": {"id": "x", "expectedVersion": 1, "patch": {"description": "改"}},
    "entity:delete": {"id": "x"},
    "entity:merge": {"targetEntityId": "x", "sourceEntityIds": ["y"]},
    "entity:impact": {"id": "x"},
    "relation:create": {"sourceEntityId": "x", "targetEntityId": "y", "relationType": "knows"},
    "relation:update": {"id": "x", "patch": {"description": "改"}},
    "relation:delete": {"id": "x"},
    "state:create": {"entityId": "x", "description": "受伤"},
    "state:update": {"id": "x", "description": "痊愈"},
    "state:delete": {"id": "x"},
    "state:list": {"entityId": "x"},
    "event:create": {"summary": "船来了。"},
    "event:read": {"id": "x"},
    "event:update": {"id": "x", "patch": {"summary": "船走了。"}},
    "event:delete": {"id": "x"},
    "event:companions": {"entityId": "x"},
    "lorebook:create": {"name": "Book"},
    "lorebook:read": {"id": "own"},
    "lorebook:update": {"id": "x", "patch": {"enabled": False}},
    "lorebook:delete": {"id": "x"},
    "context:chat": {"messages": []},
    "query:subgraph": {"centerEntityId": "x"},
    "query:path": {"sourceEntityId": "x", "targetEntityId": "y"},
    "query:relevant": {"excerpt": "林远"},
    "query:retrieve": {"query": "林远"},
    "query:byids": {"entityIds": ["x"]},
    "batch:upsert": {"entities": [{"type": "item", "name": "铜铃"}]},
    "ontology:write": {"text": None},
    "bundle:import": {"text": "- {type: Item, name: 铜铃}"},
    "knowing:create": {"fact": {"kind": "entity", "id": "x"}, "knowerId": "y"},
    "knowing:update": {"id": "x", "fact": {"kind": "entity", "id": "x"}, "knowerId": "y"},
    "knowing:delete": {"id": "x"},
    "reveal:create": {"entityIds": ["x", "y"], "at": {"chapter": 1}},
    "reveal:update": {"id": "x", "at": {"chapter": 1}},
    "reveal:delete": {"id": "x"},
    "thread:create": {"title": "谁敲了钟？", "people": ["x"]},
    "thread:update": {"id": "x", "patch": {"dropped": True}},
    "thread:delete": {"id": "x"},
    "thread:mark": {"id": "x", "role": "plants", "sceneId": "x", "quotation": "钟"},
    "thread:unmark": {"id": "x", "pointId": "x"},
    "checks:fix": {"findingId": "x", "kind": "waive"},
    "waiver:create": {"findingId": "x"},
    "waiver:delete": {"id": "x"},
}


class House:
    """A server that requires tokens, its file opened here too, and somebody for each role."""

    def __init__(self, server: Server, memory: Memory) -> None:
        self.server, self.memory = server, memory
        # A connection of its own for each request: the server hangs up on those that idle between tests.
        limits = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.Client(base_url=server.url, timeout=PATIENCE, trust_env=False, limits=limits)
        self.tokens = {name: self.token(name) for name in ("owner", "editor", "reader", "stranger")}
        self.story = self.begin("owner")
        for name in ("editor", "reader"):
            put_member(memory.call(), project_id=self.story, user_name=name, role=Role(name))

    def token(self, name: str) -> str:
        add_user(self.memory.call(), name=name)
        return create_token(self.memory.call(), user_name=name).secret

    def begin(self, name: str) -> str:
        begun = self.send("POST", "/api/v2/stories", name, {"title": "海港"})
        assert begun.status_code == 201, begun.text
        return str(begun.json()["id"])

    def send(self, method: str, path: str, name: str | None, body: Any = None, **more: str) -> httpx.Response:
        headers = {**({} if name is None else self.header(name)), **more}
        return self.client.request(method, path, json=body, headers=headers)

    def ask(self, channel: str, story: str, who: str | None, **fields: Any) -> dict[str, Any]:
        given = {"projectId": story, **(fields or FIELDS.get(channel.removeprefix("knowledge:"), {}))}
        CHANNELS[channel].parse(given)
        answer = self.send("POST", f"/api/v2/ipc/{channel}", who, given)
        assert answer.status_code == (401 if who is None else 200), answer.text
        return answer.json()

    def header(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[name]}"}


@contextmanager
def requiring_tokens(folder: Path, **settings: str) -> Iterator[House]:
    """A house in the folder that logs all it can."""
    with (
        serving(folder, FABULA_AUTH="required", FABULA_LOG_LEVEL="debug", **settings) as server,
        Memory(server.db) as memory,
    ):
        opened = House(server, memory)
        try:
            yield opened
        finally:
            opened.client.close()
