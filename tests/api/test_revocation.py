"""What lasts (streams of events, sockets) ends soon after its token was revoked, and nothing else does."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from doors import Server
from endpoints import event, silent_after
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token, revoke_tokens
from fabula.operations.members import put_member
from listening import AT_ONCE, listening, watched
from tenants import House, requiring_tokens
from waiting import PATIENCE
from web_sockets import web_socket

# Sooner than a stream shows by itself that it is still there.
SOON = 10.0


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with requiring_tokens(tmp_path_factory.mktemp("accounts")) as opened:
        yield opened


def guest(house: House, name: str) -> str:
    """The id of the token of somebody new who may read the story."""
    add_user(house.memory.call(), name=name)
    token, house.tokens[name] = create_token(house.memory.call(), user_name=name)
    put_member(house.memory.call(), project_id=house.story, user_name=name, role=Role.READER)
    return token.id


def until_it_ends(lines: Iterator[str]) -> list[str]:
    began, heard = time.monotonic(), []
    for line in lines:
        heard.append(line)
        assert time.monotonic() - began < SOON, "the stream goes on"
    return heard


def test_a_stream_of_events_ends_with_its_token(house: House) -> None:
    token_id = guest(house, "ear")
    live = f"/api/v2/stories/{house.story}/live"
    other = create_token(house.memory.call(), user_name="ear")
    kept = {"authorization": f"Bearer {other.secret}"}
    with (
        house.client.stream("GET", live, headers=house.header("ear")) as revoked,
        house.client.stream("GET", live, headers=kept) as going,
    ):
        lines, others = revoked.iter_lines(), going.iter_lines()
        assert "event: revision" in [next(lines), next(lines), next(lines)]
        assert "event: revision" in [next(others), next(others), next(others)]
        revoke_tokens(house.memory.call(), user_name="ear", token_id=token_id)
        house.ask("knowledge:entity:create", house.story, "owner", type="item", name="铜铃")
        until_it_ends(lines)
        heard = [next(others), next(others), next(others), next(others)]
        assert any(line.startswith("data: ") for line in heard), (
            "another token of the same user is none of it"
        )
    again = house.client.get(live, headers=house.header("ear"))
    assert again.status_code == 401


def test_a_silent_socket_ends_with_its_token(house: House) -> None:
    guest(house, "listener")
    with (
        web_socket(house.server.socket_url, additional_headers=house.header("listener")) as socket,
        web_socket(house.server.socket_url, additional_headers=house.header("owner")) as other,
    ):
        revoke_tokens(house.memory.call(), user_name="listener")
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(SOON)
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "UNAUTHENTICATED")
        other.send("{}")
        assert "VALIDATION_ERROR" in str(other.recv(PATIENCE))


def test_nothing_is_logged_as_a_fault(house: House) -> None:
    guest(house, "leaver")
    live = f"/api/v2/stories/{house.story}/live"
    with house.client.stream("GET", live, headers=house.header("leaver")) as stream:
        lines = stream.iter_lines()
        next(lines)
        revoke_tokens(house.memory.call(), user_name="leaver")
        until_it_ends(lines)
    assert house.send("GET", "/api/v2/health", None).status_code == 200
    server: Server = house.server
    assert [record for record in server.records() if record["level"] in ("error", "critical")] == []


@pytest.mark.long
@pytest.mark.parametrize("path", ["chat", "proxy"])
def test_the_answer_of_a_model_ends_with_the_token(tmp_path: Path, path: str) -> None:
    with listening(tmp_path, auth_required=True) as on:
        began, left = threading.Event(), threading.Event()
        on.played.plays(watched(silent_after([event("她")]), began, left))
        call = on.memory.call()
        add_user(call, name="writer")
        secret = create_token(call, user_name="writer").secret
        story = on.story()
        put_member(call, project_id=story.id, user_name="writer", role=Role.EDITOR)
        headers = {"authorization": f"Bearer {secret}"}
        if path == "chat":
            address, body = f"/api/v2/stories/{story.id}/chat", {"chapter": 0, "scene": 0, "text": "谁？"}
        else:
            messages = [{"role": "user", "content": "谁？"}]
            address = "/v1/chat/completions"
            body = {"model": f"fabula/{story.id}", "messages": messages, "stream": True}
        with httpx.Client(base_url=on.url, timeout=PATIENCE, trust_env=False) as client:
            with client.stream("POST", address, json=body, headers=headers) as stream:
                assert stream.status_code == 200, stream.read()
                assert began.wait(AT_ONCE)
                lines = stream.iter_lines()
                next(lines)
                revoke_tokens(call, user_name="writer")
                until_it_ends(lines)
            assert left.wait(AT_ONCE), "the model is asked no longer"
