"""Scenes and chapters moved and deleted: no text is lost, facts follow, and one undo is enough."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from any_story import STEPS, Teller
from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.moment import MAX_SCENE, Moment
from fabula.model.renumbering import ChapterMove, SceneMove, renumbered, without_collision
from fabula.operations.manuscript import manuscript
from fabula.operations.manuscript.rearranging import (
    ChapterTarget,
    MoveResponse,
    SceneTarget,
    delete_chapter,
    move_chapter,
    move_scene,
)
from fabula.operations.stories import delete_story
from fabula.store.job_reader import SceneReading
from fabula.store.kinds import KINDS
from fabula.story_memory import StoryMemory

SHARED_FILE = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
CHAPTERS, SCENES = st.integers(0, 4), st.integers(0, 4)
PLACES = st.tuples(CHAPTERS, SCENES)
MOVES = st.one_of(st.builds(SceneMove, PLACES, PLACES), st.builds(ChapterMove, CHAPTERS, CHAPTERS))


def rows(memory: Memory, story_id: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Every row of the story, apart from what every write changes."""
    with memory.call().store.read() as reader:
        return {
            (kind.name, row[kind.id_column]): {
                name: value
                for name, value in kind.image(row).items()
                if name not in ("version", "updated_at")
            }
            for kind in KINDS.values()
            for row in reader.rows_of(kind, story_id)
            if kind.name != "story"
        }


def texts(memory: Memory, story_id: str) -> list[tuple[tuple[int, int], str]]:
    with memory.call().store.read() as reader:
        scenes = reader.manuscript.scenes(story_id)
    return [((scene.chapter_index, scene.scene_index), scene.text) for scene in scenes]


def moved(memory: Memory, story_id: str, move: SceneMove | ChapterMove, **more: Any) -> MoveResponse:
    if isinstance(move, ChapterMove):
        request = ChapterTarget(chapter=move.target, **more)
        return move_chapter(memory.call(), project_id=story_id, chapter=move.source, to=request)
    scene = SceneTarget(chapter=move.target[0], scene=move.target[1], **more)
    return move_scene(
        memory.call(), project_id=story_id, chapter=move.source[0], scene=move.source[1], to=scene
    )


def back(move: SceneMove | ChapterMove) -> SceneMove | ChapterMove:
    return type(move)(move.target, move.source)  # type: ignore[arg-type]


@given(MOVES, st.sets(PLACES, max_size=12))
def test_a_move_is_one_to_one_and_the_way_back_undoes_it(move: Any, places: set[tuple[int, int]]) -> None:
    target = {place: move.scene(*place) for place in places}
    assert len(set(target.values())) == len(places)
    assert all(back(move).scene(*new) == old for old, new in target.items())
    where = {place: place for place in places}
    for old, new in without_collision(target):
        assert new not in where
        where[new] = where.pop(old)
    assert {origin: place for place, origin in where.items()} == target


@pytest.mark.slow
@SHARED_FILE
@given(STEPS, st.lists(MOVES, max_size=4))
def test_any_row_of_moves_keeps_every_text_and_is_undone_to_the_letter(
    memory: Memory, steps: Any, moves: Any
) -> None:
    story = memory.story("x", id=str(uuid4()))
    Teller(memory, story).tell(steps)
    for chapter, scene in ((0, 0), (0, 1), (1, 0), (2, 3)):
        story.scene(chapter, scene, f"{chapter}.{scene}")
    for move in moves:
        before, told = rows(memory, story.id), texts(memory, story.id)
        try:
            preview = moved(memory, story.id, move, dry_run=True)
            assert rows(memory, story.id) == before
            done = moved(memory, story.id, move)
        except (NotFound, Conflict):
            assert rows(memory, story.id) == before
            continue
        assert done == preview.model_copy(update={"dry_run": False})
        assert texts(memory, story.id) == sorted((move.scene(*place), text) for place, text in told)
        after = rows(memory, story.id)
        if before == after:
            continue
        story.history.undo()
        assert rows(memory, story.id) == before
        story.history.redo()
        assert rows(memory, story.id) == after
        if not done.kept:
            moved(memory, story.id, back(move))
            assert rows(memory, story.id) == before
            story.history.undo()
        assert rows(memory, story.id) == after
    assert all(report.differing == () for report in memory.audit())
    delete_story(memory.call(), project_id=story.id)


@pytest.fixture
def three(story: StoryMemory) -> StoryMemory:
    for number, text in enumerate(("林逸进门。", "苏瑶说出了秘密。", "他们走了。")):
        story.scene(0, number, text)
    return story


