"""Extraction and its review over REST, by the examples of MEMORY 3.3.3."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server

TEXT = "林逸感到腰间的寒霜剑微微震颤，一股极寒之力从剑身涌出。"
LIN = {
    "entityName": "林逸",
    "entityType": "character",
    "attributesJson": {"role": "protagonist", "currentAction": "感应到寒霜剑共鸣"},
    "sourceText": "林逸感到腰间的寒霜剑微微震颤",
    "confidence": 0.95,
}
SWORD = {
    "entityName": "寒霜剑",
    "entityType": "item",
    "attributesJson": {"type": "weapon", "element": "ice", "abilities": ["极寒之力", "自主震颤"]},
    "sourceText": "寒霜剑微微震颤，一股极寒之力从剑身涌出",
    "confidence": 0.92,
}
OWNS = {
    "kind": "relation",
    "entityName": "林逸",
    "attributesJson": {"target": "寒霜剑", "type": "POSSESSES", "description": "佩剑"},
    "confidence": 0.7,
}
REVIEW = {
    "action": "approved",
    "mergeTargetLorebookId": None,
    "createLorebookEntry": True,
    "lorebookOverrides": {"displayName": "林逸 - 主角", "priority": 20, "tokenBudget": 600},
}
SHOWN = {"id", "storyId", "manuscriptId", "entityName", "entityType", "attributesJson", "sourceText"} | {
    *("confidence", "reviewed", "reviewAction", "linkedLorebookId", "createdAt")
}


class Queue:
    """The proposals of one story."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        self.url = f"/api/v2/stories/{story}"

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, self.url + path, **more)
        assert response.status_code == status, response.text
        return response.json()

    def refused(self, method: str, path: str, status: int, code: str, **more: Any) -> dict[str, Any]:
        body: dict[str, Any] = self.call(method, path, status, **more)
        assert set(body) <= {"code", "message", "details", "suggestion"}
        assert (body["code"], bool(body["suggestion"])) == (code, True)
        return body

    def propose(self, *proposals: dict[str, Any], **origin: Any) -> list[dict[str, Any]]:
        said = {"proposals": proposals, "text": TEXT, **origin}
        found: list[dict[str, Any]] = self.call("POST", "/extractions", json=said)["extractions"]
        return found

    def review(self, proposal: str, **decision: Any) -> dict[str, Any]:
        done: dict[str, Any] = self.call("PUT", f"/extractions/{proposal}/review", json=decision)
        return done

    def names(self, **query: Any) -> list[str]:
        return [one["entityName"] for one in self.call("GET", "/extractions", params=query)["content"]]

    def entities(self) -> dict[str, dict[str, Any]]:
        found = self.server.data("knowledge:entity:list", {"projectId": self.story})["items"]
        return {entity["name"]: entity for entity in found}

    def revision(self) -> int:
        return int(self.call("GET", "")["revision"])

    def undo(self) -> None:
        self.call("POST", "/history/undo")


@pytest.fixture
def queue(server: Server, told: str) -> Queue:
    return Queue(server, told)


