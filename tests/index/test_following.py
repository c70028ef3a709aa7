"""An index that followed the log answers as one built from the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import delete_scene
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory
from index_answers import EXCERPT, anew, asked

NAMES = ["林远", "苏晴", "青云宗", "Alice", "harbour"]
TEXTS = ["", "青云宗的弟子", "harbour master of 青云", "守夜人 harbour", "master"]

picks = st.integers(0, 9)
writes = st.tuples(st.sampled_from("cccuuudrrrRmbzyosst"), picks, picks)


def write(story: StoryMemory, deed: str, one: int, other: int) -> None:
    """One write; what is refused is refused."""
    entities = sorted(story.entity.list().items, key=lambda entity: str(entity.name))
    first = entities[one % len(entities)] if entities else None
    second = entities[other % len(entities)] if entities else None
    fields = {
        "description": TEXTS[other % 5],
        "aliases": [NAMES[(one + other) % 5]],
        "ai_context_level": ["always", "when_detected", "manual_only", "never"][other % 4],
        "significance": other / 10,
    }
    moments = {"since": {"chapter": one % 3}, "until": {"chapter": 3 + other % 3}}
    acts: dict[str, Callable[[], Any]] = {
        "c": lambda: story.entity.create(type="character", name=f"{NAMES[one % 5]}{other}", **fields),
        "u": lambda: story.entity.update(
            id=first.id, expected_version=first.version, patch={"name": NAMES[other % 5], **fields}
        ),
        "d": lambda: story.entity.delete(id=first.id),
        "r": lambda: story.relation.create(
            source_entity_id=first.id, target_entity_id=second.id, relation_type="ally", **moments
        ),
        "R": lambda: story.relation.update(
            id=story.relation.list().items[0].id, patch={"relation_type": "enemy", **moments}
        ),
        "m": lambda: story.entity.merge(target_entity_id=first.id, source_entity_ids=[second.id]),
        "b": lambda: story.batch.upsert(
            entities=[{"type": "item", "name": NAMES[n % 5], **fields} for n in (one, one + 1)],
            relations=[
                {
                    "sourceName": NAMES[one % 5],
                    "targetName": NAMES[(one + 1) % 5],
                    "relationType": "owns",
                }
            ],
        ),
        "s": lambda: story.scene(one % 3, other % 2, TEXTS[other % 5] + EXCERPT * (one + 1)),
        "t": lambda: delete_scene(
            story._memory.call(), project_id=story.id, chapter=one % 3, scene=other % 2
        ),
        "z": lambda: story.history.undo(),
        "y": lambda: story.history.redo(),
        "o": lambda: story.history.undo(revision=one + 2),
    }
    try:
        acts[deed]()
    except (FabulaError, AttributeError, IndexError):
        return


@pytest.mark.long
@settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(writes, min_size=6, max_size=20), st.integers(1, 4))
def test_an_index_that_followed_answers_as_one_built_anew(
    memory: Memory, deeds: list[tuple[str, int, int]], every: int
) -> None:
    story = StoryMemory(memory, str(uuid4()))
    story.entity.create(type="character", name="守夜人", description="harbour master")
    following = memory.call()
    asked(following, story.id)
    for number, deed in enumerate(deeds):
        write(story, *deed)
        if number % every == 0:
            asked(following, story.id)
    assert asked(following, story.id) == asked(anew(following), story.id)
    delete_story(memory.call(), project_id=story.id)


def test_a_smaller_limit_gives_the_first_of_a_larger_one(story: StoryMemory) -> None:
    for number in range(30):
        story.entity.create(
            type="character", name=f"人{number}", description=TEXTS[number % 5], significance=number % 3 / 2
        )
    excerpt = "人7、人3和人22在 harbour，青云的 master 守夜。"
    every = [(item.id, item.score) for item in story.query.relevant(excerpt=excerpt, max_entities=50).items]
    assert len(every) > 10
    for most in (1, 2, 3, 5, 10):
        some = story.query.relevant(excerpt=excerpt, max_entities=most).items
        assert [(item.id, item.score) for item in some] == every[:most]
