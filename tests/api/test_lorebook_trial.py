"""`POST /lorebooks/try`: the observed scans through the door, and what it does with bad cases."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server
from observed_scans import cases, expected

ADDRESS = "/api/v2/lorebooks/try"


def entry(uid: int, key: str, **fields: Any) -> dict[str, Any]:
    return {"uid": uid, "key": [key], "content": f"Entry {uid}.", "order": 100, "position": 0, **fields}


@pytest.mark.parametrize("feature", ["regex", "timed", "multi_book", "character_filter"])
def test_a_case_as_it_was_observed_is_answered_as_it_was_observed(server: Server, feature: str) -> None:
    for case in cases()[feature]:
        answer = server.client.post(ADDRESS, json={**case, "tokenizer": "vectors"})
        assert answer.status_code == 200, answer.text
        turns = answer.json() if isinstance(case["expect"], list) else [answer.json()]
        for seen, said in zip(expected(case), turns, strict=True):
            assert {field: said[field] for field in seen} == seen, case["id"]


def test_every_entry_is_in_the_trace_with_its_reason(server: Server) -> None:
    case = {
        "book": {"entries": {"0": entry(0, "fog", comment="Fog"), "1": entry(1, "zeppelin"), "2": None}},
        "chat": [{"name": "Mira", "is_user": False, "mes": "The fog rolls in."}],
    }
    trace = server.client.post(ADDRESS, json=case).json()["trace"]
    assert [(row["uid"], row["fired"], row["reason"]) for row in trace] == [
        (0, True, "key"),
        (1, False, "not_found"),
        (None, False, "unreadable"),
    ]
    assert trace[0] == {
        "book": "book",
        "uid": 0,
        "comment": "Fog",
        "fired": True,
        "reason": "key",
        "pass": 1,
        "key": "fog",
        "where": "chat",
        "index": 0,
        "tokens": 4,
    }


def test_tokens_are_counted_in_the_vocabulary_of_the_settings_unless_the_case_says_otherwise(
    server: Server,
) -> None:
    case = {
        "book": {"entries": [entry(0, "fog", content="incomprehensibilities")]},
        "chat": [{"mes": "fog"}],
    }
    exact, ruled = (
        server.client.post(ADDRESS, json={**case, "tokenizer": kind}).json()["trace"][0]["tokens"]
        for kind in ("fabula", "vectors")
    )
    assert ruled == 1
    assert exact > 1


def test_the_same_seed_has_the_same_dice(server: Server) -> None:
    case = {
        "book": {"entries": [entry(uid, "fog", probability=50, useProbability=True) for uid in range(20)]},
        "chat": [{"mes": "fog"}],
    }
    first, again, other = (
        server.client.post(ADDRESS, json={**case, "seed": seed}).json() for seed in ("a", "a", "b")
    )
    assert first == again
    assert first["activated"] != other["activated"]
    assert (first["seed"], other["seed"]) == ("a", "b")


@pytest.mark.parametrize(
    "case",
    [
        [],
        "fog",
        5,
        None,
        {"book": []},
        {"book": {}},
        {"book": {"entries": "x"}},
        {"books": []},
        {"chat": {}},
        {"chat": [[]]},
        {"turns": {}},
        {"settings": []},
        {"settings": {"characterStrategy": 7}},
        {"settings": {"budgetPercent": -1}},
        {"character": []},
        {"user": "x" * 2_000},
        {"seed": 5},
    ],
)
def test_a_case_of_the_wrong_shape_says_what_is_wrong(server: Server, case: Any) -> None:
    answer = server.client.post(ADDRESS, json=case)
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"chat": [{"mes": "\\ud83d"}]}',
        b'{"book": {"entries": ' + b"[" * 5_000 + b"]" * 5_000 + b"}}",
    ],
    ids=["no JSON", "no text", "half a character", "very deep"],
)
def test_a_hostile_body_is_no_fault_of_the_server(server: Server, body: bytes) -> None:
    answer = server.client.post(ADDRESS, content=body, headers={"content-type": "application/json"})
    assert answer.status_code < 500, answer.text


def test_an_empty_case_is_a_scan_of_nothing(server: Server) -> None:
    said = server.client.post(ADDRESS, json={}).json()
    assert (said["activated"], said["passes"], said["budget"], said["trace"]) == ([], [], None, [])


def test_a_pattern_that_takes_too_long_is_reported_and_the_rest_fires(server: Server) -> None:
    case = {
        "book": {"entries": [entry(0, r"/(a|aa)+(?=b)c/"), entry(1, "dragon")]},
        "chat": [{"mes": "c" + "a" * 5_000 + "b dragon"}],
    }
    said = server.client.post(ADDRESS, json=case).json()
    assert said["activated"] == [1]
    assert said["trace"][0]["reason"] == "pattern_timeout"
