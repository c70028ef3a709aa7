"""Whatever the world, an agent hears of nobody whom a model may not be told of here and now."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.api.mcp.tools import TOOLS
from fabula.errors import NotFound
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

NOW = 2
people = st.lists(
    st.tuples(
        st.sampled_from(["always", "when_detected", "manual_only", "never"]),
        st.sampled_from([None, 1, 5]),
        st.sampled_from([None, 1, 5]),
        st.sampled_from(["character", "location", "event"]),
    ).filter(lambda one: one[1] is None or one[2] is None or one[1] <= one[2]),
    min_size=3,
    max_size=5,
)
links = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=7)


def word(number: int, kind: int) -> str:
    """A word that stands nowhere else."""
    return f"Zq{'abcdefgh'[number]}{'ijklmnop'[kind]}xw"


def is_open(one: tuple[str, int | None, int | None, str]) -> bool:
    level, since, until, _ = one
    return level in ("always", "when_detected") and (since or 0) <= NOW <= (until or NOW)


def told_world(
    memory: Memory, world: list[Any], bonds: list[tuple[int, int]]
) -> tuple[StoryMemory, list[str]]:
    story = memory.story("x", language="en", id=str(uuid4()))
    ids = []
    for number, (level, since, until, kind) in enumerate(world):
        other = word((number + 1) % len(world), 0)
        made = story.entity.create(
            type=kind,
            name=word(number, 0),
            aliases=[word(number, 1)],
            description=f"It is {word(number, 2)}. Of {other} it says {word(number, 2)}{other}.",
            attributes={"fact": word(number, 3), "rival": f"{word(number, 3)} {other}"},
            ai_context_level=level,
            since=None if since is None else {"chapter": since},
            until=None if until is None else {"chapter": until},
        )
        story.state.create(entity_id=made.id, description=f"Now {word(number, 4)}, says {other}.")
        ids.append(made.id)
    for one, two in sorted({(a % len(world), b % len(world)) for a, b in bonds}):
        if one != two:
            story.relation.create(
                source_entity_id=ids[one],
                target_entity_id=ids[two],
                relation_type="knows",
                description=f"{word(one, 5)} with {word(two, 5)}.",
            )
    story.scene(0, 0, " ".join(f"{word(n, 0)} came. {word(n, 1)} went." for n in range(len(world))))
    story.snapshot(0, 0, " ".join(f"{word(n, 0)} was there." for n in range(len(world))))
    return story, ids


@pytest.mark.slow
@settings(
    max_examples=examples(30),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(people, links)
def test_an_agent_hears_of_those_only_who_may_be_told_of(
    memory: Memory, world: list[Any], bonds: list[tuple[int, int]]
) -> None:
    story, ids = told_world(memory, world, bonds)
    closed = [number for number, one in enumerate(world) if not is_open(one)]
    # A level closes the scene in which somebody is named; a period that began or ended since does not.
    silent = [number for number, one in enumerate(world) if one[0] in ("manual_only", "never")]
    call, moment = memory.call(), {"chapter": NOW, "scene": 0}
    names = [word(number, 0) for number, one in enumerate(world) if is_open(one)]

    def said(tool: str, **arguments: Any) -> str:
        answer = TOOLS[tool].answered(call, {"story": story.id, **arguments}, None)
        return json.dumps(answer, ensure_ascii=False)

    told = [said("list_entities", **moment), said("search", query="who came", kinds=["entity"], **moment)]
    told.append(said("get_context", **moment, text=" ".join(names)))
    for name in names:
        told += [
            said("get_entity", entity=name, **moment),
            said("get_subgraph", entity=name, depth=3, **moment),
        ]
        told += [said("find_path", source=names[0], target=name, **moment)]
        told += [said("check_passage", text=f"{name} sat down.", **moment)]
    everything = "\n".join(told)
    assert not [(n, k) for n in closed for k in range(6) if word(n, k) in everything]
    assert all(word(n, 2) in everything for n, one in enumerate(world) if is_open(one) and one[3] != "event")
    scenes = said("get_recent_scenes")
    assert not [n for n in silent for k in (0, 1) if word(n, k) in scenes]
    for number in closed:
        for asked in (word(number, 0), ids[number]):
            if asked == ids[number] and world[number][0] == "manual_only":
                continue
            with pytest.raises(NotFound):
                said("get_entity", entity=asked, **moment)
    delete_story(memory.call(), project_id=story.id)
