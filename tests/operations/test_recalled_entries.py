"""Whom the text leads to without naming them is told, within the rules of levels and moments."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.canon.entry_values import LorebookEntryCreate, LorebookEntryPatch
from fabula.memory import Memory
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.search.embedding import embed_story
from fabula.operations.stories import StoryPatch, delete_story, update_story
from fabula.story_memory import StoryMemory
from theme_embedder import ThemeEmbedder

ENEMY = "She burned the granary and was never caught."
FRIEND = "He keeps the ferry."
TEXT = "Alice put out the lamp. She thought of Alice's sworn enemy."


@pytest.fixture
def feud(memory: Memory) -> StoryMemory:
    story = memory.story("feud", language="en")
    texts = {
        "Alice": "A clerk.",
        "Bob": FRIEND,
        "Carol": ENEMY,
        "Dan": "He taught fencing.",
        "Eve": "A cook.",
    }
    ids = {
        name: story.entity.create(type="character", name=name, description=text).id
        for name, text in texts.items()
    }
    for source, target, kind in (
        ("Alice", "Bob", "ally"),
        ("Alice", "Carol", "enemy"),
        ("Carol", "Dan", "mentor"),
    ):
        story.relation.create(source_entity_id=ids[source], target_entity_id=ids[target], relation_type=kind)
    return story


def traced(story: StoryMemory, name: str, text: str = TEXT, **wishes: Any) -> Any:
    context = story.context(5, 0, text, **wishes)
    return next((item for item in context.trace if item.kind == "entry" and item.label == name), None)


def said(story: StoryMemory, text: str = TEXT, chapter: int = 5, **wishes: Any) -> str:
    messages = story.context(chapter, 0, text, **wishes).messages
    return "\n".join(message.content for message in messages if message.role != "user")


def change(story: StoryMemory, name: str, **patch: Any) -> None:
    (entity,) = (one for one in story.entity.list().items if one.name == name)
    story.entity.update(id=entity.id, expected_version=entity.version, patch=patch)


def entry_of(memory: Memory, story: StoryMemory, name: str, **fields: Any) -> None:
    lorebook.update_entry_of_key(
        memory.call(), project_id=story.id, entry_key=name, patch=LorebookEntryPatch(**fields)
    )


def test_the_sworn_enemy_is_told_with_the_way_to_her(feud: StoryMemory) -> None:
    assert ENEMY in said(feud)
    item = traced(feud, "Carol")
    assert (item.included, item.reason, item.hop_path) == (True, "recalled", ("Alice", "Carol"))
    assert item.score >= item.threshold > 0


def test_a_friend_whom_nothing_asks_for_is_named_but_not_told(feud: StoryMemory) -> None:
    heard = said(feud, "Alice put out the lamp.")
    assert "Bob" in heard
    assert FRIEND not in heard


def test_what_is_recalled_is_no_part_of_the_stable_prefix(feud: StoryMemory) -> None:
    change(feud, "Eve", aiContextLevel="always")
    recalled = feud.context(5, 0, TEXT)
    plain = feud.context(5, 0, "Rain fell.")
    assert recalled.stable_prefix == plain.stable_prefix != ""
    first = next(message for message in recalled.messages if message.role == "system")
    assert first.content.index("A cook.") < first.content.index(ENEMY)


def test_the_story_can_say_that_only_what_is_named_is_told(memory: Memory, feud: StoryMemory) -> None:
    patch = StoryPatch(settings={"recallEntries": False})
    update_story(memory.call(), project_id=feud.id, patch=patch)
    assert ENEMY not in said(feud)
    assert traced(feud, "Carol") is None


@pytest.mark.parametrize("level", ["never", "manual_only"])
def test_nobody_secret_comes_to_mind(feud: StoryMemory, level: str) -> None:
    change(feud, "Carol", aiContextLevel=level)
    assert "Carol" not in said(feud)
    assert ENEMY not in said(feud)


@pytest.mark.parametrize(("since", "told"), [(4, True), (5, True), (6, False)])
def test_nobody_comes_to_mind_before_their_time(feud: StoryMemory, since: int, told: bool) -> None:
    change(feud, "Carol", since={"chapter": since})
    assert (ENEMY in said(feud)) is told


def test_nobody_comes_to_mind_through_a_relation_that_is_over(feud: StoryMemory) -> None:
    (enemy,) = (one for one in feud.relation.list().items if one.relation_type == "enemy")
    feud.relation.update(id=enemy.id, expected_version=1, patch={"until": {"chapter": 2}})
    assert ENEMY not in said(feud)


def test_sentences_that_name_a_secret_are_not_recalled(feud: StoryMemory) -> None:
    change(feud, "Carol", description=f"{ENEMY} She serves Dan.")
    change(feud, "Dan", aiContextLevel="never")
    heard = said(feud)
    assert ENEMY in heard
    assert "serves" not in heard


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"enabled": False}, "disabled"),
        ({"rules": {"excludeKeywords": ["lamp"]}}, "excluded_keyword"),
        ({"rules": {"secondaryKeywords": ["granary"]}}, "secondary_keywords"),
        ({"rules": {"secondaryKeywords": ["lamp"]}}, "recalled"),
    ],
)
def test_the_rules_of_an_entry_hold(
    memory: Memory, feud: StoryMemory, fields: dict[str, Any], reason: str
) -> None:
    entry_of(memory, feud, "Carol", **fields)
    assert traced(feud, "Carol").reason == reason
    assert (ENEMY in said(feud)) is (reason == "recalled")


@pytest.mark.parametrize("vectorized", [False, True])
def test_an_entry_of_another_program_is_recalled_only_if_it_says_so(
    memory: Memory, feud: StoryMemory, vectorized: bool
) -> None:
    entry_of(memory, feud, "Carol", extensions={"sillytavern": {"vectorized": vectorized}})
    assert (ENEMY in said(feud)) is vectorized


def test_relations_of_the_second_hop_are_told_between_those_in_the_running(feud: StoryMemory) -> None:
    """Dan is named and Carol is recalled, so what Carol is to Dan is told; what Eve is to Carol is not."""
    eve, carol = (
        next(one.id for one in feud.entity.list().items if one.name == name) for name in ("Eve", "Carol")
    )
    feud.relation.create(source_entity_id=eve, target_entity_id=carol, relation_type="servant")
    relations = {
        item.label
        for item in feud.context(5, 0, f"Dan came in. {TEXT}").trace
        if item.kind == "relation" and item.included
    }
    ends = {label.split(" (")[0] for label in relations}
    assert "Carol → Dan" in ends
    assert not any("Eve" in label for label in relations)


def test_what_is_below_the_line_is_in_the_trace_with_the_line(feud: StoryMemory) -> None:
    item = traced(feud, "Bob", "Alice put out the lamp.")
    assert (item.included, item.reason) == (False, "below_line")
    assert 0 < item.score < item.threshold


def test_a_share_of_nothing_lets_recalled_entries_wait_for_what_is_left(feud: StoryMemory) -> None:
    assert ENEMY in said(feud, shares={"recalled": 0})


def _by_sea(path: Path, said_of_entry: str, **fields: Any) -> str:
    with Memory(path / "fabula.db", vectors_by=ThemeEmbedder()) as memory:
        story = memory.story("题", language="zh")
        for name, text in (("甲君", "他守着烧红的炉。"), ("乙君", "他磨墨抄经。"), ("丙君", "岭上石多。")):
            story.entity.create(type="character", name=name, description=text)
        entry = LorebookEntryCreate(entry_key="航路", content=said_of_entry, **fields)
        lorebook.create_entry(memory.call(), project_id=story.id, entry=entry)
        embed_story(memory.call(), story.id, lambda done, total: True)
        return said(story, "海上起了大浪，船在浪里打转。")


def test_an_entry_is_found_by_meaning(tmp_path: Path) -> None:
    assert "海浪船队" in _by_sea(tmp_path, "海浪船队每月初三离港。")


@pytest.mark.parametrize(
    "fields",
    [
        {"enabled": False},
        {"ai_context_level": "never"},
        {"ai_context_level": "manual_only"},
        {"since": {"chapter": 6}},
        {"until": {"chapter": 4}},
        {"extensions": {"sillytavern": {"key": ["港"]}}},
    ],
)
def test_an_entry_that_may_not_be_told_is_not_found_by_meaning(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    assert "海浪船队" not in _by_sea(tmp_path, "海浪船队每月初三离港。", **fields)


PEOPLE = {
    "Alice": "A clerk with a lamp.",
    "Bob": "He keeps the ferry and the lamp.",
    "Carol": "She burned the granary with a lamp.",
    "Dan": "He taught fencing at the granary.",
}
LINKS = (
    ("Alice", "Bob", "ally"),
    ("Alice", "Carol", "enemy"),
    ("Carol", "Dan", "mentor"),
    ("Dan", "Alice", "enemy"),
)
begins = st.integers(0, 4)


@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.tuples(begins, begins, begins), st.tuples(begins, begins, begins, begins), st.integers(0, 4))
def test_what_begins_later_neither_comes_to_mind_nor_leads_there(
    memory: Memory, people: tuple[int, ...], links: tuple[int, ...], now: int
) -> None:
    """A context is the same as if nothing that begins later had been thought of yet."""
    since = dict(zip(PEOPLE, (0, *people), strict=True))
    whole = _told_by(memory, since, links, until=99)
    begun = _told_by(memory, since, links, until=now)
    text = "Alice lit the lamp. Who is Alice's enemy, and who burned the granary?"
    assert said(whole, text, now) == said(begun, text, now)
    for story in (whole, begun):
        delete_story(memory.call(), project_id=story.id)


def _told_by(memory: Memory, since: dict[str, int], links: tuple[int, ...], until: int) -> StoryMemory:
    story = memory.story("feud", language="en", id=str(uuid4()))
    ids = {}
    for name, begin in since.items():
        if begin <= until:
            fields = {"description": PEOPLE[name], "since": {"chapter": begin}}
            ids[name] = story.entity.create(type="character", name=name, **fields).id
    for (source, target, kind), begin in zip(LINKS, links, strict=True):
        if begin <= until and {source, target} <= ids.keys():
            ends = {"source_entity_id": ids[source], "target_entity_id": ids[target]}
            story.relation.create(**ends, relation_type=kind, since={"chapter": begin})
    return story
