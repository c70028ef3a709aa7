"""A conversation about a scene: the context first, the model's words as they come, and how it ended."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx
import pytest

from endpoints import (
    DONE,
    KEY,
    PATIENCE,
    Scene,
    completion,
    event,
    refusal,
    silent,
    silent_after,
    stream,
    told,
)
from fabula.memory import Memory
from fabula.model.relation import Language
from fabula.operations.manuscript.manuscript import put_chapter
from listening import AT_ONCE, Listening, events, listening, served, spoken, watched
from postgres import place_at


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("chat"), model_calls_per_minute=0) as running:
        yield running


@pytest.fixture(autouse=True)
def _a_fresh_play(on: Listening) -> None:
    on.played.asked.clear()
    on.played.was_left.clear()


USAGE = (
    b'data: {"model": "played-1", "choices": [], "usage": {"prompt_tokens": 70, "completion_tokens": 2}}\n\n'
)


@pytest.mark.scenario("MEMORY-FLOW-MESSAGES")
def test_the_context_comes_first_then_the_words_then_how_it_ended(on: Listening) -> None:
    story = on.story()
    on.played.plays(stream([event("江离"), event("上塔。"), event(None, "stop"), USAGE, DONE]))
    answer = on.chat(story, text="阿离看见盐先生。", messages=[spoken("user", "写下去。")], maxTokens=50)
    assert answer.headers["content-type"].startswith("text/event-stream")
    (first, context), *words, (last, done) = events(answer.text)
    assert (first, last) == ("context", "done")
    assert words == [("delta", {"text": "江离"}), ("delta", {"text": "上塔。"})]
    assert (context["storyId"], context["chapter"], context["scene"]) == (story.id, 0, 0)
    reasons = {item["label"]: (item["included"], item["reason"]) for item in context["trace"]}
    assert reasons["江离"] == (True, "detected")
    assert reasons["盐先生"] == (False, "level_never")
    assert 0 < context["estimatedTokens"] <= context["totalBudget"] == 4000
    assert done == {
        "model": "played-1",
        "finishReason": "stop",
        "promptTokens": 70,
        "completionTokens": 2,
        "saved": None,
        "jobs": [],
    }
    (asked,) = on.played.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["max_tokens"] == 50
    assert asked.body["messages"] == [
        spoken("system", "短句。"),
        spoken("system", "江离：望归塔的守灯人。"),
        spoken("user", "阿离看见盐先生。"),
        spoken("system", "停在动作上。"),
        spoken("user", "写下去。"),
    ]
    assert story.proposals() == ()
    assert on.client.get(f"/api/v2/stories/{story.id}/chapters").json() == {"chapters": []}


def test_the_whole_answer_at_once(on: Listening) -> None:
    story = on.story()
    story.scene(2, 0, "江离醒了。")
    on.played.plays(completion("她下楼。"))
    answer = on.chat(story, chapter=2, stream=False)
    assert answer.headers["content-type"] == "application/json"
    said = answer.json()
    assert (said["text"], said["finishReason"], said["promptTokens"]) == ("她下楼。", "stop", 7)
    assert said["context"]["trace"]
    assert spoken("user", "江离醒了。") in on.played.bodies[0]["messages"], "the saved text, none was given"


def test_names_in_the_conversation_bring_their_memory_and_nothing_from_later(on: Listening) -> None:
    story = on.story()
    on.played.plays(told("。"))
    answer = on.chat(story, chapter=3, messages=[spoken("user", "灯节那天阿离在哪里？")])
    reasons = {item["label"]: item["reason"] for item in events(answer.text)[0][1]["trace"]}
    assert (reasons["江离"], reasons["灯节"]) == ("detected", "not_yet")


@pytest.mark.scenario("MEMORY-FLOW-EXTRACTION", "MEMORY-FLOW-SUMMARY")
def test_an_answer_is_saved_only_when_that_is_asked_for(on: Listening) -> None:
    story = on.story()
    on.memory.work()
    on.played.plays(told("她点灯。"))
    on.chat(story, text="江离上塔。")
    (*_, (_, done)) = events(on.chat(story, text="江离上塔。", save="append").text)
    assert done["saved"] == {"chapter": 0, "scene": 0, "version": 1, "wordCount": 7}
    assert len(done["jobs"]) == 2
    kinds = {on.client.get(f"/api/v2/jobs/{job}").json()["kind"] for job in done["jobs"]}
    assert kinds == {"scene-extraction", "scene-snapshot"}
    path = f"/api/v2/stories/{story.id}/chapters/0/scenes/0"
    assert on.client.get(path).json()["text"] == "江离上塔。\n\n她点灯。"
    on.chat(story, messages=[spoken("user", "重写。")], save="replace")
    assert on.client.get(path).json()["text"] == "她点灯。"


def test_somebody_elses_change_in_between_is_not_overwritten(on: Listening) -> None:
    story = on.story()
    story.scene(0, 0, "一")

    def meanwhile() -> Iterator[bytes]:
        yield event("三")
        story.scene(0, 0, "二")
        yield event(None, "stop") + DONE

    on.played.plays(stream(meanwhile()))
    *_, words, (name, error) = events(on.chat(story, save="append").text)
    assert words == ("delta", {"text": "三"})
    assert (name, error["code"]) == ("error", "CONFLICT")
    assert on.client.get(f"/api/v2/stories/{story.id}/chapters/0/scenes/0").json()["text"] == "二"


@pytest.mark.parametrize("save", ["append", "replace"])
def test_an_answer_that_breaks_off_is_not_saved(on: Listening, save: str) -> None:
    story = on.story()
    story.scene(0, 0, "江离上塔。")
    on.played.plays(stream([event("半"), event("句")], drops=True))
    told_of = events(on.chat(story, save=save).text)
    assert [name for name, _ in told_of] == ["context", "delta", "delta", "error"]
    assert told_of[-1][1]["code"] == "LLM_UNAVAILABLE"
    assert told_of[-1][1]["details"] == {"reason": "broken_off"}
    assert told_of[-1][1]["suggestion"]
    assert on.client.get(f"/api/v2/stories/{story.id}/chapters/0/scenes/0").json()["version"] == 1


def test_a_model_that_refuses_is_an_event_after_the_context_and_a_status_without_a_stream(
    on: Listening,
) -> None:
    story = on.story()
    on.played.plays(refusal(429, "slow down", retry_after="7"))
    (first, _), (name, error) = events(on.chat(story, text="江离").text)
    assert (first, name, error["code"]) == ("context", "error", "LLM_RATE_LIMITED")
    assert error["details"]["retryAfterSeconds"] == 7
    whole = on.chat(story, text="江离", stream=False)
    assert (whole.status_code, whole.json()["code"]) == (429, "LLM_RATE_LIMITED")
    assert whole.headers["retry-after"] == "7"


def test_bad_requests_are_refused_before_the_model_is_asked(on: Listening) -> None:
    story = on.story()
    for wish in ({}, {"messages": [spoken("system", "x")]}, {"text": " "}):
        refused = on.chat(story, **wish)
        assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")
    assert on.chat(story, text="x", save="yes").status_code == 400
    assert on.chat(story, text="x", unknown=1).status_code == 400
    missing = on.client.post("/api/v2/stories/nowhere/chat", json={"chapter": 0, "scene": 0, "text": "x"})
    assert (missing.status_code, missing.json()["code"]) == (404, "NOT_FOUND")
    assert on.played.asked == []


@pytest.mark.parametrize("scene", [silent, silent_after([event("半")])])
def test_a_client_that_leaves_stops_the_model(on: Listening, scene: Scene) -> None:
    """Whether it has begun to speak or is still thinking: the endpoint sees the connection close."""
    story = on.story()
    began, seen = threading.Event(), threading.Event()
    on.played.plays(watched(scene, began, seen))
    asked = {"chapter": 0, "scene": 0, "text": "江离"}
    with on.client.stream("POST", f"/api/v2/stories/{story.id}/chat", json=asked) as answer:
        lines = answer.iter_lines()
        assert next(lines) == "event: context"
        assert began.wait(PATIENCE)
        assert not seen.is_set()
    assert seen.wait(AT_ONCE)


def test_a_client_that_leaves_before_a_whole_answer_stops_the_model(on: Listening) -> None:
    began, seen = threading.Event(), threading.Event()
    on.played.plays(watched(silent, began, seen))
    asked = {"chapter": 0, "scene": 0, "text": "江离", "stream": False}
    on.hang_up(f"/api/v2/stories/{on.story().id}/chat", asked, began)
    assert seen.wait(AT_ONCE)


def test_without_a_model_it_is_said_how_to_get_one(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Memory(place_at(tmp_path_factory.mktemp("none") / "fabula.db")) as memory, served(memory) as url:
        story = memory.story("无")
        body = {"chapter": 0, "scene": 0, "text": "x"}
        answer = httpx.post(f"{url}/api/v2/stories/{story.id}/chat", json=body, trust_env=False)
        assert (answer.status_code, answer.json()["details"]) == (502, {"reason": "not_configured"})
        settings = httpx.get(f"{url}/api/v2/settings", trust_env=False).json()
        assert settings["languageModel"] == {"configured": False, "name": None}


def test_settings_name_the_model_and_neither_its_key_nor_its_address(on: Listening) -> None:
    answer = on.client.get("/api/v2/settings")
    assert answer.json()["languageModel"] == {"configured": True, "name": "played"}
    assert KEY not in answer.text
    assert on.played.url not in json.dumps(answer.json())


def test_a_caller_has_so_many_calls_in_a_minute(tmp_path_factory: pytest.TempPathFactory) -> None:
    with listening(tmp_path_factory.mktemp("rate"), model_calls_per_minute=2) as limited:
        limited.played.plays(told("。"))
        story = limited.story()
        assert limited.chat(story, text="x").status_code == 200
        assert limited.complete("played", spoken("user", "x")).status_code == 200
        refused = limited.chat(story, text="x")
        assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")
        assert int(refused.headers["retry-after"]) > 0
        passed = limited.complete("played", spoken("user", "x"))
        assert (passed.status_code, passed.json()["error"]["code"]) == (429, "RATE_LIMITED")
        assert int(passed.headers["retry-after"]) > 0
        assert len(limited.played.asked) == 2


@pytest.mark.parametrize(
    ("language", "title", "said"),
    [
        ("zh", "第十四回 盐先生之死", ("第十四回第2场", "中文")),
        ("en", "Chapter XIV. The Death of Mr Salt", ("Chapter XIV, scene 2", "English")),
    ],
)
def test_prose_is_asked_for_with_its_language_and_its_place_and_no_title(
    on: Listening, language: Language, title: str, said: tuple[str, ...]
) -> None:
    story = on.memory.story(title, language=language)
    put_chapter(on.memory.call(), project_id=story.id, chapter=0, title=title)
    on.played.plays(told("写"))
    on.chat(story, scene=1, text="…", messages=[spoken("user", "写下去。")], prose=True)
    system = [one["content"] for one in on.played.bodies[-1]["messages"] if one["role"] == "system"]
    assert all(word in system[-1] for word in said)
    assert "盐先生" not in "".join(system)
    assert "Salt" not in "".join(system)
    on.chat(story, scene=1, text="…", messages=[spoken("user", "写下去。")])
    assert not any(said[0] in one["content"] for one in on.played.bodies[-1]["messages"])
