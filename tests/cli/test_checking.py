"""`fabula check`: what it prints and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from endpoints import completion, connected
from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import put_chapter
from postgres import place_at

Run = Callable[..., Any]


@pytest.fixture
def novel(tmp_path: Path) -> str:
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        story = memory.story("Novel", language="en")
        for name in ("Anna", "Levin"):
            story.entity.create(type="character", name=name)
        story.scene(0, 0, "Anna had grey eyes. Levin died that night.")
        story.scene(1, 0, "Nobody could forget Anna’s blue eyes.")
        story.scene(2, 0, "Levin opened the door.")
    return str(tmp_path / "novel.db")


def test_errors_end_it_with_status_one_and_both_quotations_are_printed(run: Run, novel: str) -> None:
    done = run("check", "Novel", "--db", novel)
    assert done.code == 1
    for said in (
        "chapter 2, scene 1:28 warning",
        "← chapter 1, scene 1 Anna had grey eyes.",
        "(trait)",
        "Anna had grey eyes.",
        "(dead-acts)",
        "1 errors, 1 warnings",
    ):
        assert said in done.out


def test_warnings_count_only_beyond_the_most_that_are_allowed(run: Run, novel: str) -> None:
    assert run("check", "Novel", "--chapter", "1", "--db", novel).code == 0
    assert run("check", "Novel", "--chapter", "1", "--max-warnings", "1", "--db", novel).code == 0
    assert run("check", "Novel", "--rule", "trait", "--max-warnings", "0", "--db", novel).code == 1
    assert run("check", "Novel", "--rule", "name", "--db", novel).code == 0


def test_only_what_was_saved_since_a_revision_is_checked(run: Run, novel: str) -> None:
    told = json.loads(run("check", "Novel", "--format", "json", "--db", novel).out)
    since = str(told["revision"])
    assert run("check", "Novel", "--since-revision", since, "--db", novel).code == 0
    with Memory(place_at(Path(novel))) as memory:
        memory.story("Novel").scene(2, 0, "Levin opened the door again.")
    done = run("check", "Novel", "--since-revision", since, "--format", "json", "--db", novel)
    assert [one["rule"] for one in json.loads(done.out)["findings"]] == ["dead-acts"]
    assert done.code == 1


def test_json_and_sarif_are_for_programs(run: Run, novel: str) -> None:
    told = json.loads(run("check", "Novel", "--format", "json", "--db", novel).out)
    assert [one["rule"] for one in told["findings"]] == ["trait", "dead-acts"]
    log = json.loads(run("check", "Novel", "--format", "sarif", "--db", novel).out)
    assert [one["ruleId"] for one in log["runs"][0]["results"]] == ["trait", "dead-acts"]


def test_it_speaks_chinese(run: Run, novel: str) -> None:
    said = run("check", "Novel", "--db", novel, FABULA_LANG="zh").out
    assert "1 个错误" in said
    assert "第2章第1场:28" in said


def test_a_chapter_is_called_by_its_title(run: Run, novel: str) -> None:
    with Memory(place_at(Path(novel))) as memory:
        story = memory.story("Novel")
        put_chapter(memory.call(), project_id=story.id, chapter=1, title="The Thaw")
    assert "The Thaw, scene 1:28 warning" in run("check", "Novel", "--db", novel).out


def test_a_model_is_asked_if_wished_and_its_findings_are_told_apart(run: Run, novel: str) -> None:
    words = "Nobody could forget"
    reply = {"contradictions": [{"number": 1, "quotation": "Levin opened", "reason": "He is \x1b[1mdead."}]}
    with connected() as model:
        settings = {"FABULA_LLM_BASE_URL": model.played.url, "FABULA_LLM_MODEL": "played"}
        model.played.plays(completion(json.dumps(reply)))
        done = run("check", "Novel", "--rule", "trait", "--with-model", "--db", novel, **settings)
        assert done.code == 0
        rules, _, said = done.out.partition("By played, not by rules (")
        assert words in rules
        assert words not in said
        assert "\x1b" not in said
        assert "played is asked 2 times, about" in done.err
        assert "The model took 14 tokens and gave 6; 0 requests failed." in done.err
        told = json.loads(
            run("check", "Novel", "--with-model", "--format", "json", "--db", novel, **settings).out
        )
        assert {one["rule"] for one in told["findings"]} == {"trait", "dead-acts"}
        assert told["byModel"]["model"] == "played"
        log = json.loads(
            run("check", "Novel", "--with-model", "--format", "sarif", "--db", novel, **settings).out
        )
        assert len(log["runs"]) == 2
        asked = len(model.played.asked)
        run("check", "Novel", "--with-model", "--most-requests", "1", "--db", novel, **settings)
        assert len(model.played.asked) == asked + 1


def test_without_a_model_nobody_can_be_asked(run: Run, novel: str) -> None:
    done = run("check", "Novel", "--with-model", "--db", novel)
    assert done.code != 0
    assert "model" in done.err
