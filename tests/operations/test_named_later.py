"""What the manuscript names only later is not told earlier, dated or not."""

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
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.manuscript.manuscript import delete_scene
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory

CAST = ("林远", "苏晚", "顾长风", "白露")


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    return memory.story("x")


def told(memory: Memory, story: StoryMemory, chapter: int, **more: Any) -> Any:
    request = {"chapter": chapter, "scene": 0, "token_budget": 20_000, **more}
    return context.assemble_context(memory.call(), project_id=story.id, **request)


def said(found: Any) -> str:
    return "\n".join(message.content for message in found.messages)


def reasons(found: Any) -> dict[str, str]:
    return {item.label: item.reason for item in found.trace if not item.included}


def change(story: StoryMemory, entity: Any, version: int, **patch: Any) -> None:
    story.entity.update(id=entity.id, expected_version=version, patch=patch)


def a_story_with_somebody_of_chapter_five(story: StoryMemory) -> dict[str, Any]:
    lin = story.entity.create(type="character", name="林远", description="渔夫。他等着顾长风。住在海边。")
    gu = story.entity.create(type="character", name="顾长风", description="林远失散的哥哥。")
    story.relation.create(
        source_entity_id=lin.id, target_entity_id=gu.id, relation_type="brother", description="失散"
    )
    story.scene(0, 0, "林远在海边补网。")
    story.scene(5, 0, "顾长风终于来了。")
    return {"林远": lin, "顾长风": gu}


def test_somebody_of_chapter_five_is_not_told_in_chapter_one(memory: Memory, story: StoryMemory) -> None:
    a_story_with_somebody_of_chapter_five(story)
    early = told(memory, story, 1, text="林远醒来。")
    assert "渔夫" in said(early)
    assert "住在海边" in said(early)
    assert "顾长风" not in said(early)
    assert reasons(early)["顾长风"] == "not_yet_named"
    assert "顾长风" in said(told(memory, story, 5, text="林远醒来。"))


def test_who_is_named_nowhere_yet_may_be_told(memory: Memory, story: StoryMemory) -> None:
    lin = story.entity.create(type="character", name="林远", description="渔夫。")
    bai = story.entity.create(type="character", name="白露", description="医女。")
    story.relation.create(source_entity_id=lin.id, target_entity_id=bai.id, relation_type="friend")
    story.scene(0, 0, "林远在海边补网。")
    assert "白露" in said(told(memory, story, 0, text="林远醒来。"))


def test_the_text_asked_about_counts_as_naming(memory: Memory, story: StoryMemory) -> None:
    a_story_with_somebody_of_chapter_five(story)
    assert "失散的哥哥" in said(told(memory, story, 1, text="林远想起顾长风。"))


def test_pins_and_always_escape_it_but_a_since_does_not(memory: Memory, story: StoryMemory) -> None:
    cast = a_story_with_somebody_of_chapter_five(story)
    pinned = told(memory, story, 1, text="林远醒来。", pinned=[cast["顾长风"].id])
    assert "失散的哥哥" in said(pinned)
    change(story, cast["顾长风"], 1, ai_context_level="always")
    assert "失散的哥哥" in said(told(memory, story, 1, text="海风很大。"))
    change(story, cast["顾长风"], 2, since={"chapter": 5})
    late = told(memory, story, 1, text="海风很大。", pinned=[cast["顾长风"].id])
    assert "顾长风" not in said(late)
    assert reasons(late)["顾长风"] == "not_yet"


def test_a_custom_entry_is_dated_by_its_key_and_keywords(memory: Memory, story: StoryMemory) -> None:
    request = LorebookEntryCreate(entry_key="海图", keywords=["星盘"], content="海图藏着归途。")
    entry = lorebook.create_entry(memory.call(), project_id=story.id, entry=request)
    story.scene(0, 0, "渔火点点。")
    story.scene(4, 0, "他转动星盘。")
    assert "归途" in said(told(memory, story, 1, text="渔火点点。", pinned=[entry.id]))

    def found(chapter: int) -> set[str]:
        return {hit.id for hit in story.search("归途", audience="model", as_of={"chapter": chapter}).items}

    assert entry.id not in found(1)
    assert entry.id in found(4)


def test_edits_move_the_day_of_somebody(memory: Memory, story: StoryMemory) -> None:
    a_story_with_somebody_of_chapter_five(story)
    assert "顾长风" not in said(told(memory, story, 1, text="林远醒来。"))
    story.scene(0, 1, "门外站着顾长风。")
    assert "顾长风" in said(told(memory, story, 1, text="林远醒来。"))
    delete_scene(memory.call(), project_id=story.id, chapter=0, scene=1)
    assert "顾长风" not in said(told(memory, story, 1, text="林远醒来。"))


def test_a_new_alias_moves_it_too(memory: Memory, story: StoryMemory) -> None:
    cast = a_story_with_somebody_of_chapter_five(story)
    story.scene(0, 0, "林远在海边补网，远处有个灰衣客。")
    assert "失散" not in said(told(memory, story, 1, text="林远醒来。"))
    change(story, cast["顾长风"], 1, aliases=["灰衣客"])
    assert "失散" in said(told(memory, story, 1, text="林远醒来。"))


