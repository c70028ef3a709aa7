"""A server whose graph is in a real graph server: answers, sync as a job, 503 while it is away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from fabula.api.app import create_app
from fabula.cli.main import app
from fabula.config import SETTINGS, in_force
from fabula.errors import GraphUnavailable, InvalidInput
from fabula.memory import Memory
from fabula.model.job import Job
from graph_server import PASSWORD, USER, Wire, server_at, wire_to
from postgres import place_at
from waiting import SLACK_S, eventually

pytestmark = pytest.mark.slow


@pytest.fixture
def wire(graph_uri: str) -> Iterator[Wire]:
    with wire_to(graph_uri) as opened:
        yield opened


class Door:
    """The REST addresses of one story."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.app = memory, create_app(memory, version="0")
        self.story = memory.story("镜", language="zh")

    def call(self, method: str, path: str, status: int = 200, **given: Any) -> Any:
        answer = asyncio.run(self._send(method, f"/stories/{self.story.id}/{path}", given))
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    async def _send(self, method: str, path: str, given: dict[str, Any]) -> httpx.Response:
        door = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=door, base_url="http://localhost/api/v2") as client:
            return await client.request(method, path, **given)

    def relate(self, source: str, target: str, kind: str, **fields: Any) -> None:
        edge = {"source": source, "target": target, "type": kind, **fields}
        self.call("POST", "graph/relationships", 201, json=edge)

    def wait_for_job(self, task: str) -> Job:
        def look() -> Job | None:
            job = self.memory.call().jobs.job(task)
            return job if job.status != "processing" else None

        return eventually(look)


@pytest.fixture
def door(tmp_path: Path, wire: Wire) -> Iterator[Door]:
    server = server_at(wire.uri)
    with Memory(place_at(tmp_path / "fabula.db"), graph=server) as memory:
        yield Door(memory)


@pytest.mark.every_engine
def test_what_was_just_written_is_in_the_answer(door: Door) -> None:
    for number in range(5):
        door.story.entity.create(type="character", name=f"p{number}")
        assert door.call("GET", "graph")["stats"]["totalNodes"] == number + 1


@pytest.mark.scenario("MEMORY-PATTERN-CHAPTER", "MEMORY-PATTERN-CAUSES", "MEMORY-PATTERN-TIMELINE")
def test_the_patterns_of_the_source_are_answered(door: Door) -> None:
    for kind, name in (("character", "林逸"), ("character", "苏瑶"), ("location", "青云山")):
        door.story.entity.create(type=kind, name=name)
    for name in ("试炼", "大比", "下山"):
        door.story.entity.create(type="event", name=name)
    door.relate("林逸", "青云山", "LOCATED_AT", properties={"chapterIndex": 5, "purpose": "闭关"})
    door.relate("苏瑶", "林逸", "KNOWS", since={"chapter": 3})
    door.relate("试炼", "大比", "FOLLOWS")
    door.relate("大比", "下山", "FOLLOWS")
    door.relate("林逸", "试炼", "PARTICIPATES_IN", since={"chapter": 2})
    here = door.call("GET", "graph/chapters/5")
    assert {node["name"] for node in here["nodes"]} == {"林逸", "青云山", "苏瑶"}
    assert {edge["type"] for edge in here["edges"]} == {"LOCATED_AT", "KNOWS"}
    assert door.call("GET", "graph/chapters/4") == {"chapter": 4, "nodes": [], "edges": []}
    after = door.call("GET", "graph/consequences", params={"event": "试炼"})
    assert [node["name"] for node in after["nodes"]] == ["试炼", "大比", "下山"]
    line = door.call("GET", "graph/timeline", params={"entity": "林逸"})
    assert [(item["chapter"], item["relType"], item["target"]["name"]) for item in line["items"]] == [
        (2, "PARTICIPATES_IN", "试炼"),
        (5, "LOCATED_AT", "青云山"),
    ]


@pytest.mark.every_engine
def test_a_sync_is_a_job_and_the_mirror_is_equal_after_it(door: Door) -> None:
    door.story.entity.create(type="character", name="林逸")
    taken = door.call("POST", "graph/sync", 202, json={"scope": "full", "forceReindex": True})
    assert set(taken) == {"taskId", "status", "message"}
    job = door.wait_for_job(taken["taskId"])
    assert (job.status, job.progress) == ("done", 1.0)
    report = door.call("GET", "graph/mirror")
    assert report["equal"]
    assert report["checksum"] == report["mirrorChecksum"]
    assert (report["nodes"], report["mirrorNodes"], report["differing"]) == (1, 1, [])
    door.call("DELETE", "graph/mirror", 204)
    assert door.call("GET", "graph")["stats"]["totalNodes"] == 1


