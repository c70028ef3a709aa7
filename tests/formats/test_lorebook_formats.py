"""Lorebooks of other programs: read and written again, nothing is lost and an edit wins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.formats.lorebooks.formats import FAMILIES, LAYOUT_OF, LAYOUTS
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.opening import layout_of
from fabula.formats.lorebooks.overlay import ORIGIN
from fabula.formats.lorebooks.reading import read_book
from fabula.formats.lorebooks.writing import write_book
from fabula.model.activation import ActivationRules
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition
from lore_files import (
    NAMES,
    TEXTS,
    AnEntry,
    any_document,
    as_json,
    entries_of,
    written_again,
)

# What each format has no words for; an edit of it is listed as lost.
UNSAID = {
    "novelai": {"secondary_keywords", "secondary_logic", "case_sensitive", "whole_word"},
    "risu": {"secondary_logic", "insertion_position", "whole_word"},
    "agnai": {"secondary_logic", "case_sensitive", "whole_word", "insertion_position"},
    "kobold": {"secondary_logic", "case_sensitive", "whole_word", "priority", "insertion_position"},
    "aidungeon": {
        "secondary_keywords",
        "secondary_logic",
        "case_sensitive",
        "whole_word",
        "priority",
        "insertion_position",
        "ai_context_level",
        "enabled",
    },
}


@given(any_document())
@settings(max_examples=examples(600), deadline=None)
def test_reading_and_writing_in_the_same_format_gives_the_same_file(found: tuple[str, Any]) -> None:
    layout, document = LAYOUT_OF[found[0]], found[1]
    assert as_json(written_again(layout, document)) == as_json(document)


EDITS = st.one_of(
    st.tuples(st.just("content"), TEXTS),
    st.tuples(st.just("keywords"), st.lists(NAMES, max_size=3, unique=True).map(tuple)),
    st.tuples(st.just("display_name"), NAMES),
    st.tuples(st.just("priority"), st.integers(-50, 500)),
    st.tuples(st.just("enabled"), st.booleans()),
    st.tuples(st.just("insertion_position"), st.sampled_from(InsertionPosition)),
    st.tuples(
        st.just("ai_context_level"), st.sampled_from((AiContextLevel.ALWAYS, AiContextLevel.WHEN_DETECTED))
    ),
    st.tuples(st.just("secondary_keywords"), st.lists(NAMES, max_size=2, unique=True).map(tuple)),
    st.tuples(st.just("secondary_logic"), st.sampled_from(("and_any", "and_all", "not_any", "not_all"))),
    st.tuples(st.just("case_sensitive"), st.booleans()),
    st.tuples(st.just("whole_word"), st.sampled_from((True, False))),
)


def edited(entry: AnEntry, field: str, value: Any) -> AnEntry:
    if field in ActivationRules.model_fields:
        return entry._replace(rules=entry.rules.model_copy(update={field: value}))
    return entry._replace(**{field: value})


def said(entry: AnEntry) -> dict[str, Any]:
    own = {
        name: getattr(entry, name) for name in entry._fields if name not in ("extensions", "rules", "place")
    }
    return own | dict(entry.rules)


@given(any_document(), EDITS, st.integers(0, 3))
@settings(max_examples=examples(800), deadline=None)
def test_an_edit_wins_and_everything_else_is_as_it_was(
    found: tuple[str, Any], edit: tuple[str, Any], which: int
) -> None:
    layout, document = LAYOUT_OF[found[0]], found[1]
    field, value = edit
    book = read_book(layout, document, "a file")
    entries = entries_of(book)
    if which >= len(entries):
        return
    before = entries[which]
    entries[which] = edited(before, field, value)
    written = write_book(layout, book, entries, FAMILIES, LAYOUT_OF)
    again = entries_of(read_book(layout, written.value, "a file"))
    if written.losses:
        lost = {loss.entry for loss in written.losses}
        assert lost == {before.entry_key}
        assert field in UNSAID.get(layout.family.name, set()) | {"content", "keywords"}, written.losses
        return
    now, wanted = said(again[which]), said(entries[which])
    is_decorated = layout.family.name == "risu" or before.content.startswith("@@")
    if (
        is_decorated and field != "content"
    ):  # a decorator is content and says a field, and comes and goes with it
        assert _undecorated(now.pop("content")) == _undecorated(wanted.pop("content"))
    assert now[field] == wanted[field]
    for name in ("entry_key", "display_name"):  # what an entry is called may come from its keywords
        now.pop(name), wanted.pop(name)
    if field == "content" and layout.family.name == "risu" and "@@" in (before.content[:2], value[:2]):
        return  # decorators are content there, and what they say comes and goes with them
    if field == "secondary_keywords":  # without any, their logic says nothing
        now.pop("secondary_logic"), wanted.pop("secondary_logic")
    assert now == wanted
    assert [_kept(one) for one in again[:which] + again[which + 1 :]] == [
        _kept(one) for one in entries[:which] + entries[which + 1 :]
    ]


def _undecorated(content: str) -> str:
    return "\n".join(line for line in content.split("\n") if not line.startswith("@@"))


def _kept(entry: AnEntry) -> dict[str, Any]:
    """What was kept of an entry, but for the name it got, which depends on the others' names."""
    return {name: value for name, value in entry.extensions.items() if name != ORIGIN}


