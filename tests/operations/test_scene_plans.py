"""What is planned for a scene: point of view, notes and goal stay with it, and no model hears the notes."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.operations.context import assemble_context
from fabula.operations.history import undo
from fabula.operations.import_export.export_story import ExportFileRequest, export_file
from fabula.operations.import_export.import_folder import import_archive
from fabula.operations.manuscript.manuscript import list_chapters, read_scene
from fabula.story_memory import StoryMemory

NOTES = "He lies here, and nobody may notice."


@pytest.fixture
def people(story: StoryMemory) -> dict[str, str]:
    story.scene(0, 0, "Anna came in. Ben looked up.")
    story.scene(0, 1, "Ben went home.")
    made = {name: story.entity.create(type="character", name=name).id for name in ("Anna", "Ben")}
    story.plan_scene(0, 0, pov=made["Ben"], notes=NOTES, word_goal=800)
    return made


def plan(memory: Memory, story_id: str, chapter: int = 0, scene: int = 0) -> tuple[Any, ...]:
    found = read_scene(memory.call(), project_id=story_id, chapter=chapter, scene=scene).plan
    return found.pov, found.notes, found.word_goal


def test_only_what_is_named_changes_and_the_text_stays(
    memory: Memory, story: StoryMemory, people: dict[str, str]
) -> None:
    assert plan(memory, story.id) == (people["Ben"], NOTES, 800)
    story.plan_scene(0, 0, word_goal=None)
    kept = story.plan_scene(0, 0, title="The lie")
    assert (kept.title, kept.text) == ("The lie", "Anna came in. Ben looked up.")
    assert plan(memory, story.id) == (people["Ben"], NOTES, None)


def test_saving_the_text_leaves_the_plan(memory: Memory, story: StoryMemory, people: dict[str, str]) -> None:
    story.scene(0, 0, "Anna came in, late.")
    assert plan(memory, story.id) == (people["Ben"], NOTES, 800)


def test_the_list_of_chapters_says_all_but_the_notes(
    memory: Memory, story: StoryMemory, people: dict[str, str]
) -> None:
    first, second = list_chapters(memory.call(), project_id=story.id)[0].scenes
    assert (first.pov, first.word_goal, first.has_notes) == (people["Ben"], 800, True)
    assert (second.pov, second.word_goal, second.has_notes) == (None, None, False)
    assert (first.opening, second.opening) == ("Anna came in. Ben looked up.", "Ben went home.")
    assert NOTES not in first.model_dump_json()


def test_a_plan_can_be_undone(memory: Memory, story: StoryMemory, people: dict[str, str]) -> None:
    story.plan_scene(0, 0, notes="", pov=people["Anna"])
    undo(memory.call(), project_id=story.id)
    assert plan(memory, story.id) == (people["Ben"], NOTES, 800)


def test_an_older_version_is_refused(memory: Memory, story: StoryMemory, people: dict[str, str]) -> None:
    with pytest.raises(Conflict):
        story.plan_scene(0, 0, notes="x", expected_version=1)
    assert plan(memory, story.id)[1] == NOTES


@pytest.mark.parametrize(
    ("patch", "refusal"),
    [
        ({"pov": "nobody"}, NotFound),
        ({"word_goal": 0}, InvalidInput),
        ({"word_goal": 1_000_001}, InvalidInput),
        ({"notes": "x" * 65_537}, InvalidInput),
        ({"notes": "\x00"}, InvalidInput),
        ({"title": "x" * 257}, InvalidInput),
    ],
)
def test_bad_plans_are_refused(
    memory: Memory,
    story: StoryMemory,
    people: dict[str, str],
    patch: dict[str, Any],
    refusal: type[Exception],
) -> None:
    with pytest.raises(refusal):
        story.plan_scene(0, 0, **patch)
    assert plan(memory, story.id) == (people["Ben"], NOTES, 800)


def test_a_scene_that_is_not_there_has_no_plan(story: StoryMemory, people: dict[str, str]) -> None:
    with pytest.raises(NotFound):
        story.plan_scene(7, 0, notes="x")


def test_who_is_deleted_tells_no_scene_until_it_is_undone(
    memory: Memory, story: StoryMemory, people: dict[str, str]
) -> None:
    assert story.entity.impact(id=people["Ben"]).told_scene_count == 1
    story.entity.delete(id=people["Ben"])
    assert plan(memory, story.id) == (None, NOTES, 800)
    undo(memory.call(), project_id=story.id)
    assert plan(memory, story.id) == (people["Ben"], NOTES, 800)


def test_a_scene_that_is_brought_back_is_not_told_by_somebody_gone(
    memory: Memory, story: StoryMemory, people: dict[str, str]
) -> None:
    revision = story.ask("story.read").revision
    story.ask("manuscript.scene.delete", chapter=0, scene=0)
    story.entity.delete(id=people["Ben"])
    undo(memory.call(), project_id=story.id, revision=revision + 1)
    assert plan(memory, story.id) == (None, NOTES, 800)


def test_merging_hands_the_point_of_view_over(
    memory: Memory, story: StoryMemory, people: dict[str, str]
) -> None:
    story.entity.merge(target_entity_id=people["Anna"], source_entity_ids=[people["Ben"]])
    assert plan(memory, story.id) == (people["Anna"], NOTES, 800)


def test_a_plan_moves_with_its_scene(memory: Memory, story: StoryMemory, people: dict[str, str]) -> None:
    story.move_scene((0, 0), (3, 0))
    assert plan(memory, story.id, 3) == (people["Ben"], NOTES, 800)


def test_a_plan_is_exported_and_imported(memory: Memory, story: StoryMemory, people: dict[str, str]) -> None:
    with export_file(memory.call(), ExportFileRequest(project_id=story.id)) as file:
        data = file.read()
    copy = import_archive(memory.call(), data)
    assert plan(memory, copy.story_id) == (people["Ben"], NOTES, 800)


def test_no_context_holds_the_notes(memory: Memory, story: StoryMemory, people: dict[str, str]) -> None:
    for scene in (0, 1):
        told = assemble_context(
            memory.call(), project_id=story.id, chapter=0, scene=scene, token_budget=20_000, text="Ben lies."
        )
        assert NOTES not in told.model_dump_json()
