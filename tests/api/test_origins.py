"""Which pages may use the server: its own with their token, those that the settings name, and no others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from doors import Server, contents, serving
from fabula.api.origins import Origins, normal_origin
from fabula.memory import Memory
from listening import served
from tenants import House, requiring_tokens
from waiting import PATIENCE
from web_sockets import web_socket

CREATE = "/api/v2/ipc/knowledge:entity:create"
LIST = "knowledge:entity:list"
NOTES = "https://notes.example.org"


def page_token(client: httpx.Client) -> str:
    answer = client.get("/api/v2/page-token", headers={"sec-fetch-site": "same-origin"})
    assert answer.headers["cache-control"] == "no-store"
    return str(answer.json()["token"])


def neighbours(url: str) -> list[str]:
    """Origins that differ from the server's in port, scheme or name, and some that are none."""
    port = int(url.rsplit(":", 1)[1])
    return [
        f"http://127.0.0.1:{port + 1}",
        "http://127.0.0.1",
        f"https://127.0.0.1:{port}",
        f"http://localhost:{port}",
        f"http://[::1]:{port}",
        f"{url}.evil.example",
        f"{url}@evil.example",
        f"{url}/",
        f"{url} http://evil.example",
        "null",
        "",
    ]


def entity(story: str, name: str) -> dict[str, str]:
    return {"projectId": story, "type": "character", "name": name}


@pytest.mark.parametrize("number", range(11))
def test_a_page_at_another_port_or_scheme_writes_nothing(server: Server, number: int) -> None:
    story = server.new_story()
    shown = page_token(server.client)
    before = contents(server.db)
    for kind in ("text/plain", "application/json"):
        headers = {"origin": neighbours(server.url)[number], "content-type": kind, "x-fabula-page": shown}
        refused = server.client.post(CREATE, content=json.dumps(entity(story, "夺")), headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "FORBIDDEN")
    assert contents(server.db) == before


