"""The language model set up in the page: who may, what happens to the key, and an endpoint that fails."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import Server, everything, serving
from endpoints import (
    KEY,
    Connected,
    closed_address,
    completion,
    connected,
    data,
    dropped,
    event,
    plain,
    refusal,
    stream,
    told,
)
from fabula.memory import Memory
from tenants import requiring_tokens
from waiting import PATIENCE

FILE = "fabula.model.json"
MODELS = {"data": [{"id": "small"}, {"id": "Large"}]}


@pytest.fixture
def endpoint() -> Iterator[Connected]:
    with connected() as opened:
        yield opened


def in_file(folder: Path) -> dict[str, str]:
    """Where the set-up is kept, whatever the database."""
    return {"FABULA_MODEL_FILE": str(folder / FILE)}


def kept(folder: Path, **settings: str) -> AbstractContextManager[Server]:
    return serving(folder, **in_file(folder), **settings)


class Page:
    """A server of its own, and the requests of a page to it."""

    def __init__(self, url: str) -> None:
        self.url = f"{url}/api/v2"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return httpx.request(
            method, self.url + path, json=body, headers=headers, timeout=PATIENCE, trust_env=False
        )

    def setup(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", "/model").json()
        return found


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with kept(tmp_path) as server:
        yield Page(server.url)


def test_a_model_is_set_up_tried_and_used_and_outlives_the_server(
    tmp_path: Path, endpoint: Connected
) -> None:
    played = endpoint.played
    with kept(tmp_path) as server:
        page = Page(server.url)
        assert page.setup()["configured"] is False
        played.plays(data(MODELS))
        listed = page.ask("POST", "/model/list", {"address": played.url, "key": KEY})
        assert listed.json() == {"models": ["Large", "small"]}
        assert played.asked[-1].headers["authorization"] == f"Bearer {KEY}"
        played.plays(told("Hello ", "there."))
        tried = page.ask("POST", "/model/try", {"address": played.url, "key": KEY, "model": "small"}).json()
        assert (tried["text"], tried["model"]) == ("Hello there.", "small")
        assert tried["seconds"] >= tried["firstWordSeconds"] >= 0
        assert page.setup()["configured"] is False, "trying saves nothing"
        body = {"address": played.url, "key": KEY, "models": {"write": "small", "sumUp": "Large"}}
        saved = page.ask("PUT", "/model", body).json()
        assert saved["address"] == played.url
        assert saved["hasKey"] is True
        assert page.ask("GET", "/settings").json()["languageModel"] == {"configured": True, "name": "small"}
    with kept(tmp_path) as server:
        page = Page(server.url)
        assert page.setup()["models"] == {"write": "small", "read": "", "sumUp": "Large"}
        story = page.ask("POST", "/stories", {"title": "Lamps", "language": "en"}).json()["id"]
        played.plays(completion("It rained."))
        asked = {"chapter": 0, "scene": 0, "text": "Night.", "stream": False}
        assert page.ask("POST", f"/stories/{story}/chat", asked).json()["text"] == "It rained."
        assert played.asked[-1].headers["authorization"] == f"Bearer {KEY}"
        for task, model in (("write", "small"), ("sum_up", "Large")):
            played.plays(completion("It rained."))
            page.ask("POST", f"/stories/{story}/chat", {**asked, "task": task})
            assert played.bodies[-1]["model"] == model


def test_the_key_leaves_by_no_door_and_is_in_no_database_log_export_or_backup(
    tmp_path: Path, endpoint: Connected
) -> None:
    endpoint.played.plays(refusal(401, f"Incorrect API key provided: {KEY}"))
    with kept(tmp_path) as server:
        page = Page(server.url)
        body = {"address": endpoint.played.url, "key": KEY}
        answers = [page.ask("PUT", "/model", body)]
        story = page.ask("POST", "/stories", {"title": "Lamps", "language": "en"}).json()["id"]
        answers += [
            page.ask(*asked)
            for asked in (
                ("GET", "/model"),
                ("GET", "/settings"),
                ("POST", "/model/list", {}),
                ("POST", "/model/try", {}),
                ("POST", f"/stories/{story}/chat", {"chapter": 0, "scene": 0, "text": "x", "stream": False}),
                ("GET", f"/stories/{story}/history"),
                ("GET", f"/stories/{story}/jobs"),
                ("GET", f"/stories/{story}/export"),
                ("PUT", "/model", {"address": "nowhere", "key": KEY}),
                ("PUT", "/model", {"address": endpoint.played.url, "key": KEY + "\n"}),
            )
        ]
        assert not any(KEY in answer.text for answer in answers)
        assert answers[-1].status_code == answers[-2].status_code == 400
        assert KEY not in repr(everything(server.db))
    file = tmp_path / FILE
    with Memory(server.db) as memory:
        backup, _ = memory.backup(tmp_path / "backups" / "one.backup")
    assert KEY.encode() not in backup.read_bytes()
    holding = {
        path.name for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()
    }
    assert holding == {file.name}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_another_address_drops_the_key_and_the_same_one_keeps_it(page: Page, endpoint: Connected) -> None:
    url = endpoint.played.url
    assert page.ask("PUT", "/model", {"address": url, "key": KEY}).json()["hasKey"] is True
    assert page.ask("PUT", "/model", {"address": url + "/"}).json()["hasKey"] is True
    assert page.ask("PUT", "/model", {"address": url, "key": ""}).json()["hasKey"] is False
    page.ask("PUT", "/model", {"address": url, "key": KEY})
    other = url.replace("127.0.0.1", "localhost")
    endpoint.played.plays(data(MODELS))
    page.ask("POST", "/model/list", {"address": other})
    assert "authorization" not in endpoint.played.asked[-1].headers, "a key goes to its own address only"
    assert page.ask("PUT", "/model", {"address": other}).json()["hasKey"] is False
    assert page.ask("PUT", "/model", {"address": url}).json()["hasKey"] is False


@pytest.mark.parametrize(
    "scene", [refusal(500, "broken"), refusal(429, "slow down"), plain(b"<html>", kind="text/html"), dropped]
)
def test_an_endpoint_that_fails_is_told_in_words_and_nothing_is_saved(
    page: Page, endpoint: Connected, scene: Any
) -> None:
    endpoint.played.plays(scene)
    refused = page.ask("POST", "/model/list", {"address": endpoint.played.url})
    assert refused.status_code in (429, 502)
    assert refused.json()["code"].startswith("LLM_")
    assert refused.json()["suggestion"]
    assert page.setup()["address"] == ""


def test_nobody_at_the_address_and_an_answer_that_breaks_off(page: Page, endpoint: Connected) -> None:
    nobody = page.ask("POST", "/model/list", {"address": closed_address()})
    assert (nobody.status_code, nobody.json()["code"]) == (502, "LLM_UNAVAILABLE")
    endpoint.played.plays(stream([event("Half a")], drops=True))
    broken = page.ask("POST", "/model/try", {"address": endpoint.played.url, "model": "small"})
    assert (broken.status_code, broken.json()["code"]) == (502, "LLM_UNAVAILABLE")


def test_what_the_settings_say_wins_and_is_shown_as_such(tmp_path: Path, endpoint: Connected) -> None:
    url = endpoint.played.url
    file = tmp_path / FILE
    file.write_text(json.dumps({"address": "http://127.0.0.1:9/v1", "key": "stored-key-0123456789"}))
    with kept(tmp_path, FABULA_LLM_BASE_URL=url, FABULA_LLM_API_KEY=KEY) as server:
        page = Page(server.url)
        found = page.setup()
        assert (found["address"], found["fixed"], found["hasKey"]) == (url, ["address", "key"], True)
        refused = page.ask("PUT", "/model", {"address": "http://127.0.0.1:9/v1"})
        assert (refused.status_code, refused.json()["details"]["reason"]) == (400, "fixed")
        saved = page.ask("PUT", "/model", {"address": url, "models": {"write": "small"}}).json()
        assert saved["models"]["write"] == "small"
        assert KEY not in file.read_text(), "a key of the settings is not copied"
        endpoint.played.plays(data(MODELS))
        page.ask("POST", "/model/list", {})
        assert endpoint.played.asked[-1].headers["authorization"] == f"Bearer {KEY}"


def test_only_administrators_set_it_up_where_there_are_accounts(tmp_path: Path, endpoint: Connected) -> None:
    url = endpoint.played.url
    endpoint.played.plays(data(MODELS))
    with requiring_tokens(tmp_path, **in_file(tmp_path), FABULA_ADMINISTRATORS="owner") as house:
        page = Page(house.server.url)

        def asked(who: str | None, method: str, path: str, body: Any = None) -> httpx.Response:
            token = "fab_nobody" if who is None else house.tokens[who]
            return page.ask(method, path, body, authorization=f"Bearer {token}")

        for who in ("editor", "reader", "stranger"):
            shown = asked(who, "GET", "/model").json()
            assert (shown["mayChange"], shown["address"], shown["hasKey"]) == (False, None, False)
            for method, path in (("PUT", "/model"), ("POST", "/model/list"), ("POST", "/model/try")):
                refused = asked(who, method, path, {"address": "https://models.example.org/v1", "key": KEY})
                assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
        assert asked(None, "PUT", "/model", {"address": ""}).status_code == 401
        private = asked("owner", "PUT", "/model", {"address": url, "key": KEY})
        assert (private.status_code, private.json()["details"]["reason"]) == (403, "private_address")
        assert asked("owner", "POST", "/model/list", {"address": url}).status_code == 403
        assert endpoint.played.asked == []
        public = {"address": "https://192.0.43.8/v1", "key": KEY}
        assert asked("owner", "PUT", "/model", public).json()["hasKey"] is True


def test_a_private_address_is_allowed_by_a_setting(tmp_path: Path, endpoint: Connected) -> None:
    settings = {**in_file(tmp_path), "FABULA_ADMINISTRATORS": "owner", "FABULA_PRIVATE_MODELS": "on"}
    with requiring_tokens(tmp_path, **settings) as house:
        page = Page(house.server.url)
        token = f"Bearer {house.tokens['owner']}"
        saved = page.ask("PUT", "/model", {"address": endpoint.played.url}, authorization=token)
        assert saved.json()["configured"] is True


def test_a_damaged_file_is_no_model_and_is_written_anew(tmp_path: Path, endpoint: Connected) -> None:
    (tmp_path / FILE).write_bytes(b"{half")
    with kept(tmp_path) as server:
        page = Page(server.url)
        assert page.setup()["configured"] is False
        assert page.ask("PUT", "/model", {"address": endpoint.played.url}).json()["configured"] is True
