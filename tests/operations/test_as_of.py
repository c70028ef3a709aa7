"""A context for a moment knows what is true then, and not a word of anything else."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.memory import Memory
from fabula.operations import context
from fabula.operations.graph import graph_view
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.manuscript import manuscript
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

SHARED_FILE = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
FAR = 1 << 19

Place = tuple[int, int | None]
places = st.tuples(st.integers(0, 4), st.none() | st.integers(0, 3))
bounds = st.tuples(st.none() | places, st.none() | places).filter(
    lambda b: b[0] is None or b[1] is None or begin(b[0]) <= end(b[1])
)
moments = st.tuples(st.integers(0, 4), st.integers(0, 3))


def begin(place: Place | None) -> tuple[int, int]:
    return (-1, 0) if place is None else (place[0], place[1] or 0)


def end(place: Place | None) -> tuple[int, int]:
    """A moment without a scene is, as an end, the whole chapter."""
    return (FAR, 0) if place is None else (place[0], FAR if place[1] is None else place[1])


def holds(period: Any, now: tuple[int, int]) -> bool:
    return begin(period[0]) <= now <= end(period[1])


def fields(period: Any) -> dict[str, Any]:
    names = zip(("since", "until"), period, strict=True)
    return {name: None if at is None else {"chapter": at[0], "scene": at[1]} for name, at in names}


class Words:
    """Words that stand nowhere else; each is true for a while."""

    def __init__(self) -> None:
        self.periods: dict[str, list[Any]] = {}

    def new(self, *periods: Any) -> str:
        number = f"{len(self.periods):03d}"
        word = "词" + "".join("零甲乙丙丁戊己庚辛壬"[int(digit)] for digit in number) + "尾"
        self.periods[word] = list(periods)
        return word

    def true_at(self, now: tuple[int, int]) -> set[str]:
        return {word for word, periods in self.periods.items() if all(holds(p, now) for p in periods)}


def assembled(memory: Memory, story: StoryMemory, now: tuple[int, int], **more: Any) -> Any:
    request = {"chapter": now[0], "scene": now[1], "token_budget": 50_000, **more}
    return context.assemble_context(memory.call(), project_id=story.id, **request)


def for_a_model(found: Any) -> str:
    messages = [message.content for message in found.messages if message.role != "user"]
    return f"{messages}{found.model_dump(exclude={'messages', 'trace'})}"


@SHARED_FILE
@given(
    st.lists(st.tuples(bounds, st.lists(bounds, max_size=2)), min_size=2, max_size=5),
    st.lists(bounds, max_size=2),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), bounds), max_size=6),
    st.lists(moments, max_size=5, unique=True),
    moments,
    st.booleans(),
)
def test_no_word_of_what_is_not_true_now_is_told_and_every_other_is(
    memory: Memory, cast: Any, free: Any, bonds: Any, scenes: Any, now: tuple[int, int], pinning: bool
) -> None:
    story, words = memory.story("x", id=str(uuid4())), Words()
    entities, names, entity_words, free_words = [], [], set(), set()
    for period, states in cast:
        name, alias, said, fact = own = [words.new(period) for _ in range(4)]
        entity = story.entity.create(
            type="character",
            name=name,
            aliases=[alias],
            description=f"{said}。",
            attributes={"k": fact},
            **fields(period),
        )
        entities.append((entity, period))
        names += [name, alias]
        entity_words |= set(own) - {alias}
        for state in states:
            mood, mark = words.new(period, state), words.new(period, state)
            story.state.create(
                entity_id=entity.id, description=f"{mood}。", attributes={mark: "有"}, **fields(state)
            )
            entity_words |= {mood, mark}
    for period in free:
        key, content = words.new(period), words.new(period)
        request = LorebookEntryCreate(entry_key=key, content=f"{content}。", **fields(period))
        lorebook.create_entry(memory.call(), project_id=story.id, entry=request)
        names.append(key)
        free_words.add(content)
    bond_words, seen = set(), set()
    for one, other, period in bonds:
        (source, from_), (target, to) = entities[one % len(cast)], entities[other % len(cast)]
        if source.id == target.id or frozenset((source.id, target.id)) in seen:
            continue
        seen.add(frozenset((source.id, target.id)))
        said = words.new(period, from_, to)
        story.relation.create(
            source_entity_id=source.id,
            target_entity_id=target.id,
            relation_type="ally",
            description=said,
            **fields(period),
        )
        bond_words.add(said)
    earlier = sorted(scene for scene in scenes if scene < now)
    scene_words = set()
    for chapter, scene in scenes:
        after = ((chapter, scene + 1), None)
        told, text, state = (words.new(after) for _ in range(3))
        scene_words |= {told} if (chapter, scene) in earlier[-3:] else set()
        manuscript.put_scene(memory.call(), project_id=story.id, chapter=chapter, scene=scene, text=text)
        people = [{"name": f"路人{told}", "current_state": state}]
        manuscript.put_snapshot(
            memory.call(),
            project_id=story.id,
            chapter_index=chapter,
            scene_index=scene,
            summary=f"{told}。",
            active_characters=people,
        )
    pinned = tuple(entity.id for entity, _ in entities) if pinning else ()
    said = for_a_model(assembled(memory, story, now, text="，".join(names), pinned=pinned))
    true = words.true_at(now)
    assert sorted(word for word in words.periods if word not in true and word in said) == []
    expected = (entity_words | free_words | bond_words) & true | scene_words
    assert sorted(word for word in expected if word not in said) == []
    quiet = for_a_model(assembled(memory, story, now, text=""))
    assert sorted(word for word in words.periods if word not in true and word in quiet) == []
    for entity, period in entities:
        if holds(period, now):
            moment = {"chapter": now[0], "scene": now[1]}
            around = graph_view.graph_around(
                memory.call(),
                project_id=story.id,
                entity=entity.name,
                depth=1,
                as_of=graph_view.Moment(**moment),
            )
            described = around.natural_language_description
            assert [word for word in words.periods if word not in true and word in described] == []
    delete_story(memory.call(), project_id=story.id)


@pytest.mark.parametrize(
    ("since", "until", "inside", "outside"),
    [
        (None, None, [(0, 0), (9, 9)], []),
        ((3, None), None, [(3, 0), (9, 0)], [(2, 99), (0, 0)]),
        ((3, 2), None, [(3, 2), (3, 3), (4, 0)], [(3, 1), (2, 9)]),
        (None, (3, None), [(0, 0), (3, 0), (3, 99)], [(4, 0)]),
        (None, (3, 2), [(3, 2), (3, 0)], [(3, 3), (4, 0)]),
        ((3, 2), (3, 2), [(3, 2)], [(3, 1), (3, 3)]),
        ((3, None), (3, None), [(3, 0), (3, 5)], [(2, 5), (4, 0)]),
    ],
)
def test_a_period_begins_and_ends_where_it_says(
    memory: Memory, story: StoryMemory, since: Any, until: Any, inside: Any, outside: Any
) -> None:
    period = fields((since, until))
    whole = story.entity.create(type="character", name="林逸", description="某人。", **period)
    half = story.entity.create(type="character", name="苏瑶", description="女子。")
    story.state.create(entity_id=half.id, description="受了伤。", **period)
    third = story.entity.create(type="location", name="药庐", description="疗伤之所。")
    story.relation.create(
        source_entity_id=half.id, target_entity_id=third.id, relation_type="located_at", **period
    )
    request = LorebookEntryCreate(entry_key="规矩", content="不许出声。", **period)
    lorebook.create_entry(memory.call(), project_id=story.id, entry=request)
    for now in (*inside, *outside):
        found = assembled(memory, story, now, text="林逸、苏瑶、药庐、规矩", pinned=(whole.id,))
        said = for_a_model(found)
        seen = ["某人" in said, "受了伤" in said, "不许出声" in said, found.graph_relationships != ""]
        assert seen == [now in inside] * 4, now


def test_the_saved_scene_and_later_ones_are_not_told_as_the_past(memory: Memory, story: StoryMemory) -> None:
    for scene in range(5):
        request = {"chapter_index": 1, "scene_index": scene, "summary": f"第{scene}幕。"}
        manuscript.put_snapshot(memory.call(), project_id=story.id, **request)
    found = assembled(memory, story, (1, 4))
    assert found.recent_snapshots == tuple(f"【第2章·场景{n + 1}】第{n}幕。" for n in (3, 2, 1))
    assert assembled(memory, story, (1, 0)).recent_snapshots == ()
    assert len(assembled(memory, story, (2, 0)).recent_snapshots) == 3


def test_a_summary_that_names_somebody_of_later_keeps_silent_about_them(
    memory: Memory, story: StoryMemory
) -> None:
    story.entity.create(type="character", name="魔君", description="反派。", since={"chapter": 9})
    people = [{"name": "魔君", "current_state": "沉睡"}, {"name": "林逸", "current_state": "梦见魔君"}]
    request = {
        "chapter_index": 0,
        "scene_index": 0,
        "summary": "雨停了。魔君在梦里笑。",
        "active_characters": people,
    }
    manuscript.put_snapshot(memory.call(), project_id=story.id, **request)
    early = for_a_model(assembled(memory, story, (0, 1), text="魔君来了。"))
    assert "魔君" not in early
    assert "雨停了" in early
    assert "魔君在梦里笑" in for_a_model(assembled(memory, story, (9, 0), text="魔君来了。"))


def test_the_trace_says_when(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="character", name="早", description="旧人。", until={"chapter": 1})
    story.entity.create(type="character", name="晚", description="新人。", since={"chapter": 3})
    reasons = {item.label: item.reason for item in assembled(memory, story, (2, 0), text="早，晚").trace}
    assert reasons == {"早": "no_longer", "晚": "not_yet"}
