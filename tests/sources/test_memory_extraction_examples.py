"""MEMORY 3.1.3 and 3.3.3 by their own examples: what a text gives, and its review, over REST."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import Server
from fabula.api.app import create_app
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from postgres import place_at

BODY = {
    "text": "林逸感到腰间的寒霜剑微微震颤，一股极寒之力从剑身涌出...",
    "manuscriptId": "ms-uuid-001",
}
FOUND: list[dict[str, Any]] = [
    {
        "entityName": "林逸",
        "entityType": "character",
        "attributesJson": {"role": "protagonist", "currentAction": "感应到寒霜剑共鸣"},
        "sourceText": "林逸感到腰间的寒霜剑微微震颤",
        "confidence": 0.95,
        "reviewed": False,
        "reviewAction": "pending",
    },
    {
        "entityName": "寒霜剑",
        "entityType": "item",
        "attributesJson": {"type": "weapon", "element": "ice", "abilities": ["极寒之力", "自主震颤"]},
        "sourceText": "寒霜剑微微震颤，一股极寒之力从剑身涌出",
        "confidence": 0.92,
        "reviewed": False,
        "reviewAction": "pending",
    },
]
SWORD = {
    "entityName": "寒霜剑",
    "entityType": "item",
    "attributesJson": {
        "type": "weapon",
        "element": "ice",
        "origin": "上古神兵",
        "abilities": ["极寒之力", "血脉共鸣", "自主疗伤"],
        "currentOwner": "林逸",
    },
    "sourceText": "林逸感到腰间的寒霜剑微微震颤，一股极寒之力从剑身涌出",
    "confidence": 0.92,
}
REVIEW = {
    "action": "approved",
    "mergeTargetLorebookId": None,
    "createLorebookEntry": True,
    "lorebookOverrides": {"displayName": "林逸 - 主角", "priority": 20, "tokenBudget": 600},
}


def said(finds: list[dict[str, Any]]) -> str:
    """What a model answers to give these finds."""
    fields = ("entityName", "entityType", "sourceText", "confidence")
    entities = [{name: one[name] for name in fields} | {"attributes": one["attributesJson"]} for one in finds]
    return json.dumps({"entities": entities}, ensure_ascii=False)


@pytest.mark.scenario("MEMORY-REST-EXTRACT", "MEMORY-EXTRACT")
def test_the_reading_that_is_shown(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "fabula.db"), chat=ScriptedChatModel([said(FOUND)])) as memory:
        story = memory.story("寒霜", language="zh")

        async def asked() -> httpx.Response:
            door = httpx.ASGITransport(create_app(memory, version="0"))
            async with httpx.AsyncClient(transport=door, base_url="http://localhost/api/v2") as client:
                return await client.post(f"/stories/{story.id}/extract-entities", json=BODY)

        answer = asyncio.run(asked())
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["totalExtracted"] == 2
    for found, shown in zip(body["extractions"], FOUND, strict=True):
        assert found.items() >= shown.items()
        assert found["id"]


class Queue:
    """The finds of one story."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json()

    def propose(self, *finds: dict[str, Any]) -> list[dict[str, Any]]:
        own = ("reviewed", "reviewAction")
        proposals = [{key: value for key, value in one.items() if key not in own} for one in finds]
        body = {**BODY, "proposals": proposals}
        made: list[dict[str, Any]] = self.call("POST", "extractions", json=body)["extractions"]
        return made


@pytest.fixture
def queue(server: Server, told: str) -> Queue:
    return Queue(server, told)


@pytest.mark.scenario("MEMORY-JSON-EXTRACTION")
def test_the_find_that_is_shown(queue: Queue) -> None:
    (made,) = queue.propose(SWORD)
    state = {"reviewed": False, "reviewAction": "pending", "linkedLorebookId": None}
    place = {"storyId": queue.story, "manuscriptId": "ms-uuid-001"}
    assert made.items() >= {**SWORD, **state, **place}.items()
    assert made.keys() >= {"id", "createdAt"}


@pytest.mark.scenario("MEMORY-REST-EXTRACTIONS")
def test_the_list_that_is_shown(queue: Queue) -> None:
    lin, _ = queue.propose(*FOUND)
    page = queue.call("GET", "extractions?reviewed=false&entityType=character&page=0&size=20")
    (found,) = page["content"]
    assert found == lin
    assert found.items() >= {**FOUND[0], "manuscriptId": "ms-uuid-001"}.items()
    assert page.items() >= {"totalElements": 1, "totalPages": 1}.items()


@pytest.mark.scenario("MEMORY-REST-REVIEW", "MEMORY-REVIEW")
def test_the_review_that_is_shown(queue: Queue) -> None:
    lin, _ = queue.propose(*FOUND)
    done = queue.call("PUT", f"extractions/{lin['id']}/review", json=REVIEW)
    shown = {"id": lin["id"], "entityName": "林逸", "entityType": "character"}
    decided = {"reviewed": True, "reviewAction": "approved", "graphNodeSynced": True}
    assert done.items() >= {**shown, **decided}.items()
    entry = queue.call("GET", f"lorebook/{done['linkedLorebookId']}")
    assert entry.items() >= REVIEW["lorebookOverrides"].items()
    assert (entry["entryKey"], entry["category"]) == ("林逸", "character")
    assert "林逸" in {node["name"] for node in queue.call("GET", "graph")["nodes"]}


@pytest.mark.scenario("MEMORY-REST-REVIEW-ERRORS", "MEMORY-EXTRACTION-ACTIONS")
def test_the_errors_of_a_review(queue: Queue) -> None:
    lin, sword = queue.propose(*FOUND)
    path = f"extractions/{lin['id']}/review"
    for wrong in ("pending", "maybe"):
        assert queue.call("PUT", path, 400, json={"action": wrong})["code"] == "VALIDATION_ERROR"
    unknown = queue.call("PUT", "extractions/nobody/review", 404, json=REVIEW)
    assert unknown["code"] == "NOT_FOUND"
    assert queue.call("PUT", path, json=REVIEW)["reviewAction"] == "approved"
    assert queue.call("PUT", path, 409, json=REVIEW)["code"] == "EXTRACTION_ALREADY_REVIEWED"
    rejected = queue.call("PUT", f"extractions/{sword['id']}/review", json={"action": "rejected"})
    assert (rejected["reviewed"], rejected["reviewAction"]) == (True, "rejected")


@pytest.mark.scenario("MEMORY-REVIEW", "MEMORY-EXTRACTION-ACTIONS")
def test_a_find_is_merged_into_the_entry_that_is_named(queue: Queue) -> None:
    entry = queue.call(
        "POST", "lorebook", 201, json={"entryKey": "霜剑", "category": "item", "content": "剑"}
    )
    (sword,) = queue.propose(SWORD)
    decision = {"action": "merged", "mergeTargetLorebookId": entry["id"]}
    done = queue.call("PUT", f"extractions/{sword['id']}/review", json=decision)
    assert (done["reviewAction"], done["linkedLorebookId"]) == ("merged", entry["id"])
    assert queue.call("GET", f"lorebook/{entry['id']}")["aliases"] == ["寒霜剑"]
