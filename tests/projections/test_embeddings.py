"""The vectors of a story follow its texts, whoever changes what in the meantime."""

from __future__ import annotations

import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import FabulaError, NotFound
from fabula.index.vectors import StoryVectors
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.projections.embeddings import BATCH, bring_up_to_date, is_up_to_date
from fabula.projections.text_sources import CUSTOM_ENTRIES, ENTITIES, SOURCES, rows_of_kind
from fabula.store.kinds import SCENE
from fabula.store.reader import Reader
from fabula.store.store import Store
from fabula.store.vector_reader import VectorKey
from fabula.story_memory import StoryMemory
from forked import forked_python
from plain_embedder import PlainEmbedder, vector_of


def store_of(memory: Memory) -> Store:
    return memory.call().store


def person(story: StoryMemory, name: str, description: str) -> str:
    return str(story.entity.create(type="character", name=name, description=description).id)


def describe(story: StoryMemory, key: str, description: str) -> None:
    version = story.entity.read(id=key).version
    story.entity.update(id=key, expected_version=version, patch={"description": description})


def rename(story: StoryMemory, key: str, name: str) -> None:
    version = story.entity.read(id=key).version
    story.entity.update(id=key, expected_version=version, patch={"name": name})


def crowd(story: StoryMemory, count: int) -> None:
    story.batch.upsert(
        entities=[{"type": "character", "name": f"人{n}", "description": f"第{n}个人"} for n in range(count)],
        relations=[],
    )


def held(memory: Memory, story: StoryMemory, model: str = "plain") -> dict[VectorKey, Any]:
    """The vectors that the story has, as a process that comes now finds them."""
    with store_of(memory).read() as reader:
        index = StoryVectors(story.id).current(reader, model)
        if index is None:
            return {}
        return {key: index.similarities(np.eye(8, dtype=np.float32)[0])[row] for key, row in rows(index)}


def rows(index: Any) -> list[tuple[VectorKey, int]]:
    return [(key, row) for row, key in enumerate(index.keys) if key is not None]


def wanted(memory: Memory, story: StoryMemory) -> dict[VectorKey, Any]:
    """The vectors that it should have."""
    with store_of(memory).read() as reader:
        texts = {
            VectorKey(source.kind, owner, part): text
            for source in SOURCES
            for owner, part, text in source.texts(reader, story.id, None)
        }
    return {key: vector_of(text)[0] for key, text in texts.items() if text.strip()}


def assert_right(memory: Memory, story: StoryMemory) -> None:
    found, right = held(memory, story), wanted(memory, story)
    assert found.keys() == right.keys()
    for key, number in right.items():
        assert found[key] == pytest.approx(number, abs=1e-3)


def test_only_what_changed_is_embedded_again(memory: Memory, story: StoryMemory) -> None:
    one, _ = person(story, "林远", "青云宗弟子"), person(story, "苏晴", "医女")
    story.entry("潮汐", "潮水一日两次，镇上的人靠它过活。")
    embedder = PlainEmbedder()
    first = bring_up_to_date(store_of(memory), story.id, embedder)
    assert first == (3, 0, True)
    assert sorted(embedder.asked) == ["医女", "潮水一日两次，镇上的人靠它过活。", "青云宗弟子"]

    describe(story, one, "渡口船夫")
    story.entity.create(type="item", name="无名之物")
    embedder.asked.clear()
    assert bring_up_to_date(store_of(memory), story.id, embedder) == (1, 0, True)
    assert embedder.asked == ["渡口船夫"]
    assert bring_up_to_date(store_of(memory), story.id, embedder) == (0, 0, True)
    assert_right(memory, story)


def test_what_is_gone_has_no_vector_until_it_comes_back(memory: Memory, story: StoryMemory) -> None:
    one = person(story, "林远", "青云宗弟子")
    person(story, "苏晴", "医女")
    embedder = PlainEmbedder()
    bring_up_to_date(store_of(memory), story.id, embedder)
    story.entity.delete(id=one)
    assert bring_up_to_date(store_of(memory), story.id, embedder) == (0, 1, True)
    assert_right(memory, story)
    story.history.undo()
    assert bring_up_to_date(store_of(memory), story.id, embedder) == (1, 0, True)
    assert_right(memory, story)


