"""Every request has a number and a line; the metrics count them; neither tells of a story or a key."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from prometheus_client.parser import text_string_to_metric_families

from doors import Server, serving
from endpoints import completion, connected, refusal, told
from tenants import requiring_tokens
from waiting import PATIENCE

ROUTE = "/api/v2/stories/{storyId}"


def metrics_of(server: Server) -> dict[tuple[str, ...], float]:
    """Every figure by its name and the values of its labels."""
    shown = server.client.get("/metrics")
    assert shown.status_code == 200
    assert shown.headers["content-type"].startswith("text/plain; version=")
    families = text_string_to_metric_families(shown.text)
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def test_requests_are_counted_by_the_pattern_of_their_address(server: Server, told: str) -> None:
    key = ("fabula_requests_total", "GET", ROUTE, "200")
    before = metrics_of(server).get(key, 0)
    for _ in range(3):
        assert server.client.get(f"/api/v2/stories/{told}").status_code == 200
    after = metrics_of(server)
    assert after[key] == before + 3
    assert after["fabula_request_seconds_count", ROUTE] >= 3
    assert after["fabula_requests_open",] == 1, "the one that asks"


def test_nothing_that_callers_say_becomes_a_metric_of_its_own(server: Server, told: str) -> None:
    server.client.get("/metrics")
    before = set(metrics_of(server))
    for number in range(20):
        server.client.get(f"/nowhere-{number}", headers={"host": f"evil-{number}.example"})
        server.client.get(f"/nowhere-{number}/{uuid4()}")
        server.client.get(f"/api/v2/stories/{uuid4()}")
        server.client.get(f"/static/{uuid4()}")
        server.client.request(f"FOO{number}", f"/api/v2/stories/{told}")
        server.ask(f"knowledge:秘密{number}", {})
    new = set(metrics_of(server)) - before
    assert len({key for key in new if key[0] == "fabula_requests_total"}) <= 6
    assert not any("秘密" in part or "nowhere" in part or "FOO" in part for key in new for part in key)


def test_metrics_of_the_server(server: Server, told: str) -> None:
    before = metrics_of(server)
    server.entity(told, "林远")
    wanted = {"chapter": 0, "scene": 0, "text": "林远推开门。"}
    for _ in range(2):
        context = server.client.post(f"/api/v2/stories/{told}/context/assemble", json=wanted)
        assert context.status_code == 200
    server.client.get(f"/api/v2/stories/{uuid4()}")
    after = metrics_of(server)
    grown = {key: after[key] - before.get(key, 0) for key in after}
    assert grown["fabula_context_seconds_count",] == 2
    assert grown["fabula_operations_total", "answered"] >= 3
    assert grown["fabula_operations_total", "refused"] == 1
    assert grown["fabula_operations_total", "failed"] == 0
    assert grown["fabula_context_tokens_sum",] == 2 * context.json()["estimatedTokens"]
    assert grown["fabula_index_lookups_total", "compiled"] >= 1
    assert grown["fabula_index_lookups_total", "found"] >= 1
    assert after["fabula_index_stories",] >= 1
    assert 0 < after["fabula_index_bytes",] <= 1_000_000_000
    assert after["fabula_database_up",] == after["fabula_crew_up",] == 1
    assert {key[1] for key in after if key[0] == "fabula_jobs"} == {
        "queued",
        "processing",
        "done",
        "failed",
        "cancelled",
    }


@pytest.mark.parametrize("sane", ["a", "4bf92f3577b34da6a3ce929d0e0e4736", "web-1.2:3_x"])
def test_a_sane_number_of_the_caller_is_answered(server: Server, sane: str) -> None:
    answer = server.client.get("/api/v2/health", headers={"x-request-id": sane})
    assert answer.headers["x-request-id"] == sane


@pytest.mark.parametrize(
    "given", [None, "", "two words", "a" * 65, "<script>", "林远".encode(), 'a"b', "a\tb"]
)
def test_any_other_request_gets_a_number_of_ours(server: Server, given: Any) -> None:
    headers = {} if given is None else {"x-request-id": given}
    for path in ("/api/v2/health", "/nowhere", "/api/v2/stories/none"):
        answer = server.client.get(path, headers=headers)
        assert re.fullmatch(r"[0-9a-f-]{36}", answer.headers["x-request-id"])


def test_refusals_before_any_door_have_a_number_too(server: Server) -> None:
    refused = server.client.get("/", headers={"host": "evil.example", "x-request-id": "mine"})
    assert (refused.status_code, refused.headers["x-request-id"]) == (403, "mine")


def test_the_log_names_the_request_and_the_address_without_its_ids(server: Server, told: str) -> None:
    number = str(uuid4())
    server.client.get(f"/api/v2/stories/{told}", headers={"x-request-id": number})
    line = json.loads(server.wait_for_line(lambda line: number in line))
    assert (line["logger"], line["requestId"]) == ("fabula.requests", number)
    assert (line["method"], line["route"], line["status"]) == ("GET", ROUTE, 200)
    assert line["ms"] >= 0


def test_what_is_logged_while_a_request_is_answered_names_it(server: Server) -> None:
    number = str(uuid4())
    asked = {"projectId": "p", "id": "x"}
    server.client.post("/api/v2/ipc/knowledge:entity:read", json=asked, headers={"x-request-id": number})
    refused = server.wait_for_line(lambda line: number in line and "fabula.calls" in line)
    assert json.loads(refused)["code"] == "NOT_FOUND"


def test_a_server_that_stands_by_is_ready(server: Server) -> None:
    answer = server.client.get("/api/v2/ready")
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "ready", "database": True, "schemaCurrent": True, "jobs": True, "staying": True},
    )


@pytest.mark.slow
def test_metrics_are_for_those_with_a_token_and_readiness_for_everybody(tmp_path: Path) -> None:
    with requiring_tokens(tmp_path) as house:
        assert house.send("GET", "/metrics", None).status_code == 401
        assert house.send("GET", "/api/v2/ready", None).status_code == 200
        shown = house.send("GET", "/metrics", "stranger")
        assert shown.status_code == 200
        assert house.story not in shown.text


@pytest.mark.slow
def test_no_secret_reaches_the_log_or_the_metrics(tmp_path: Path) -> None:
    """A word that stands in everything that can be said to a server, which logs all it can."""
    secret = "绝密Xq7"
    key = f"sk-{'Xq7' * 8}"
    with connected() as model:
        model.played.plays(
            refusal(400, f"{key} {secret}"), told(secret), completion(secret), refusal(400, key)
        )
        settings = {
            "FABULA_LOG_LEVEL": "debug",
            "FABULA_LLM_BASE_URL": model.played.url,
            "FABULA_LLM_API_KEY": key,
            "FABULA_LLM_MODEL": "played",
            "FABULA_WORK_AFTER_SAVING": "on",
        }
        with serving(tmp_path, **settings) as server:
            _say_everywhere(server, secret, key)
            shown = server.client.get("/metrics").text
            server.end()
    logged = "\n".join(server.lines)
    assert '"fabula.requests"' in logged
    assert '"failed"' in logged or '"refused"' in logged
    for hidden in ("Xq7", "绝密"):
        assert hidden not in logged
        assert hidden not in shown


def _say_everywhere(server: Server, secret: str, key: str) -> None:
    client, story = server.client, server.new_story(secret)
    below = f"/api/v2/stories/{story}"
    entity = server.entity(
        story, secret, description=secret, attributes={secret: secret}, aliases=[secret + "2"]
    )
    server.error("knowledge:entity:create", {"projectId": story, "type": "character", "name": secret})
    server.error("knowledge:entity:create", {"projectId": secret, "type": secret, "name": {secret: secret}})
    server.error(f"knowledge:{secret}", {secret: secret})
    server.error("knowledge:entity:read", {"projectId": story, "id": secret})
    scene = {"text": f"{secret}推开门。", "title": secret}
    assert client.put(f"{below}/chapters/0/scenes/0", json=scene).status_code in (200, 201)
    for method, path, body in (
        ("GET", f"/{secret}", None),
        ("GET", f"/api/v2/stories/{secret}", None),
        ("GET", f"{below}/search?q={secret}", None),
        ("GET", f"{below}/lorebook/{secret}", None),
        ("POST", f"{below}/context/assemble", {"chapter": 0, "scene": 0, "text": secret, "pinned": [entity]}),
        ("POST", f"{below}/context/assemble", {secret: secret}),
        ("POST", f"{below}/extract-entities", {"text": secret, "extractor": "model"}),
        ("POST", f"{below}/extract-entities", {"text": secret * 9, "extractor": "local"}),
        (
            "POST",
            f"{below}/chat",
            {"chapter": 0, "scene": 0, "messages": [{"role": "user", "content": secret}]},
        ),
        (
            "POST",
            "/v1/chat/completions",
            {"model": secret, "messages": [{"role": "user", "content": secret}]},
        ),
        ("POST", "/v1/chat/completions", {"model": story, "messages": [{"role": "user", "content": secret}]}),
        ("POST", f"{below}/import", {"text": secret}),
        ("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": secret, "params": {secret: secret}}),
    ):
        headers = {"authorization": f"Bearer {key}", "x-request-id": secret.encode(), "user-agent": key}
        client.request(method, path, json=body, headers=headers, timeout=PATIENCE)
    client.post("/api/v2/ipc/knowledge:entity:list", content=f'{{"{secret}'.encode())
