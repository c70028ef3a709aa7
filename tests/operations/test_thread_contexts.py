"""Threads where models hear of them: contexts, agents, and nothing of what comes later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.operations.agents.threads import note_thread, told_threads
from fabula.operations.manuscript.manuscript import delete_scene, read_scene
from fabula.story_memory import StoryMemory

PLANT = "The clock had stopped at nine."
PAYOFF = "The gardener confessed to the clock."


class Book:
    """Six chapters, of which the second plants and the fifth pays off a thread of Ann."""

    def __init__(self, memory: Memory, story: StoryMemory) -> None:
        self.memory, self.story = memory, story
        said = {1: PLANT, 4: PAYOFF}
        for chapter in range(6):
            story.scene(chapter, 0, f"Rain fell. {said.get(chapter, 'Nothing happened.')}")
        self.ann = story.entity.create(type="character", name="Ann", description="A maid.").id
        self.thread = story.thread.create(
            title="The stopped clock",
            kind="mystery",
            note="It was the gardener.",
            people=[self.ann],
            plants=[self.words(1, PLANT)],
        ).id
        story.thread.mark(id=self.thread, role="payoffs", **self.words(4, PAYOFF))

    def words(self, chapter: int, quotation: str) -> dict[str, Any]:
        scene = read_scene(self.memory.call(), project_id=self.story.id, chapter=chapter, scene=0)
        return {"scene_id": scene.id, "quotation": quotation}

    def told(self, chapter: int, text: str = "Ann came in.", **wishes: Any) -> tuple[str, str | None]:
        """What a context says of the thread, and why, or why not."""
        found = self.story.context(chapter, 0, text, **wishes)
        said = "\n".join(one.content for one in found.messages if one.role != "user")
        reasons = [one.reason for one in found.trace if one.kind == "thread"]
        section = said.partition("## Open threads\n")[2]
        return section.partition("\n\n")[0], reasons[0] if reasons else None


@pytest.fixture
def book(memory: Memory, tmp_path: Path) -> Book:
    return Book(memory, memory.story("Clocks", language="en"))


def test_an_open_thread_of_somebody_on_stage_is_told(book: Book) -> None:
    said, reason = book.told(3)
    assert said == f"The stopped clock (mystery, open, Ann): [Chapter 2, scene 1] “{PLANT}”"
    assert reason == "open_thread"
    assert book.told(3, "Nobody was there.") == ("", "off_stage")


@pytest.mark.parametrize("chapter", [0, 1, 5])
def test_what_is_not_planted_yet_or_is_paid_is_not_told(book: Book, chapter: int) -> None:
    assert book.told(chapter) == ("", None)


def test_what_is_due_is_told_whoever_is_on_stage(book: Book) -> None:
    book.story.thread.update(id=book.thread, patch={"due_within": 1})
    said, reason = book.told(2, "Nobody was there.")
    assert "due now" in said
    assert reason == "thread_due"
    assert "overdue" in book.told(3, "")[0]


def test_the_most_pressing_come_first_and_the_rest_is_in_the_trace(book: Book) -> None:
    for number in range(40):
        book.story.thread.create(
            title=f"Promise number {number} of many that were made",
            plants=[book.words(0, "Rain fell.")],
            due={"chapter": 2} if number == 7 else None,
        )
    found = book.story.context(3, 0, "Ann came in.", token_budget=400)
    threads = [one for one in found.trace if one.kind == "thread"]
    assert len(threads) == 41
    assert threads[0].label.startswith("Promise number 7 ")
    assert {one.reason for one in threads if not one.included} == {"budget"}


def test_its_level_decides_like_that_of_every_fact(book: Book) -> None:
    book.story.thread.update(id=book.thread, patch={"ai_context_level": "manual_only"})
    assert book.told(3) == ("", "level_manual_only")
    assert book.told(3, pinned=[book.thread])[1] == "pinned"
    book.story.thread.update(id=book.thread, patch={"ai_context_level": "never"})
    assert book.told(3, pinned=[book.thread]) == ("", "level_never")


def test_nothing_is_told_of_people_who_are_hidden(book: Book) -> None:
    ann = book.story.entity.read(id=book.ann)
    hidden = {"ai_context_level": "never"}
    book.story.entity.update(id=book.ann, expected_version=ann.version, patch=hidden)
    assert book.told(3)[0] == ""
    assert told_threads(book.memory.call(), project_id=book.story.id).threads == ()


def test_a_story_cut_off_after_a_scene_gives_the_same_context(book: Book) -> None:
    book.story.thread.create(title="Later", plants=[book.words(4, "Rain fell.")])
    whole = [book.told(chapter) for chapter in range(4)]
    for chapter in (5, 4):
        delete_scene(book.memory.call(), project_id=book.story.id, chapter=chapter, scene=0)
    assert [book.told(chapter) for chapter in range(4)] == whole


def test_agents_hear_what_a_context_would_tell(book: Book) -> None:
    def heard(**place: int) -> list[tuple[str, str, list[str]]]:
        told = told_threads(book.memory.call(), project_id=book.story.id, all=True, **place).threads
        return [(one.title, one.status.value, [point.quotation for point in one.points]) for one in told]

    book.story.thread.create(title="Planned")
    assert heard(chapter=3, scene=0) == [("The stopped clock", "open", [PLANT])]
    assert heard(chapter=1, scene=0) == []
    assert heard() == [("The stopped clock", "paid", [PLANT, PAYOFF])]
    assert "gardener" not in str(told_threads(book.memory.call(), project_id=book.story.id, chapter=3))


def test_agents_note_what_they_plant_and_pay(book: Book) -> None:
    place = {"project_id": book.story.id, "chapter": 0, "scene": 0, "quotation": "Rain fell."}
    noted = note_thread(book.memory.call(), title="The rain", people=["Ann"], **place)
    assert (noted.title, noted.status, noted.people) == ("The rain", "open", ("Ann",))
    paid = note_thread(book.memory.call(), id=noted.id, role="payoff", **{**place, "chapter": 2})
    assert paid.status == "paid"
    with pytest.raises(InvalidInput):
        note_thread(book.memory.call(), **place)
    with pytest.raises(InvalidInput):
        note_thread(book.memory.call(), title="x", **{**place, "quotation": "Snow fell."})
    book.story.thread.update(id=noted.id, patch={"ai_context_level": "never"})
    with pytest.raises(NotFound):
        note_thread(book.memory.call(), id=noted.id, **place)
