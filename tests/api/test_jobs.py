"""Jobs over REST: listed, in the background, kept when the server goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from doors import Server, serving

TEXT = "林惊羽推开望归塔的门。林惊羽说：“有人吗？”苏瑶从楼上走下来。苏瑶道：“你来了。”"


def test_an_extraction_in_the_background(server: Server, told: str) -> None:
    asked = {"text": TEXT, "background": True, "extractor": "local", "chapter": 0}
    response = server.client.post(f"/api/v2/stories/{told}/extract-entities", json=asked)
    assert response.status_code == 202
    task = response.json()
    assert task["status"] == "queued"
    job = server.ended(task["taskId"])
    assert (job["kind"], job["status"], job["attempts"]) == ("extraction", "done", 1)
    found = server.client.get(f"/api/v2/stories/{told}/extractions").json()["content"]
    assert {"林惊羽", "苏瑶"} <= {one["entityName"] for one in found}
    listed = server.client.get(f"/api/v2/stories/{told}/jobs").json()
    assert [one["id"] for one in listed["content"]] == [task["taskId"]]
    assert server.client.get(f"/api/v2/stories/{told}/jobs?unfinished=true").json()["totalElements"] == 0


def test_a_model_that_is_not_there_is_refused_at_once(server: Server, told: str) -> None:
    asked = {"text": TEXT, "background": True, "extractor": "model"}
    refused = server.client.post(f"/api/v2/stories/{told}/extract-entities", json=asked)
    assert (refused.status_code, refused.json()["code"]) == (502, "LLM_UNAVAILABLE")


def test_the_jobs_of_no_story(server: Server) -> None:
    refused = server.client.get("/api/v2/stories/nowhere/jobs")
    assert (refused.status_code, refused.json()["code"]) == (404, "NOT_FOUND")


def test_a_novel_is_read_in_the_background_and_comes_once(server: Server) -> None:
    body = "林惊羽说道：“苏瑶，走吧。”苏瑶笑道：“好。”林惊羽看着苏瑶。\n" * 5
    novel = {"text": f"第一章 灯\n\n{body}\n第二章 雨\n\n{body}", "title": str(uuid4())}
    response = server.client.post("/api/v2/novels", json=novel)
    assert response.status_code == 202, response.text
    told = response.json()
    assert (told["isNew"], told["chapterCount"], told["sceneCount"]) == (True, 2, 2)
    assert server.ended(told["taskId"])["status"] == "done"
    assert server.client.get(f"/api/v2/stories/{told['storyId']}").json()["entityCount"] >= 2
    again = server.client.post("/api/v2/novels", json=novel).json()
    assert (again["storyId"], again["isNew"], again["taskId"]) == (told["storyId"], False, None)
    refused = server.client.post("/api/v2/novels", json={"text": " \n"})
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")


def cancelled_reading(server: Server) -> tuple[dict[str, Any], dict[str, Any]]:
    """A novel whose reading was cancelled while it was under way, and what was answered when it came."""
    body = "林惊羽说道：“苏瑶，走吧。”苏瑶笑道：“好。”林惊羽看着苏瑶。\n" * 5
    chapters = "\n".join(f"第{number}章 灯\n\n{body}" for number in range(1, 40))
    for _ in range(50):  # whoever reads may be quicker
        novel = {"text": chapters, "title": str(uuid4())}
        told = server.client.post("/api/v2/novels", json=novel).json()
        if server.client.delete(f"/api/v2/jobs/{told['taskId']}").json()["status"] == "cancelled":
            return novel, told
    raise AssertionError("no reading could be cancelled")


def test_a_novel_whose_reading_was_cancelled_is_not_taken_for_read(server: Server) -> None:
    novel, first = cancelled_reading(server)
    again = server.client.post("/api/v2/novels", json=novel).json()
    assert (again["storyId"], again["isNew"]) == (first["storyId"], False)
    assert again["taskId"] not in (None, first["taskId"])
    assert server.ended(again["taskId"])["status"] == "done"
    assert server.client.get(f"/api/v2/stories/{first['storyId']}").json()["entityCount"] >= 2
    assert server.client.post("/api/v2/novels", json=novel).json()["taskId"] is None


@pytest.mark.slow
def test_what_a_saving_brings_with_it_outlives_the_server(tmp_path: Path) -> None:
    scene = "/api/v2/stories/{}/chapters/0/scenes/0"
    with serving(tmp_path, FABULA_WORK_AFTER_SAVING="on") as first:
        story = first.new_story()
        first.client.put(scene.format(story), json={"text": TEXT})
        waiting = first.client.get(f"/api/v2/stories/{story}/jobs").json()["content"]
        assert {one["status"] for one in waiting} == {"queued"}
        first.process.kill()
    with serving(tmp_path, FABULA_WORK_AFTER_SAVING="on") as second:
        for job in waiting:
            assert second.ended(job["id"])["status"] == "done"
        (snapshot,) = second.client.get(f"/api/v2/stories/{story}/snapshots").json()["content"]
        assert snapshot["source"] == "extractive"
        assert second.client.get(f"/api/v2/stories/{story}/extractions").json()["totalElements"] > 0
