"""The settings of a story: every door checks them alike, and every context obeys the budget."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from agents import Agent, in_process
from desk import Desk
from doors import fabula
from endpoints import event, stream
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations.manuscript.after_saving import CHECKS, EXTRACTION, SNAPSHOT
from fabula.operations.stories import StoryPatch, update_story
from fabula.store.writer import Writer
from listening import Listening, events, listening, spoken
from postgres import place_at
from still_clock import StillClock

OWN = 321
USUAL = 4000

BAD = [
    ("autoExtract", "no"),
    ("autoSnapshot", 1),
    ("autoApprove", 2),
    ("foldTraditional", "yes"),
    ("tokenBudget", -1),
    ("covers", [{"name": "青云宗"}]),
    ("prompts", "colder"),
    ("prompts", [{"name": "Colder", "instruction": " "}]),
    ("prompts", [{"name": "Colder", "instruction": "x" * 4_001}]),
    ("prompts", [{"name": "Colder", "instruction": "Colder.", "use": "title"}]),
    ("prompts", [{"name": "Colder", "instruction": "Colder.", "model": "http://elsewhere"}]),
    ("prompts", [{"name": "Colder", "instruction": "Colder.", "key": "x"}]),
    ("prompts", [{"name": "Colder", "instruction": "Colder."}] * 2),
]


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("settings"), model_calls_per_minute=0) as running:
        yield running


def _folder(settings: dict[str, Any]) -> dict[str, str]:
    own = {"fabula": 1, "title": f"Fog {uuid4()}", "language": "en", "settings": settings}
    return {"story.yaml": json.dumps(own)}


def _archive(settings: dict[str, Any]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in _folder(settings).items():
            archive.writestr(name, text)
    return packed.getvalue()


def _written(folder: Path, settings: dict[str, Any]) -> Path:
    source = folder / "told"
    source.mkdir()
    for name, text in _folder(settings).items():
        (source / name).write_text(text, "utf-8")
    return source


def begun_over_rest(on: Listening, folder: Path, settings: dict[str, Any]) -> str | None:
    asked = {"title": f"Fog {uuid4()}", "language": "en", "settings": settings}
    answer = on.client.post("/api/v2/stories", json=asked)
    return None if answer.status_code == 201 else answer.text


def changed_over_rest(on: Listening, folder: Path, settings: dict[str, Any]) -> str | None:
    path = f"/api/v2/stories/{on.story().id}"
    answer = on.client.patch(path, json={"settings": settings})
    return None if answer.status_code == 200 else answer.text


def taken_in_over_rest(on: Listening, folder: Path, settings: dict[str, Any]) -> str | None:
    answer = on.client.post("/api/v2/imports", params={"name": "fog.zip"}, content=_archive(settings))
    return None if answer.status_code == 200 else answer.text


def imported_in_python(on: Listening, folder: Path, settings: dict[str, Any]) -> str | None:
    try:
        on.memory.import_story(_written(folder, settings))
    except FabulaError as error:
        return json.dumps(error.as_dict())
    return None


def imported_in_the_terminal(on: Listening, folder: Path, settings: dict[str, Any]) -> str | None:
    done = fabula("import", str(_written(folder, settings)), "--db", str(folder / "x.db"), cwd=folder)
    return None if done.returncode == 0 else re.sub(r"\s+", " ", done.stderr + done.stdout)


Door = Callable[[Listening, Path, dict[str, Any]], str | None]
DOORS: list[Door] = [
    begun_over_rest,
    changed_over_rest,
    taken_in_over_rest,
    imported_in_python,
    imported_in_the_terminal,
]


@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_a_value_that_a_setting_cannot_have(
    on: Listening, tmp_path: Path, door: Door
) -> None:
    for number, (name, value) in enumerate(BAD):
        folder = tmp_path / str(number)
        folder.mkdir()
        said = door(on, folder, {name: value})
        assert said is not None, f"{name} was accepted as {value!r}"
        assert f"{name} must" in said


@pytest.mark.parametrize("door", DOORS)
def test_every_door_takes_good_settings_and_those_it_does_not_know(
    on: Listening, tmp_path: Path, door: Door
) -> None:
    good = {
        "autoExtract": False,
        "autoApprove": 0.5,
        "tokenBudget": OWN,
        "foldTraditional": None,
        "mine": [1],
    }
    assert door(on, tmp_path, good) is None


def test_what_an_older_version_let_in_counts_as_not_set(tmp_path: Path) -> None:
    clock = StillClock()
    with Memory(place_at(tmp_path / "fabula.db"), clock=clock) as memory:
        desk = Desk(memory, clock)
        story, call = desk.story, memory.call()
        with call.store.write(story.id, Writer, action="story:update", actor="older") as writer:
            before = writer.story(story.id)
            writer.replace([(before, before.model_copy(update={"settings": dict(BAD)}))])
        story.scene(0, 0, "Jiang Li lit the lamp.")
        assert story.context(0, 1).total_budget == USUAL
        assert {job.kind for job in desk.jobs()} == {EXTRACTION, SNAPSHOT, CHECKS}


def by_preview(on: Listening, story_id: str, wish: dict[str, int]) -> int:
    path = f"/api/v2/stories/{story_id}/context/preview"
    return int(on.client.get(path, params={"chapter": 0, "scene": 0, **wish}).json()["totalBudget"])


def by_assembly(on: Listening, story_id: str, wish: dict[str, int]) -> int:
    path = f"/api/v2/stories/{story_id}/context/assemble"
    return int(on.client.post(path, json={"chapter": 0, "scene": 0, **wish}).json()["totalBudget"])


def by_agent(on: Listening, story_id: str, wish: dict[str, int]) -> int:
    agent = Agent(in_process(on.memory, usual_story=story_id))
    return int(agent.call("get_context", chapter=0, scene=0, **wish)["totalBudget"])


def by_chat(on: Listening, story_id: str, wish: dict[str, int]) -> int:
    on.played.plays(stream([event("江离"), event(None, "stop")]))
    asked = {"chapter": 0, "scene": 0, "messages": [spoken("user", "写。")], **wish}
    answer = on.client.post(f"/api/v2/stories/{story_id}/chat", json=asked)
    return int(events(answer.text)[0][1]["totalBudget"])


def in_python(on: Listening, story_id: str, wish: dict[str, int]) -> int:
    return on.memory.story("", id=story_id).context(0, 0, token_budget=wish.get("tokenBudget")).total_budget


def in_the_terminal(on: Listening, story_id: str, wish: dict[str, int]) -> int:
    options = [word for value in wish.values() for word in ("--budget", str(value))]
    place = str(on.memory.place)
    done = fabula("context", story_id, *options, "--db", place, cwd=Path.cwd())
    found = re.search(r"of ([\d,]+) tokens", done.stdout)
    assert found, done.stderr + done.stdout
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("door", [by_preview, by_assembly, by_agent, by_chat, in_python, in_the_terminal])
def test_a_context_has_the_budget_of_the_call_else_of_the_story_else_the_usual_one(
    on: Listening, door: Callable[[Listening, str, dict[str, int]], int]
) -> None:
    story = on.story()
    assert door(on, story.id, {}) == USUAL
    update_story(on.memory.call(), project_id=story.id, patch=StoryPatch(settings={"tokenBudget": OWN}))
    assert door(on, story.id, {}) == OWN
    assert door(on, story.id, {"tokenBudget": 50}) == 50


def test_the_prompt_for_the_next_scene_has_the_budget_of_the_story(on: Listening) -> None:
    story = on.story()
    story.entry("长", "很久以前，灯塔还亮着。" * 100, ai_context_level="always", token_budget=2000)
    agent = Agent(in_process(on.memory, usual_story=story.id))

    def asked() -> str:
        prompt = agent.ask(lambda client: client.get_prompt("write_next_scene", {}))
        return "".join(message.content.text for message in prompt.messages)

    long = asked()
    update_story(on.memory.call(), project_id=story.id, patch=StoryPatch(settings={"tokenBudget": 60}))
    assert len(asked()) < len(long) / 2
