"""World Info books of SillyTavern: what has a counterpart is mapped, the rest is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.canon.entry_values import LorebookEntryCreate
from fabula.formats.recognition import file_kind, lore_entries
from fabula.formats.world_info import world_info_entries
from fabula.operations.lorebook.bulk import checked_entries

DATA = Path(__file__).parents[3] / "shared" / "data" / "lorebooks"
BOOK = "01_sillytavern_Eldoria.json"

FULL = {
    "uid": 3,
    "key": ["fog", "/mist(s)?/i", " fog "],
    "keysecondary": ["harbour"],
    "selective": True,
    "selectiveLogic": 3,
    "comment": "The fog",
    "content": "It takes names.",
    "order": 40,
    "position": 4,
    "disable": True,
    "caseSensitive": None,
    "matchWholeWords": True,
    "sticky": 2,
}


def read(book: dict[str, Any]) -> list[LorebookEntryCreate]:
    fit, problems = checked_entries(world_info_entries(book))
    assert problems == []
    return [entry for _, entry in fit]


def test_an_entry_keeps_its_meaning_and_everything_else_beside_it() -> None:
    (entry,) = read({"3": FULL})
    assert (entry.entry_key, entry.content, entry.keywords) == ("The fog", "It takes names.", ("fog",))
    assert (entry.priority, entry.enabled, entry.insertion_position) == (40, False, "after_scene")
    assert entry.rules.whole_word
    assert (entry.rules.secondary_keywords, entry.rules.secondary_logic) == (("harbour",), "and_all")
    assert entry.extensions == {"sillytavern": FULL}
    assert entry.ai_context_level is None


def test_what_is_constant_is_always_told_and_equal_names_are_told_apart() -> None:
    book = {
        "10": {"comment": "Fog", "content": "b"},
        "9": {"comment": "fog", "content": "a", "constant": True},
    }
    first, second = read(book)
    assert (first.entry_key, first.content, first.ai_context_level) == ("fog", "a", "always")
    assert (second.entry_key, second.content) == ("Fog (2)", "b")


def test_a_bare_entry_is_named_by_its_keyword_or_its_number() -> None:
    named = read({"0": {"key": ["lamp"], "content": "x"}, "7": {"content": "y"}})
    assert [entry.entry_key for entry in named] == ["lamp", "Entry 7"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=3), st.dictionaries(st.sampled_from(sorted(FULL)), json_values)))
def test_whatever_a_book_holds_it_is_read_or_named_as_a_problem(book: dict[str, Any]) -> None:
    entries = world_info_entries(book)
    fit, problems = checked_entries(entries)
    assert len(fit) + len(problems) == len(book)
    names = [entry.entry_key.casefold() for _, entry in fit]
    assert len(set(names)) == len(names)


def test_a_book_from_the_wild_is_read_whole() -> None:
    path = DATA / BOOK
    if not path.exists():
        pytest.skip("the folder of lorebooks to measure with is not here")
    data = path.read_bytes()
    assert file_kind(BOOK, data) == "lorebook"
    entries = lore_entries(data)
    assert entries is not None
    told = [one for one in orjson.loads(data)["entries"].values() if one["content"].strip()]
    assert len(checked_entries(entries)[0]) == len(told)