def test_a_secret_comes_out_where_its_scene_stands_now(memory: Memory, three: StoryMemory) -> None:
    secret = three.entity.create(
        type="concept",
        name="血契",
        description="苏瑶与魔尊有约。",
        since={"chapter": 0, "scene": 1},
        ai_context_level="always",
    )
    done = moved(memory, three.id, SceneMove((0, 1), (0, 2)))
    assert (done.chapter, done.scene, done.scene_count, done.fact_count) == (0, 2, 2, 1)
    assert three.entity.read(id=secret.id).since == Moment(chapter=0, scene=2)
    assert "血契" not in str(three.context(0, 1).messages)
    assert "血契" in str(three.context(0, 2).messages)


def test_states_relations_entries_snapshots_and_proposals_go_along(
    memory: Memory, three: StoryMemory
) -> None:
    at = {"chapter": 0, "scene": 1}
    one = three.entity.create(type="character", name="林逸", until={"chapter": 0})
    other = three.entity.create(type="character", name="苏瑶")
    state = three.state.create(entity_id=one.id, description="受伤", since=at)
    bond = three.relation.create(
        source_entity_id=one.id, target_entity_id=other.id, relation_type="ally", until=at
    )
    three.entry("家规", "不许夜行。", category="custom", since=at)
    three.snapshot(0, 1, "秘密说破。")
    three.propose({"entityName": "魔尊", "entityType": "character", "sourceText": "魔尊"}, **at)
    done = moved(memory, three.id, SceneMove((0, 1), (1, 0)))
    assert (done.fact_count, done.proposal_count, done.kept_count) == (3, 1, 0)
    now = Moment(chapter=1, scene=0)
    assert three.state.list(entity_id=one.id).items[0].since == now
    assert three.relation.list().items[0].until == now
    assert three.entity.read(id=one.id).until == Moment(chapter=0)
    with memory.call().store.read() as reader:
        assert reader.manuscript.snapshot(three.id, 1, 0).summary == "秘密说破。"
        assert {row["chapter_index"] for row in reader.rows_of(KINDS["proposal"], three.id)} == {1}
        assert [row["since_chapter"] for row in reader.rows_of(KINDS["entry"], three.id)] == [1]
    assert bond.id == three.relation.list().items[0].id
    assert state.version < three.state.list(entity_id=one.id).items[0].version


def test_what_would_end_before_it_begins_keeps_its_period_and_is_named(
    memory: Memory, three: StoryMemory
) -> None:
    who = three.entity.create(type="character", name="林逸")
    ill = three.state.create(
        entity_id=who.id, description="病", since={"chapter": 0, "scene": 0}, until={"chapter": 0, "scene": 1}
    )
    done = moved(memory, three.id, SceneMove((0, 0), (0, 2)))
    assert [(fact.kind, fact.id) for fact in done.kept] == [("state", ill.id)]
    kept = three.state.list(entity_id=who.id).items[0]
    assert (kept.since, kept.until) == (ill.since, ill.until)


def test_a_name_that_would_end_before_it_begins_keeps_its_period_and_is_named(
    memory: Memory, three: StoryMemory
) -> None:
    three.scene(1, 0, "第二章")
    three.scene(2, 0, "第三章")
    veiled = {"name": "灰衣客", "since": {"chapter": 0}, "until": {"chapter": 1}}
    who = three.entity.create(type="character", name="林远", since={"chapter": 0}, names=[veiled])
    done = moved(memory, three.id, ChapterMove(0, 2))
    assert [(fact.kind, fact.id) for fact in done.kept] == [("entity", who.id)]
    now = three.entity.read(id=who.id)
    assert now.since == Moment(chapter=2)
    assert [(one.since, one.until) for one in now.names] == [(Moment(chapter=0), Moment(chapter=1))]


def test_a_chapter_takes_its_title_and_everything_dated_with_it_along(
    memory: Memory, three: StoryMemory
) -> None:
    call = memory.call()
    manuscript.put_chapter(call, project_id=three.id, chapter=0, title="起")
    three.scene(1, 0, "第二章")
    three.scene(2, 0, "第三章")
    war = three.event.create(name="大战", moment={"chapter": 0})
    done = moved(memory, three.id, ChapterMove(0, 2))
    assert done.scene_count == 5
    shown = manuscript.list_chapters(call, project_id=three.id)
    assert [(chapter.chapter, chapter.title, len(chapter.scenes)) for chapter in shown] == [
        (0, "", 1),
        (1, "", 1),
        (2, "起", 3),
    ]
    assert three.entity.read(id=war.id).since == Moment(chapter=2)


