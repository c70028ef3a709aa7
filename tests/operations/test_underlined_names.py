"""What an editor underlines is what the context finds: one matcher, asked for some paragraphs at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.errors import NotFound
from fabula.memory import Memory
from fabula.operations.context import assemble_context
from fabula.operations.lorebook.entries import create_entry
from fabula.operations.manuscript.mentions import find_mentions
from fabula.operations.stories import StoryPatch, update_story
from fabula.operations.vocabulary import list_names, read_name
from fabula.story_memory import StoryMemory

NAMES = ("龙吟", "青云", "青云宗", "Ｌｉｎ", "Zoë", "Jiang Li", "Li Bai", "Straße", "艾丽丝·李", "O'Brien")
WRITTEN = (
    *NAMES,
    "龍吟",
    "青雲宗",
    "lin",
    "LIN",
    "Zoe\u0308",
    "ＺＯË",
    "Zoe",
    "Jiang",
    "Li",
    "Bai",
    "STRASSE",
    "艾丽丝・李",
    "O’Brien",
    "🐉",
    "雾",
    "s",
)
GAPS = ("", "", " ", "，", "\n", "\n\n", "\n　　", "　", " \n", "\n \n")

texts = st.lists(st.tuples(st.sampled_from(WRITTEN), st.sampled_from(GAPS)), max_size=14).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)

Place = tuple[str, int, int]


@pytest.fixture(scope="module", params=[False, True], ids=["as written", "traditional folded"])
def named(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Memory, StoryMemory]]:
    """A story with names of many scripts."""
    with Memory(tmp_path_factory.mktemp("names") / "fabula.db") as memory:
        made = memory.story("names")
        for name in NAMES:
            made.entity.create(type="character", name=name, description="。")
        if request.param:
            update_story(
                memory.call(), project_id=made.id, patch=StoryPatch(settings={"foldTraditional": True})
            )
        yield memory, made


def found_in(memory: Memory, story: StoryMemory, text: str) -> set[Place]:
    items = find_mentions(memory.call(), project_id=story.id, text=text).items
    return {(item.name, item.start, item.end) for item in items}


def parts_of(text: str) -> list[tuple[int, str]]:
    """The text as the page asks for it: cut at empty lines, and before lines indented with a wide blank."""
    starts = [0, *(match.end() for match in re.finditer(r"\n\n+|\n(?=\u3000)", text))]
    ends = [*(match.start() for match in re.finditer(r"\n\n+|\n(?=\u3000)", text)), len(text)]
    return [(start, text[start:end]) for start, end in zip(starts, ends, strict=True)]


def underlined(memory: Memory, story: StoryMemory, text: str) -> set[Place]:
    """What the page underlines: its parts asked for in one request, joined by empty lines."""
    parts = parts_of(text)
    found = found_in(memory, story, "\n\n".join(part for _, part in parts))
    places: set[Place] = set()
    begin = 0
    for start, part in parts:
        end = begin + len(part)
        places |= {(name, a - begin + start, b - begin + start) for name, a, b in found if begin <= a < end}
        begin = end + 2
    return places


def completed_names(memory: Memory, story_id: str, typed: str, limit: int = 8) -> list[str]:
    found = list_names(memory.call(), project_id=story_id, q=typed, limit=limit)
    return [item.name for item in found.items]


def told_of(memory: Memory, story: StoryMemory, text: str) -> set[Place]:
    trace = assemble_context(memory.call(), project_id=story.id, chapter=0, scene=0, text=text).trace
    return {(item.label, match.start, match.end) for item in trace for match in item.matches}


@given(text=texts)
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.too_slow])
def test_what_is_underlined_is_what_the_context_finds(named: tuple[Memory, StoryMemory], text: str) -> None:
    memory, told = named
    assert underlined(memory, told, text) == told_of(memory, told, text)


def test_traditional_names_are_found_where_the_story_says_so(memory: Memory) -> None:
    told = memory.story("dragons")
    for name in ("龙吟", "Ｌｉｎ", "Zoë"):
        told.entity.create(type="character", name=name)
    text = "龍吟与龙吟，lin，Zoe\u0308。"

    def words() -> list[str]:
        return [text[start:end] for _, start, end in sorted(found_in(memory, told, text), key=itemgetter(1))]

    assert words() == ["龙吟", "lin", "Zoe\u0308"]
    update_story(memory.call(), project_id=told.id, patch=StoryPatch(settings={"foldTraditional": True}))
    assert words() == ["龍吟", "龙吟", "lin", "Zoe\u0308"]
    assert completed_names(memory, told.id, "龍", 8) == ["龙吟"]


def test_who_is_not_there_is_marked_and_comes_after_who_is(memory: Memory) -> None:
    told = memory.story("later")
    late = told.entity.create(type="character", name="甲", aliases=["师兄"], since={"chapter": 3})
    gone = told.entity.create(type="character", name="乙", until={"chapter": 0})
    here = told.entity.create(type="character", name="丙", aliases=["师兄"])
    text = "甲、乙、师兄。"

    def asked(**moment: int) -> list[tuple[str | None, str | None]]:
        items = find_mentions(memory.call(), project_id=told.id, text=text, **moment).items
        return [(item.entity_id, item.out_of_time) for item in items]

    both = [(here.id, None), (late.id, "not_yet")]
    assert asked(chapter=1, scene=0) == [(late.id, "not_yet"), (gone.id, "no_longer"), *both]
    assert asked(chapter=3, scene=0)[0] == (late.id, None)
    assert {out_of_time for _, out_of_time in asked()} == {None}


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("l", ["Li Bai", "Ｌｉｎ", "Jiang Li"]),
        ("Ｌ", ["Li Bai", "Ｌｉｎ", "Jiang Li"]),
        ("o’b", ["O'Brien"]),
        ("zoe\u0308", ["Zoë"]),
        ("云", ["青云", "青云宗"]),
        ("strasse", ["Straße"]),
        ("nobody", []),
    ],
)
def test_a_name_is_completed_as_it_would_be_found(
    named: tuple[Memory, StoryMemory], typed: str, completed: list[str]
) -> None:
    memory, told = named
    items = list_names(memory.call(), project_id=told.id, q=typed, limit=8).items
    assert [item.name for item in items] == completed
    assert completed_names(memory, told.id, typed, 1) == completed[:1]


def test_what_was_typed_completes_to_the_names_of_now(memory: Memory) -> None:
    told = memory.story("now")
    lin = told.entity.create(type="character", name="林逸", aliases=["小逸"])
    assert completed_names(memory, told.id, "小", 8) == ["林逸"]
    told.entity.update(id=lin.id, expected_version=1, patch={"name": "林远", "aliases": ["小远"]})
    assert completed_names(memory, told.id, "小逸", 8) == []
    assert completed_names(memory, told.id, "小远", 8) == ["林远"]
    assert completed_names(memory, told.id, "", 8) == ["林远"]


def test_one_name_is_read_as_the_list_has_it(memory: Memory) -> None:
    told = memory.story("one")
    for key, category in (("林逸", "character"), ("规矩", "custom")):
        request = LorebookEntryCreate(entry_key=key, category=category, content="。", keywords=("门",))
        create_entry(memory.call(), project_id=told.id, entry=request)
    told.entity.create(type="item", name="剑")
    listed = list_names(memory.call(), project_id=told.id).items
    assert len(listed) == 3
    for known in listed:
        assert (
            read_name(memory.call(), project_id=told.id, name_id=known.entity_id or known.entry_id or "")
            == known
        )
    with pytest.raises(NotFound):
        read_name(memory.call(), project_id=told.id, name_id="nobody")