@pytest.mark.scenario("ENGRAM-WRITING")
def test_the_example_is_extracted_listed_and_approved(queue: Queue) -> None:
    lin, sword = queue.propose(LIN, SWORD, manuscriptId="ms-uuid-001")
    assert set(lin) >= SHOWN
    for found, said in ((lin, LIN), (sword, SWORD)):
        assert {name: found[name] for name in said} == said
        assert (found["reviewed"], found["reviewAction"], found["suggestion"]) == (False, "pending", "new")
        start, end = found["sourceStart"], found["sourceEnd"]
        assert (found["sourceFound"], TEXT[start:end]) == (True, said["sourceText"])
    listed = queue.call("GET", "/extractions?reviewed=false&entityType=character&page=0&size=20")
    assert listed == {"content": [lin], "totalElements": 1, "totalPages": 1, "number": 0, "size": 20}
    assert (lin["manuscriptId"], lin["storyId"]) == ("ms-uuid-001", queue.story)
    done = queue.review(lin["id"], **REVIEW)
    assert (done["id"], done["entityName"], done["entityType"]) == (lin["id"], "林逸", "character")
    assert (done["reviewed"], done["reviewAction"], done["graphNodeSynced"]) == (True, "approved", True)
    entry = queue.call("GET", f"/lorebook/{done['linkedLorebookId']}")
    assert (entry["entryKey"], entry["category"], entry["entityId"]) == (
        *("林逸", "character"),
        done["linkedEntityId"],
    )
    overrides = REVIEW["lorebookOverrides"]
    assert {name: entry[name] for name in overrides} == overrides
    assert entry["attributes"] == LIN["attributesJson"]
    assert "林逸" in [node["name"] for node in queue.call("GET", "/graph")["nodes"]]
    kept = queue.call("GET", f"/extractions/{lin['id']}")
    assert (kept["reviewAction"], kept["linkedLorebookId"]) == ("approved", entry["id"])
    assert queue.names(reviewed=False) == ["寒霜剑"]
    steps = queue.call("GET", "/history", params={"id": lin["id"]})["content"]
    assert [step["action"] for step in steps] == ["extraction:review", "extraction:propose"]
    assert steps[0]["changes"][0]["after"]["attributesJson"] == LIN["attributesJson"]
    assert queue.call("DELETE", "")["deleted"] is True


def test_a_second_review_is_refused_and_an_undone_one_can_be_made_again(queue: Queue) -> None:
    (lin,) = queue.propose(LIN)
    for first in ("approved", "rejected"):
        queue.review(lin["id"], action=first)
        before = queue.revision()
        for second in ("approved", "rejected", "merged"):
            path = f"/extractions/{lin['id']}/review"
            body = queue.refused("PUT", path, 409, "EXTRACTION_ALREADY_REVIEWED", json={"action": second})
            assert body["details"] == {"id": lin["id"], "reviewAction": first}
        assert queue.revision() == before
        queue.undo()
        assert queue.call("GET", f"/extractions/{lin['id']}")["reviewAction"] == "pending"
        assert queue.entities() == {}


@pytest.mark.parametrize(
    "wrong",
    [
        {"action": "maybe"},
        {"action": "pending"},
        {"action": None},
        {},
        {"action": "merged"},
        {"action": "approved", "mergeTargetLorebookId": "x"},
        {"action": "merged", "mergeTargetLorebookId": "x", "mergeTargetEntityId": "y"},
        {"action": "approved", "lorebookOverrides": {"tokenBudget": 0}},
        {"action": "approved", "lorebookOverrides": {"color": "red"}},
        {"action": "approved", "createLorebookEntry": False, "lorebookOverrides": {"priority": 1}},
        {"action": "approved", "unknownField": 1},
    ],
)
def test_a_bad_decision_is_refused_and_nothing_is_written(queue: Queue, wrong: dict[str, Any]) -> None:
    (lin,) = queue.propose(LIN)
    before = queue.revision()
    queue.refused("PUT", f"/extractions/{lin['id']}/review", 400, "VALIDATION_ERROR", json=wrong)
    assert (queue.revision(), queue.entities()) == (before, {})


def test_what_is_not_of_this_story_is_not_found(queue: Queue) -> None:
    other = Queue(queue.server, queue.server.new_story())
    (theirs,) = other.propose(LIN)
    done = other.review(theirs["id"], action="approved")
    (mine,) = queue.propose(LIN)
    before = queue.revision()
    for unknown in (theirs["id"], "nobody"):
        path = f"/extractions/{unknown}"
        queue.refused("GET", path, 404, "NOT_FOUND")
        queue.refused("PUT", f"{path}/review", 404, "NOT_FOUND", json={"action": "approved"})
    path = f"/extractions/{mine['id']}/review"
    merge = {"action": "merged", "mergeTargetLorebookId": done["linkedLorebookId"]}
    queue.refused("PUT", path, 404, "NOT_FOUND", json=merge)
    merge = {"action": "merged", "mergeTargetEntityId": done["linkedEntityId"]}
    queue.refused("PUT", path, 403, "KG_SCOPE_VIOLATION", json=merge)
    assert (queue.revision(), queue.entities()) == (before, {})


