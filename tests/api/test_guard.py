"""Who may knock: only this machine, under its own names, and no page from elsewhere."""

from __future__ import annotations

import pytest
from websockets.exceptions import InvalidStatus

from doors import Server, contents
from web_sockets import web_socket

LIST = "/api/v2/ipc/knowledge:entity:list"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "localhost:1", "127.0.0.1:8765", "[::1]:8765"])
def test_the_names_of_this_machine_are_answered(server: Server, host: str) -> None:
    assert server.client.get("/api/v2/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "0.0.0.0",
        "192.168.1.5",
        "",
        "[::1",
        "[",
        "a@localhost.example",
        "localhost@evil.example",
    ],
)
@pytest.mark.parametrize("path", ["/api/v2/health", "/docs", "/nowhere"])
def test_other_host_names_are_refused(server: Server, host: str, path: str) -> None:
    response = server.client.get(path, headers={"host": host})
    assert response.status_code == 403
    assert response.json()["code"] == "FORBIDDEN"
    assert response.json()["suggestion"]


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://localhost.evil.example",
        "null",
        "",
        "file://",
        "http://[::1",
        "http://127.0.0.1.evil.example",
        "evil",
        "http://localhost@evil.example",
    ],
)
def test_pages_from_elsewhere_are_refused(server: Server, origin: str) -> None:
    before = contents(server.db)
    headers = {"origin": origin}
    refused = server.client.post("/api/v2/stories", json={"title": "夺"}, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["code"] == "FORBIDDEN"
    on_channel = server.client.post(LIST, json={"projectId": "p"}, headers=headers)
    assert on_channel.status_code == 403
    assert on_channel.json()["ok"] is False
    assert on_channel.json()["error"]["code"] == "FORBIDDEN"
    assert contents(server.db) == before


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://[::1"])
def test_a_socket_from_elsewhere_is_refused(server: Server, origin: str) -> None:
    with (
        pytest.raises(InvalidStatus) as refused,
        web_socket(server.socket_url, origin=origin),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_a_socket_under_another_host_name_is_refused(server: Server) -> None:
    port = int(server.url.rsplit(":", 1)[1])
    with (
        pytest.raises(InvalidStatus) as refused,
        web_socket(f"ws://evil.example:{port}/api/v2/ipc", address=("127.0.0.1", port)),
    ):
        pass
    assert refused.value.response.status_code == 403
    assert server.client.get("/api/v2/health").status_code == 200


def test_no_answer_invites_other_origins(server: Server) -> None:
    asked = {"origin": "http://localhost:5173", "access-control-request-method": "POST"}
    response = server.client.options("/api/v2/stories", headers=asked)
    assert response.status_code == 403
    assert "access-control-allow-origin" not in response.headers