def test_another_model_makes_all_vectors_anew(memory: Memory, story: StoryMemory) -> None:
    crowd(story, 5)
    store = store_of(memory)
    bring_up_to_date(store, story.id, PlainEmbedder())
    other = PlainEmbedder("other")
    with store.read() as reader:
        assert is_up_to_date(reader, story.id, "plain")
        assert not is_up_to_date(reader, story.id, "other")
    assert bring_up_to_date(store, story.id, other) == (5, 0, True)
    assert len(other.asked) == 5
    assert held(memory, story, "plain") == {}
    assert len(held(memory, story, "other")) == 5


def test_a_run_that_was_stopped_goes_on_where_it_was(memory: Memory, story: StoryMemory) -> None:
    crowd(story, BATCH + 10)
    store, embedder, seen = store_of(memory), PlainEmbedder(), list[tuple[int, int]]()

    def after_one_batch(done: int, total: int) -> bool:
        seen.append((done, total))
        return done < BATCH

    stopped = bring_up_to_date(store, story.id, embedder, after_one_batch)
    assert stopped == (BATCH, 0, False)
    assert seen == [(0, BATCH + 10), (BATCH, BATCH + 10)]
    with store.read() as reader:
        assert not is_up_to_date(reader, story.id, "plain")
    assert bring_up_to_date(store, story.id, embedder) == (10, 0, True)
    assert len(embedder.asked) == BATCH + 10
    assert_right(memory, story)


EMBED_UNTIL_KILLED = """
import sys
from fabula.memory import Memory
from fabula.projections.embeddings import bring_up_to_date
sys.path.append(sys.argv[1])
from plain_embedder import PlainEmbedder

def report(done, total):
    print(done, flush=True)
    if done:
        sys.stdin.readline()
    return True

with Memory(sys.argv[2]) as memory:
    bring_up_to_date(memory.call().store, sys.argv[3], PlainEmbedder(), report)
"""


@pytest.mark.slow
@pytest.mark.every_engine
def test_a_run_that_was_killed_is_finished_by_another(memory: Memory, story: StoryMemory) -> None:
    crowd(story, 2 * BATCH + 5)
    tests, pipes = str(Path(__file__).parents[1]), dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with forked_python(EMBED_UNTIL_KILLED, tests, str(memory.place), story.id, text=True, **pipes) as process:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["0\n", f"{BATCH}\n"]
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    embedder = PlainEmbedder()
    assert bring_up_to_date(store_of(memory), story.id, embedder) == (BATCH + 5, 0, True)
    assert_right(memory, story)


def test_a_run_with_an_old_view_gives_way_to_a_newer_one(memory: Memory, story: StoryMemory) -> None:
    one = person(story, "林远", "青云宗弟子")
    person(story, "苏晴", "医女")
    store = store_of(memory)

    def meanwhile() -> None:
        describe(story, one, "渡口船夫")
        assert bring_up_to_date(store, story.id, PlainEmbedder()).complete

    assert bring_up_to_date(store, story.id, PlainEmbedder(before=meanwhile)).complete
    assert_right(memory, story)


def test_two_models_do_not_take_turns(memory: Memory, story: StoryMemory) -> None:
    crowd(story, 3)
    store = store_of(memory)

    def meanwhile() -> None:
        bring_up_to_date(store, story.id, PlainEmbedder("other"))

    run = bring_up_to_date(store, story.id, PlainEmbedder(before=meanwhile))
    assert run == (0, 0, False)
    assert len(held(memory, story, "other")) == 3


def test_a_story_that_goes_takes_its_vectors_along(memory: Memory, story: StoryMemory) -> None:
    crowd(story, 3)
    store = store_of(memory)
    bring_up_to_date(store, story.id, PlainEmbedder())
    follower = StoryVectors(story.id)
    with store.read() as reader:
        assert len(follower.current(reader, "plain") or ()) == 3

    def meanwhile() -> None:
        delete_story(memory.call(), project_id=story.id)

    crowd(story, 4)
    with pytest.raises(NotFound):
        bring_up_to_date(store, story.id, PlainEmbedder(before=meanwhile))
    with pytest.raises(NotFound):
        bring_up_to_date(store, story.id, PlainEmbedder())
    again = memory.story("另一个", id=story.id)
    person(again, "林远", "青云宗弟子")
    bring_up_to_date(store, story.id, PlainEmbedder())
    with store.read() as reader:
        assert len(follower.current(reader, "plain") or ()) == 1


