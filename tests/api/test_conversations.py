"""Conversations that are kept with a story: kept, read, continued, renamed, forked, deleted, and by whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from endpoints import completion
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.chat import kept
from fabula.operations.members import put_member
from listening import Listening, listening, spoken

TALK = [
    spoken("user", "江离在哪里？"),
    spoken("assistant", "在塔上。", name="旁白"),
    spoken("user", "然后呢？"),
]
KEPT = [{"name": None, **one} for one in TALK]


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("kept"), model_calls_per_minute=0) as running:
        yield running


def keep(on: Listening, path: str, **fields: Any) -> dict[str, Any]:
    answer = on.client.post(path, json={"title": "塔上", "messages": TALK, **fields})
    assert answer.status_code == 201
    made: dict[str, Any] = answer.json()
    return made


def test_a_conversation_is_kept_and_goes_on(on: Listening) -> None:
    path = f"/api/v2/stories/{on.story().id}/conversations"
    made = keep(on, path)
    assert (made["title"], made["messages"], made["version"]) == ("塔上", KEPT, 1)
    own = f"{path}/{made['id']}"
    assert on.client.get(own).json() == made
    longer = [*TALK, spoken("assistant", "雾散了。")]
    changed = on.client.patch(own, json={"messages": longer, "version": 1})
    assert (changed.status_code, changed.json()["messageCount"]) == (200, 4)
    stale = on.client.patch(own, json={"messages": TALK, "version": 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "CONFLICT")
    renamed = on.client.patch(own, json={"title": "雾"}).json()
    assert (renamed["title"], len(renamed["messages"])) == ("雾", 4)
    assert on.client.delete(own).status_code == 204
    for gone in (on.client.get(own), on.client.delete(own), on.client.patch(own, json={"title": "x"})):
        assert (gone.status_code, gone.json()["code"]) == (404, "NOT_FOUND")


def test_a_fork_leaves_the_other_as_it_is(on: Listening) -> None:
    path = f"/api/v2/stories/{on.story().id}/conversations"
    made = keep(on, path)
    forked = on.client.post(f"{path}/{made['id']}/fork", json={"after": 2, "title": "另一条"})
    assert forked.status_code == 201
    branch = forked.json()
    assert (branch["messages"], branch["forkedFrom"], branch["title"]) == (KEPT[:2], made["id"], "另一条")
    whole = on.client.post(f"{path}/{made['id']}/fork").json()
    assert (whole["messages"], whole["title"]) == (KEPT, "塔上")
    assert on.client.get(f"{path}/{made['id']}").json() == made
    assert on.client.post(f"{path}/{made['id']}/fork", json={"after": 4}).status_code == 400
    listed = on.client.get(path, params={"size": 2}).json()
    assert listed["totalElements"] == 3
    assert [one["id"] for one in listed["content"]] == [whole["id"], branch["id"]]
    assert "messages" not in listed["content"][0]


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("", ["The Tower", "塔上"]),
        ("tower", ["The Tower"]),
        ("江离", ["塔上"]),
        ("50% OFF_", ["The Tower"]),
        ('said "no"', ["The Tower"]),
        # Words of the file, not of anybody.
        ("assistant", []),
        ("content", []),
        ("%", ["The Tower"]),
        ("nobody said this", []),
    ],
)
def test_conversations_are_found_by_what_was_said(on: Listening, words: str, titles: list[str]) -> None:
    path = f"/api/v2/stories/{on.story().id}/conversations"
    keep(on, path)
    keep(on, path, title="The Tower", messages=[spoken("user", 'It was 50% off_season/\n"She said "No".')])
    found = on.client.get(path, params={"query": words}).json()
    assert [one["title"] for one in found["content"]] == titles
    assert found["totalElements"] == len(titles)


@pytest.mark.parametrize(
    "wrong",
    [{"title": " "}, {"messages": []}, {"messages": [spoken("tool", "x")]}, {"more": 1}, {"title": None}],
)
def test_what_is_no_conversation_is_refused(on: Listening, wrong: dict[str, Any]) -> None:
    path = f"/api/v2/stories/{on.story().id}/conversations"
    answer = on.client.post(path, json={"title": "塔上", "messages": TALK, **wrong})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert on.client.get(path).json()["totalElements"] == 0


def test_there_is_an_end_to_what_is_kept(on: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/api/v2/stories/{on.story().id}/conversations"
    monkeypatch.setattr(kept, "KEPT_CONVERSATIONS", 1)
    monkeypatch.setattr(kept, "MOST_CHARACTERS", 100)
    long = [spoken("user", "字" * 101)]
    assert on.client.post(path, json={"title": "长", "messages": long}).status_code == 400
    keep(on, path)
    full = on.client.post(path, json={"title": "二", "messages": TALK})
    assert full.json()["code"] == "KG_CAPACITY_EXCEEDED"


def test_a_kept_conversation_tells_no_model_anything_and_goes_with_its_story(on: Listening) -> None:
    story = on.story()
    keep(on, f"/api/v2/stories/{story.id}/conversations", messages=[spoken("user", "陌生的秘语。")])
    on.played.plays(completion("好"))
    on.complete(f"fabula/{story.id}", spoken("user", "陌生的秘语？"))
    assert "秘语。" not in str(on.played.bodies[-1]["messages"])
    assert story.search("秘语").items == ()
    assert on.client.delete(f"/api/v2/stories/{story.id}").status_code == 200
    again = on.memory.story("again", id=story.id)
    assert on.client.get(f"/api/v2/stories/{again.id}/conversations").json()["totalElements"] == 0


def test_readers_read_and_editors_keep(tmp_path: Path) -> None:
    with listening(tmp_path, auth_required=True) as house:
        story = house.story()
        call = house.memory.call
        tokens = {}
        for name, role in (("reader", Role.READER), ("editor", Role.EDITOR), ("stranger", None)):
            add_user(call(), name=name)
            tokens[name] = {"authorization": f"Bearer {create_token(call(), user_name=name).secret}"}
            if role is not None:
                put_member(call(), project_id=story.id, user_name=name, role=role)
        path = f"/api/v2/stories/{story.id}/conversations"
        body = {"title": "塔上", "messages": TALK}
        statuses = {
            name: house.client.post(path, json=body, headers=tokens[name]).status_code for name in tokens
        }
        assert statuses == {"reader": 403, "editor": 201, "stranger": 403}
        told = f"/api/v2/stories/{story.id}/context/told"
        for address in (path, told):
            seen = {name: house.client.get(address, headers=tokens[name]).status_code for name in tokens}
            assert seen == {"reader": 200, "editor": 200, "stranger": 403}