@pytest.mark.scenario("MEMORY-REST-EXTRACT-ERRORS")
@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": " \n\t"},
        {},
        {"text": 7},
        {"text": "字\u0000"},
        {"text": "林逸", "extractor": "oracle"},
        {"text": "林逸", "chapter": -1},
        {"text": "林逸", "scene": 1},
        {"text": "林逸", "more": True},
    ],
)
def test_a_text_that_is_none_is_refused(queue: Queue, wrong: dict[str, Any]) -> None:
    before = queue.revision()
    queue.refused("POST", "/extract-entities", 400, "VALIDATION_ERROR", json=wrong)
    assert queue.revision() == before


def test_without_a_model_the_local_extractor_reads_and_the_answer_says_so(queue: Queue) -> None:
    for wish in ({}, {"extractor": "auto"}, {"extractor": "local"}):
        answer = queue.call("POST", "/extract-entities", json={"text": TEXT, **wish})
        assert answer["extractor"] == "local"
        assert answer["totalExtracted"] == len(answer["extractions"])
        assert set(answer["skipped"]) == {"known", "pending", "rejected", "unusable", "keptApart"}
    body = {"text": TEXT, "extractor": "model"}
    refused = queue.refused("POST", "/extract-entities", 502, "LLM_UNAVAILABLE", json=body)
    assert refused["details"]["reason"] == "not_configured"


def test_a_merge_adds_names_and_attributes_and_leaves_the_authors_word(queue: Queue) -> None:
    entry = queue.call(
        "POST",
        "/lorebook",
        201,
        json={
            "entryKey": "林逸",
            "category": "character",
            "content": "青云宗弟子。",
            "attributes": {"role": "配角"},
        },
    )
    (hero,) = queue.propose({**LIN, "entityName": "逸少", "aliases": ["小逸"]})
    assert hero["suggestion"] == "new"
    done = queue.review(hero["id"], action="merged", mergeTargetLorebookId=entry["id"])
    assert (done["reviewAction"], done["linkedLorebookId"]) == ("merged", entry["id"])
    now = queue.call("GET", f"/lorebook/{entry['id']}")
    assert now["aliases"] == ["逸少", "小逸"]
    assert now["attributes"] == {"role": "配角", "currentAction": "感应到寒霜剑共鸣"}
    assert now["content"] == "青云宗弟子。"
    assert list(queue.entities()) == ["林逸"]
    queue.undo()
    assert {**queue.call("GET", f"/lorebook/{entry['id']}"), **_counted(entry)} == entry


def _counted(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in ("version", "updatedAt")}


def test_many_are_reviewed_in_one_step_and_a_dry_run_says_what_would_happen(queue: Queue) -> None:
    lin, sword, owns = queue.propose(LIN, SWORD, OWNS)
    before = queue.revision()
    sure = {"action": "approved", "minConfidence": 0.93}
    preview = queue.call("POST", "/extractions/review", json={**sure, "dryRun": True})
    assert (queue.revision(), queue.entities()) == (before, {})
    (would,) = preview["results"]
    assert (would["id"], would["linkedEntityId"], would["linkedLorebookId"]) == (lin["id"], None, None)
    assert [(row["kind"], row["operation"], row["name"]) for row in would["written"]] == [
        ("entity", "add", "林逸"),
        ("entry", "add", "林逸"),
    ]
    assert would["written"][0]["attributes"] == LIN["attributesJson"]
    ids = [owns["id"], sword["id"], lin["id"], "nobody"]
    done = queue.call("POST", "/extractions/review", json={"action": "approved", "ids": ids})
    assert queue.revision() == before + 1
    assert done["counts"] == {"approved": 3, "rejected": 0, "merged": 0, "failed": 1}
    assert [(one["id"], one["code"]) for one in done["errors"]] == [("nobody", "NOT_FOUND")]
    (relation,) = queue.server.data("knowledge:relation:list", {"projectId": queue.story})["items"]
    assert (relation["relationType"], relation["description"]) == ("owns", "佩剑")
    again = queue.call("POST", "/extractions/review", json={"action": "rejected", "ids": ids[:1]})
    assert again["errors"][0]["code"] == "EXTRACTION_ALREADY_REVIEWED"
    assert queue.revision() == before + 1
    queue.undo()
    assert (queue.entities(), queue.names(reviewed=False)) == ({}, ["林逸", "寒霜剑", "林逸"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"action": "approved"},
        {"action": "approved", "ids": []},
        {"action": "approved", "ids": ["a"], "minConfidence": 0.5},
        {"action": "approved", "minConfidence": 1.5},
        {"action": "approved", "minConfidence": "all"},
        {"action": "approved", "entityType": "dragon"},
        {"action": "approved", "kind": "dragon"},
        {"action": "burned", "minConfidence": 0},
    ],
)
def test_a_bad_batch_is_refused(queue: Queue, wrong: dict[str, Any]) -> None:
    queue.propose(LIN)
    queue.refused("POST", "/extractions/review", 400, "VALIDATION_ERROR", json=wrong)
    assert queue.names(reviewed=False) == ["林逸"]