def test_somebody_is_called_by_the_names_in_use(memory: Memory, story: StoryMemory) -> None:
    mayor = story.entity.create(
        type="character",
        name="Jean Valjean",
        aliases=["Madeleine"],
        description="A convict's walk. He is kind.",
    )
    friend = story.entity.create(
        type="character", name="Fantine", description="She trusts him. She has heard of Jean Valjean."
    )
    story.relation.create(source_entity_id=friend.id, target_entity_id=mayor.id, relation_type="friend")
    story.scene(0, 0, "Madeleine gave Fantine bread.")
    story.scene(4, 0, "I am Jean Valjean, said the mayor.")
    early = said(told(memory, story, 1, text="Fantine woke."))
    assert "Madeleine" in early
    assert "trusts him" in early
    assert "Valjean" not in early
    assert "Jean Valjean" in said(told(memory, story, 4, text="Fantine woke."))
    assert "Jean Valjean" in said(told(memory, story, 1, text="Fantine knew that it was Jean Valjean."))


def test_a_longer_form_of_a_name_in_use_is_no_secret(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(
        type="character", name="Elizabeth Bennet", aliases=["Lizzy"], description="She reads."
    )
    story.entity.create(type="character", name="Jane", description="Sister of Elizabeth Bennet.")
    story.scene(0, 0, "Elizabeth and Jane walked. Lizzy laughed.")
    story.scene(4, 0, "Miss Elizabeth Bennet was announced.")
    early = said(told(memory, story, 1, text="Lizzy and Jane woke."))
    assert "Sister of Elizabeth Bennet" in early


def test_a_name_that_stands_for_a_description_says_nothing(memory: Memory, story: StoryMemory) -> None:
    story.scene(0, 0, "婆子来了。")
    story.scene(5, 0, "众婆子丫头都来了。")
    # As a reading of a book leaves somebody of whom the first scene says nothing.
    story.import_bundle("- {type: Character, name: 婆子丫头, aliases: [婆子], description: 婆子丫头}")
    early, late = (told(memory, story, chapter, text="婆子说话。") for chapter in (1, 5))
    assert "婆子丫头" not in said(early) + said(late)
    assert reasons(early)["婆子丫头"] == reasons(late)["婆子丫头"] == "empty"
    (somebody,) = story.entity.list().items
    story.state.create(entity_id=somebody.id, description="看门的。", since={"chapter": 3, "scene": 0})
    assert "婆子丫头：看门的。" in said(told(memory, story, 5, text="婆子说话。"))


def test_the_author_may_switch_it_off(memory: Memory, story: StoryMemory) -> None:
    a_story_with_somebody_of_chapter_five(story)
    assert "顾长风" not in said(told(memory, story, 1, text="林远醒来。"))
    update_story(memory.call(), project_id=story.id, patch=StoryPatch(settings={"datedByAppearance": False}))
    assert "顾长风" in said(told(memory, story, 1, text="林远醒来。"))


def test_a_word_is_no_name(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="character", name="Rose", description="A spy.")
    ann = story.entity.create(type="character", name="Ann", description="She waits for Rose. She knits.")
    story.scene(0, 0, "Ann smelled a rose.")
    story.scene(3, 0, "Rose came in.")
    found = said(told(memory, story, 1, text="Ann woke."))
    assert "knits" in found
    assert "Rose" not in found
    assert ann.name in found


scenes = st.lists(
    st.tuples(st.integers(0, 5), st.lists(st.sampled_from(CAST), max_size=3)),
    max_size=6,
    unique_by=lambda s: s[0],
)


@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    scenes,
    st.lists(st.lists(st.sampled_from(CAST), max_size=2), min_size=len(CAST), max_size=len(CAST)),
    st.sets(
        st.tuples(st.sampled_from(CAST), st.sampled_from(CAST)).filter(lambda b: b[0] != b[1]), max_size=5
    ),
    st.integers(0, 5),
    st.sampled_from(CAST),
)
def test_a_story_cut_off_after_a_moment_gives_the_same_context(
    memory: Memory, chapters: Any, mentions: Any, bonds: Any, now: int, asked: str
) -> None:
    def tell(until: int | None) -> str:
        story = memory.story("x", id=str(uuid4()))
        first = {name: min((n for n, named in chapters if name in named), default=-1) for name in CAST}
        gone = {name for name in CAST if until is not None and first[name] > until and name != asked}
        ids = {}
        for name, others in zip(CAST, mentions, strict=True):
            if name in gone:
                continue
            text = "".join(f"此人常提起{other}。" for other in others if other not in gone)
            made = story.entity.create(type="character", name=name, description=f"{text}生于岛上。")
            ids[name] = made.id
        for source, target in sorted(bonds):
            if source in ids and target in ids:
                story.relation.create(
                    source_entity_id=ids[source], target_entity_id=ids[target], relation_type="friend"
                )
        for number, named in chapters:
            if until is None or number <= until:
                story.scene(number, 0, f"海上起雾，{'、'.join(named)}都在。")
        return said(told(memory, story, now, text=f"{asked}醒来。"))

    assert tell(None) == tell(now)