def test_texts_of_another_kind_can_be_added_later(memory: Memory, story: StoryMemory) -> None:
    person(story, "林远", "青云宗弟子")
    store, fewer = store_of(memory), (ENTITIES, CUSTOM_ENTRIES)
    story.scene(0, 0, "夜里下了雪。\n\n渡口没有人。")
    assert bring_up_to_date(store, story.id, PlainEmbedder(), sources=fewer) == (1, 0, True)

    def passages(reader: Reader, project_id: str, ids: Any) -> Any:
        scene = reader.manuscript.scene(project_id, 0, 0)
        assert scene is not None
        if ids is None or scene.id in ids:
            yield from ((scene.id, part, text) for part, text in enumerate(scene.text.split("\n\n")))

    embedder = PlainEmbedder()
    sources = (*fewer, rows_of_kind(SCENE, passages))
    assert bring_up_to_date(store, story.id, embedder, sources=sources) == (2, 0, True)
    assert embedder.asked == ["夜里下了雪。", "渡口没有人。"]
    story.scene(0, 0, "夜里下了雪。")
    assert bring_up_to_date(store, story.id, embedder, sources=sources) == (0, 1, True)


@pytest.mark.scenario("ENGRAM-EVENT-REST")
def test_an_event_is_embedded_again_when_somebody_in_it_is_renamed(
    memory: Memory, story: StoryMemory
) -> None:
    one = person(story, "林远", "青云宗弟子")
    story.event.create(name="雪夜", summary="有人在雪夜出走。", roles=["林远", "苏晴"])
    store, embedder = store_of(memory), PlainEmbedder()
    bring_up_to_date(store, story.id, embedder)
    embedder.asked.clear()
    rename(story, one, "沈舟")
    bring_up_to_date(store, story.id, embedder)
    (retold,) = embedder.asked
    assert "沈舟" in retold
    assert_right(memory, story)


DEEDS = st.lists(
    st.tuples(st.sampled_from("cudnerkvwzys"), st.integers(0, 9), st.integers(0, 9)), max_size=16
)


def deed(story: StoryMemory, what: str, one: int, other: int) -> None:
    """One write; what is refused is refused."""
    entities = sorted(story.entity.list().items, key=lambda entity: str(entity.name))
    first = entities[one % len(entities)].id if entities else "nobody"
    second = entities[other % len(entities)].id if entities else "nobody"
    acts = {
        "c": lambda: person(story, f"人{one}", f"说明{other}"),
        "u": lambda: describe(story, first, ["", "甲", "乙", "丙"][other % 4]),
        "d": lambda: story.entity.delete(id=first),
        "n": lambda: story.entry(f"条目{one}", f"内容{other}"),
        "e": lambda: story.entry(f"人{one}", f"说明{other}", category="character"),
        "r": lambda: story.entity.merge(target_entity_id=first, source_entity_ids=[second]),
        "k": lambda: rename(story, first, f"人{other}"),
        "v": lambda: story.event.create(name=f"事{one}", summary="出走", roles=[f"人{other}", f"人{one}"]),
        "w": lambda: story.event.update(
            id=story.event.list().items[0].id, expected_version=1, patch={"roles": [f"人{other}"]}
        ),
        "z": lambda: story.history.undo(),
        "y": lambda: story.history.redo(),
    }
    with suppress(FabulaError, IndexError):
        acts[what]()


@given(DEEDS)
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_writes_the_vectors_are_those_of_the_texts(memory: Memory, deeds: Any) -> None:
    story = memory.story("测试", id=memory.call().clock.new_id())
    store, follower = store_of(memory), StoryVectors(story.id)
    for what, one, other in [*deeds, ("s", 0, 0)]:
        if what != "s":
            deed(story, what, one, other)
            continue
        assert bring_up_to_date(store, story.id, PlainEmbedder()).complete
        assert_right(memory, story)
        with store.read() as reader:
            index = follower.current(reader, "plain")
            assert index is not None
            numbers = index.similarities(np.eye(8, dtype=np.float32)[0])
            assert {key: numbers[row] for key, row in rows(index)} == held(memory, story)
