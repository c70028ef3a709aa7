"""`/mcp` on the real server: who may knock, who may do what, and what is too much."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from agents import Agent
from doors import Server, serving
from tenants import House, requiring_tokens

HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def calling(tool: str, **arguments: Any) -> dict[str, Any]:
    return message("tools/call", name=tool, arguments=arguments)


def outcome(answer: httpx.Response) -> str:
    """`ok`, or the code of the refusal."""
    result = answer.json()["result"]
    return (
        httpx.Response(200, text=result["content"][0]["text"]).json()["code"] if result["isError"] else "ok"
    )


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with requiring_tokens(tmp_path_factory.mktemp("agents")) as opened:
        yield opened


def ask(house: House, who: str | None, said: dict[str, Any]) -> httpx.Response:
    return house.send("POST", "/mcp", who, said, **HEADERS)


@pytest.mark.slow
def test_nobody_gets_in_without_a_token(house: House) -> None:
    for said in (message("tools/list"), calling("list_stories"), message("initialize")):
        answer = ask(house, None, said)
        assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHENTICATED")
        assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.slow
def test_a_story_of_somebody_else_is_forbidden_and_readers_do_not_write(house: House) -> None:
    saving = calling("save_scene", story=house.story, chapter=0, scene=0, text="x")
    outcomes = {who: outcome(ask(house, who, saving)) for who in ("stranger", "reader", "editor")}
    assert outcomes == {"stranger": "FORBIDDEN", "reader": "FORBIDDEN", "editor": "ok"}
    assert outcome(ask(house, "reader", calling("get_recent_scenes", story=house.story))) == "ok"
    assert outcome(ask(house, "stranger", calling("get_recent_scenes", story=house.story))) == "FORBIDDEN"


@pytest.mark.slow
def test_each_sees_their_own_stories_and_resources(house: House) -> None:
    mine = ask(house, "reader", calling("list_stories")).json()["result"]["structuredContent"]
    assert [one["id"] for one in mine["items"]] == [house.story]
    theirs = ask(house, "stranger", calling("list_stories")).json()["result"]["structuredContent"]
    assert theirs["items"] == []
    uri = f"fabula://stories/{house.story}"
    for said in (
        message("resources/read", uri=uri),
        message("prompts/get", name="write_next_scene", arguments={"story": house.story}),
    ):
        assert ask(house, "stranger", said).json()["error"]["data"]["code"] == "FORBIDDEN"
        assert "result" in ask(house, "reader", said).json()


@pytest.mark.slow
def test_the_log_names_the_writer_and_holds_no_text_of_the_story(house: House) -> None:
    story = house.begin("owner")
    ask(house, "owner", calling("save_scene", story=story, chapter=0, scene=0, text="zqprivate"))
    ask(house, "owner", calling("save_scene", story=story, chapter=0, scene=0, text="zqprivate"))
    house.server.wait_for_line(lambda line: '"tool":"save_scene"' in line and "CONFLICT" in line)
    assert not [line for line in house.server.lines if "zqprivate" in line]
    steps = house.send("GET", f"/api/v2/stories/{story}/history", "owner").json()
    assert house.memory.identify(house.tokens["owner"]).id in str(steps)


@pytest.mark.parametrize(
    "headers", [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"}]
)
def test_pages_from_elsewhere_cannot_reach_it(server: Server, headers: dict[str, str]) -> None:
    answer = server.client.post("/mcp", json=calling("list_stories"), headers={**HEADERS, **headers})
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_no_stream_is_held_open(server: Server, method: str) -> None:
    answer = server.client.request(method, "/mcp", headers=HEADERS)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"jsonrpc": "2.0"}', b"\xff\xfe", b'"x"'])
def test_what_is_no_message_is_refused(server: Server, body: bytes) -> None:
    headers = {**HEADERS, "content-type": "application/json"}
    answer = server.client.post("/mcp", content=body, headers=headers)
    assert 400 <= answer.status_code < 500
    assert "Traceback" not in answer.text


@pytest.mark.long
def test_many_agents_are_answered_at_once_and_the_server_goes_on(server: Server, told: str) -> None:
    def save(number: int) -> str:
        said = calling("save_scene", story=told, chapter=0, scene=number, text="雾。" * 100)
        return outcome(
            httpx.post(f"{server.url}/mcp", json=said, headers=HEADERS, timeout=60, trust_env=False)
        )

    with ThreadPoolExecutor(8) as agents:
        assert set(agents.map(save, range(16))) == {"ok"}
    chapters = server.client.get(f"/api/v2/stories/{told}/chapters").json()["chapters"]
    assert len(chapters[0]["scenes"]) == 16


@pytest.mark.slow
def test_a_message_that_is_too_large_is_refused_before_it_is_read(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with serving(tmp_path_factory.mktemp("small"), FABULA_MAX_BODY_MB="1") as server:
        story = server.new_story()
        large = calling("save_scene", story=story, chapter=0, scene=0, text="x" * (1 << 20))
        answer = server.client.post("/mcp", json=large, headers=HEADERS)
        assert (answer.status_code, answer.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")
        small = calling("save_scene", story=story, chapter=0, scene=0, text="x" * 1000)
        assert outcome(server.client.post("/mcp", json=small, headers=HEADERS)) == "ok"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_real_client_of_either_age_speaks_with_it(server: Server, told: str, mode: str) -> None:
    agent = Agent(f"{server.url}/mcp", mode)
    assert agent.call("save_scene", story=told, chapter=0, scene=0, text="雾起了。")["created"]
    assert agent.call("get_recent_scenes", story=told)["scenes"][0]["text"] == "雾起了。"
    assert agent.refusal("open_story", story="nowhere")["code"] == "NOT_FOUND"
