"""Checks of the whole story: findings, severities, waivers, fixes, and the job after saving."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabula.canon.step import Step, write
from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.check import CheckFinding
from fabula.model.story_settings import checked_settings
from fabula.operations.checks.sarif import sarif
from fabula.operations.manuscript.manuscript import read_scene
from fabula.operations.manuscript.rearranging import move_scene
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory

FIRST = "It rained. Anna had grey eyes."
LATER = "The door opened. Nobody could forget Anna’s blue eyes. Then it was night."


@pytest.fixture
def novel(memory: Memory) -> StoryMemory:
    story = memory.story("Novel", language="en")
    story.entity.create(type="character", name="Anna")
    story.scene(0, 0, FIRST)
    story.scene(1, 0, LATER)
    return story


def only(story: StoryMemory) -> CheckFinding:
    (found,) = story.checks.newest().findings
    assert isinstance(found, CheckFinding)
    return found


def test_a_finding_has_both_quotations_where_they_stand(novel: StoryMemory) -> None:
    found = only(novel)
    assert (found.rule, found.severity, found.name, found.waived) == ("trait", "warning", "Anna", False)
    here, there = found.here, found.there
    assert there is not None
    assert (here.chapter, here.scene, there.chapter, there.scene) == (1, 0, 0, 0)
    assert LATER[here.start : here.end] == here.quotation == "Nobody could forget Anna’s blue eyes."
    assert LATER[here.mark_start : here.mark_end] == "blue"
    assert FIRST[there.start : there.end] == there.quotation == "Anna had grey eyes."


def test_chapter_rule_and_revision_choose_what_is_checked(novel: StoryMemory) -> None:
    assert len(novel.checks.run(chapter=1).findings) == 1
    assert novel.checks.run(chapter=0).findings == ()
    assert novel.checks.run(rules=["kin"]).findings == ()
    revision = novel.checks.run().revision
    assert novel.checks.run(since_revision=revision).scene_count == 0
    novel.scene(1, 0, LATER + " It snowed.")
    answer = novel.checks.run(since_revision=revision)
    assert (answer.scene_count, len(answer.findings)) == (1, 1)
    with pytest.raises(InvalidInput, match="no rule"):
        novel.checks.run(rules=["spelling"])


def test_the_story_sets_severities(memory: Memory, novel: StoryMemory) -> None:
    def choose(severity: str) -> None:
        patch = StoryPatch(settings={"checks": {"trait": severity}})
        update_story(memory.call(), project_id=novel.id, patch=patch)

    choose("error")
    assert only(novel).severity == "error"
    choose("off")
    assert novel.checks.newest().findings == ()
    with pytest.raises(ValueError, match="severity"):
        checked_settings({"checks": {"trait": "loud"}})


def test_a_waiver_stays_while_the_text_around_moves_and_ends_when_either_side_changes(
    memory: Memory, novel: StoryMemory
) -> None:
    waiver = novel.waiver.create(finding_id=only(novel).id, reason="Lenses.")
    assert (only(novel).waived, only(novel).waiver_id) == (True, waiver.id)
    novel.scene(1, 0, "A new beginning. " + LATER)
    assert only(novel).waived
    move_scene(memory.call(), project_id=novel.id, chapter=1, scene=0, to={"chapter": 2, "scene": 0})
    assert only(novel).waived
    novel.scene(2, 0, LATER.replace("Nobody could", "Who could"))
    assert not only(novel).waived
    novel.scene(2, 0, LATER)
    assert only(novel).waived
    novel.scene(0, 0, "Anna always had grey eyes.")
    assert not only(novel).waived


def test_a_waiver_is_about_one_of_two_things_in_a_sentence(novel: StoryMemory) -> None:
    novel.scene(0, 0, "Captain Anna had grey eyes.")
    novel.scene(1, 0, "Colonel Anna lowered her blue eyes.")
    first, second = novel.checks.newest().findings
    assert [one.here.quotation for one in (first, second)] == ["Colonel Anna lowered her blue eyes."] * 2
    novel.waiver.create(finding_id=first.id, reason="A joke.")
    assert [one.waived for one in novel.checks.newest().findings] == [True, False]


def test_an_earlier_waiver_without_the_thing_it_is_about_still_holds(
    memory: Memory, novel: StoryMemory
) -> None:
    waiver = novel.waiver.create(finding_id=only(novel).id, reason="Lenses.")

    def generalise(step: Step) -> None:
        (kept,) = step.waivers.all_of(novel.id)
        whole = kept.model_copy(update={"facts": (f"entity:{only(novel).entity_id}",)})
        step.replace([(kept, whole)])

    write(memory.call(), novel.id, "test", generalise)
    assert (only(novel).waived, only(novel).waiver_id) == (True, waiver.id)


def test_a_waiver_is_listed_undone_deleted_and_made_once(novel: StoryMemory) -> None:
    found = only(novel)
    first = novel.waiver.create(finding_id=found.id)
    assert novel.waiver.create(finding_id=found.id).id == first.id
    assert [one.id for one in novel.waiver.list().items] == [first.id]
    novel.history.undo()
    assert (novel.waiver.list().total_count, only(novel).waived) == (0, False)
    novel.history.redo()
    assert only(novel).waived
    novel.waiver.delete(id=first.id)
    assert not only(novel).waived
    with pytest.raises(NotFound):
        novel.waiver.delete(id=first.id)
    with pytest.raises(NotFound):
        novel.waiver.create(finding_id="none")


def test_a_waiver_goes_along_with_a_merge_and_with_an_export(
    memory: Memory, novel: StoryMemory, tmp_path: Path
) -> None:
    novel.waiver.create(finding_id=only(novel).id, reason="Lenses.")
    anna = novel.entity.list().items[0]
    other = novel.entity.create(type="character", name="Anna Petrovna")
    novel.entity.merge(target_entity_id=other.id, source_entity_ids=[anna.id])
    assert only(novel).waived
    novel.export(tmp_path / "folder")
    copy = memory.import_story(tmp_path / "folder")
    assert [one.reason for one in copy.waiver.list().items] == ["Lenses."]
    assert only(copy).waived


def test_the_text_the_state_and_the_fact_can_be_mended(memory: Memory, novel: StoryMemory) -> None:
    found = only(novel)
    assert [one.kind for one in found.fixes] == ["change_text", "add_state", "correct_fact", "waive"]
    with pytest.raises(Conflict):
        novel.checks.fix(finding_id=found.id, kind="change_text", expected_version=9)
    assert novel.checks.fix(finding_id=found.id, kind="change_text").changed == "scene"
    scene = read_scene(memory.call(), project_id=novel.id, chapter=1, scene=0)
    assert scene.text == LATER.replace("blue", "grey")
    assert novel.checks.newest().findings == ()
    novel.history.undo()
    assert novel.checks.fix(finding_id=only(novel).id, kind="add_state").changed == "state"
    (state,) = novel.state.list(entity_id=found.entity_id).items
    assert (state.attributes, state.since.chapter) == ({"eyes": "blue"}, 1)
    assert novel.checks.newest().findings == ()
    novel.history.undo()
    assert novel.checks.fix(finding_id=only(novel).id, kind="waive", reason="So be it.").changed == "waiver"
    assert only(novel).waived


def test_a_passage_is_held_against_the_scenes_before_it(novel: StoryMemory) -> None:
    (found,) = novel.check("Anna’s green eyes shone.", chapter=1, scene=0).findings
    assert (found.kind, found.rule, found.term) == ("trait", "trait", "green")
    assert found.there is not None
    assert found.there.quotation == "Anna had grey eyes."
    assert novel.check("Anna’s green eyes shone.", chapter=0, scene=0).findings == ()


def test_a_model_is_told_nothing_that_is_hidden(novel: StoryMemory) -> None:
    novel.entity.create(type="character", name="Boris", ai_context_level="never")
    novel.scene(0, 1, "Boris was Anna’s brother.")
    assert [one.rule for one in novel.check("Boris was Anna’s uncle.", chapter=1, scene=0).findings] == [
        "secret",
        "kin",
    ]
    told = novel.check("Boris was Anna’s uncle.", chapter=1, scene=0, audience="model")
    assert told.findings == ()


def test_sarif_names_rules_places_and_waivers(novel: StoryMemory) -> None:
    novel.waiver.create(finding_id=only(novel).id)
    log = sarif(novel.checks.run())
    (run,) = log["runs"]
    (result,) = run["results"]
    assert (log["version"], result["ruleId"], result["level"]) == ("2.1.0", "trait", "warning")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "trait"
    place = result["locations"][0]["physicalLocation"]
    region = place["region"]
    assert LATER[region["charOffset"] : region["charOffset"] + region["charLength"]] == "blue"
    assert place["artifactLocation"]["uri"] == "manuscript/0001/0000.md"
    assert result["suppressions"] == [{"kind": "external"}]


def test_characters_of_the_private_use_area_are_no_names(novel: StoryMemory) -> None:
    novel.scene(3, 0, "\ue000 and \uf123 had blue eyes. Anna came in.")
    assert [one.here.chapter for one in novel.checks.run().findings] == [1]