@pytest.mark.scenario("MEMORY-REST-GRAPH-ERRORS", "MEMORY-REST-GRAPH-SYNC-ERRORS")
def test_while_the_graph_is_away_it_answers_503_within_three_seconds_and_writing_goes_on(
    door: Door, wire: Wire
) -> None:
    door.story.entity.create(type="character", name="林逸")
    door.call("GET", "graph")
    questions = (
        ("GET", "graph"),
        ("POST", "graph/sync"),
        ("GET", "graph/query?entity=林逸"),
        ("GET", "graph/chapters/0"),
        ("GET", "graph/consequences?event=林逸"),
        ("GET", "graph/timeline?entity=林逸"),
        ("GET", "graph/mirror"),
    )
    # A server that refuses does so at once; one that is silent is waited for, so it is asked less.
    for fail, asked in ((wire.cut, questions), (wire.deaden, questions[:2])):
        wire.mend()
        fail()
        for method, path in asked:
            began = time.monotonic()
            refused = door.call(method, path, 503)
            assert time.monotonic() - began < 3 + SLACK_S, (fail, path)
            assert refused["code"] == "GRAPH_UNAVAILABLE"
            assert refused["suggestion"]
        began = time.monotonic()
        door.story.entity.create(type="item", name=f"灯 {fail.__name__}")
        door.call("GET", "graph/picture")
        assert time.monotonic() - began < 3 + SLACK_S
    wire.mend()
    assert door.call("GET", "graph")["stats"]["totalNodes"] == 3
    assert door.call("GET", "graph/mirror")["equal"]


@pytest.mark.scenario("MEMORY-REST-GRAPH-SYNC-ERRORS")
@pytest.mark.every_engine
def test_a_second_sync_is_refused_while_one_is_running(door: Door) -> None:
    call = door.memory.call()
    # Whoever holds the index lets the sync wait.
    with call.store.read() as reader, call.indexes.lease(reader, door.story.id):
        running = door.call("POST", "graph/sync", 202)["taskId"]
        refused = door.call("POST", "graph/sync", 409)
        assert (refused["code"], refused["details"]) == ("JOB_IN_PROGRESS", {"taskId": running})
    assert door.wait_for_job(running).status == "done"


@pytest.mark.parametrize("fail", [Wire.cut, Wire.deaden])
def test_a_sync_whose_server_goes_away_or_falls_silent_fails_as_a_job(
    door: Door, wire: Wire, fail: Callable[[Wire], None]
) -> None:
    door.story.batch.upsert(entities=[{"type": "item", "name": f"t{number}"} for number in range(2_500)])
    running = door.call("POST", "graph/sync", 202)["taskId"]
    fail(wire)
    job = door.wait_for_job(running)
    assert (job.status, job.message) == ("failed", "The graph server does not answer.")
    wire.mend()
    assert door.wait_for_job(door.call("POST", "graph/sync", 202)["taskId"]).status == "done"
    assert door.call("GET", "graph/mirror")["equal"]


def test_the_terminal_syncs_verifies_and_drops(
    door: Door, wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    door.story.entity.create(type="character", name="林逸")
    given = {"GRAPH": "neo4j", "NEO4J_URI": wire.uri, "NEO4J_USER": USER, "NEO4J_PASSWORD": PASSWORD}
    for name, value in given.items():
        monkeypatch.setenv(f"FABULA_{name}", value)
    story, db = door.story.id, ("--db", str(door.memory.place))
    for words, said in (
        (("sync", story, "--anew"), "mirrored"),
        (("verify",), "1 nodes, 0 edges"),
        (("drop", story, "--yes"), "is gone"),
    ):
        done = CliRunner().invoke(app, ["mirror", *words, *db])
        assert (done.exit_code, done.exception) == (0, None), done.output
        assert said in done.output
    wire.cut()
    done = CliRunner().invoke(app, ["mirror", "verify", story, *db])
    assert isinstance(done.exception, GraphUnavailable)
    assert PASSWORD not in done.output + caplog.text + str(done.exception.as_dict())


def test_settings_show_that_there_is_a_password_and_not_which() -> None:
    values = in_force({"FABULA_GRAPH": "neo4j", "FABULA_NEO4J_PASSWORD": PASSWORD}, Path("none"))
    shown = [setting.shown(values[setting.name]) for setting in SETTINGS]
    assert PASSWORD not in shown
    assert "***" in shown
    for wrong in ("http://127.0.0.1", "bolt://me:word@127.0.0.1", "neo4j://"):
        with pytest.raises(InvalidInput):
            in_force({"FABULA_NEO4J_URI": wrong}, Path("none"))


def test_without_a_graph_server_there_is_no_mirror_to_ask_for(memory: Memory) -> None:
    plain = Door(memory)
    for method in ("GET", "DELETE"):
        refused = plain.call(method, "graph/mirror", 503)
        assert refused["details"] == {"reason": "not_configured"}
    assert plain.call("GET", "graph")["stats"]["totalNodes"] == 0
