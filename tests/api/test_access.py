"""Every route and every channel refuses nobody, strangers, and those whose role is too low."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.routing import iter_route_contexts

from doors import contents
from fabula.api.app import create_app
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.catalogue import CHANNELS
from fabula.operations.members import put_member
from tenants import BEGINNINGS, House, requiring_tokens

WRITING = {
    "create",
    "update",
    "delete",
    "merge",
    "undo",
    "redo",
    "upsert",
    "write",
    "import",
    "mark",
    "unmark",
    "fix",
}
READING_POSTS = {
    f"/api/v2/stories/{{storyId}}/{name}"
    for name in (
        "chat",
        "check",
        "checks",
        "context/assemble",
        "context/chat",
        "duplicate",
        "find-words",
        "knowledge/chain",
        "knowledge/thoughts",
        "lorebook/estimate",
        "mentions",
        "new-names",
        "receipts/diff",
        "receipts/{receiptId}/replay",
        "receipts/{receiptId}/to-include",
        "receipts/{receiptId}/what-if",
        "reveals/{revealId}/what-if",
    )
}
ENDLESS = "/api/v2/stories/{storyId}/live"
FOR_OWNERS = {
    ("DELETE", "/api/v2/stories/{storyId}"),
    ("DELETE", "/api/v2/stories/{storyId}/graph/mirror"),
    ("PUT", "/api/v2/stories/{storyId}/members/{userName}"),
    ("DELETE", "/api/v2/stories/{storyId}/members/{userName}"),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with requiring_tokens(tmp_path_factory.mktemp("accounts")) as opened:
        yield opened


def story_routes() -> list[tuple[str, str]]:
    """(method, path) of every route about one story, hidden ones included."""
    with Memory.throwaway() as memory:
        app = create_app(memory, version="test", auth_required=True)
        found = {
            (method, str(route.path))
            for route in iter_route_contexts(app.routes)
            for method in (route.methods or ())
            if "{storyId}" in str(route.path)
        }
    return sorted(found)


ROUTES = story_routes()
each_route = pytest.mark.parametrize(("method", "path"), ROUTES)
each_channel = pytest.mark.parametrize("channel", CHANNELS)


def at(path: str, story: str) -> str:
    """The address of a route, with something harmless for every other part of it."""
    path = path.replace("{storyId}", story).replace("{chapter}", "0").replace("{scene}", "0")
    path = path.replace("{userName}", "reader")
    return path if "{" not in path else path.split("{")[0] + "nothing" + path.split("}")[1]


def is_write(method: str, path: str) -> bool:
    return method not in ("GET", "HEAD") and path not in READING_POSTS


def test_the_walk_sees_the_routes() -> None:
    assert len(ROUTES) > 30
    assert FOR_OWNERS | {("POST", path) for path in READING_POSTS} <= set(ROUTES)


@each_route
def test_a_route_refuses_nobody_and_strangers(house: House, method: str, path: str) -> None:
    before = contents(house.server.db)
    nobody = house.send(method, at(path, house.story), None, {})
    assert nobody.status_code == 401
    assert nobody.headers["www-authenticate"] == "Bearer"
    stranger = house.send(method, at(path, house.story), "stranger", {})
    assert stranger.status_code == 403
    if method != "HEAD":
        assert nobody.json()["code"] == "UNAUTHENTICATED"
        assert stranger.json()["code"] == "FORBIDDEN"
        assert stranger.json()["suggestion"]
    assert contents(house.server.db) == before


@each_route
def test_a_route_does_not_know_an_unknown_story(house: House, method: str, path: str) -> None:
    unknown = house.send(method, at(path, "nowhere"), "owner", {})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "NOT_FOUND")
    assert house.send(method, at(path, "nowhere"), None, {}).status_code == 401


@each_route
def test_a_route_lets_readers_read_and_editors_write(house: House, method: str, path: str) -> None:
    address = at(path, house.story)
    if path == ENDLESS:
        with house.client.stream(method, address, headers=house.header("reader")) as answer:
            assert answer.status_code == 200
        return
    as_reader = house.send(method, address, "reader", {})
    assert (as_reader.status_code == 403) is is_write(method, path)
    if (method, path) in FOR_OWNERS:
        as_editor = house.send(method, address, "editor", {})
        assert as_editor.status_code == 403
        assert "owner" in as_editor.json()["suggestion"]
    elif is_write(method, path):
        assert "editor" in as_reader.json()["suggestion"]
        story = house.begin("owner")
        put_member(house.memory.call(), project_id=story, user_name="editor", role=Role.EDITOR)
        assert house.send(method, at(path, story), "editor", {}).status_code not in (401, 403)


@each_channel
def test_a_channel_refuses_nobody_and_strangers(house: House, channel: str) -> None:
    before = contents(house.server.db)
    nobody = house.ask(channel, house.story, None)
    assert (nobody["ok"], nobody["error"]["code"]) == (False, "UNAUTHENTICATED")
    stranger = house.ask(channel, house.story, "stranger")
    assert (stranger["ok"], stranger["error"]["code"]) == (False, "FORBIDDEN")
    assert contents(house.server.db) == before


@each_channel
def test_a_channel_lets_readers_read_and_editors_write(house: House, channel: str) -> None:
    writes = channel.rsplit(":", 1)[1] in WRITING
    assert CHANNELS[channel].writes is writes
    as_reader = house.ask(channel, house.story, "reader")
    forbidden = not as_reader["ok"] and as_reader["error"]["code"] == "FORBIDDEN"
    assert forbidden is writes
    story = house.begin("owner")
    put_member(house.memory.call(), project_id=story, user_name="editor", role=Role.EDITOR)
    as_editor = house.ask(channel, story, "editor")
    assert as_editor["ok"] or as_editor["error"]["code"] in ("NOT_FOUND", "KG_RELATION_INVALID", "CONFLICT")


@pytest.mark.parametrize("channel", sorted(set(CHANNELS) - BEGINNINGS))
def test_a_channel_does_not_know_an_unknown_story(house: House, channel: str) -> None:
    assert house.ask(channel, "nowhere", "owner")["error"]["code"] == "NOT_FOUND"
    assert house.ask(channel, "nowhere", None)["error"]["code"] == "UNAUTHENTICATED"
