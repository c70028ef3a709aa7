"""Receipts of contexts: kept, bounded, compared, made again, and asked what would be otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.operations import receipt_keeping
from fabula.operations.chat.chat import begin_chat
from fabula.operations.search.embedding import embed_story
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory
from postgres import place_at
from scanned_books import scanned_book
from theme_embedder import ThemeEmbedder


@pytest.fixture
def harbour(memory: Memory) -> StoryMemory:
    story = memory.story("The Harbour", language="en")
    story.entry("Ada", "Ada keeps the lamp. " * 4, category="character", priority=5)
    story.entry("Bea", "Bea mends nets. " * 4, category="character")
    story.entry("Cal", "Cal owes Ada money. " * 4, category="character", ai_context_level="manual_only")
    story.entry("Dot", "Dot is the murderer. " * 4, category="character", ai_context_level="never")
    return story


def asked(story: StoryMemory, text: str = "Ada and Bea wait.", **wishes: Any) -> str:
    """Ask for a context with a receipt, and return its id."""
    receipt_id: str | None = story.context(0, 0, text, receipt=True, **wishes).receipt_id
    assert receipt_id is not None
    return receipt_id


def labels(pieces: Any) -> set[str]:
    return {one.label for one in pieces}


def id_of(story: StoryMemory, label: str) -> str:
    found = story.context(0, 0, "Ada Bea Cal Dot", token_budget=50_000)
    return next(one.id for one in found.trace if one.label == label and one.kind == "entry")


def test_a_receipt_says_what_was_told_and_what_was_left_out(harbour: StoryMemory) -> None:
    context = harbour.context(0, 0, "Ada, Bea and Dot wait.", token_budget=40, receipt=True)
    receipt = harbour.receipt.read(receipt_id=context.receipt_id)
    included = [item for item in context.trace if item.included]
    assert [(one.kind, one.id, one.tokens) for one in receipt.told] == [
        (one.kind, one.id, one.tokens) for one in included
    ]
    assert {one.version for one in receipt.told if one.kind == "entry"} == {1}
    left_out = {one.label: one.reason for one in receipt.left_out}
    assert left_out["Dot"] == "level_never"
    assert "budget" in left_out.values()
    assert (receipt.total_budget, receipt.estimated_tokens) == (40, context.estimated_tokens)
    assert (receipt.chapter, receipt.scene, receipt.door, receipt.pov) == (0, 0, "context", None)
    assert receipt.revision == harbour.ask("story.read").revision


def test_no_receipt_is_kept_unless_it_is_asked_for(harbour: StoryMemory) -> None:
    assert harbour.context(0, 0, "Ada waits.").receipt_id is None
    assert harbour.receipt.list().items == ()
    assert harbour.ask("context.preview", chapter=0, scene=0, receipt=True).receipt_id is not None
    assert harbour.receipt.list().total == 1


def test_the_same_question_at_the_same_revision_has_one_receipt(harbour: StoryMemory) -> None:
    first = asked(harbour)
    assert asked(harbour) == first
    assert asked(harbour, token_budget=999) != first
    harbour.scene(0, 0, "Something else.")
    assert asked(harbour) != first
    assert harbour.receipt.list().total == 3


def test_only_the_newest_receipts_are_kept(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "fabula.db"), receipts=3) as memory:
        story = memory.story("Short")
        ids = [asked(story, f"text {number}") for number in range(5)]
        assert [one.id for one in story.receipt.list().items] == ids[:1:-1]
        with pytest.raises(NotFound, match=ids[0]):
            story.receipt.read(receipt_id=ids[0])


def test_a_server_without_receipts_keeps_none(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "fabula.db"), receipts=0) as memory:
        story = memory.story("None")
        assert story.context(0, 0, "x", receipt=True).receipt_id is None
        assert story.receipt.list().total == 0


def test_receipts_go_with_their_story(memory: Memory, harbour: StoryMemory) -> None:
    receipt_id = asked(harbour)
    delete_story(memory.call(), project_id=harbour.id)
    again = memory.story("The Harbour", id=harbour.id)
    with pytest.raises(NotFound):
        again.receipt.read(receipt_id=receipt_id)


def test_comparing_says_what_came_went_changed_and_moved(harbour: StoryMemory) -> None:
    first = asked(harbour, "Ada and Bea wait.")
    harbour.ask("lorebook.key.update", entry_key="Ada", patch={"content": "Ada is gone.", "priority": -5})
    harbour.entry("Eve", "Eve is new.", category="character", priority=9)
    second = asked(harbour, "Ada and Eve wait.")
    found = harbour.ask("receipt.diff", **{"from": first, "to": second}).difference
    assert labels(found.came) == {"Eve"}
    assert labels(found.went) == {"Bea"}
    assert labels(found.changed) == {"Ada"}
    assert not found.same_messages
    third = asked(harbour, "Ada and Bea wait.")
    harbour.ask("lorebook.key.update", entry_key="Ada", patch={"priority": 7})
    moved = harbour.ask("receipt.diff", **{"from": third, "to": asked(harbour)}).difference
    assert (moved.came, moved.went, moved.changed) == ((), (), ())
    assert len(moved.moved) == 1


def test_a_receipt_compared_with_itself_differs_in_nothing(harbour: StoryMemory) -> None:
    receipt_id = asked(harbour)
    found = harbour.ask("receipt.diff", **{"from": receipt_id, "to": receipt_id}).difference
    assert (found.came, found.went, found.changed, found.moved) == ((), (), (), ())
    assert found.same_messages


def test_a_conversation_with_timed_effects_is_made_again(harbour: StoryMemory) -> None:
    """What lasted when it was told lasts when it is told again, whatever was said since."""
    scanned_book(
        harbour,
        [
            {"key": ["storm"], "content": "STICKY", "sticky": 3},
            {"key": ["storm"], "content": "DICE", "useProbability": True, "probability": 50},
        ],
    )
    said = [{"role": "user", "content": "A storm."}]
    for number in range(4):
        answer = harbour.chat_context(*said, receipt=True)
        told = [one.model_dump(exclude={"added"}, exclude_none=True) for one in answer.messages]
        again = harbour.receipt.replay(receipt_id=answer.receipt_id)
        assert again.same, number
        assert list(again.messages) == told
        said += [{"role": "assistant", "content": "Aye."}, {"role": "user", "content": f"Word {number}."}]


def test_what_a_chat_was_told_is_made_again(tmp_path: Path) -> None:
    chat = ScriptedChatModel(lambda _: "Yes.")
    with Memory(place_at(tmp_path / "fabula.db"), chat=chat) as memory:
        story = memory.story("Talk", language="en")
        story.entry("Ada", "Ada keeps the lamp.", category="character")
        said = {
            "chapter": 0,
            "scene": 0,
            "text": "Ada waits.",
            "messages": [{"role": "user", "content": "Go on."}],
        }
        talk = begin_chat(memory.call(), project_id=story.id, **said)
        story.ask("lorebook.key.update", entry_key="Ada", patch={"content": "Another text."})
        again = story.receipt.replay(receipt_id=talk.context.receipt_id)
        assert again.same
        assert list(again.messages) == [one.model_dump() for one in talk.asked.messages]
        assert story.receipt.read(receipt_id=talk.context.receipt_id).door == "chat"


def sea(story: StoryMemory) -> None:
    """Fill a story in which only embeddings lead from the sea to the ship."""
    for name, said in (("甲", "他在浪里行船。"), ("乙", "他守着烧红的炉。"), ("丙", "他磨墨抄经。")):
        story.entity.create(type="character", name=f"{name}君", description=said)
    story.scene(0, 0, "浪头一个接一个打上船板。")
    story.event.create(name="沉船", summary="船沉了。", roles=["甲君"], moment={"chapter": 0, "scene": 0})


def told_of_the_sea(memory: Memory, story: StoryMemory) -> str:
    embed_story(memory.call(), story.id, lambda done, total: True)
    context = story.context(1, 0, "远处的海。", receipt=True)
    assert "沉船" in [one.label for one in context.recollections]
    assert context.receipt_id is not None
    return context.receipt_id


def test_with_embeddings_that_had_caught_up_it_is_the_same(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "fabula.db"), vectors_by=ThemeEmbedder()) as memory:
        story = memory.story("海", language="zh")
        sea(story)
        receipt_id = told_of_the_sea(memory, story)
        for one in story.entity.list().items:
            patch = {"description": "山石岭。"}
            story.entity.update(id=one.id, expected_version=one.version, patch=patch)
        embed_story(memory.call(), story.id, lambda done, total: True)
        assert "沉船" not in [one.label for one in story.context(1, 0, "远处的海。").recollections]
        assert story.receipt.replay(receipt_id=receipt_id).same


def test_another_embedder_is_a_reason(tmp_path: Path) -> None:
    place = place_at(tmp_path / "fabula.db")
    with Memory(place, vectors_by=ThemeEmbedder()) as memory:
        story = memory.story("海", language="zh", id="sea")
        sea(story)
        receipt_id = told_of_the_sea(memory, story)
    with Memory(place) as memory:
        again = memory.story("", id="sea").receipt.replay(receipt_id=receipt_id)
        assert (again.same, again.reasons) == (False, ("embeddings",))
        assert again.difference is not None
        assert "沉船" in labels(again.difference.went)


def test_an_input_that_is_too_long_is_not_kept(harbour: StoryMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receipt_keeping, "MOST_INPUT_BYTES", 100)
    receipt_id = asked(harbour, "Ada. " * 40)
    assert not harbour.receipt.read(receipt_id=receipt_id).replayable
    again = harbour.receipt.replay(receipt_id=receipt_id)
    assert (again.same, again.reasons, again.messages) == (False, ("input_not_kept",), ())
    with pytest.raises(Conflict, match="not kept"):
        harbour.receipt.what_if(receipt_id=receipt_id, token_budget=5)


# What if


def test_a_larger_and_a_smaller_budget_in_one_answer(harbour: StoryMemory) -> None:
    receipt_id = asked(harbour, "Ada and Bea wait.", token_budget=40)
    found = harbour.receipt.what_if(receipt_id=receipt_id, token_budget=80)
    assert labels(found.then.difference.came) == {"Bea"}
    assert found.opposite is not None
    assert found.opposite.total_budget == 0
    assert labels(found.opposite.difference.went) == {"Ada"}
    assert {one.reason for one in found.opposite.difference.went} == {"budget"}


def test_asking_for_nothing_else_is_refused(harbour: StoryMemory) -> None:
    with pytest.raises(InvalidInput, match="otherwise"):
        harbour.receipt.what_if(receipt_id=asked(harbour))


def test_hiding_what_does_not_exist_is_refused(harbour: StoryMemory) -> None:
    with pytest.raises(NotFound, match="nobody"):
        harbour.receipt.what_if(receipt_id=asked(harbour), hide="nobody")


def test_what_is_tried_changes_nothing(memory: Memory, harbour: StoryMemory) -> None:
    receipt_id, revision = asked(harbour), harbour.ask("story.read").revision
    harbour.receipt.what_if(receipt_id=receipt_id, hide=id_of(harbour, "Ada"))
    harbour.receipt.to_include(receipt_id=receipt_id, kind="entry", id=id_of(harbour, "Dot"))
    assert harbour.ask("story.read").revision == revision
    assert asked(harbour) == receipt_id
    assert not any(report.differing for report in memory.audit())


# What it would take


def ways(story: StoryMemory, receipt_id: str, label: str) -> dict[str, Any]:
    """The changes that would do, by name, in their order."""
    found = story.receipt.to_include(receipt_id=receipt_id, kind="entry", id=id_of(story, label))
    return {way.change: way for way in found.ways}


def test_the_least_budget_is_the_least(harbour: StoryMemory) -> None:
    receipt_id = asked(harbour, "Ada and Bea wait.", token_budget=40)
    found = ways(harbour, receipt_id, "Bea")
    assert next(iter(found)) == "tokenBudget"
    budget = found["tokenBudget"].token_budget
    told = [
        labels(i for i in harbour.context(0, 0, "Ada and Bea wait.", token_budget=n).trace if i.included)
        for n in (budget - 1, budget)
    ]
    assert ["Bea" in one for one in told] == [False, True]


def test_what_is_told_only_by_hand_is_pinned(harbour: StoryMemory) -> None:
    found = ways(harbour, asked(harbour, "Cal waits."), "Cal")
    assert list(found) == ["pin", "level"]
    assert found["level"].level == "when_detected"


def test_what_is_never_told_needs_another_level(harbour: StoryMemory) -> None:
    found = ways(harbour, asked(harbour, "Dot waits."), "Dot")
    assert list(found) == ["level"]


def test_what_the_text_does_not_name_is_named_or_pinned(harbour: StoryMemory) -> None:
    receipt_id = asked(harbour, "Nobody is here.")
    answer = harbour.receipt.to_include(receipt_id=receipt_id, kind="entry", id=id_of(harbour, "Ada"))
    assert (answer.told, answer.reason) == (False, None)
    assert [way.change for way in answer.ways] == ["pin", "word", "level"]
    assert answer.ways[1].word == "Ada"


def test_what_begins_later_is_told_later(harbour: StoryMemory) -> None:
    for chapter in range(4):
        harbour.scene(chapter, 0, "Somebody waits.")
    harbour.entry("Fay", "Fay arrives.", category="character", since={"chapter": 2})
    found = ways_later(harbour, asked(harbour, "Fay waits."))
    assert (found["moment"].chapter, found["moment"].scene) == (2, 0)


def ways_later(story: StoryMemory, receipt_id: str) -> dict[str, Any]:
    receipt = story.receipt.read(receipt_id=receipt_id)
    one = next(item for item in receipt.left_out if item.label == "Fay")
    answer = story.receipt.to_include(receipt_id=receipt_id, kind=one.kind, id=one.id)
    assert answer.reason == "not_yet"
    return {way.change: way for way in answer.ways}


def test_more_priority_is_the_least_that_passes_a_rival(harbour: StoryMemory) -> None:
    receipt_id = asked(harbour, "Ada and Bea wait.", token_budget=40)
    found = ways(harbour, receipt_id, "Bea")["priority"]
    assert found.priority == 6
    harbour.ask("lorebook.key.update", entry_key="Bea", patch={"priority": found.priority})
    told = harbour.context(0, 0, "Ada and Bea wait.", token_budget=40).trace
    assert labels(one for one in told if one.included) == {"Bea"}


def test_what_is_told_already_takes_nothing(harbour: StoryMemory) -> None:
    answer = harbour.receipt.to_include(receipt_id=asked(harbour), kind="entry", id=id_of(harbour, "Ada"))
    assert (answer.told, answer.ways) == (True, ())


def test_what_nobody_knows_is_not_found(harbour: StoryMemory) -> None:
    with pytest.raises(NotFound, match="nothing"):
        harbour.receipt.to_include(receipt_id=asked(harbour), kind="entry", id="nothing")
