"""Messages that are none: refused in the one shape, and the connection goes on working."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError

from doors import Envelope, Pipe, Server, Socket, contents, serving

Say = Callable[[bytes], Envelope]

DEEP = b'{"projectId":"p","type":"item","name":"x","attributes":' + b'{"a":' * 10_000 + b"1" + b"}" * 10_001

NO_JSON = {
    "half": b'{"projectId": ',
    "word": b"hello",
    "two": b'{"projectId":"p"} {"projectId":"p"}',
    "nan": b'{"projectId":"p","significance":NaN}',
    "infinity": b'{"projectId":"p","significance":-Infinity}',
    "single quotes": b"{'projectId': 'p'}",
    "comment": b'{"projectId":"p"} // note',
    "trailing comma": b'{"projectId":"p",}',
    "not utf-8": b'{"projectId":"\xff\xfe"}',
    "half a character": b'{"projectId":"\xe6\x9e"}',
    "utf-16": '{"projectId":"p"}'.encode("utf-16"),
    "lone surrogate": b'{"projectId":"\\ud800"}',
    "deep objects": DEEP,
    "deep arrays": b"[" * 10_000 + b"]" * 10_000,
    "bare deep": b"[" * 10_000,
    "endless number": b'{"projectId":' + b"9" * 10_000 + b"}",
}
NO_REQUEST = {"array": b"[1, 2]", "null": b"null", "number": b"5", "text": b'"knowledge:entity:list"'}


@pytest.fixture(params=["socket", "pipe"])
def say(request: pytest.FixtureRequest) -> Say:
    """Each door that speaks in messages."""
    return request.getfixturevalue(request.param).say


def _works(say: Say, story: str) -> None:
    message = {"id": "after", "channel": "knowledge:entity:list", "payload": {"projectId": story}}
    assert say(json.dumps(message).encode()) == {
        "id": "after",
        "ok": True,
        "data": {"items": [], "totalCount": 0},
    }


def _is_refusal(answer: Envelope, message_id: Any = None) -> None:
    assert set(answer) == {"id", "ok", "error"}
    assert (answer["id"], answer["ok"]) == (message_id, False)
    assert answer["error"]["code"] == "VALIDATION_ERROR"
    assert answer["error"]["suggestion"]


@pytest.mark.parametrize("body", [*NO_JSON.values(), b"", b" "], ids=[*NO_JSON, "empty", "blank"])
def test_a_body_that_is_no_json(server: Server, told: str, body: bytes) -> None:
    before = contents(server.db)
    response = server.client.post("/api/v2/ipc/knowledge:entity:create", content=body)
    assert response.status_code == 200
    answer = response.json()
    assert answer["ok"] is False
    assert answer["error"]["code"] == "VALIDATION_ERROR"
    assert answer["error"]["suggestion"]
    assert contents(server.db) == before
    assert server.ask("knowledge:entity:list", {"projectId": told})["ok"]


@pytest.mark.parametrize("message", [*NO_JSON.values(), *NO_REQUEST.values()], ids=[*NO_JSON, *NO_REQUEST])
def test_a_message_that_is_none(say: Say, told: str, message: bytes) -> None:
    _is_refusal(say(message.replace(b"\n", b" ")))
    _works(say, told)


@pytest.mark.parametrize("text", ["{", "null", '{"id": 1}'])
def test_a_text_frame_that_is_no_message(socket: Socket, told: str, text: str) -> None:
    _is_refusal(socket.say(text))
    _works(socket.say, told)


@pytest.mark.parametrize(
    "message",
    [{}, {"id": 3}, {"channel": 5}, {"channel": None, "payload": {}}, {"channel": ["knowledge:entity:list"]}],
)
def test_a_message_without_a_channel(say: Say, told: str, message: dict[str, Any]) -> None:
    _is_refusal(say(json.dumps(message).encode()))
    _works(say, told)


@pytest.mark.parametrize("message_id", ["a", "", "甲", 0, -1, 7, 2**53, 10**30])
def test_an_id_comes_back_as_it_was(say: Say, told: str, message_id: str | int) -> None:
    for story, ok in ((told, True), ("nowhere", False)):
        message = {"id": message_id, "channel": "knowledge:entity:list", "payload": {"projectId": story}}
        answer = say(json.dumps(message).encode())
        assert (answer["id"], type(answer["id"]), answer["ok"]) == (message_id, type(message_id), ok)


@pytest.mark.parametrize(
    "message", [{}, {"id": None}, {"id": 1.5}, {"id": True}, {"id": {"a": 1}}, {"id": []}]
)
def test_without_a_usable_id_the_answer_has_none(say: Say, told: str, message: dict[str, Any]) -> None:
    call = {**message, "channel": "knowledge:entity:list", "payload": {"projectId": told}}
    answer = say(json.dumps(call).encode())
    assert answer == {"id": None, "ok": True, "data": {"items": [], "totalCount": 0}}


def test_a_message_without_payload_is_refused_under_its_id(say: Say, told: str) -> None:
    _is_refusal(say(b'{"id": 4, "channel": "knowledge:entity:list"}'), 4)
    _works(say, told)


def test_a_large_message_is_taken(say: Say, server: Server, told: str) -> None:
    crowd = [{"type": "item", "name": f"物{number}", "description": "长" * 2000} for number in range(400)]
    call = {"projectId": told, "entities": crowd}
    message = json.dumps({"id": 1, "channel": "knowledge:batch:upsert", "payload": call}).encode()
    assert len(message) > 4_000_000
    assert say(message)["data"]["createdEntityCount"] == 400
    listed = json.dumps({"id": 2, "channel": "knowledge:entity:list", "payload": {"projectId": told}})
    assert say(listed.encode())["data"]["totalCount"] == 400


def test_several_messages_in_one_write_and_empty_lines(pipe: Pipe, told: str) -> None:
    def line(number: int) -> bytes:
        call = {"id": number, "channel": "knowledge:entity:list", "payload": {"projectId": told}}
        return json.dumps(call).encode()

    pipe.write(line(1) + b"\n" + line(2) + b"\n\n  \n\r\n" + line(3) + b"\r\n" + b"nonsense\n" + line(4)[:20])
    assert [pipe.read()["id"] for _ in range(4)] == [1, 2, 3, None]
    pipe.write(line(4)[20:] + b"\n")
    assert pipe.read() == {"id": 4, "ok": True, "data": {"items": [], "totalCount": 0}}


def test_messages_are_answered_in_order(socket: Socket, told: str) -> None:
    for number in range(20):
        call = {"id": number, "channel": "knowledge:entity:list", "payload": {"projectId": told}}
        socket.connection.send(json.dumps(call))
    assert [socket.read()["id"] for _ in range(20)] == list(range(20))


@pytest.mark.slow
def test_the_last_line_needs_no_newline(server: Server, told: str) -> None:
    pipe = Pipe(server.db)
    call = {"id": 1, "channel": "knowledge:entity:list", "payload": {"projectId": told}}
    pipe.write(json.dumps(call).encode())
    assert pipe.process.stdin is not None
    pipe.process.stdin.close()
    assert pipe.read()["ok"] is True
    assert pipe.close() == 0


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that takes one MiB."""
    with serving(tmp_path_factory.mktemp("tight"), FABULA_MAX_BODY_MB="1") as running:
        yield running