@pytest.mark.parametrize("number", range(11))
def test_a_socket_of_a_page_at_another_port_or_scheme_is_refused(server: Server, number: int) -> None:
    protocols = [Subprotocol(f"page.{page_token(server.client)}")]
    origin = Origin(neighbours(server.url)[number])
    with (
        pytest.raises(InvalidStatus) as refused,
        web_socket(server.socket_url, origin=origin, subprotocols=protocols),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_the_servers_own_page_writes_with_its_token(server: Server) -> None:
    story = server.new_story()
    headers = {"origin": server.url, "x-fabula-page": page_token(server.client)}
    assert server.client.post(CREATE, json=entity(story, "甲"), headers=headers).json()["ok"]
    as_file = {**headers, "content-type": "text/plain"}
    taken = server.client.post(
        f"/api/v2/stories/{story}/import", content="- {type: Item, name: 铜铃}", headers=as_file
    )
    assert taken.status_code == 200, taken.text


@pytest.mark.parametrize("shown", [{}, {"x-fabula-page": ""}, {"x-fabula-page": "wrong"}])
def test_the_servers_own_page_writes_nothing_without_its_token(server: Server, shown: dict[str, str]) -> None:
    before = contents(server.db)
    refused = server.client.post(
        "/api/v2/stories", json={"title": "夺"}, headers={"origin": server.url, **shown}
    )
    assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
    assert refused.json()["details"] == {"reason": "page_token"}
    assert "/api/v2/page-token" in refused.json()["suggestion"]
    assert contents(server.db) == before


def test_the_servers_own_page_reads_without_its_token(server: Server) -> None:
    """Browsers name the origin of a page's scripts and fonts, to which no page can add a header."""
    for path in ("/", "/static/app/theme.js", "/api/v2/stories"):
        assert server.client.get(path, headers={"origin": server.url}).status_code == 200
        for origin in neighbours(server.url):
            assert server.client.get(path, headers={"origin": origin}).status_code == 403


@pytest.mark.parametrize("more", [[], ["fabula"]])
def test_a_socket_of_the_servers_own_page_shows_its_token_among_protocols(
    server: Server, more: list[str]
) -> None:
    story = server.new_story()
    offered = [Subprotocol(protocol) for protocol in (f"page.{page_token(server.client)}", *more)]
    origin = Origin(server.url)
    with web_socket(server.socket_url, origin=origin, subprotocols=offered) as socket:
        assert socket.subprotocol == offered[-1]
        socket.send(json.dumps({"id": 1, "channel": LIST, "payload": {"projectId": story}}))
        assert json.loads(socket.recv(PATIENCE))["ok"]
    with pytest.raises(InvalidStatus), web_socket(server.socket_url, origin=origin):
        pass


def test_a_server_that_starts_again_has_another_token(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = page_token(server.client)
    with serving(tmp_path) as server:
        assert page_token(server.client) != first
        headers = {"origin": server.url, "x-fabula-page": first}
        refused = server.client.post("/api/v2/stories", json={"title": "甲"}, headers=headers)
        assert refused.json()["details"] == {"reason": "page_token"}


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", None, "application/jsonp"]
)
@pytest.mark.parametrize("path", [CREATE, "/v1/chat/completions", "/mcp"])
def test_json_of_a_page_says_that_it_is_json(server: Server, path: str, kind: str | None) -> None:
    before = contents(server.db)
    headers = {"origin": server.url, "x-fabula-page": page_token(server.client)}
    if kind is not None:
        headers["content-type"] = kind
    refused = server.client.post(path, content=b'{"projectId": "p"}', headers=headers)
    assert refused.status_code == 400
    assert "VALIDATION_ERROR" in refused.text
    assert "application/json" in refused.text
    assert contents(server.db) == before


def test_rest_takes_no_json_in_disguise(server: Server) -> None:
    before = contents(server.db)
    headers = {"origin": server.url, "x-fabula-page": page_token(server.client), "content-type": "text/plain"}
    refused = server.client.post("/api/v2/stories", content=b'{"title": "x"}', headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")
    assert contents(server.db) == before


def test_a_program_needs_neither_origin_nor_token(server: Server) -> None:
    story = server.new_story()
    answer = server.client.post(
        CREATE, content=json.dumps(entity(story, "甲")), headers={"content-type": "text/plain"}
    )
    assert answer.json()["ok"]


# How browsers say what lets them fetch something.
IMAGE = {"sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
FRAME = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize(
    ("path", "way", "status"),
    [
        ("/", LINK, 200),
        ("/stories/any/write", LINK, 200),
        ("/docs", LINK, 200),
        ("/", FRAME, 403),
        ("/static/app/theme.js", IMAGE, 403),
        ("/api/v2/stories", IMAGE, 403),
        ("/api/v2/stories", LINK, 403),
        ("/api/v2/page-token", IMAGE, 403),
        ("/api/v2/page-token", {}, 403),
        ("/v1/models", LINK, 403),
        ("/metrics", LINK, 403),
    ],
)
def test_a_page_from_elsewhere_may_lead_here_and_fetch_nothing(
    server: Server, site: str, path: str, way: dict[str, str], status: int
) -> None:
    answer = server.client.get(path, headers={"sec-fetch-site": site, **way})
    assert answer.status_code == status


@pytest.mark.parametrize("site", ["same-origin", "none"])
@pytest.mark.parametrize("path", ["/", "/docs", "/api/v2/stories", "/api/v2/page-token"])
def test_the_servers_own_page_and_its_user_fetch_everything(server: Server, site: str, path: str) -> None:
    assert server.client.get(path, headers={"sec-fetch-site": site}).status_code == 200


@pytest.fixture(scope="module")
def friendly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that lets pages of somebody else in."""
    allowed = f"{NOTES}:443 http://localhost:3000"
    with serving(tmp_path_factory.mktemp("friendly"), FABULA_ALLOWED_ORIGINS=allowed) as server:
        yield server


@pytest.mark.parametrize("origin", [NOTES, "http://localhost:3000"])
def test_pages_that_the_settings_name_ask_and_read(friendly: Server, origin: str) -> None:
    asked = {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
    }
    invited = friendly.client.options("/v1/chat/completions", headers=asked)
    assert invited.status_code == 200
    assert invited.headers["access-control-allow-origin"] == origin
    assert "content-type" in invited.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in invited.headers
    answer = friendly.client.post("/api/v2/stories", json={"title": "甲"}, headers={"origin": origin})
    assert answer.status_code == 201, answer.text
    assert answer.headers["access-control-allow-origin"] == origin
    with web_socket(friendly.socket_url, origin=Origin(origin)):
        pass


@pytest.mark.parametrize(
    "origin", ["http://notes.example.org", f"{NOTES}:444", "http://localhost:3001", "null"]
)
def test_pages_that_the_settings_do_not_name_stay_outside(friendly: Server, origin: str) -> None:
    asked = {"origin": origin, "access-control-request-method": "POST"}
    refused = friendly.client.options("/v1/chat/completions", headers=asked)
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers
    answer = friendly.client.post("/api/v2/stories", json={"title": "甲"}, headers={"origin": origin})
    assert answer.status_code == 403


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with requiring_tokens(tmp_path_factory.mktemp("accounts")) as opened:
        yield opened


def test_with_accounts_pages_need_no_token_of_the_server(house: House) -> None:
    assert house.send("GET", "/api/v2/page-token", None).json() == {"token": None}
    made = house.send("POST", "/api/v2/stories", "owner", {"title": "甲"}, origin=house.server.url)
    assert made.status_code == 201


@pytest.mark.parametrize(
    ("host", "forwarded", "origin", "status"),
    [
        ("fabula.example.org", "https", "https://fabula.example.org", 201),
        ("fabula.example.org:8443", "https", "https://fabula.example.org:8443", 201),
        ("fabula.example.org", "https, http", "https://fabula.example.org", 201),
        ("FABULA.example.org:443", "https", "https://fabula.example.org", 201),
        ("fabula.example.org", "https", "http://fabula.example.org", 403),
        ("fabula.example.org", "http", "https://fabula.example.org", 403),
        ("fabula.example.org:8443", "https", "https://fabula.example.org", 403),
        ("fabula.example.org", "gopher", "http://fabula.example.org", 201),
        ("fabula.example.org", None, "http://fabula.example.org", 201),
    ],
)
def test_behind_a_proxy_the_origin_is_that_of_the_proxy(
    house: House, host: str, forwarded: str | None, origin: str, status: int
) -> None:
    told = {} if forwarded is None else {"x-forwarded-proto": forwarded}
    made = house.send("POST", "/api/v2/stories", "owner", {"title": "甲"}, host=host, origin=origin, **told)
    assert made.status_code == status


@pytest.mark.long
def test_all_processes_of_a_server_give_the_same_token(tmp_path: Path) -> None:
    with serving(tmp_path, FABULA_PROCESSES="3") as server:
        tokens = set()
        for _ in range(12):
            with httpx.Client(base_url=server.url, trust_env=False, timeout=PATIENCE) as client:
                shown = page_token(client)
                headers = {"origin": server.url, "x-fabula-page": shown}
                made = client.post("/api/v2/stories", json={"title": "甲"}, headers=headers)
                assert made.status_code == 201
                tokens.add(shown)
        assert len(tokens) == 1
        assert not any(token in line for token in tokens for line in server.lines)


def test_an_application_of_its_own_makes_a_token_of_its_own(memory: Memory) -> None:
    with served(memory) as url, httpx.Client(base_url=url, trust_env=False) as client:
        assert re.fullmatch(r"[\w-]{43}", page_token(client))


SCHEMES = st.sampled_from(["http", "https"])
HOSTS = st.sampled_from(["localhost", "127.0.0.1", "[::1]", "fabula.example.org"])
PORTS = st.sampled_from(["", ":80", ":443", ":3000", ":8765"])
DEFAULTS = {"http": ":80", "https": ":443"}


@given(SCHEMES, HOSTS, PORTS, SCHEMES, HOSTS, PORTS)
def test_two_are_one_origin_only_if_scheme_host_and_port_are(
    scheme: str, host: str, port: str, own_scheme: str, own_host: str, own_port: str
) -> None:
    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": "/api/v2/stories",
        "scheme": own_scheme,
    }
    headers = {b"host": own_host + own_port, b"origin": f"{scheme}://{host}{port}", b"x-fabula-page": "t"}
    is_own = (scheme, host, port or DEFAULTS[scheme]) == (
        own_scheme,
        own_host,
        own_port or DEFAULTS[own_scheme],
    )
    assert (Origins(page_token="t").refusal(scope, headers) is None) == is_own


@given(st.text())
def test_what_is_compared_is_compared_as_it_was(text: str) -> None:
    normal = normal_origin(text)
    assert normal is None or normal_origin(normal) == normal