def test_two_relations_that_would_be_one_are_refused_and_nothing_moves(
    memory: Memory, three: StoryMemory
) -> None:
    ends = {
        "source_entity_id": three.entity.create(type="character", name="a").id,
        "target_entity_id": three.entity.create(type="character", name="b").id,
        "relation_type": "ally",
    }
    three.relation.create(**ends, since={"chapter": 0})
    three.relation.create(**ends, since={"chapter": 0, "scene": 1})
    before = rows(memory, three.id)
    with pytest.raises(Conflict, match="would be one"):
        moved(memory, three.id, SceneMove((0, 1), (0, 0)))
    assert rows(memory, three.id) == before


def test_whoever_saw_another_scene_at_a_place_does_not_write_over_this_one(
    memory: Memory, three: StoryMemory
) -> None:
    call = memory.call()
    seen = manuscript.read_scene(call, project_id=three.id, chapter=0, scene=0)
    moved(memory, three.id, SceneMove((0, 0), (1, 0)), expected_version=seen.version)
    with pytest.raises(Conflict):
        manuscript.put_scene(
            call, project_id=three.id, chapter=0, scene=0, text="!", expected_version=seen.version
        )
    with pytest.raises(Conflict) as refused:
        manuscript.put_scene(call, project_id=three.id, chapter=0, scene=0, text="!", expected_id=seen.id)
    assert refused.value.details["movedTo"] == {"chapter": 1, "scene": 0}
    kept, is_new = manuscript.put_scene(
        call, project_id=three.id, chapter=1, scene=0, text="!", expected_id=seen.id
    )
    assert (kept.text, is_new) == ("!", False)
    with pytest.raises(Conflict):
        moved(memory, three.id, SceneMove((0, 0), (0, 1)), expected_version=seen.version)
    manuscript.delete_scene(call, project_id=three.id, chapter=1, scene=0)
    again, is_new = manuscript.put_scene(
        call, project_id=three.id, chapter=1, scene=0, text="?", expected_id=seen.id
    )
    assert (again.id, is_new) == (seen.id, True)


def test_what_was_read_of_a_scene_is_known_where_it_stands_now(memory: Memory, three: StoryMemory) -> None:
    store = memory.call().store
    with store.write_jobs() as jobs:
        jobs.note_reading(three.id, 0, 0, SceneReading("local", ("a",)))
        jobs.note_reading(three.id, 0, 1, SceneReading("local", ("b",)))
    moved(memory, three.id, SceneMove((0, 0), (0, 2)))
    with store.read() as reader:
        found = [reader.jobs.reading(three.id, 0, number) for number in range(3)]
    assert [one and one.pieces for one in found] == [("b",), None, ("a",)]


def test_a_chapter_goes_with_its_scenes_and_snapshots_and_comes_back_at_once(
    memory: Memory, three: StoryMemory
) -> None:
    call = memory.call()
    manuscript.put_chapter(call, project_id=three.id, chapter=0, title="起")
    three.snapshot(0, 1, "说破。")
    three.scene(1, 0, "留下")
    three.entity.create(type="item", name="灯", since={"chapter": 0, "scene": 1})
    before = rows(memory, three.id)
    told = delete_chapter(call, project_id=three.id, chapter=0, dry_run=True)
    assert rows(memory, three.id) == before
    assert (told.scene_count, told.word_count, told.snapshot_count, told.fact_count) == (3, 15, 1, 1)
    assert delete_chapter(call, project_id=three.id, chapter=0) == told.model_copy(update={"dry_run": False})
    assert texts(memory, three.id) == [((1, 0), "留下")]
    assert Counter(kind for kind, _ in before) - Counter(kind for kind, _ in rows(memory, three.id)) == {
        "scene": 3,
        "snapshot": 1,
        "chapter": 1,
    }
    three.history.undo()
    assert rows(memory, three.id) == before


def test_nothing_that_does_not_exist_is_moved_or_deleted(memory: Memory, three: StoryMemory) -> None:
    for move in (SceneMove((0, 9), (0, 0)), SceneMove((9, 0), (0, 0)), ChapterMove(9, 0)):
        with pytest.raises(NotFound):
            moved(memory, three.id, move)
    with pytest.raises(NotFound):
        delete_chapter(memory.call(), project_id=three.id, chapter=9)


def test_a_scene_that_would_get_too_high_a_number_is_refused(memory: Memory, three: StoryMemory) -> None:
    three.scene(1, MAX_SCENE, "letzte")
    with pytest.raises(InvalidInput):
        moved(memory, three.id, SceneMove((0, 0), (1, 0)))


def test_moments_that_were_never_given_stay_so() -> None:
    assert renumbered(None, ChapterMove(0, 3)) is None