def test_a_list_is_newest_first_then_surest_and_filtered(queue: Queue) -> None:
    queue.propose(SWORD, LIN, OWNS)
    queue.propose({**SWORD, "entityName": "青云剑", "confidence": 0.1})
    assert queue.names() == ["青云剑", "林逸", "寒霜剑", "林逸"]
    assert queue.names(kind="relation") == ["林逸"]
    assert queue.names(entityType="item") == ["青云剑", "寒霜剑"]
    assert queue.names(minConfidence=0.9) == ["林逸", "寒霜剑"]
    assert queue.names(page=1, size=3) == ["林逸"]
    for query in ("entityType=dragon", "kind=dragon", "minConfidence=2", "size=0", "reviewed=perhaps"):
        queue.refused("GET", f"/extractions?{query}", 400, "VALIDATION_ERROR")


def test_a_story_may_approve_at_once_and_undo_takes_it_all_back(queue: Queue) -> None:
    queue.refused("PATCH", "", 400, "VALIDATION_ERROR", json={"settings": {"autoApprove": 2}})
    queue.call("PATCH", "", json={"settings": {"autoApprove": 0.9}})
    answer = queue.call("POST", "/extractions", json={"proposals": [LIN, SWORD, OWNS]})
    assert answer["autoApproved"] == 2
    assert [one["reviewAction"] for one in answer["extractions"]] == ["approved", "approved", "pending"]
    assert set(queue.entities()) == {"林逸", "寒霜剑"}
    queue.undo()
    assert (queue.entities(), queue.names()) == ({}, [])


def test_markup_and_long_names_stay_text_and_within_limits(queue: Queue) -> None:
    markup = "<img src=x onerror=alert(1)>"
    (shown,) = queue.propose({**LIN, "entityName": markup})
    assert queue.review(shown["id"], action="approved")["entityName"] == markup
    assert queue.entities()[markup]["name"] == markup
    before = queue.revision()
    for wrong in (
        {"entityName": "长" * 201},
        {"entityName": "\u200b"},
        {"entityName": "甲\n乙"},
        {"entityType": "dragon"},
        {"confidence": 1.1},
        {"confidence": "0.5"},
        {"sourceText": "长" * 4001},
        {"attributesJson": {"a": {"b": "c" * 300_000}}},
        {"kind": "relation", "attributesJson": {"target": "甲"}},
        {"kind": "alias", "attributesJson": {}},
        {"aliases": ["x"] * 5000},
    ):
        body = {"proposals": [{**LIN, **wrong}]}
        queue.refused("POST", "/extractions", 400, "VALIDATION_ERROR", json=body)
    queue.refused("POST", "/extractions", 400, "VALIDATION_ERROR", json={"proposals": []})
    queue.refused("POST", "/extractions", 400, "VALIDATION_ERROR", json={"proposals": [LIN] * 1001})
    assert queue.revision() == before