HUGE = b'{"id":1,"channel":"knowledge:entity:list","payload":{"projectId":"' + b"x" * (1 << 20) + b'"}}'


@pytest.mark.slow
def test_a_line_over_the_limit_is_refused_and_the_pipe_goes_on(tight: Server) -> None:
    story = tight.new_story()
    pipe = Pipe(tight.db, FABULA_MAX_BODY_MB="1")
    refused = pipe.say(HUGE * 3)
    assert refused["error"]["code"] == "PAYLOAD_TOO_LARGE"
    assert refused["error"]["details"] == {"limit": 1 << 20}
    _works(pipe.say, story)
    assert pipe.close() == 0


def test_a_frame_over_the_limit_ends_this_socket_only(tight: Server) -> None:
    story = tight.new_story()
    other, socket = Socket(tight), Socket(tight)
    with pytest.raises(ConnectionClosedError) as closed:
        socket.say(HUGE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    _works(other.say, story)
    other.close()
    socket.close()


@pytest.mark.parametrize("declared", [True, False], ids=["with length", "chunked"])
@pytest.mark.parametrize("path", ["ipc/knowledge:entity:create", "stories"])
def test_a_body_over_the_limit_is_413(tight: Server, path: str, declared: bool) -> None:
    before = contents(tight.db)
    body: Any = b" " * ((1 << 20) + 1) if declared else (b" " * 65_536 for _ in range(17))
    response = tight.client.post(
        f"/api/v2/{path}", content=body, headers={"content-type": "application/json"}
    )
    assert response.status_code == 413
    answer = response.json()
    if path.startswith("ipc"):
        assert answer.pop("ok") is False
        answer = answer.pop("error")
    assert answer["code"] == "PAYLOAD_TOO_LARGE"
    assert answer["details"] == {"limit": 1 << 20}
    assert answer["suggestion"]
    assert contents(tight.db) == before
    assert tight.client.get("/api/v2/health").status_code == 200


def test_a_body_of_exactly_the_limit_is_taken(tight: Server) -> None:
    story = tight.new_story()
    body = json.dumps({"projectId": story}).encode().ljust(1 << 20)
    response = tight.client.post("/api/v2/ipc/knowledge:entity:list", content=body)
    assert response.json()["ok"] is True
