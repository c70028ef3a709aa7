"""Stale facts: an edit marks exactly what rests on nothing else, and authors decide what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.canon.evidence import attach
from fabula.canon.step import Step, write
from fabula.errors import Conflict, InvalidInput
from fabula.memory import Memory
from fabula.model.evidence import Attested
from fabula.model.fact import FactKind
from fabula.operations.history import undo
from fabula.operations.import_export.export_story import ExportFileRequest, export_file
from fabula.operations.import_export.import_folder import import_archive
from fabula.operations.manuscript.manuscript import read_scene
from fabula.story_memory import StoryMemory

EYES = "Her eyes were grey."
TRADE = "She mended clocks."
SCENE = f"Ann came in. {EYES} {TRADE} Bea was her sister."


class Reading:
    """A story of which some facts were read from its first scene."""

    def __init__(self, memory: Memory, story: StoryMemory) -> None:
        self.memory, self.story = memory, story
        story.scene(0, 0, SCENE)
        told = {"description": f"{TRADE} She is kind.", "attributes": {"eyes": "grey", "hand": "left"}}
        self.ann = story.entity.create(type="character", name="Ann", **told).id
        self.bea = story.entity.create(type="character", name="Bea").id
        self.tie = story.relation.create(
            source_entity_id=self.ann, target_entity_id=self.bea, relation_type="sibling"
        ).id
        self.rests(FactKind.ENTITY, self.ann, "Ann came in.")
        self.rests(FactKind.ENTITY, self.ann, EYES, Attested(attributes={"eyes": "grey"}))
        self.rests(FactKind.ENTITY, self.ann, TRADE, Attested(text=TRADE))
        self.rests(FactKind.RELATION, self.tie, "Bea was her sister.")

    def rests(self, kind: FactKind, fact: str, words: str, said: Attested | None = None) -> None:
        scene = self.memory.call()
        place = read_scene(scene, project_id=self.story.id, chapter=0, scene=0)

        def work(step: Step) -> None:
            found = step.manuscript.scene_of_id(self.story.id, place.id)
            assert found is not None
            assert attach(step, kind, fact, found, words, None, said) is not None

        write(self.memory.call(), self.story.id, "evidence:attach", work)

    def edit(self, old: str, new: str) -> None:
        text = read_scene(self.memory.call(), project_id=self.story.id, chapter=0, scene=0).text
        assert old in text
        self.story.scene(0, 0, text.replace(old, new))

    def stale(self) -> list[tuple[str, str, str | None]]:
        names = {self.ann: "Ann", self.bea: "Bea", self.tie: "tie"}
        part = {None: None}
        return sorted(
            (one.kind.value, names[one.id], one.part if one.part in part else one.part.split(":")[0])
            for one in self.story.stale.list().items
        )

    def resolve(self, *items: dict[str, Any]) -> Any:
        return self.story.stale.resolve(items=items)


@pytest.fixture
def read(memory: Memory, story: StoryMemory) -> Reading:
    return Reading(memory, story)


def test_nothing_is_stale_while_the_words_stand(read: Reading) -> None:
    assert read.stale() == []
    read.edit("Ann came in. ", "It rained.\n\nAnn  came\nin. ")
    assert read.stale() == []


@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        ("grey", "green", [("entity", "Ann", "attribute")]),
        ("mended", "sold", [("entity", "Ann", "text")]),
        ("Bea was her sister.", "", [("relation", "tie", None)]),
        ("Ann came in.", "Ann sat down.", []),
    ],
)
def test_an_edit_marks_exactly_what_its_words_said(
    read: Reading, old: str, new: str, stale: list[tuple[str, str, str | None]]
) -> None:
    read.edit(old, new)
    assert read.stale() == stale


def test_a_fact_of_which_nothing_stands_is_stale_as_a_whole(read: Reading) -> None:
    read.story.scene(0, 0, "Nobody came.")
    assert read.stale() == [("entity", "Ann", None), ("relation", "tie", None)]


def test_words_that_moved_to_another_scene_still_stand(read: Reading) -> None:
    read.edit(EYES, "")
    read.story.scene(3, 1, f"Years before. {EYES}")
    assert read.stale() == []


def test_a_second_quotation_is_enough(read: Reading) -> None:
    read.edit("Bea was her sister.", "Bea was her sister. Bea, my sister, she said.")
    read.rests(FactKind.RELATION, read.tie, "Bea, my sister, she said.")
    read.edit("Bea was her sister.", "")
    assert read.stale() == []


def test_what_the_author_rewrote_does_not_rest_on_words_any_more(read: Reading) -> None:
    attributes = {"eyes": "green", "hand": "left"}
    entity = read.story.entity.read(id=read.ann)
    read.story.entity.update(id=read.ann, expected_version=entity.version, patch={"attributes": attributes})
    read.edit("grey", "green")
    assert read.stale() == []


def test_it_is_shown_with_before_and_after(read: Reading) -> None:
    read.edit("grey", "green")
    (one,) = read.story.stale.list().items
    assert (one.entity_id, one.name, one.says, one.part) == (read.ann, "Ann", "eyes: grey", "attribute:eyes")
    (lost,) = one.evidence
    assert (lost.quotation, lost.now, lost.chapter) == (EYES, "Her eyes were green.", 0)
    assert read.story.stale.list(entity_id=read.bea).items == ()


def test_a_confirmed_fact_stays_and_is_never_stale_again(read: Reading) -> None:
    read.edit("grey", "green")
    done = read.resolve({"kind": "entity", "id": read.ann, "part": "attribute:eyes", "action": "confirm"})
    assert (done.confirmed, done.left) == (1, 0)
    assert read.stale() == []
    assert read.story.entity.read(id=read.ann).attributes["eyes"] == "grey"
    undo(read.memory.call(), project_id=read.story.id)
    assert read.stale() == [("entity", "Ann", "attribute")]


def test_many_are_resolved_in_one_step(read: Reading) -> None:
    read.story.scene(0, 0, "Ann came in. Her eyes were green. She sold clocks.")
    before = read.story.story.read().revision
    patch = {"attributes": {"eyes": "green", "hand": "left"}}
    done = read.resolve(
        {"kind": "entity", "id": read.ann, "part": "attribute:eyes", "action": "correct", "patch": patch},
        {"kind": "relation", "id": read.tie, "action": "drop"},
        {"kind": "entity", "id": read.ann, "action": "drop"},
    )
    assert (done.confirmed, done.corrected, done.dropped, done.left) == (0, 1, 2, 0)
    ann = read.story.entity.read(id=read.ann)
    assert (ann.attributes, ann.description) == ({"eyes": "green", "hand": "left"}, "She is kind.")
    assert read.story.relation.list().items == ()
    assert read.story.story.read().revision == before + 1
    undo(read.memory.call(), project_id=read.story.id)
    assert len(read.stale()) == 3


def test_what_is_not_stale_cannot_be_resolved(read: Reading) -> None:
    with pytest.raises(Conflict):
        read.resolve({"kind": "entity", "id": read.ann, "action": "drop"})
    read.edit("grey", "green")
    with pytest.raises(InvalidInput):
        read.resolve({"kind": "entity", "id": read.ann, "action": "correct"})


def told(read: Reading) -> tuple[str, dict[str, tuple[bool, str, bool]]]:
    found = read.story.context(1, 0, "Ann and Bea met.")
    trace = {item.id: (item.included, item.reason, item.stale) for item in found.trace}
    return "\n".join(message.content for message in found.messages), trace


def test_contexts_use_stale_facts_and_mark_them(read: Reading) -> None:
    read.edit("grey", "green")
    read.edit("Bea was her sister.", "")
    text, trace = told(read)
    assert "grey" in text
    assert trace[read.ann] == (True, "detected", True)
    assert trace[read.bea] == (True, "detected", False) or not trace[read.bea][2]
    assert trace[read.tie] == (True, "related", True)


def test_a_story_may_withhold_them(read: Reading) -> None:
    read.story.story.update(patch={"settings": {"staleFacts": "withhold"}})
    read.edit("grey", "green")
    read.edit("Bea was her sister.", "")
    text, trace = told(read)
    assert "grey" not in text
    assert "left" in text
    assert trace[read.tie] == (False, "no_longer_said", True)
    read.story.scene(0, 0, "Nobody came.")
    text, trace = told(read)
    assert trace[read.ann] == (False, "no_longer_said", True)
    assert TRADE not in text


def test_an_archive_keeps_what_each_quotation_says(memory: Memory, read: Reading) -> None:
    read.edit("grey", "green")
    with export_file(memory.call(), ExportFileRequest(project_id=read.story.id)) as file:
        copy = StoryMemory(memory, import_archive(memory.call(), file.read()).story_id)
    assert [one.part for one in copy.stale.list().items] == ["attribute:eyes"]
