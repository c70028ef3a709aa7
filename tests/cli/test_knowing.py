"""`fabula timeline` and `fabula knows`: both orders, and what somebody knows at a moment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabula.memory import Memory
from postgres import place_at

Run = Callable[..., Any]


@pytest.fixture
def novel(tmp_path: Path) -> str:
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        story = memory.story("Novel", language="en")
        ann, bob = (story.entity.create(type="character", name=name) for name in ("Ann", "Bob"))
        story.scene(0, 0, "Ann waits.", title="Today", world_time={"day": 0})
        story.scene(1, 0, "Ann was young.", title="Long ago", world_time={"day": -3650})
        state = story.state.create(entity_id=ann.id, description="Poisoned.", secrecy="private")
        story.state.create(entity_id=ann.id, description="In debt.", secrecy="private")
        fact = {"kind": "state", "id": state.id}
        story.knowing.create(fact=fact, knower_id=bob.id, since={"chapter": 1, "scene": 0}, how="read")
        memory.story("Empty", language="en")
    return str(tmp_path / "novel.db")


def test_the_timeline_has_both_orders(run: Run, novel: str) -> None:
    for flags in ((), ("--as-told",)):
        told = run("timeline", "Novel", *flags, "--db", novel)
        assert told.code == 0
        assert told.out.index("Today") < told.out.index("Long ago")
    happened = run("timeline", "Novel", "--as-happened", "--db", novel)
    assert happened.out.index("Long ago") < happened.out.index("Today")
    assert "day -3650" in happened.out


def test_an_empty_timeline_says_so(run: Run, novel: str) -> None:
    done = run("timeline", "Empty", "--db", novel)
    assert (done.code, "no scenes" in done.out) == (0, True)


def test_what_somebody_knows_depends_on_the_moment(run: Run, novel: str) -> None:
    before = run("knows", "Novel", "Bob", "--chapter", "0", "--db", novel)
    assert "Poisoned" not in before.out
    assert "Bob knows no secret here." in before.out
    assert "Private facts unknown to Bob: 2" in before.out
    after = run("knows", "Novel", "Bob", "--chapter", "1", "--db", novel)
    for said in ("Poisoned", "read", "1.0", "Private facts unknown to Bob: 1"):
        assert said in after.out
    assert "In debt" not in after.out


def test_nobody_of_that_name_is_an_error_with_a_way_out(run: Run, novel: str) -> None:
    done = run("knows", "Novel", "Nobody", "--db", novel)
    assert done.code != 0
    assert "There is nobody called 'Nobody'" in done.out + done.err