@given(any_document(), st.sampled_from(sorted(LAYOUT_OF)))
@settings(max_examples=examples(400), deadline=None)
def test_what_another_format_cannot_say_is_listed(found: tuple[str, Any], wish: str) -> None:
    layout, document = LAYOUT_OF[found[0]], found[1]
    target = LAYOUT_OF[wish]
    book = read_book(layout, document, "a file")
    entries = entries_of(book)
    written = write_book(target, book, entries, FAMILIES, LAYOUT_OF)
    json.dumps(written.value)
    again = read_book(target, written.value, "a file")
    gone = {loss.entry for loss in written.losses if (loss.field, loss.becomes) == ("entry", "left_out")}
    stayed = [entry for entry in entries if entry.entry_key not in gone]
    assert len(again.entries) == len(stayed)
    lost = {(loss.entry, loss.field) for loss in written.losses}
    for before, after in zip(stayed, entries_of(again), strict=True):
        assert after.enabled <= before.enabled
        if (before.entry_key, "key") not in lost:
            assert set(before.keywords) <= set(after.keywords)
        if (before.entry_key, "content") not in lost and "@@" not in before.content:
            assert after.content.endswith(before.content)


def edited_in_kobold(found: dict[str, Any], **edits: Any) -> tuple[dict[str, Any], AnEntry, list[str]]:
    """An entry of KoboldAI after an edit: its object, how it is read again, and what was listed as lost."""
    layout = LAYOUT_OF["kobold-save"]
    book = read_book(layout, {"worldinfo": [found]}, "a file")
    entries = [edited(entries_of(book)[0], field, value) for field, value in edits.items()]
    written = write_book(layout, book, entries, FAMILIES, LAYOUT_OF)
    (again,) = entries_of(read_book(layout, written.value, "a file"))
    return written.value["worldinfo"][0], again, [loss.field for loss in written.losses]


def test_the_words_that_keep_an_entry_out_can_be_removed() -> None:
    _, again, lost = edited_in_kobold(
        {"key": "fog", "content": "It waits.", "keyanti": "sun"}, secondary_keywords=()
    )
    assert again.rules.secondary_keywords == ()
    assert lost == []


def test_secondary_keys_that_are_not_asked_for_are_not_asked_for_by_an_edit_of_their_logic() -> None:
    _, again, lost = edited_in_kobold(
        {"key": "fog", "content": "It waits.", "keysecondary": "sea", "selective": False},
        secondary_logic="not_any",
    )
    assert again.rules.secondary_keywords == ()
    assert lost == ["selectiveLogic"]


def test_other_secondary_keys_leave_the_words_that_keep_an_entry_out() -> None:
    found, again, _ = edited_in_kobold(
        {"key": "fog", "content": "It waits.", "keysecondary": "sea", "selective": True, "keyanti": "sun"},
        secondary_keywords=("shore",),
    )
    assert again.rules.secondary_keywords == ("shore",)
    assert found["keyanti"] == "sun"


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.format)
def test_secondary_keys_that_are_not_asked_for_restrict_nothing_in_another_format(layout: Layout) -> None:
    found = {"key": ["fog"], "content": "It waits.", "keysecondary": ["sea"], "selective": False}
    book = read_book(LAYOUT_OF["sillytavern"], {"entries": {"0": found}}, "Fog")
    written = write_book(layout, book, entries_of(book), FAMILIES, LAYOUT_OF)
    (again,) = entries_of(read_book(layout, written.value, "Fog"))
    assert again.rules.secondary_keywords == ()


@pytest.mark.parametrize("keys", [True, None, 1, "fog", {}], ids=repr)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.format)
def test_keys_that_are_no_list_are_no_keys_in_any_format(layout: Layout, keys: Any) -> None:
    found = {"key": keys, "content": "It waits.", "keysecondary": keys, "selective": True}
    book = read_book(LAYOUT_OF["sillytavern"], {"entries": {"0": found}}, "Fog")
    written = write_book(layout, book, entries_of(book), FAMILIES, LAYOUT_OF)
    (again,) = entries_of(read_book(layout, written.value, "Fog"))
    assert (again.keywords, again.rules.secondary_keywords) == ((), ())


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.format)
def test_a_new_file_of_a_format_is_recognised_as_that_format(layout: Layout) -> None:
    book = read_book(
        LAYOUT_OF["sillytavern"], {"entries": {"0": {"key": ["fog"], "content": "It waits."}}}, "Fog"
    )
    written = write_book(layout, book, entries_of(book), FAMILIES, LAYOUT_OF)
    assert layout_of(written.value) is layout


DATA = Path(__file__).parents[3] / "shared" / "data" / "lorebooks"
SAMPLES = sorted(path for path in DATA.glob("**/*") if path.suffix in (".json", ".lorebook"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_file_from_the_wild_is_the_same_after_reading_and_writing(path: Path) -> None:
    document = json.loads(path.read_bytes())
    layout = layout_of(document)
    if layout is None:
        assert "world_info" not in path.name
        return
    assert json.dumps(written_again(layout, document)) == json.dumps(document)
