"""Names, aliases and keywords in a text: which, whose, where; and the same in every process."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doors import Pipe, through_messages
from effort import examples
from fabula.canon.entry_values import LorebookEntryCreate, LorebookEntryPatch
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations import context
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.manuscript.mentions import find_mentions
from fabula.story_memory import StoryMemory

Found = list[tuple[str, str, str]]


def entry(memory: Memory, story: StoryMemory, key: str, **more: Any) -> Any:
    request = LorebookEntryCreate(**{"entry_key": key, "content": f"{key}的事。", **more})
    return lorebook.create_entry(memory.call(), project_id=story.id, entry=request)


def mentions(memory: Memory, story_id: str, text: str) -> Found:
    """Who is named with which term, and how the text writes it."""
    found = find_mentions(memory.call(), project_id=story_id, text=text).items
    assert [item.start for item in found] == sorted(item.start for item in found)
    return [(item.name, item.kind, text[item.start : item.end]) for item in found]


def assembled(memory: Memory, story: StoryMemory, text: str) -> Any:
    request = {"chapter": 0, "scene": 0, "text": text}
    return context.assemble_context(memory.call(), project_id=story.id, **request)


def told(memory: Memory, story: StoryMemory, text: str) -> list[str]:
    return [fragment.entry_key for fragment in assembled(memory, story, text).before_scene_entries]


def test_the_longest_name_wins(memory: Memory, story: StoryMemory) -> None:
    for name in ("青云", "青云宗", "宗主"):
        story.entity.create(type="concept", name=name, description="。")
    assert mentions(memory, story.id, "青云宗大比，青云来了。") == [
        ("青云宗", "name", "青云宗"),
        ("青云", "name", "青云"),
    ]
    assert told(memory, story, "青云宗大比。") == ["青云宗"]
    assert mentions(memory, story.id, "青云宗主到。") == [("青云宗", "name", "青云宗")]


def test_words_are_whole_where_the_script_has_spaces(memory: Memory) -> None:
    story = memory.story("e", language="en")
    for name in ("Al", "Rose", "New York"):
        story.entity.create(type="character", name=name)
    text = "Also AL said: roses, Rose's rose; in New  York, new\nyork."
    assert [(name, written) for name, _, written in mentions(memory, story.id, text)] == [
        ("Al", "AL"),
        ("Rose", "Rose"),
        ("Rose", "rose"),
        ("New York", "New  York"),
        ("New York", "new\nyork"),
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("🐉🐉Ｌｉｎ 来", "Ｌｉｎ"),
        ("…LIN…", "LIN"),
        ("ﬁ lin", "lin"),
        ("e\u0301 Lin", "Lin"),
        ("İ lin", "lin"),
        ("👨‍👩‍👧 ｌiN。", "ｌiN"),
    ],
)
def test_places_are_those_of_the_text_as_it_was_sent(
    memory: Memory, story: StoryMemory, text: str, written: str
) -> None:
    story.entity.create(type="character", name="Lin")
    assert mentions(memory, story.id, text) == [("Lin", "name", written)]
    item = next(item for item in assembled(memory, story, text).trace if item.label == "Lin")
    assert [text[place.start : place.end] for place in item.matches] == [written]


@given(st.text(alphabet="林逸ＬｉｎlinＬ🐉ﬁİe\u0301 ，\n", max_size=30))
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_place_holds_the_term_however_it_is_written(memory: Memory, text: str) -> None:
    story = memory.story("f")
    if not story.entity.list().items:
        for name in ("林逸", "Lin", "ﬁ"):
            story.entity.create(type="character", name=name)
    folds: dict[str, set[str]] = {"林逸": {"林逸"}, "Lin": {"lin"}, "ﬁ": {"fi"}}
    items = find_mentions(memory.call(), project_id=story.id, text=text).items
    ends = [0]
    for item in items:
        written = unicodedata.normalize("NFKC", text[item.start : item.end]).casefold()
        assert written in folds[item.name]
        assert item.start >= ends[-1]
        ends.append(item.end)
    # A mark on the last character makes another character of it.
    marked = text.count("林逸\u0301")
    assert text.count("林逸") - marked == sum(item.name == "林逸" for item in items)


def test_an_alias_and_a_keyword_mean_the_entity(memory: Memory, story: StoryMemory) -> None:
    made = entry(memory, story, "林逸", category="character", aliases=["小逸"], keywords=["林少侠", "小逸"])
    free = entry(memory, story, "规矩", keywords=["门规"])
    text = "林少侠、小逸、林逸，守门规与规矩。"
    found = find_mentions(memory.call(), project_id=story.id, text=text).items
    assert [(item.entity_id, item.entry_id, item.term, item.kind) for item in found] == [
        (made.entity_id, None, "林少侠", "keyword"),
        (made.entity_id, None, "小逸", "alias"),
        (made.entity_id, None, "林逸", "name"),
        (None, free.id, "门规", "keyword"),
        (None, free.id, "规矩", "keyword"),
    ]
    trace = {item.label: item for item in assembled(memory, story, text).trace}
    assert [place.term for place in trace["林逸"].matches] == ["林少侠", "小逸", "林逸"]
    assert [place.term for place in trace["规矩"].matches] == ["门规", "规矩"]


def test_a_word_of_two_means_both(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="character", name="师兄甲", aliases=["大师兄"])
    story.entity.create(type="character", name="师兄乙", aliases=["大师兄"])
    found = mentions(memory, story.id, "大师兄来了。")
    assert sorted(name for name, _, _ in found) == ["师兄乙", "师兄甲"]


def test_case_and_whole_words_are_the_entrys_choice(memory: Memory) -> None:
    story = memory.story("e", language="en")
    entry(memory, story, "Exact", keywords=["May"], rules={"case_sensitive": True})
    entry(memory, story, "Inside", keywords=["mouse"], rules={"whole_word": False})
    entry(memory, story, "Plain", keywords=["cat"])
    assert told(memory, story, "may come; a CATALOGUE") == []
    assert told(memory, story, "In May.") == ["Exact"]
    assert told(memory, story, "Dormouse sleeps.") == ["Inside"]
    assert told(memory, story, "The CAT.") == ["Plain"]
    assert told(memory, story, "exact") == []


@pytest.mark.parametrize(
    ("logic", "seen"),
    [
        ("and_any", {"甲": False, "甲夜": True, "甲夜雨": True}),
        ("and_all", {"甲": False, "甲夜": False, "甲夜雨": True}),
        ("not_any", {"甲": True, "甲夜": False, "甲夜雨": False}),
        ("not_all", {"甲": True, "甲夜": True, "甲夜雨": False}),
    ],
)
def test_secondary_keywords_decide_with_their_logic(
    memory: Memory, story: StoryMemory, logic: str, seen: dict[str, bool]
) -> None:
    rules = {"secondary_keywords": ["夜", "雨"], "secondary_logic": logic}
    for category in ("custom", "item"):
        made = entry(memory, story, "甲", category=category, rules=rules)
        for text, expected in seen.items():
            assert bool(told(memory, story, text)) == expected, text
        lorebook.delete_entry(memory.call(), project_id=story.id, entry_id=made.id)


def test_an_exclude_keyword_keeps_an_entry_out(memory: Memory, story: StoryMemory) -> None:
    made = entry(memory, story, "灯塔", category="location", rules={"exclude_keywords": ["Ｄream"]})
    assert told(memory, story, "灯塔亮了。") == ["灯塔"]
    assert told(memory, story, "灯塔亮了，a dREAM。") == []
    reasons = [item.reason for item in assembled(memory, story, "灯塔，dream").trace]
    assert reasons == ["excluded_keyword"]
    pinned = {"chapter": 0, "scene": 0, "text": "灯塔，dream", "pinned": (made.id,)}
    found = context.assemble_context(memory.call(), project_id=story.id, **pinned)
    assert [fragment.reason for fragment in found.before_scene_entries] == ["pinned"]


edits = st.lists(
    st.tuples(
        st.sampled_from(["entry", "rename", "keywords", "category", "delete", "undo"]),
        st.integers(0, 5),
        st.sampled_from(["林逸", "青云", "青云宗", "小逸", "Lin", "rose"]),
    ),
    max_size=12,
)
TEXT = "林逸与小逸在青云宗，青云Lin说 rose，ＬＩＮ点头。"


@settings(
    max_examples=examples(8),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(edits)
def test_after_edits_by_somebody_else_an_open_index_finds_what_a_fresh_one_finds(
    memory: Memory, done: Any
) -> None:
    story = memory.story("共")
    with Memory(memory.place) as other:
        for what, number, word in done:
            entries = lorebook.list_entries(other.call(), project_id=story.id, size=100).items
            one = entries[number % len(entries)].id if entries else ""
            category = ("custom", "character", "item")[number % 3]
            acts: dict[str, Callable[[], Any]] = {
                "entry": lambda w=word, c=category: entry(other, story, w, category=c),
                "rename": lambda i=one, w=word: _change(other, story, i, entry_key=w),
                "keywords": lambda i=one, w=word: _change(other, story, i, keywords=(w, f"{w}二")),
                "category": lambda i=one, c=category: _change(other, story, i, category=c),
                "delete": lambda i=one: lorebook.delete_entry(other.call(), project_id=story.id, entry_id=i),
                "undo": lambda: other.answer("knowledge:history:undo", {"projectId": story.id}),
            }
            try:
                acts[what]()
            except FabulaError:
                continue
            with Memory(memory.place) as fresh:
                expected = mentions(fresh, story.id, TEXT)
                assert mentions(memory, story.id, TEXT) == expected
                assert for_text(memory, story) == for_text(fresh, story)


def _change(memory: Memory, story: StoryMemory, entry_id: str, **patch: Any) -> Any:
    return lorebook.update_entry(
        memory.call(), project_id=story.id, entry_id=entry_id, patch=LorebookEntryPatch(**patch)
    )


def for_text(memory: Memory, story: StoryMemory) -> Any:
    return assembled(memory, story, TEXT).model_dump()


@pytest.mark.slow
@pytest.mark.every_engine
def test_what_another_process_writes_is_found_at_once(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="character", name="林逸")
    assert [name for name, _, _ in mentions(memory, story.id, "林逸与苏瑶")] == ["林逸"]
    pipe = Pipe(memory.place)
    ask = through_messages(pipe.say)
    made = ask("knowledge:entity:create", {"projectId": story.id, "type": "character", "name": "苏瑶"})[
        "data"
    ]
    assert [name for name, _, _ in mentions(memory, story.id, "林逸与苏瑶")] == ["林逸", "苏瑶"]
    patch = {"name": "苏姑娘", "aiContextLevel": "never", "description": "秘密。"}
    ask(
        "knowledge:entity:update",
        {"projectId": story.id, "id": made["id"], "expectedVersion": 1, "patch": patch},
    )
    # What is hidden keeps its old name.
    found = mentions(memory, story.id, "苏瑶，苏姑娘")
    assert found == [("苏姑娘", "alias", "苏瑶"), ("苏姑娘", "name", "苏姑娘")]
    assert told(memory, story, "苏瑶，苏姑娘") == []
    ask("knowledge:entity:delete", {"projectId": story.id, "id": made["id"]})
    assert mentions(memory, story.id, "苏瑶，苏姑娘") == []
    assert pipe.close() == 0
