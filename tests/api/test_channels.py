"""Every channel through every door: the same two shapes, the same codes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from doors import Ask, Pipe, Server, Socket, contents, serving, through_messages, through_python
from fabula.errors import all_errors
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.operations.catalogue import CHANNELS

BEGINNINGS = ("knowledge:entity:create", "knowledge:batch:upsert")
ERRORS = {error.code: error for error in all_errors()}


class Story:
    """A small story and a sensible question to each channel about it."""

    def __init__(self, server: Server) -> None:
        self.id = server.new_story()
        self.a, self.b, self.c = (server.entity(self.id, name) for name in ("林远", "苏晚", "老街"))
        self.relation = server.relation(self.id, self.a, self.b)
        self.other = server.relation(self.id, self.b, self.c)
        told = {"projectId": self.id, "entityId": self.a, "description": "受伤", "since": {"chapter": 3}}
        self.state = server.data("knowledge:state:create", told)["id"]
        met = {"projectId": self.id, "summary": "相遇。", "roles": ["林远", "苏晚"]}
        self.event = server.data("knowledge:event:create", met)["id"]
        self.book = server.data("knowledge:lorebook:create", {"projectId": self.id, "name": "外来的书"})["id"]
        self._server = server
        self.about = {"fact": {"kind": "entity", "id": self.c}, "knowerId": self.b}

    def _made(self, noun: str, **fields: Any) -> str:
        return str(self._server.data(f"knowledge:{noun}:create", {"projectId": self.id, **fields})["id"])

    def _scene(self, number: int, text: str) -> str:
        address = f"/api/v2/stories/{self.id}/chapters/0/scenes/{number}"
        answer = self._server.client.put(address, json={"text": text})
        assert answer.status_code in (200, 201), answer.text
        return str(answer.json()["id"])

    def _finding(self) -> str:
        self._scene(0, "苏晚的眼睛是黑色的。")
        self._scene(1, "苏晚抬起头来，蓝色的眼睛十分惹眼。")
        (found,) = self._server.data("knowledge:checks:run", {"projectId": self.id})["findings"]
        return str(found["id"])

    def _thread(self, **fields: Any) -> str:
        return self._made("thread", title="钟", **fields)

    def _quoted(self) -> dict[str, Any]:
        return {"sceneId": self._scene(0, "钟响了。"), "quotation": "钟响了"}

    def _planted(self) -> dict[str, Any]:
        thread = self._thread(plants=[self._quoted()])
        listed = self._server.data("knowledge:thread:list", {"projectId": self.id})["items"]
        return {
            "id": thread,
            "pointId": next(one for one in listed if one["id"] == thread)["plants"][0]["id"],
        }

    def _continuity(self, channel: str) -> dict[str, Any]:
        """What a channel about knowings, reveals, threads and findings is asked, with what it is about."""
        later = {"at": {"chapter": 3}}
        asked: dict[str, Callable[[], dict[str, Any]]] = {
            "knowing:create": lambda: self.about,
            "knowing:update": lambda: {
                "id": self._made("knowing", **self.about),
                **self.about,
                "belief": "没有街",
            },
            "knowing:delete": lambda: {"id": self._made("knowing", **self.about)},
            "reveal:create": lambda: {"entityIds": [self.a, self.b], **later},
            "reveal:update": lambda: {
                "id": self._made("reveal", entityIds=[self.b, self.c], **later),
                **later,
            },
            "reveal:delete": lambda: {"id": self._made("reveal", entityIds=[self.a, self.c], **later)},
            "thread:create": lambda: {"title": "谁敲了钟？", "people": [self.a]},
            "thread:update": lambda: {"id": self._thread(), "patch": {"dropped": True}},
            "thread:delete": lambda: {"id": self._thread()},
            "thread:mark": lambda: {"id": self._thread(), "role": "payoffs", **self._quoted()},
            "thread:unmark": self._planted,
            "checks:fix": lambda: {"findingId": self._finding(), "kind": "waive", "reason": "有意"},
            "waiver:create": lambda: {"findingId": self._finding()},
            "waiver:delete": lambda: {"id": self._made("waiver", findingId=self._finding())},
        }
        return asked.get(channel.removeprefix("knowledge:"), dict)()

    def payload(self, channel: str) -> dict[str, Any]:
        ends = {"sourceEntityId": self.a, "targetEntityId": self.c}
        patch = {"patch": {"description": "改"}}
        fields: dict[str, dict[str, Any]] = {
            "knowledge:entity:create": {"type": "item", "name": "铜铃"},
            "knowledge:entity:read": {"id": self.a},
            "knowledge:entity:update": {"id": self.a, "expectedVersion": 1, **patch},
            "knowledge:entity:delete": {"id": self.c},
            "knowledge:entity:merge": {"targetEntityId": self.a, "sourceEntityIds": [self.b]},
            "knowledge:entity:impact": {"id": self.b},
            "knowledge:relation:create": {**ends, "relationType": "knows"},
            "knowledge:relation:update": {"id": self.relation, **patch},
            "knowledge:relation:delete": {"id": self.relation},
            "knowledge:state:create": {"entityId": self.b, "attributes": {"伤": "左臂"}},
            "knowledge:state:update": {"id": self.state, "description": "痊愈"},
            "knowledge:state:delete": {"id": self.state},
            "knowledge:state:list": {"entityId": self.a},
            "knowledge:event:create": {"event": "争执", "roles": ["林远"]},
            "knowledge:event:read": {"id": self.event},
            "knowledge:event:update": {"id": self.event, "patch": {"level": 1}},
            "knowledge:event:delete": {"id": self.event},
            "knowledge:event:companions": {"entityId": self.a},
            "knowledge:context:chat": {"messages": [{"role": "user", "content": "林远？"}]},
            "knowledge:lorebook:create": {"name": "又一本", "activation": "sillytavern"},
            "knowledge:lorebook:read": {"id": self.book},
            "knowledge:lorebook:update": {"id": self.book, "patch": {"enabled": False}},
            "knowledge:lorebook:delete": {"id": self.book},
            "knowledge:query:subgraph": {"centerEntityId": self.a, "k": 2},
            "knowledge:query:path": ends,
            "knowledge:query:relevant": {"excerpt": "林远在老街。"},
            "knowledge:query:retrieve": {"query": "林远在老街。"},
            "knowledge:query:byids": {"entityIds": [self.c, self.a]},
            "knowledge:batch:upsert": {"entities": [{"type": "item", "name": "铜铃"}]},
            "knowledge:ontology:write": {"text": None},
            "knowledge:bundle:import": {"text": "- {type: Item, name: 铜铃}"},
        }
        return {"projectId": self.id, **(fields.get(channel) or self._continuity(channel))}


@pytest.fixture
def small(server: Server) -> Story:
    return Story(server)


@pytest.mark.scenario("KG-CHECKED-AT-THE-DOOR")
@pytest.mark.parametrize("channel", CHANNELS)
def test_every_channel_answers_through_every_door(ask: Ask, small: Story, channel: str) -> None:
    if channel == "knowledge:history:redo":
        ask("knowledge:history:undo", {"projectId": small.id})
    answer = ask(channel, small.payload(channel))
    assert set(answer) - {"revision"} == {"ok", "data"}, answer
    assert CHANNELS[channel].writes or "revision" not in answer
    assert answer["ok"] is True
    fields = CHANNELS[channel].response.model_fields.values()
    assert set(answer["data"]) == {field.alias for field in fields}


@pytest.mark.scenario("KG-CHECKED-AT-THE-DOOR")
@pytest.mark.parametrize("channel", CHANNELS)
def test_every_channel_refuses_in_the_same_shape_through_every_door(ask: Ask, channel: str) -> None:
    for payload in ({}, {"projectId": "p", "surprise": 1}, [], None, "text"):
        answer = ask(channel, payload)
        assert set(answer) == {"ok", "error"}, answer
        assert answer["ok"] is False
        assert set(answer["error"]) == {"code", "message", "details", "suggestion"}
        assert answer["error"]["code"] == "VALIDATION_ERROR"


def test_an_unknown_story_is_not_found(ask: Ask, server: Server, small: Story) -> None:
    asked = {channel: small.payload(channel) for channel in CHANNELS.keys() - BEGINNINGS}
    before = contents(server.db)
    for channel, payload in asked.items():
        answer = ask(channel, {**payload, "projectId": "nowhere"})
        assert answer["error"]["code"] == "NOT_FOUND", channel
        assert answer["error"]["suggestion"], channel
    assert contents(server.db) == before


def test_what_one_door_writes_every_door_reads(ask: Ask, server: Server, house: Memory, pipe: Pipe) -> None:
    story = server.new_story()
    created = ask("knowledge:entity:create", {"projectId": story, "type": "char", "name": "林远"})
    read = {"projectId": story, "id": created["data"]["id"]}
    for door in (through_python(house), server.ask, through_messages(pipe.say)):
        assert door("knowledge:entity:read", read)["data"] == created["data"]
        seen = door("knowledge:query:subgraph", {"projectId": story, "centerEntityId": read["id"]})
        assert seen["data"]["entities"] == [created["data"]]
    who = {item["actor"] for item in server.data("knowledge:history:list", {"projectId": story})["items"]}
    assert who <= {"local", "ipc"}


def _refusals(small: Story, foreign: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """A call for each code that the usual limits can give."""
    update = {"id": small.a, "expectedVersion": 9, "patch": {"description": "晚了"}}
    loop = {"sourceEntityId": small.a, "targetEntityId": small.a, "relationType": "ally"}
    again = {"sourceEntityId": small.a, "targetEntityId": small.b, "relationType": "ALLY"}
    crowd = {f"键{number}": number for number in range(201)}
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "VALIDATION_ERROR": ("entity:create", {"type": "dragon", "name": "龙"}),
        "NOT_FOUND": ("entity:read", {"id": "nobody"}),
        "CONFLICT": ("relation:create", again),
        "KG_ENTITY_DUPLICATE": ("entity:create", {"type": "character", "name": " 林远"}),
        "KG_ENTITY_CONFLICT": ("entity:update", update),
        "KG_ATTRIBUTE_KEYS_EXCEEDED": ("entity:create", {"type": "item", "name": "书", "attributes": crowd}),
        "KG_RELATION_INVALID": ("relation:create", loop),
        "KG_SUBGRAPH_K_EXCEEDED": ("query:subgraph", {"centerEntityId": small.a, "k": 4}),
        "KG_SCOPE_VIOLATION": ("query:byids", {"entityIds": [small.a, foreign]}),
    }
    return {
        code: (f"knowledge:{channel}", {"projectId": small.id, **fields})
        for code, (channel, fields) in calls.items()
    }


def test_each_code_is_the_same_through_every_door(ask: Ask, server: Server, small: Story) -> None:
    foreign = server.entity(server.new_story(), "外人")
    calls = _refusals(small, foreign)
    before = contents(server.db)
    for code, (channel, payload) in calls.items():
        answer = ask(channel, payload)
        assert answer["error"]["code"] == code, answer
        assert answer["error"]["message"]
        assert answer["error"]["suggestion"]
        assert answer == server.ask(channel, payload)
    assert contents(server.db) == before


@pytest.mark.slow
def test_codes_of_narrow_limits_through_every_door(tmp_path_factory: pytest.TempPathFactory) -> None:
    narrow = {"FABULA_MAX_ENTITIES": "1", "FABULA_QUERY_TIMEOUT_MS": "0"}
    with serving(tmp_path_factory.mktemp("narrow"), **narrow) as server:
        story = server.new_story()
        center = server.entity(story, "林远")
        pipe, socket = Pipe(server.db, **narrow), Socket(server)
        with Memory(server.db, limits=Limits(max_entities=1, query_timeout_ms=0)) as house:
            doors = [
                through_python(house),
                server.ask,
                through_messages(socket.say),
                through_messages(pipe.say),
            ]
            for door in doors:
                full = door("knowledge:entity:create", {"projectId": story, "type": "item", "name": "剑"})
                assert full["error"]["code"] == "KG_CAPACITY_EXCEEDED"
                late = door("knowledge:query:subgraph", {"projectId": story, "centerEntityId": center})
                assert late["error"]["code"] == "KG_QUERY_TIMEOUT"
        socket.close()
        assert pipe.close() == 0


def test_an_unknown_channel_is_not_found(ask: Ask, told: str) -> None:
    for channel in ("knowledge:entity:explode", "entity:create", "知识"):
        answer = ask(channel, {"projectId": told})
        assert answer["error"]["code"] == "NOT_FOUND"
        assert answer["error"]["details"] == {"channel": channel}
        assert "knowledge:entity:create" in answer["error"]["suggestion"]


@pytest.mark.sqlite_only(reason="breaks the file under a running server")
@pytest.mark.slow
def test_an_internal_error_says_nothing_of_the_inside(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A database that breaks under a running server: its stories' table is gone."""
    with serving(tmp_path_factory.mktemp("broken")) as server:
        story = server.new_story()
        with closing(sqlite3.connect(server.db)) as connection, connection:
            connection.execute("PRAGMA foreign_keys=OFF")
            connection.execute("DROP TABLE kg_entities")
        create = {"projectId": story, "type": "item", "name": "秘密的剑"}
        socket = Socket(server)
        for door in (server.ask, through_messages(socket.say)):
            failed = door("knowledge:entity:create", create)
            assert failed["error"]["code"] == "INTERNAL_ERROR"
            assert "kg_entities" not in str(failed)
        socket.close()
        server.wait_for_line(lambda line: '"INTERNAL_ERROR"' in line)
        assert "秘密的剑" not in "\n".join(server.lines)


def test_the_closed_list_has_distinct_codes_with_status_and_suggestion() -> None:
    assert len(ERRORS) == len(all_errors())
    for error in all_errors():
        assert 400 <= error.status < 600
        assert error.default_suggestion
