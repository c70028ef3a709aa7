"""`deploy/nginx.conf` in a real nginx before four real processes; only what is an operator's is changed."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import Server, popen
from endpoints import DONE, PlayedEndpoint, connected, data, event, stream
from fabula.memory import Memory
from fabula.operations.accounts import add_user, create_token
from ports import free_port
from required import missing
from waiting import PATIENCE, eventually
from web_sockets import web_socket

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_only(reason="a proxy knows no database")]

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
PROCESSES = 4
LARGEST_MB = 2
ROUND_IT = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
{user}
events {{}}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/fabula.conf;
}}
"""


@dataclass
class Service:
    """The proxy, who stands behind it, and the model that they ask."""

    port: int
    plain_port: int
    trusted: ssl.SSLContext
    token: str
    servers: list[Server]
    model: PlayedEndpoint
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = self.caller(authorization=f"Bearer {self.token}")

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def caller(self, **headers: str) -> httpx.Client:
        return httpx.Client(
            base_url=self.url, verify=self.trusted, headers=headers, timeout=PATIENCE, trust_env=False
        )

    def new_story(self) -> str:
        made = self.client.post("/api/v2/stories", json={"title": "雾港", "language": "zh"})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def channel(self, name: str, payload: dict[str, Any], **headers: str) -> httpx.Response:
        answer = self.client.post(f"/api/v2/ipc/{name}", json=payload, headers=headers)
        assert answer.json()["ok"], answer.text
        return answer

    def who(self, answer: httpx.Response) -> int:
        """Which process gave an answer: the one in whose log its number is."""
        number = answer.headers["x-request-id"]

        def look() -> int | None:
            return next(
                (
                    index
                    for index, server in enumerate(self.servers)
                    if any(record.get("requestId") == number for record in server.records())
                ),
                None,
            )

        return eventually(look)


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that nobody has signed, and its key."""
    chain, key = folder / "fullchain.pem", folder / "privkey.pem"
    wanted = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    named = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(chain)]
    subprocess.run(["openssl", *wanted.split(), *named], check=True, capture_output=True)
    return chain, key


def adapted(folder: Path, ports: tuple[int, int], servers: list[Server]) -> str:
    """The configuration with what an operator changes: name, certificate, ports."""
    chain, key = certificate(folder)
    said = CONFIGURATION.read_text("utf-8")
    changes = {
        "fabula.example.org": "localhost",
        "/etc/ssl/fabula/fullchain.pem": str(chain),
        "/etc/ssl/fabula/privkey.pem": str(key),
        "listen 443 ": f"listen 127.0.0.1:{ports[0]} ",
        "listen 80;": f"listen 127.0.0.1:{ports[1]};",
        "    # server ": "    server ",
    }
    changes |= {f"127.0.0.1:{8765 + n};": f"{server.url[7:]};" for n, server in enumerate(servers)}
    for old, new in changes.items():
        assert old in said
        said = said.replace(old, new)
    return said


@contextmanager
def proxied(folder: Path, servers: list[Server]) -> Iterator[tuple[int, int]]:
    """nginx before these servers: its ports for TLS and without."""
    if NGINX is None or shutil.which("openssl") is None:
        missing("There is no nginx here, or no openssl: make nginx")
    ports = (free_port(), free_port())
    (folder / "fabula.conf").write_text(adapted(folder, ports, servers), "utf-8")
    user = "user root;" if os.geteuid() == 0 else ""
    whole = folder / "nginx.conf"
    whole.write_text(ROUND_IT.format(folder=folder, user=user), "utf-8")
    command = [NGINX, "-p", str(folder), "-c", str(whole), "-e", str(folder / "error.log")]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    assert "[warn]" not in tried.stderr
    process = subprocess.Popen(command)
    try:
        eventually(lambda: _listens(ports[0]))
        yield ports
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _listens(port: int) -> bool:
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("proxy")
    db = folder / "fabula.db"
    with Memory(db) as memory:
        add_user(memory.call(), name="lin")
        token = create_token(memory.call(), user_name="lin").secret
    with ExitStack() as opened:
        model = opened.enter_context(connected()).played
        settings = {
            "FABULA_AUTH": "required",
            "FABULA_WORK_AFTER_SAVING": "off",
            "FABULA_LLM_BASE_URL": model.url,
            "FABULA_LLM_MODEL": "played",
            "FABULA_MAX_BODY_MB": str(LARGEST_MB),
        }
        started = [
            popen(["serve", "--db", str(db), "--port", "0"], folder, settings) for _ in range(PROCESSES)
        ]
        servers = [Server(process, db) for process in started]
        for server in servers:
            opened.callback(server.close)
        ports = opened.enter_context(proxied(folder, servers))
        trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
        made = Service(*ports, trusted, token, servers, model)
        opened.callback(made.client.close)
        yield made


def test_every_door_is_open_behind_the_proxy(service: Service) -> None:
    story = service.new_story()
    made = service.channel("knowledge:entity:create", {"projectId": story, "type": "item", "name": "铜铃"})
    entity = made.json()["data"]["id"]
    accepted = {"accept": "application/json, text/event-stream"}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert "search" in service.client.post("/mcp", json=hello, headers=accepted).text
    offered: Any = [f"bearer.{service.token}", "fabula"]
    address = f"wss://localhost:{service.port}/api/v2/ipc"
    with web_socket(address, ssl=service.trusted, subprotocols=offered, origin=service.url) as conversation:
        conversation.send(
            '{"id": 1, "channel": "knowledge:entity:read", "payload": '
            f'{{"projectId": "{story}", "id": "{entity}"}}}}'
        )
        assert "铜铃" in conversation.recv(PATIENCE)
    for address in ("/", f"/stories/{story}/write?chapter=0"):
        page = service.client.get(address)
        assert (page.status_code, page.headers["cache-control"]) == (200, "no-cache")
        assert "default-src 'none'" in page.headers["content-security-policy"]
    assert service.client.get("/api/v2/ready").json()["status"] == "ready"


def test_names_schemes_and_numbers_are_those_of_the_proxy(service: Service) -> None:
    with httpx.Client(trust_env=False) as plain:
        sent_on = plain.get(f"http://localhost:{service.plain_port}/stories/x?y=1")
    assert (sent_on.status_code, sent_on.headers["location"]) == (301, "https://localhost/stories/x?y=1")
    # Nobody outside chooses the number under which a request is found in the log.
    answer = service.client.get("/api/v2/stories", headers={"x-request-id": "mine", "origin": service.url})
    assert answer.status_code == 200
    assert answer.headers.get_list("x-request-id") != ["mine"]
    assert len(answer.headers.get_list("x-request-id")) == 1
    assert answer.headers["strict-transport-security"]
    for origin in ("https://elsewhere.example", f"http://localhost:{service.port}", "https://localhost"):
        foreign = service.client.get("/api/v2/stories", headers={"origin": origin})
        assert (foreign.status_code, foreign.json()["code"]) == (403, "FORBIDDEN")
    other = ssl.create_default_context(cafile=None)
    other.check_hostname, other.verify_mode = False, ssl.CERT_NONE
    other.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", service.port), PATIENCE) as line,
        other.wrap_socket(line, server_hostname="localhost") as secured,
    ):
        assert secured.selected_alpn_protocol() == "h2"


def test_only_those_with_a_token_are_let_in_and_nobody_sees_the_figures(service: Service) -> None:
    with service.caller() as stranger:
        refused = stranger.get("/api/v2/stories")
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert service.client.get("/metrics").status_code == 404


def test_what_is_large_is_packed_and_what_has_a_name_of_its_own_is_kept(service: Service) -> None:
    named = re.search(r'src="(/static/app/assets/[^"]+)"', service.client.get("/").text)
    assert named is not None
    script = named[1]
    answer = service.client.get(script)
    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
    known = service.client.get(script, headers={"if-none-match": answer.headers["etag"]})
    assert known.status_code == 304
    story = service.new_story()
    people = [{"type": "character", "name": f"人{n}"} for n in range(50)]
    service.channel("knowledge:batch:upsert", {"projectId": story, "entities": people})
    listed = service.channel("knowledge:entity:list", {"projectId": story})
    assert listed.headers["content-encoding"] == "gzip"


def test_pages_hear_at_once_of_what_has_changed(service: Service) -> None:
    story = service.new_story()
    with service.client.stream("GET", f"/api/v2/stories/{story}/live") as heard:
        assert "content-encoding" not in heard.headers
        lines = heard.iter_lines()
        assert next(line for line in lines if line.startswith("data:")) == "data: 1"
        service.channel("knowledge:entity:create", {"projectId": story, "type": "item", "name": "铜铃"})
        assert next(line for line in lines if line.startswith("data:")) == "data: 2"


@pytest.mark.parametrize("door", ["chat", "completions"])
def test_what_a_model_says_comes_word_by_word(service: Service, door: str) -> None:
    """The model says its second word only when the first has arrived."""
    story = service.new_story()
    arrived = threading.Event()

    def words() -> Iterator[bytes]:
        yield event("潮")
        assert arrived.wait(PATIENCE)
        yield event("声")
        yield event(None, "stop")
        yield DONE

    def scene(handler: BaseHTTPRequestHandler) -> None:
        (stream(words()) if handler.command == "POST" else data({"data": []}))(handler)

    service.model.plays(scene)
    said = [{"role": "user", "content": "继续"}]
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "chat": (f"/api/v2/stories/{story}/chat", {"chapter": 0, "scene": 0, "messages": said}),
        "completions": ("/v1/chat/completions", {"model": story, "messages": said, "stream": True}),
    }
    address, body = asked[door]
    heard = ""
    with service.client.stream("POST", address, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        for piece in answer.iter_text():
            heard += piece
            if "潮" in heard:
                arrived.set()
    assert "声" in heard


def test_bodies_may_be_as_large_as_the_setting_says_and_no_larger(service: Service) -> None:
    novel = "第一章 灯\n" + "望归塔的灯亮了一夜。" * ((LARGEST_MB << 20) // 30 - 10)
    fits = service.client.post("/api/v2/novels", json={"title": "大", "text": novel, "language": "zh"})
    assert fits.status_code < 300, fits.text
    too_large = b"x" * ((LARGEST_MB << 20) + 1)
    pieces = (too_large[at : at + 65_536] for at in range(0, len(too_large), 65_536))
    for content in (too_large, pieces):
        refused = service.client.post("/api/v2/novels", content=content)
        assert (refused.status_code, refused.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")


def test_a_story_stays_with_one_process_and_moves_when_that_is_gone(service: Service) -> None:
    stories = [service.new_story() for _ in range(12)]
    at: dict[str, int] = {}
    for story in stories:
        asked = {"projectId": story}
        seen = {
            service.who(service.client.get(f"/api/v2/stories/{story}")),
            service.who(service.client.get(f"/api/v2/stories/{story}/lorebook?limit=5")),
            service.who(service.channel("knowledge:entity:list", asked, **{"x-fabula-story": story})),
            service.who(
                service.channel(
                    "knowledge:entity:list", asked, referer=f"{service.url}/stories/{story}/graph"
                )
            ),
        }
        assert len(seen) == 1
        at[story] = seen.pop()
    assert len(set(at.values())) > 1
    # Whoever says no story stays with one process, too.
    unsaid = {service.who(service.channel("knowledge:entity:list", {"projectId": s})) for s in stories}
    assert len(unsaid) == 1

    lost = at[stories[0]]
    service.servers[lost].process.kill()
    service.servers[lost].process.wait(PATIENCE)
    for story in stories:
        written = service.channel(
            "knowledge:entity:create",
            {"projectId": story, "type": "item", "name": "铜铃"},
            **{"x-fabula-story": story},
        )
        assert written.json()["data"]["name"] == "铜铃"
        process = service.who(service.client.get(f"/api/v2/stories/{story}"))
        assert process == at[story] if at[story] != lost else process != lost
