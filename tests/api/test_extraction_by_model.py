"""Extraction by a language model over REST: who read, what was found, and what a failing model means."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import Server
from fabula.api.app import create_app
from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.story_memory import StoryMemory
from postgres import place_at

TEXT = "林逸感到腰间的寒霜剑微微震颤，一股极寒之力从剑身涌出。"
ANSWER = {
    "entities": [
        {
            "entityName": "林逸",
            "entityType": "character",
            "attributes": {"role": "protagonist", "currentAction": "感应到寒霜剑共鸣"},
            "sourceText": "林逸感到腰间的寒霜剑微微震颤",
            "confidence": 0.95,
        },
        {
            "entityName": "寒霜剑",
            "entityType": "item",
            "attributes": {"type": "weapon", "element": "ice", "abilities": ["极寒之力", "自主震颤"]},
            "sourceText": "寒霜剑微微震颤，一股极寒之力从剑身涌出",
            "confidence": 0.92,
        },
    ],
    "events": [],
}


class ReadByModel:
    """A story whose texts a scripted model reads."""

    def __init__(self, folder: Path, lines: list[Any], **settings: Any) -> None:
        self.chat = ScriptedChatModel(lines)
        self.memory = Memory(place_at(folder / "fabula.db"), chat=self.chat, **settings)
        self.story: StoryMemory = self.memory.story("剑")
        self.app = create_app(self.memory, version="0")

    def extract(self, **wishes: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                path = f"/api/v2/stories/{self.story.id}/extract-entities"
                return await client.post(path, json={"text": TEXT, **wishes})

        return asyncio.run(asked())


@pytest.fixture
def opened() -> Iterator[list[ReadByModel]]:
    made: list[ReadByModel] = []
    yield made
    for one in made:
        one.memory.close()


def reading(opened: list[ReadByModel], folder: Path, *lines: Any, **settings: Any) -> ReadByModel:
    opened.append(ReadByModel(folder, list(lines), **settings))
    return opened[-1]


@pytest.mark.long
def test_the_example_comes_from_a_model_and_says_so(opened: list[ReadByModel], tmp_path: Path) -> None:
    said = json.dumps(ANSWER, ensure_ascii=False)
    told = reading(opened, tmp_path, said, said)
    answer = told.extract(manuscriptId="ms-uuid-001").json()
    assert (answer["extractor"], answer["totalExtracted"], answer["unread"]) == ("model:scripted", 2, [])
    for found, given in zip(answer["extractions"], ANSWER["entities"], strict=True):
        assert found["attributesJson"] == given["attributes"]
        assert all(found[name] == given[name] for name in ("entityName", "entityType", "sourceText"))
        assert (found["sourceFound"], found["reviewAction"]) == (True, "pending")
        assert found["extractor"] == "model:scripted"
    again = told.extract(extractor="model").json()
    assert (again["totalExtracted"], again["skipped"]["pending"]) == (0, 2)
    assert told.extract(extractor="local").json()["extractor"] == "local"


@pytest.mark.scenario("MEMORY-REST-EXTRACT-ERRORS")
@pytest.mark.parametrize("wish", ["auto", "model"])
@pytest.mark.parametrize("error", [LlmUnavailable, LlmRateLimited])
def test_a_model_that_fails_is_an_error_and_nothing_is_written(
    opened: list[ReadByModel], tmp_path: Path, wish: str, error: Any
) -> None:
    told = reading(opened, tmp_path, error("No."))
    refused = told.extract(extractor=wish)
    assert (refused.status_code, refused.json()["code"]) == (error.status, error.code)
    assert refused.json()["suggestion"]
    assert told.story.proposals(reviewed=None) == ()


@pytest.mark.scenario("MEMORY-REST-EXTRACT-ERRORS")
def test_who_asks_a_model_too_often_is_told_to_wait(opened: list[ReadByModel], tmp_path: Path) -> None:
    empty = '{"entities": [], "events": []}'
    told = reading(opened, tmp_path, empty, empty, model_calls_per_minute=1)
    assert told.extract().status_code == 200
    refused = told.extract()
    assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")
    assert int(refused.headers["retry-after"]) > 0
    assert told.extract(extractor="local").status_code == 200


def test_what_a_model_invents_stays_within_bounds(opened: list[ReadByModel], tmp_path: Path) -> None:
    wild = [
        {"entityName": "名" * 5000, "entityType": "character", "confidence": 1},
        {"entityName": "<script>alert(1)</script>", "entityType": "item", "confidence": 1},
        {"entityName": "寒霜剑", "entityType": "sword", "attributes": {f"k{n}": n for n in range(999)}},
        {"entityName": 7, "entityType": None},
        {"entityName": "林逸", "entityType": "character", "confidence": 99, "sourceText": "没有这句话"},
        "noise",
    ]
    said = json.dumps({"entities": wild, "events": [{"event": "震颤", "role": "林逸"}]}, ensure_ascii=False)
    told = reading(opened, tmp_path, said, said)
    answer = told.extract()
    assert answer.status_code == 200, answer.text
    for found in answer.json()["extractions"]:
        assert len(found["entityName"]) <= 200
        assert len(found["attributesJson"]) <= 200
        assert 0 <= found["confidence"] <= 1
        assert found["sourceFound"] is (found["sourceStart"] is not None)
    for one in told.story.proposals():
        told.story.review(one.id, "approved")
    assert told.memory.audit()[0].differing == ()


def test_a_model_is_not_shown_whom_it_must_not_hear_of(opened: list[ReadByModel], tmp_path: Path) -> None:
    said = {
        "entities": [{"entityName": "盐先生", "entityType": "character", "confidence": 0.9}],
        "events": [],
    }
    told = reading(opened, tmp_path, json.dumps(said, ensure_ascii=False))
    people = told.story.entity
    people.create(type="character", name="盐先生", aliases=["陶婆婆"], ai_context_level="never")
    people.create(type="character", name="江离", aliases=["阿离", "陶婆婆"])
    people.create(type="character", name="沈潮", aliases=["沈郎"], since={"chapter": 9})
    text = "江离看见盐先生和沈潮。"
    answer = told.extract(text=text, chapter=2).json()
    (request,) = told.chat.requests
    shown = "\n".join(message.content for message in request.messages).replace(text, "")
    assert "江离" in shown
    assert "阿离" in shown
    assert [word for word in ("盐先生", "陶婆婆", "沈潮", "沈郎") if word in shown] == []
    assert (answer["extractions"], answer["skipped"]["known"]) == ([], 1)


def test_a_server_without_a_model_reads_the_example_itself(server: Server, told: str) -> None:
    path = f"/api/v2/stories/{told}/extract-entities"
    text = f"{TEXT}林逸拔剑，林逸大喝一声：“苏瑶，快走！”"
    answer = server.client.post(path, json={"text": text, "chapter": 0, "scene": 0}).json()
    assert answer["extractor"] == "local"
    assert "林逸" in [found["entityName"] for found in answer["extractions"]]
    for found in answer["extractions"]:
        assert text[found["sourceStart"] : found["sourceEnd"]] == found["sourceText"]
