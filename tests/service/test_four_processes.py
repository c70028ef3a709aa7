"""Four server processes on one database agree with one another, also when one of them is killed."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import suppress

import httpx
import pytest

from doors import Server, rows
from endpoints import completion, silent
from fabula.memory import Memory
from neighbours import Neighbours
from waiting import eventually

pytestmark = pytest.mark.slow

TEXT = "沈舟在渡口等青禾，白芷没有来。"


def others(four: Neighbours, writer: int) -> list[Server]:
    return [server for number, server in enumerate(four.servers) if number != writer]


def told(server: Server, story: str, text: str = TEXT) -> str:
    """Everything that a model would be told, and why."""
    asked = {"chapter": 0, "scene": 0, "text": text}
    answer = server.client.post(f"/api/v2/stories/{story}/context/assemble", json=asked)
    assert answer.status_code == 200, answer.text
    return json.dumps([answer.json()["messages"]], ensure_ascii=False)


def found(server: Server, story: str, words: str, audience: str = "author") -> str:
    answer = server.client.get(f"/api/v2/stories/{story}/search", params={"q": words, "audience": audience})
    assert answer.status_code == 200, answer.text
    return json.dumps(answer.json()["items"], ensure_ascii=False)


def relevant(server: Server, story: str, excerpt: str = TEXT) -> list[str]:
    asked = {"projectId": story, "excerpt": excerpt, "maxEntities": 50}
    return [item["name"] for item in server.data("knowledge:query:relevant", asked)["items"]]


def around(server: Server, story: str, center: str) -> set[str]:
    asked = {"projectId": story, "centerEntityId": center, "k": 1}
    return {item["id"] for item in server.data("knowledge:query:subgraph", asked)["relations"]}


def warmed(four: Neighbours) -> str:
    """A story of which every process has its index."""
    story = four.servers[0].new_story("四家")
    for server in four.servers:
        told(server, story)
        relevant(server, story)
    return story


@pytest.mark.parametrize("writer", [0, 2])
def test_a_client_that_changes_process_finds_what_it_wrote(four: Neighbours, writer: int) -> None:
    story, here = warmed(four), four.servers[writer]
    one = here.entity(story, "沈舟", description="渡口的船夫。")
    for server in others(four, writer):
        assert server.data("knowledge:entity:read", {"projectId": story, "id": one})["name"] == "沈舟"
        assert "渡口的船夫" in told(server, story)
        assert "沈舟" in found(server, story, "沈舟")
        assert relevant(server, story) == ["沈舟"]

    two = here.entity(story, "青禾", description="采药人。")
    bond = here.relation(story, one, two)
    assert [around(server, story, one) for server in others(four, writer)] == [{bond}] * 3

    book, entry = f"/api/v2/stories/{story}/lorebook", {"entryKey": "潮规", "keywords": ["渡口"]}
    made = here.client.post(book, json={**entry, "category": "custom", "content": "退潮之后才许开船。"})
    assert made.status_code == 201, made.text
    for server in others(four, writer):
        assert "退潮之后" in told(server, story)

    scene = f"/api/v2/stories/{story}/chapters/0/scenes/0"
    here.client.put(scene, json={"text": "青禾把灯举过头顶，沈舟没有回头。"}).raise_for_status()
    for server in others(four, writer):
        assert "举过头顶" in server.client.get(scene).json()["text"]
        assert "举过头顶" in found(server, story, "灯举过头顶")

    event = {"summary": "沈舟与青禾在雾夜渡江。", "roles": [{"entityId": one, "role": "船夫"}]}
    key = here.data("knowledge:event:create", {"projectId": story, "name": "雾夜渡江", **event})["id"]
    for server in others(four, writer):
        assert server.data("knowledge:event:read", {"projectId": story, "id": key})["summary"]
        assert "雾夜渡江" in found(server, story, "雾夜渡江")


def test_what_becomes_a_secret_is_one_at_every_process_at_once(four: Neighbours) -> None:
    story = warmed(four)
    for writer, server in enumerate(four.servers):
        name = f"白芷{'甲乙丙丁'[writer]}"
        text, secret = f"{name}推开门。", f"她在第{writer}座钟楼下藏着银钥匙"
        key = server.entity(story, name, description=f"{secret}。")
        assert all(secret in told(other, story, text) for other in four.servers)
        change = {"projectId": story, "id": key, "expectedVersion": 1, "patch": {"aiContextLevel": "never"}}
        server.data("knowledge:entity:update", change)
        for other in others(four, writer):
            assert secret not in told(other, story, text)
            assert secret not in found(other, story, name, audience="model")
            assert name not in relevant(other, story, text)
        # Undone where nobody wrote it, told again where neither was.
        four.servers[writer - 1].data("knowledge:history:undo", {"projectId": story})
        assert secret in told(four.servers[writer - 2], story, text)


def test_no_update_is_lost_among_clients_of_different_processes(four: Neighbours) -> None:
    clients, increments = 8, 6
    story = warmed(four)
    key = four.servers[0].entity(story, "账房", attributes={"count": 0})
    wrong: list[BaseException] = []

    def count_up(number: int) -> None:
        asked = itertools.cycle(four.servers[number % 4 :] + four.servers[: number % 4])
        done = 0
        while done < increments:
            seen = next(asked).data("knowledge:entity:read", {"projectId": story, "id": key})
            patch = {"attributes": {"count": seen["attributes"]["count"] + 1}}
            change = {"projectId": story, "id": key, "expectedVersion": seen["version"], "patch": patch}
            answer = next(asked).ask("knowledge:entity:update", change)
            assert answer["ok"] or answer["error"]["code"] == "KG_ENTITY_CONFLICT", answer
            done += answer["ok"]

    def counting(number: int) -> None:
        try:
            count_up(number)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=counting, args=[number]) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    for server in four.servers:
        last = server.data("knowledge:entity:read", {"projectId": story, "id": key})
        assert (last["attributes"]["count"], last["version"]) == (48, 49)
        steps = server.data("knowledge:history:list", {"projectId": story, "limit": 100})
        assert [step["revision"] for step in steps["items"]] == list(range(50, 0, -1))


def extract(server: Server, story: str, text: str) -> str:
    asked = {"text": text, "background": True, "extractor": "model"}
    started = server.client.post(f"/api/v2/stories/{story}/extract-entities", json=asked)
    assert started.status_code == 202, started.text
    return str(started.json()["taskId"])


def test_a_job_is_done_once_by_whichever_process_and_seen_by_all(four: Neighbours) -> None:
    four.model.plays(completion("[]"))
    before = len(four.model.asked)
    # Stories of their own: one story has one extraction at a time.
    jobs = [
        extract(server, server.new_story(f"卷{n}"), "林惊羽推开门。")
        for n in range(3)
        for server in four.servers
    ]
    for server in four.servers:
        assert {server.ended(job)["status"] for job in jobs} == {"done"}
    counts = rows(four.db, "SELECT attempts FROM jobs WHERE status = 'done' AND kind = 'extraction'")
    assert set(counts) == {1}
    assert len(counts) >= len(jobs)
    asked = four.model.asked[before:]
    assert len([one for one in asked if one.path.endswith("/chat/completions")]) == len(jobs)


def heard(server: Server, story: str) -> Iterator[tuple[str, str]]:
    with server.client.stream("GET", f"/api/v2/stories/{story}/live") as stream:
        name = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, line.removeprefix("data: ")


def test_a_page_hears_of_what_is_written_at_another_process(four: Neighbours) -> None:
    story = four.servers[0].new_story()
    listening = [heard(server, story) for server in four.servers[1:]]
    assert [next(page) for page in listening] == [("revision", "1")] * 3
    four.servers[0].entity(story, "甲")
    assert [next(page) for page in listening] == [("revision", "2")] * 3
    for page in listening:
        page.close()


def test_processes_killed_one_by_one_lose_nothing_and_leave_their_work_to_the_others(
    four: Neighbours,
) -> None:
    story, reading = warmed(four), four.servers[0].new_story()
    kept: list[str] = []
    over = threading.Event()

    def keep_writing(client: int) -> None:
        for number in itertools.count():
            if over.is_set():
                return
            server = four.servers[(client + number) % 4]
            asked = {"projectId": story, "type": "character", "name": f"人{client}-{number}"}
            with suppress(httpx.TransportError):
                answer = server.client.post("/api/v2/ipc/knowledge:entity:create", json=asked).json()
                assert answer["ok"], answer
                kept.append(answer["data"]["id"])

    writers = [threading.Thread(target=keep_writing, args=[client]) for client in range(3)]
    try:
        for writer in writers:
            writer.start()
        four.model.plays(silent)
        job = extract(four.servers[0], reading, "林惊羽推开门。")
        doing = "SELECT worker FROM jobs WHERE id = ? AND status = 'processing' AND worker IS NOT NULL"
        worker = str(eventually(lambda: next(iter(rows(four.db, doing, job)), None)))
        first = [str(server.process.pid) for server in four.servers].index(worker.split("/")[1])
        order = [first, *(number for number in range(4) if number != first)]
        for number in order[:3]:
            seen = len(kept)
            eventually(lambda: len(kept) >= seen + 5)  # noqa: B023
            four.kill(number)
            four.model.plays(completion("[]"))
        last = four.servers[order[3]]
        seen = len(kept)
        eventually(lambda: len(kept) >= seen + 5)
        done = last.ended(job)
    finally:
        over.set()
        for writer in writers:
            writer.join()
    assert (done["status"], done["attempts"]) == ("done", 2)
    there = set(rows(four.db, "SELECT id FROM kg_entities WHERE project_id = ?", story))
    assert set(kept) <= there
    revisions = rows(four.db, "SELECT revision FROM story_steps WHERE project_id = ? ORDER BY 1", story)
    assert revisions == list(range(1, len(revisions) + 1))
    assert "人0-0" in told(four.start_again(first), story, "人0-0来了。")
    with Memory(four.db) as memory:
        assert all(report.differing == () for report in memory.audit())
