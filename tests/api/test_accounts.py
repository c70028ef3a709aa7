"""Accounts at every door: tokens, stories and their members, sockets, hosts and origins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from doors import Server, rows
from fabula.operations.accounts import create_token, revoke_tokens
from tenants import BEGINNINGS, House, requiring_tokens
from waiting import PATIENCE
from web_sockets import web_socket


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with requiring_tokens(tmp_path_factory.mktemp("accounts")) as opened:
        yield opened


# Tokens


@pytest.mark.parametrize(
    "value", ["", "Bearer", "Bearer fab_wrong", "Basic dXNlcjpwYXNz", "fab_bare", "Bearer é"]
)
def test_what_is_no_token_is_refused(house: House, value: str) -> None:
    refused = house.client.get("/api/v2/stories", headers={"authorization": value.encode("latin-1")})
    assert (refused.status_code, refused.json()["code"]) == (401, "UNAUTHENTICATED")
    assert set(refused.json()) == {"code", "message", "suggestion"}


def test_the_scheme_may_be_written_in_any_case(house: House) -> None:
    header = {"authorization": f"bearer {house.tokens['owner']}"}
    assert house.client.get("/api/v2/stories", headers=header).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/api/v2/health",
        "/api/v2/page-token",
        "/api/v2/openapi.json",
        "/docs",
        "/static/nothing.js",
        "/stories/any/lorebook",
    ],
)
def test_little_is_open_to_everybody(house: House, path: str) -> None:
    assert house.send("GET", path, None).status_code in (200, 307, 404)
    assert house.send("POST", path, None).status_code == 401


@pytest.mark.parametrize("path", ["/api/v2/settings", "/api/v2/stories", "/nowhere", "/api/v2/ipc", "/docs/"])
def test_everything_else_is_not(house: House, path: str) -> None:
    assert house.send("GET", path, None).status_code == 401


def test_health_tells_nobody_how_many_stories_there_are(house: House) -> None:
    assert house.send("GET", "/api/v2/health", None).json()["stories"] is None


def test_a_large_body_of_nobody_is_refused_before_it_is_read(house: House) -> None:
    assert house.send("POST", "/api/v2/stories", None, {"title": "x" * 3_000_000}).status_code == 401


def test_the_document_says_where_the_token_goes(house: House) -> None:
    document = house.send("GET", "/api/v2/openapi.json", None).json()
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    assert document["security"] == [{"token": []}]


def test_a_revoked_token_is_worth_nothing(house: House) -> None:
    house.tokens["leaver"] = house.token("leaver")
    other = create_token(house.memory.call(), user_name="leaver", label="laptop")
    assert house.send("GET", "/api/v2/stories", "leaver").status_code == 200
    assert revoke_tokens(house.memory.call(), user_name="leaver") == 2
    assert house.send("GET", "/api/v2/stories", "leaver").status_code == 401
    header = {"authorization": f"Bearer {other.secret}"}
    assert house.client.get("/api/v2/stories", headers=header).status_code == 401


@pytest.mark.sqlite_only(reason="looks into the file")
def test_no_token_is_in_the_file_or_in_the_log(house: House) -> None:
    with _socket(house, "owner") as socket:
        _say(socket, house.story)
    with web_socket(house.server.socket_url, subprotocols=[_offered(house)[0]]) as socket:
        _say(socket, house.story)
    logged = "\n".join(house.server.lines)
    files = [path.read_bytes() for path in house.server.db.parent.glob("fabula.db*")]
    for token in house.tokens.values():
        assert token not in logged
        assert not any(token.encode() in data for data in files)
    assert all(len(kept) == 64 for kept in rows(house.server.db, "SELECT token_hash FROM user_tokens"))


# Stories and their members


def test_the_creator_of_a_story_is_its_owner(house: House) -> None:
    story = house.begin("stranger")
    members = house.send("GET", f"/api/v2/stories/{story}/members", "stranger").json()["members"]
    assert [(member["userName"], member["role"]) for member in members] == [("stranger", "owner")]
    assert house.send("GET", f"/api/v2/stories/{story}", "owner").status_code == 403
    assert house.send("DELETE", f"/api/v2/stories/{story}", "stranger").status_code == 200
    assert house.send("GET", f"/api/v2/stories/{story}", "stranger").status_code == 404


@pytest.mark.parametrize("channel", sorted(BEGINNINGS))
def test_a_story_that_begins_with_a_write_belongs_to_the_writer(house: House, channel: str) -> None:
    story = f"begun-by-{channel}"
    assert house.ask(channel, story, "stranger")["ok"]
    assert house.ask(channel, story, "owner")["error"]["code"] == "FORBIDDEN"
    assert (
        house.send("GET", f"/api/v2/stories/{story}/members/stranger", "stranger").json()["role"] == "owner"
    )
    steps = house.ask("knowledge:history:list", story, "stranger")["data"]["items"]
    writer = rows(house.server.db, "SELECT id FROM users WHERE name='stranger'")
    assert {step["actor"] for step in steps} == set(writer)


def test_a_refused_beginning_leaves_neither_story_nor_owner(house: House) -> None:
    many = {f"键{number}": number for number in range(201)}
    fields = {"entities": [{"type": "item", "name": "书", "attributes": many}]}
    assert not house.ask("knowledge:batch:upsert", "never-begun", "stranger", **fields)["ok"]
    for table in ("stories", "story_members"):
        assert rows(house.server.db, f"SELECT 1 FROM {table} WHERE project_id='never-begun'") == []


def test_a_taken_id_is_a_conflict_and_changes_no_owner(house: House) -> None:
    again = house.send("POST", "/api/v2/stories", "stranger", {"title": "夺", "id": house.story})
    assert again.status_code == 409
    assert house.send("GET", f"/api/v2/stories/{house.story}", "stranger").status_code == 403


def test_lists_show_only_the_callers_stories(house: House) -> None:
    own = house.begin("stranger")
    listed = house.send("GET", "/api/v2/stories?size=1000", "stranger").json()
    ids = {story["id"] for story in listed["content"]}
    assert own in ids
    assert house.story not in ids
    assert listed["totalElements"] == len(ids)
    reader = house.send("GET", "/api/v2/stories?size=1000", "reader").json()["content"]
    assert [story["id"] for story in reader] == [house.story]


def test_ids_of_other_peoples_stories_are_ids_of_nobody(house: House) -> None:
    made = house.ask("knowledge:entity:create", house.story, "owner", type="item", name="秘密的书")
    secret = made["data"]["id"]
    own, second = house.begin("stranger"), house.begin("owner")
    ends = {"sourceEntityId": secret, "targetEntityId": "x", "relationType": "knows"}
    theirs = house.ask("knowledge:query:byids", own, "stranger", entityIds=[secret])
    assert theirs == {"ok": True, "data": {"items": []}}
    read = house.ask("knowledge:entity:read", own, "stranger", id=secret)
    assert read["error"]["code"] == "NOT_FOUND"
    related = house.ask("knowledge:relation:create", own, "stranger", **ends)
    assert related["error"]["details"]["reason"] == "missing_entity"
    mine = house.ask("knowledge:query:byids", second, "owner", entityIds=[secret])
    assert mine["error"]["code"] == "KG_SCOPE_VIOLATION"


def test_an_owner_shares_and_takes_back(house: House) -> None:
    story = house.begin("owner")
    address = f"/api/v2/stories/{story}/members"
    shared = house.send("PUT", f"{address}/Stranger", "owner", {"role": "reader"})
    assert shared.status_code == 200
    assert set(shared.json()) == {"userName", "role", "createdAt"}
    assert house.send("GET", f"/api/v2/stories/{story}", "stranger").status_code == 200
    assert house.send("PATCH", f"/api/v2/stories/{story}", "stranger", {"title": "夺"}).status_code == 403
    house.send("PUT", f"{address}/stranger", "owner", {"role": "editor"})
    assert house.send("PATCH", f"/api/v2/stories/{story}", "stranger", {"title": "改"}).status_code == 200
    assert house.send("DELETE", f"/api/v2/stories/{story}", "stranger").status_code == 403
    assert house.send("DELETE", f"{address}/stranger", "owner").status_code == 204
    assert house.send("GET", f"/api/v2/stories/{story}", "stranger").status_code == 403
    assert house.send("DELETE", f"{address}/stranger", "owner").status_code == 404


def test_a_story_keeps_an_owner(house: House) -> None:
    story = house.begin("owner")
    address = f"/api/v2/stories/{story}/members"
    for refused in (
        house.send("DELETE", f"{address}/owner", "owner"),
        house.send("PUT", f"{address}/owner", "owner", {"role": "reader"}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "CONFLICT")
    assert house.send("PUT", f"{address}/editor", "owner", {"role": "owner"}).status_code == 200
    assert house.send("DELETE", f"{address}/owner", "owner").status_code == 204


@pytest.mark.parametrize(
    ("name", "body", "status"), [("nobody", {"role": "reader"}, 404), ("reader", {"role": "king"}, 400)]
)
def test_a_share_that_makes_no_sense_is_refused(house: House, name: str, body: Any, status: int) -> None:
    address = f"/api/v2/stories/{house.story}/members/{name}"
    assert house.send("PUT", address, "owner", body).status_code == status


# The socket, hosts and origins


def _socket(house: House, name: str) -> ClientConnection:
    return web_socket(house.server.socket_url, additional_headers=house.header(name))


def _offered(house: House, name: str = "owner") -> Any:
    return [f"bearer.{house.tokens[name]}", "fabula"]


def _say(socket: ClientConnection, story: str) -> dict[str, Any]:
    message = {"id": 1, "channel": "knowledge:entity:list", "payload": {"projectId": story}}
    socket.send(json.dumps(message))
    return json.loads(socket.recv(PATIENCE))


def test_a_socket_takes_the_header(house: House) -> None:
    with _socket(house, "reader") as socket:
        assert _say(socket, house.story)["ok"] is True
    with _socket(house, "stranger") as socket:
        assert _say(socket, house.story)["error"]["code"] == "FORBIDDEN"


def test_a_socket_takes_a_protocol_for_browsers(house: House) -> None:
    with web_socket(house.server.socket_url, subprotocols=_offered(house)) as socket:
        assert socket.subprotocol == "fabula"
        assert _say(socket, house.story)["ok"] is True
    alone = _offered(house)[:1]
    with web_socket(house.server.socket_url, subprotocols=alone) as socket:
        assert socket.subprotocol == alone[0]


@pytest.mark.parametrize("offered", [None, ["bearer.fab_wrong"], ["fabula", "bearer.fab_wrong"]])
def test_a_socket_of_nobody_is_closed(house: House, offered: Any) -> None:
    with (
        web_socket(house.server.socket_url, subprotocols=offered) as socket,
        pytest.raises(ConnectionClosed) as closed,
    ):
        socket.recv(PATIENCE)
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "UNAUTHENTICATED")


def test_a_socket_ends_when_its_token_is_revoked(house: House) -> None:
    house.tokens["talker"] = house.token("talker")
    with _socket(house, "talker") as socket:
        assert _say(socket, "nowhere")["error"]["code"] == "NOT_FOUND"
        revoke_tokens(house.memory.call(), user_name="talker")
        with pytest.raises(ConnectionClosed) as closed:
            _say(socket, "nowhere")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_any_host_name_is_answered_and_only_its_own_pages(house: House) -> None:
    named = {"host": "novels.example"}
    assert house.send("GET", "/api/v2/stories", "owner", **named).status_code == 200
    for origin in ("http://novels.example", "http://NOVELS.example"):
        assert house.send("GET", "/api/v2/stories", "owner", origin=origin, **named).status_code == 200
    foreign = ("https://evil.example", "null", "http://localhost", "http://novels.example:99", "")
    for origin in (*foreign, "https://novels.example"):
        refused = house.send("GET", "/api/v2/stories", "owner", origin=origin, **named)
        assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")


def test_a_page_from_elsewhere_opens_no_socket(house: House) -> None:
    origin: Any = "https://evil.example"
    with (
        pytest.raises(InvalidStatus),
        web_socket(house.server.socket_url, subprotocols=_offered(house), origin=origin),
    ):
        pass


def test_without_the_setting_nobody_needs_a_token(server: Server) -> None:
    story = server.new_story()
    assert server.client.get(f"/api/v2/stories/{story}/members").json() == {"members": []}
    header = {"authorization": "Bearer fab_wrong"}
    assert server.client.get(f"/api/v2/stories/{story}", headers=header).status_code == 200
