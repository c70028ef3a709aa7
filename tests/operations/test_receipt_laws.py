"""Laws of receipts: made again they are the same, and every what-if is true when it is really done."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from any_story import NAMES, STEPS, Teller
from effort import examples
from every_step import Step
from fabula.errors import FabulaError, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.operations.receipt_keeping import messages_hash
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

TRIED = settings(
    max_examples=examples(12),
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
)
TEXT = st.lists(st.sampled_from((*NAMES[:12], "晚", "x", "灰衣客")), max_size=5).map("，".join)
SCENE = st.fixed_dictionaries(
    {
        "chapter": st.integers(0, 2),
        "scene": st.integers(0, 2),
        "text": st.none() | TEXT,
        "token_budget": st.none() | st.integers(0, 400),
    }
)
TALK = st.lists(TEXT, min_size=1, max_size=4)
PICK = st.integers(0, 30)
OTHERWISE = st.one_of(
    st.fixed_dictionaries({"token_budget": st.integers(0, 500)}),
    st.fixed_dictionaries({"pin": PICK}),
    st.fixed_dictionaries({"hide": PICK}),
    st.fixed_dictionaries({"pov": st.sampled_from(("林远", "苏晚"))}),
    st.fixed_dictionaries({"chapter": st.integers(0, 3), "scene": st.integers(0, 2)}),
)


def conversation(texts: list[str]) -> list[dict[str, Any]]:
    return [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)]


def begun(memory: Memory) -> Teller:
    return Teller(memory, memory.story("法", language="zh", id=str(uuid4())))


@pytest.mark.slow
@TRIED
@given(before=STEPS, asked=SCENE, said=TALK, after=STEPS)
def test_made_again_at_its_revision_it_is_the_same_byte_for_byte(
    memory: Memory, before: list[Step], asked: dict[str, Any], said: list[str], after: list[Step]
) -> None:
    teller = begun(memory)
    story = teller.story
    teller.tell(before)
    scene = story.context(**asked, receipt=True)
    talk = story.chat_context(*conversation(said), receipt=True)
    teller.tell(after)
    of_scene = story.receipt.replay(receipt_id=scene.receipt_id)
    of_talk = story.receipt.replay(receipt_id=talk.receipt_id)
    assert of_scene.same
    assert list(of_scene.messages) == [one.model_dump() for one in scene.messages]
    assert of_talk.same
    assert [one["content"] for one in of_talk.messages] == [one.content for one in talk.messages]
    for again in (of_scene, of_talk):
        assert again.difference is not None
        found = again.difference
        assert (found.came, found.went, found.changed, found.moved) == ((), (), (), ())
    delete_story(memory.call(), project_id=story.id)


@pytest.mark.slow
@TRIED
@given(before=STEPS, asked=SCENE, otherwise=OTHERWISE)
def test_a_what_if_is_true_when_it_is_really_done(
    memory: Memory, before: list[Step], asked: dict[str, Any], otherwise: dict[str, Any]
) -> None:
    teller = begun(memory)
    story = teller.story
    teller.tell(before)
    for field in ("pin", "hide"):
        if field in otherwise:
            found = story.context(**{**asked, "token_budget": 50_000}).trace
            ids = [item.id for item in found if item.kind == "entry" and item.scan is None]
            assume(ids)
            otherwise = {field: ids[otherwise[field] % len(ids)]}
    receipt_id = story.context(**asked, receipt=True).receipt_id
    try:
        really = None
        foreseen = story.receipt.what_if(receipt_id=receipt_id, **otherwise)
        really = done(story, asked, otherwise)
    except (
        NotFound,
        InvalidInput,
    ) as refused:  # nobody of that name knows anything: it cannot be done either
        assert really is None
        with pytest.raises(type(refused)):
            done(story, asked, otherwise)
        return
    assert foreseen.then.messages_hash == messages_hash([one.model_dump() for one in really.messages])
    assert foreseen.then.estimated_tokens == really.estimated_tokens
    assert foreseen.then.total_budget == really.total_budget
    delete_story(memory.call(), project_id=story.id)


def done(story: StoryMemory, asked: dict[str, Any], otherwise: dict[str, Any]) -> Any:
    """The context with what a what-if says, in the story itself."""
    wishes = {**asked, **otherwise}
    if "pin" in wishes:
        wishes["pinned"] = [wishes.pop("pin")]
    hidden = wishes.pop("hide", None)
    if hidden is not None:
        level = {"ai_context_level": "never"}
        try:
            story.ask("lorebook.entry.update", entry_id=hidden, patch=level)
        except FabulaError:
            version = story.entity.read(id=hidden).version
            story.entity.update(id=hidden, expected_version=version, patch=level)
    return story.context(**wishes)


@pytest.mark.slow
@TRIED
@given(before=STEPS, asked=SCENE, pick=PICK)
def test_what_it_would_take_does_it(
    memory: Memory, before: list[Step], asked: dict[str, Any], pick: int
) -> None:
    teller = begun(memory)
    story = teller.story
    teller.tell(before)
    context = story.context(**asked, receipt=True)
    outside = [item for item in context.trace if not item.included and item.scan is None]
    assume(outside)
    wanted = outside[pick % len(outside)]
    answer = story.receipt.to_include(receipt_id=context.receipt_id, kind=wanted.kind, id=wanted.id)
    assert (answer.told, answer.reason) == (False, wanted.reason)
    for way in answer.ways:
        wishes = dict(asked)
        if way.token_budget is not None:
            wishes["token_budget"] = way.token_budget
        elif way.pin is not None:
            wishes["pinned"] = [way.pin]
        elif way.chapter is not None:
            wishes |= {"chapter": way.chapter, "scene": way.scene}
        else:
            continue
        told = story.context(**wishes)
        assert (wanted.kind, wanted.id) in {(one.kind, one.id) for one in told.trace if one.included}
    delete_story(memory.call(), project_id=story.id)
