"""Lorebooks that are scanned as in SillyTavern, in the contexts of scenes."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.formats.lorebooks.overlay import read_fields
from fabula.formats.lorebooks.reading import fabula_fields
from fabula.memory import Memory
from fabula.operations.import_export.import_folder import import_archive
from fabula.story_memory import StoryMemory


class Reading:
    """A story with a scanned book, and the contexts of a scene of it."""

    def __init__(self, story: StoryMemory, **book: Any) -> None:
        self.story = story
        made = story.ask("lorebook.book.create", **{"name": "Borrowed", "activation": "sillytavern", **book})
        self.book_id = made.id

    def entry(self, name: str, content: str, *keys: str, book_id: str | None = None, **said: Any) -> Any:
        own = {"level": "aiContextLevel", "since": "since", "until": "until"}
        more = {own[field]: said.pop(field) for field in own if field in said}
        original = {"key": list(keys), "content": content, "comment": name, **said}
        fields = {**fabula_fields(read_fields(original)), "extensions": {"sillytavern": original}, **more}
        fields.pop("content", None)
        return self.story.entry(name, content, book_id=book_id or self.book_id, **fields)

    def context(self, text: str, **wishes: Any) -> Any:
        return self.story.context(0, 0, text, **{"token_budget": 2_000, **wishes})

    def told(self, text: str, **wishes: Any) -> str:
        return "\n".join(one.content for one in self.context(text, **wishes).messages)

    def reasons(self, text: str, **wishes: Any) -> dict[str, str]:
        return {one.label: one.reason for one in self.context(text, **wishes).trace if one.scan is not None}


@pytest.fixture
def reading(story: StoryMemory) -> Reading:
    return Reading(story)


def test_a_key_fires_by_the_rules_of_the_book(reading: Reading) -> None:
    reading.entry("Cat", "The cat is old.", "cat")
    reading.entry("Fog", "The fog is thick.", "/f[ou]g+/i")
    context = reading.context("A cat in the FOGGGG, and concatenation.")
    assert {one.label: one.reason for one in context.trace} == {"Cat": "book_key", "Fog": "book_key"}
    (cat,) = [one for one in context.trace if one.label == "Cat"]
    assert (cat.included, cat.scan.pass_number, cat.scan.key, cat.scan.where) == (True, 1, "cat", "chat")
    assert cat.scan.book_id == reading.book_id
    assert [one.display_name for one in context.system_prompt_entries] == ["Fog", "Cat"]
    assert reading.reasons("Concatenation only.") == {}


def test_entries_of_a_scanned_book_are_not_detected_or_recalled_otherwise(reading: Reading) -> None:
    reading.entry("Lighthouse", "Nobody lives there.", "beacon")
    assert reading.context("The Lighthouse stood dark.").trace == ()
    assert "Lighthouse" not in [one.name for one in reading.story.ask("name.list").items]
    reading.story.ask("lorebook.book.update", id=reading.book_id, patch={"activation": "fabula"})
    assert [one.reason for one in reading.context("The Lighthouse stood dark.").trace] == ["detected"]
    assert [one.reason for one in reading.context("A beacon.").trace] == ["detected"]
    reading.story.ask("lorebook.book.update", id=reading.book_id, patch={"enabled": False})
    assert reading.context("The Lighthouse stood dark.").trace == ()
    patch = {"enabled": True, "activation": "sillytavern"}
    reading.story.ask("lorebook.book.update", id=reading.book_id, patch=patch)
    assert reading.reasons("A beacon.") == {"Lighthouse": "book_key"}


def test_reasons_say_why_an_entry_is_in_or_out(reading: Reading) -> None:
    reading.entry("Key", "It names a chain.", "start")
    reading.entry("Chained", "From the chain.", "chain")
    reading.entry("Constant", "Always.", constant=True)
    reading.entry("Unlucky", "Never.", "start", probability=0, useProbability=True)
    reading.entry("First", "One.", "start", group="g", groupOverride=True, order=50)
    reading.entry("Second", "Two.", "start", group="g", order=40)
    reading.entry("Filtered", "Not.", "start", keysecondary=["missing"], selective=True)
    assert reading.reasons("We start.") == {
        "Key": "book_key",
        "Chained": "book_recursion",
        "Constant": "book_constant",
        "Unlucky": "book_probability",
        "First": "book_key",
        "Second": "book_group",
        "Filtered": "book_secondary",
    }


def test_the_budget_of_the_book_is_a_part_of_that_of_the_call(reading: Reading) -> None:
    reading.entry("Large", "word " * 60, "start", order=200)
    reading.entry("Small", "A few words.", "start", order=100)
    assert set(reading.reasons("start", token_budget=2_000).values()) == {"book_key"}
    cramped = reading.reasons("start", token_budget=100)
    assert cramped == {"Large": "book_over_budget", "Small": "book_over_budget"}
    reading.story.ask("lorebook.book.update", id=reading.book_id, patch={"settings": {"budgetPercent": 100}})
    assert reading.reasons("start", token_budget=100) == {"Large": "book_key", "Small": "book_key"}


def test_the_total_budget_holds_over_what_ignores_that_of_its_book(reading: Reading) -> None:
    reading.entry("Huge", "word " * 500, "start", ignoreBudget=True)
    context = reading.context("start", token_budget=200)
    assert context.estimated_tokens <= 200
    assert [(one.included, one.reason) for one in context.trace] == [(False, "budget")]


def test_books_with_other_settings_are_scanned_by_theirs(reading: Reading, story: StoryMemory) -> None:
    other = Reading(story, name="Other", settings={"matchWholeWords": False, "recursive": False})
    reading.entry("Whole", "Whole.", "cat")
    other.entry("Part", "It says chain.", "cat")
    other.entry("Chained", "Not reached.", "chain")
    assert reading.reasons("concatenation") == {"Part": "book_key"}


def test_the_same_seed_gives_the_same_context_and_stands_in_it(reading: Reading) -> None:
    for number in range(20):
        reading.entry(f"E{number}", f"Text {number}.", "start", probability=50, useProbability=True)
    assert reading.context("start") == reading.context("start")
    assert reading.context("start").seed
    told = {seed: reading.told("start", seed=seed) for seed in ("a", "b", "c")}
    assert told == {seed: reading.told("start", seed=seed) for seed in told}
    assert len(set(told.values())) == 3
    assert reading.context("start", seed="a").seed == "a"


def test_a_story_without_scanned_books_has_no_seed(story: StoryMemory) -> None:
    assert story.context(0, 0, "start").seed == ""


def test_a_pinned_entry_is_in_whatever_the_scan_says(reading: Reading) -> None:
    pinned = reading.entry("Pin", "By hand.", "never said", level="manual_only")
    assert reading.told("start") == "start"
    context = reading.context("start", pinned=[pinned.id])
    assert [(one.label, one.reason) for one in context.trace] == [("Pin", "pinned")]


def test_macros_stand_for_the_names_of_the_call(reading: Reading) -> None:
    reading.entry("Greeting", "{{char}} greets {{user}}.", "start")
    assert "Ann greets Bo." in reading.told("start", char="Ann", user="Bo")


def test_an_entry_says_what_it_was_changed_to(reading: Reading) -> None:
    made = reading.entry("Cat", "The cat is old.", "cat")
    assert "old" in reading.told("A cat.")
    reading.story.ask("lorebook.entry.update", entry_id=made.id, patch={"content": "The cat is young."})
    assert "young" in reading.told("A cat.")
    reading.story.ask("lorebook.entry.update", entry_id=made.id, patch={"keywords": ["dog"]})
    assert (reading.reasons("A cat."), reading.reasons("A dog.")) == ({}, {"Cat": "book_key"})
    reading.story.ask("lorebook.entry.update", entry_id=made.id, patch={"enabled": False})
    assert reading.reasons("A dog.") == {}
    reading.story.ask("lorebook.entry.delete", entry_id=made.id)
    reading.story.history.undo()
    reading.story.history.undo()
    assert reading.reasons("A dog.") == {"Cat": "book_key"}


def test_a_copy_of_the_story_tells_the_same(reading: Reading, memory: Memory) -> None:
    reading.entry("B", "It names a chain.", "start", order=5)
    reading.entry("A", "From the chain.", "chain")
    reading.entry("C", "Same order as A.", "start")
    with reading.story.ask("export.file", format="zip") as exported:
        story_id = import_archive(memory.call(), exported.read()).story_id
    copy = memory.story("", id=story_id).context(0, 0, "start", token_budget=2_000, seed="s")
    assert copy.messages == reading.context("start", seed="s").messages


# Levels, moments and secrets


@pytest.mark.parametrize("level", ["never", "manual_only"])
def test_what_is_hidden_neither_is_told_nor_leads_anywhere(reading: Reading, level: str) -> None:
    reading.entry("Hidden", "The hidden text names a chain.", "start", level=level)
    reading.entry("Chained", "From the chain.", "chain")
    context = reading.context("start")
    assert (context.trace, reading.told("start")) == ((), "start")


def test_what_is_not_true_yet_is_not_scanned(reading: Reading) -> None:
    reading.entry("Later", "Later it names a chain.", "start", since={"chapter": 3})
    reading.entry("Over", "It was so.", "start", until={"chapter": 1})
    reading.entry("Chained", "From the chain.", "chain")

    def told(chapter: int) -> dict[str, str]:
        context = reading.story.context(chapter, 0, "start", token_budget=2_000)
        return {one.label: one.reason for one in context.trace}

    assert told(0) == {"Over": "book_key"}
    assert told(2) == {}
    assert told(3) == {"Later": "book_key", "Chained": "book_recursion"}


@pytest.mark.parametrize(
    "spelling",
    [
        "Malachar rules.",
        "Mala{{noop}}char rules.",
        "{{reverse:rahcalaM}} rules.",
        "{{char}} rules.",
        "Mala{{// hush}}char rules.",
        "{{{{noop}}noop}}Malachar rules.",
    ],
)
def test_no_macro_spells_a_secret(reading: Reading, spelling: str) -> None:
    reading.story.entity.create(type="character", name="Malachar", ai_context_level="never")
    reading.entry("Throne", f"The throne is old. {spelling} A chain lies there.", "throne")
    reading.entry("Chained", "From the chain.", "chain")
    reading.entry("Led", "Led astray.", "Malachar")
    told = reading.told("The throne.", char="Malachar")
    assert "Malachar" not in told
    assert "Led" not in told


def test_an_entry_whose_title_names_a_secret_is_not_told(reading: Reading) -> None:
    reading.story.entity.create(type="character", name="Malachar", ai_context_level="never")
    item = {"entryKey": "Malachar", "content": "He rules.", "keywords": ["throne"]}
    done = reading.story.ask("lorebook.import", entries=[item], book_id=reading.book_id)
    assert done.imported == 1
    assert reading.context("The throne.").trace == ()
