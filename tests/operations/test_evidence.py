"""Evidence: every fact that was read from a text says where, whatever happens to the text and the fact."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.moment import Moment
from fabula.operations.evidence import (
    AttachEvidenceRequest,
    FactEvidence,
    ListEvidenceRequest,
    attach_evidence,
    list_evidence,
)
from fabula.operations.import_export.export_story import ExportFileRequest, export_file
from fabula.operations.import_export.import_folder import import_archive
from fabula.operations.manuscript.manuscript import delete_scene, read_scene
from fabula.story_memory import StoryMemory
from novels import imported

SCENE = "雪停了。林惊羽的师父玄清站在崖边。林惊羽没有说话。"
QUOTATION = "林惊羽的师父玄清站在崖边。"


def evidence(memory: Memory, story: str, kind: str, fact: str) -> tuple[FactEvidence, ...]:
    request = ListEvidenceRequest.model_validate({"projectId": story, "kind": kind, "id": fact})
    return list_evidence(memory.call(), request).items


def attached(memory: Memory, story: StoryMemory, fact: str, **said: object) -> FactEvidence:
    scene = read_scene(memory.call(), project_id=story.id, chapter=0, scene=0)
    asked = {"projectId": story.id, "kind": "entity", "id": fact, "sceneId": scene.id, **said}
    return attach_evidence(memory.call(), AttachEvidenceRequest.model_validate(asked))


@pytest.fixture
def fact(story: StoryMemory) -> str:
    story.scene(0, 0, SCENE)
    return story.entity.create(type="character", name="玄清").id


def test_an_approved_find_rests_on_its_quotation(memory: Memory, story: StoryMemory) -> None:
    story.scene(0, 0, SCENE)
    scene = read_scene(memory.call(), project_id=story.id, chapter=0, scene=0)
    pupil = story.entity.create(type="character", name="林惊羽")
    master = story.entity.create(type="character", name="玄清")
    tie = {
        "kind": "relation",
        "entity_name": "玄清",
        "attributes": {"target": "林惊羽", "type": "mentors"},
        "source_text": QUOTATION,
    }
    (found,) = story.propose(tie, text=SCENE, manuscript_id=scene.id, chapter=0, scene=0).extractions
    story.review(found.id, "approved")
    (relation,) = story.relation.list().items
    assert (relation.source_entity_id, relation.target_entity_id) == (master.id, pupil.id)
    (one,) = evidence(memory, story.id, "relation", relation.id)
    assert (one.chapter, one.scene, one.quotation, one.occurrence) == (0, 0, QUOTATION, 0)
    assert SCENE[one.start : one.end] == QUOTATION
    story.history.undo()
    assert story.relation.list().items == ()


def test_saving_the_scene_moves_the_span_and_rewrites_nothing(
    memory: Memory, story: StoryMemory, fact: str
) -> None:
    first = attached(memory, story, fact, quotation=QUOTATION)
    story.scene(0, 0, "天亮了。" + SCENE)
    (moved,) = evidence(memory, story.id, "entity", fact)
    assert (moved.start, moved.end) == ((first.start or 0) + 4, (first.end or 0) + 4)
    assert moved.model_copy(update={"start": first.start, "end": first.end}) == first
    story.scene(0, 0, "天亮了。")
    (lost,) = evidence(memory, story.id, "entity", fact)
    assert (lost.start, lost.end) == (None, None)


def test_the_second_occurrence_stays_the_second(memory: Memory, story: StoryMemory, fact: str) -> None:
    start = SCENE.rindex("林惊羽")
    one = attached(memory, story, fact, quotation="林惊羽", start=start)
    assert (one.occurrence, one.start) == (1, start)
    assert attached(memory, story, fact, quotation="林惊羽", start=start).id == one.id


def test_what_does_not_stand_there_is_refused(memory: Memory, story: StoryMemory, fact: str) -> None:
    with pytest.raises(InvalidInput):
        attached(memory, story, fact, quotation="没有这句话。")
    with pytest.raises(InvalidInput):
        attached(memory, story, fact, quotation="林惊羽", start=0)
    with pytest.raises(NotFound):
        attached(memory, story, "nobody", quotation="林惊羽")
    assert evidence(memory, story.id, "entity", fact) == ()


def test_evidence_goes_with_its_fact_and_comes_back_with_it(
    memory: Memory, story: StoryMemory, fact: str
) -> None:
    one = attached(memory, story, fact, quotation=QUOTATION)
    story.entity.delete(id=fact)
    story.history.undo()
    assert evidence(memory, story.id, "entity", fact) == (one,)
    delete_scene(memory.call(), project_id=story.id, chapter=0, scene=0)
    assert evidence(memory, story.id, "entity", fact) == ()
    story.history.undo()
    assert evidence(memory, story.id, "entity", fact) == (one,)
    assert not any(report.differing for report in memory.audit())


def test_merged_facts_rest_on_the_evidence_of_both(memory: Memory, story: StoryMemory, fact: str) -> None:
    other = story.entity.create(type="character", name="玄清真人").id
    pupil = story.entity.create(type="character", name="林惊羽").id
    kept = story.relation.create(source_entity_id=fact, target_entity_id=pupil, relation_type="mentors").id
    twin = story.relation.create(source_entity_id=other, target_entity_id=pupil, relation_type="mentors").id
    attached(memory, story, other, quotation=QUOTATION)
    attached(memory, story, twin, kind="relation", quotation=QUOTATION)
    story.entity.merge(target_entity_id=fact, source_entity_ids=[other])
    assert [one.quotation for one in evidence(memory, story.id, "entity", fact)] == [QUOTATION]
    assert [one.quotation for one in evidence(memory, story.id, "relation", kept)] == [QUOTATION]
    story.history.undo()
    assert [one.quotation for one in evidence(memory, story.id, "relation", twin)] == [QUOTATION]
    assert evidence(memory, story.id, "relation", kept) == ()


def test_an_exported_story_brings_its_evidence(memory: Memory, story: StoryMemory, fact: str) -> None:
    one = attached(memory, story, fact, quotation="林惊羽", start=SCENE.rindex("林惊羽"))
    with export_file(memory.call(), ExportFileRequest(project_id=story.id)) as file:
        data = file.read()
    copy = import_archive(memory.call(), data).story_id
    (same,) = evidence(memory, copy, "entity", fact)
    assert same.model_copy(update={"created_at": one.created_at}) == one


NOVEL = "\n\n".join(
    f"第{number}章 {title}\n\n" + text * 6
    for number, title, text in (
        (1, "雪", "秦明走进山门。秦明说道：“有人吗？”柳月笑道：“我在。”柳月看着秦明。秦明没有说话。\n"),
        (2, "剑", "秦明是柳月的弟弟。秦明问道：“剑呢？”柳月答道：“在山上。”柳月年方十七岁。\n"),
        (3, "火", "秦明说道：“走。”柳月笑道：“好。”柳月病故。秦明看着柳月。\n"),
    )
)


@pytest.mark.long
def test_the_text_of_a_person_holds_nothing_of_later_chapters(tmp_path: Path) -> None:
    with Memory(tmp_path / "novel.db") as memory:
        read = imported(memory, NOVEL)
        story = memory.story("", id=read.story_id)
        people = {one.name: one for one in story.entity.list(limit=100).items}
        brother, sister = people["秦明"], people["柳月"]
        states = story.state.list(entity_id=sister.id).items
        aged = [state for state in states if "年龄" in state.attributes]
        assert [(state.description, state.attributes) for state in aged] == [
            ("年方十七岁。", {"年龄": "年方十七岁"})
        ]
        assert {state.since.chapter for state in aged if state.since} == {1}
        assert {state.since.chapter for state in states if state.since and "病故" in state.description} == {2}
        assert not {"病故", "岁"} & set(sister.description.split("。"))
        assert "岁" not in sister.description
        (tie,) = [one for one in story.relation.list().items if one.relation_type == "sibling"]
        assert (tie.source_entity_id, tie.target_entity_id) == (brother.id, sister.id)
        assert tie.since == Moment(chapter=1, scene=0)
        (proof,) = evidence(memory, story.id, "relation", tie.id)
        assert (proof.chapter, proof.quotation) == (1, "秦明是柳月的弟弟。")
        for state in states:
            assert evidence(memory, story.id, "state", state.id)
