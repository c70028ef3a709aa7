"""Lorebooks and cards of other programs in a story: in one step, and out again without loss."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabula.errors import InvalidInput
from fabula.formats.lorebooks.exporting import LORE_FORMATS, LoreFormat, write_lore_file
from fabula.formats.lorebooks.opening import read_lore_file
from fabula.formats.lorebooks.png import card_texts, plain_picture, with_cards
from fabula.memory import Memory
from fabula.operations.import_export.any_file import ImportFileResponse, take_file
from fabula.operations.import_export.lore_export import (
    ExportLossesResponse,
    LorebookFile,
    export_lorebook,
)
from fabula.story_memory import StoryMemory
from lore_files import entries_of
from postgres import place_at

CARD: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "description": "{{char}} keeps the lamp for {{user}}.",
        "personality": "patient",
        "scenario": "A harbour in fog.",
        "first_mes": "The lamp is lit, says {{char}}.",
        "mes_example": "",
        "alternate_greetings": ["The lamp is out."],
        "creator": "somebody",
        "extensions": {"x": [1, 2.0, None]},
        "character_book": {
            "name": "Lamps",
            "extensions": {},
            "entries": [
                {
                    "keys": ["lamp"],
                    "content": "It burns.",
                    "enabled": True,
                    "insertion_order": 5,
                    "extensions": {},
                },
                {"keys": ["oil"], "content": "", "enabled": False, "insertion_order": 6, "id": 9},
            ],
        },
    },
}
BOOK: dict[str, Any] = {
    "name": "Fog",
    "unknown": {"kept": True},
    "entries": {
        "4": {
            "uid": 4,
            "key": ["fog", "/mist/i"],
            "comment": "The fog",
            "content": "It waits.",
            "disable": False,
        },
        "7": {
            "uid": 7,
            "key": ["lamp"],
            "comment": "Lamp",
            "content": "It burns.",
            "enabled": False,
            "odd": 1,
        },
    },
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db")) as opened:
        yield opened


def take(memory: Memory, value: Any, name: str = "file.json", **wish: Any) -> ImportFileResponse:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return take_file(memory.call(), data=data, name=name, **wish)


def export(memory: Memory, done: ImportFileResponse, form: LoreFormat) -> LorebookFile:
    file = export_lorebook(memory.call(), project_id=done.story_id, book_id=done.book_id, format=form)
    assert isinstance(file, LorebookFile)
    return file


def entries(memory: Memory, done: ImportFileResponse, book_id: str | None = None) -> dict[str, Any]:
    asked = {"project_id": done.story_id, "book_id": book_id or done.book_id}
    told: Any = export_lorebook(memory.call(), **asked)
    return {entry.entry_key: entry for entry in told.entries}


def test_a_world_info_book_becomes_a_book_of_its_own(memory: Memory) -> None:
    done = take(memory, BOOK, "fog.json")
    assert (done.kind, done.format, done.title, done.is_new) == ("lorebook", "sillytavern", "Fog", True)
    assert (done.runs["key"], done.kept["odd"], done.counts.entries) == (2, 1, 2)
    found = entries(memory, done)
    assert found["The fog"].keywords == ("fog", "/mist/i")
    assert (found["The fog"].enabled, found["Lamp"].enabled) == (True, False)
    (_, book) = memory.story("", id=done.story_id).lorebook.book.list().items
    assert (book.name, book.activation, book.source) == ("Fog", "sillytavern", "global")
    file = export(memory, done, "sillytavern")
    assert (json.loads(file.data), file.losses) == (BOOK, ())


def test_a_card_becomes_a_story_with_its_character_and_texts(memory: Memory) -> None:
    done = take(memory, CARD, "mira.json")
    assert (done.title, done.format, done.counts.entities) == ("Mira", "card-v2", 1)
    own = entries(memory, done, "own")
    assert own["Mira"].category == "character"
    assert own["Mira"].content == "Mira keeps the lamp for {{user}}."
    assert own["Mira: Scenario"].ai_context_level == "always"
    assert own["Mira: Greeting"].content == "The lamp is lit, says Mira."
    assert own["Mira: Greeting 2"].ai_context_level == "manual_only"
    assert own["Mira: Personality"].keywords == ("Mira",)
    assert {key: entry.enabled for key, entry in entries(memory, done).items()} == {
        "lamp": True,
        "oil": False,
    }
    assert json.loads(export(memory, done, "card-v2").data) == CARD


def test_a_card_in_a_picture_goes_back_into_it(memory: Memory) -> None:
    picture = with_cards(plain_picture(32, 32), {"chara": json.dumps(CARD).encode()})
    done = take(memory, picture, "mira.png")
    file = export(memory, done, "card-v2-png")
    assert json.loads(card_texts(file.data)["chara"]) == CARD
    assert (file.data[:40], file.losses) == (picture[:40], ())


def test_an_import_is_one_step_that_undo_takes_back(memory: Memory) -> None:
    story = memory.story("Harbour", id="harbour")
    before = memory.story("Harbour").id
    done = take(memory, CARD, "mira.json", story_id="harbour")
    assert (done.story_id, done.is_new, before) == ("harbour", False, "harbour")
    story.history.undo()
    assert [book.id for book in story.lorebook.book.list().items] == ["own"]
    assert entries(memory, done, "own") == {}
    assert story.entity.list().total_count == 0


def test_a_dry_run_says_what_the_run_does_and_writes_nothing(memory: Memory) -> None:
    trial = take(memory, CARD, "mira.json", dry_run=True)
    assert (trial.story_id, trial.book_id, memory.stories()) == (None, None, ())
    done = take(memory, CARD, "mira.json")
    for field in ("counts", "problems", "runs", "ignored", "kept", "collisions", "title", "format"):
        assert getattr(trial, field) == getattr(done, field), field


def test_a_file_that_cannot_be_read_leaves_nothing_behind(memory: Memory) -> None:
    for name, data in (("x.png", plain_picture()), ("x.charx", b"PK\3\4broken"), ("x.lorebook", b'{"a"')):
        with pytest.raises(InvalidInput) as refused:
            take(memory, data, name)
        assert refused.value.suggestion
    assert memory.stories() == ()


def test_the_same_file_again_is_told_and_skipped_or_overwrites(memory: Memory) -> None:
    done = take(memory, BOOK, "fog.json")
    changed = json.loads(json.dumps(BOOK))
    changed["entries"]["4"]["content"] = "It is gone."
    again = take(memory, changed, "fog.json", story_id=done.story_id)
    assert (again.counts.entries, again.counts.skipped) == (0, 2)
    assert (set(again.collisions), again.book_id) == ({"The fog", "Lamp"}, done.book_id)
    assert entries(memory, done)["The fog"].content == "It waits."
    take(memory, changed, "fog.json", story_id=done.story_id, overwrite=True)
    assert entries(memory, done)["The fog"].content == "It is gone."
    assert json.loads(export(memory, done, "sillytavern").data) == changed


def test_an_edit_wins_in_the_file_and_the_rest_is_as_it_was(memory: Memory) -> None:
    done = take(memory, CARD, "mira.json")
    story = memory.story("", id=done.story_id)
    lamp = entries(memory, done)["lamp"]
    story.lorebook.entry.update(entry_id=lamp.id, patch={"content": "It is out.", "priority": 77})
    own = entries(memory, done, "own")
    story.lorebook.entry.update(entry_id=own["Mira: Greeting"].id, patch={"content": "Good evening."})
    story.lorebook.entry.update(entry_id=own["Mira"].id, patch={"content": "Mira left."})
    wanted = json.loads(json.dumps(CARD))
    wanted["data"] |= {"first_mes": "Good evening.", "description": "Mira left."}
    wanted["data"]["character_book"]["entries"][0] |= {"content": "It is out.", "insertion_order": 77}
    assert json.loads(export(memory, done, "card-v2").data) == wanted


def test_what_may_not_be_told_is_written_as_switched_off(memory: Memory) -> None:
    done = take(memory, BOOK, "fog.json")
    fog = entries(memory, done)["The fog"]
    memory.story("", id=done.story_id).lorebook.entry.update(
        entry_id=fog.id, patch={"ai_context_level": "never"}
    )
    file = export(memory, done, "sillytavern")
    assert json.loads(file.data)["entries"]["4"]["disable"] is True
    assert [(loss.entry, loss.field, loss.becomes) for loss in file.losses] == [
        ("The fog", "aiContextLevel", "disabled")
    ]
    assert "It waits." not in export(memory, done, "aidungeon").data.decode()


def test_the_losses_of_a_format_are_told_before(memory: Memory) -> None:
    entry = {**BOOK["entries"]["4"], "sticky": 3, "selective": True, "keysecondary": ["sea"]}
    done = take(memory, {"entries": {"0": entry}}, "fog.json")
    asked = {"project_id": done.story_id, "book_id": done.book_id, "format": "novelai"}
    told = export_lorebook(memory.call(), **asked, report=True)
    assert isinstance(told, ExportLossesResponse)
    assert {"sticky", "keysecondary"} <= told.fields.keys()
    assert told.loss_count == len(told.losses) == len(export(memory, done, "novelai").losses)


@pytest.mark.parametrize("form", [form for form in LORE_FORMATS if not form.endswith("png")])
def test_every_format_comes_back_from_a_story_as_it_was(memory: Memory, form: LoreFormat) -> None:
    book = read_lore_file("fog.json", json.dumps(BOOK).encode())
    on = [entry._replace(enabled=True) for entry in entries_of(book)]
    file = write_lore_file(form, book, on)
    done = take(memory, file.data, f"fog{file.ending}")
    assert (done.format, done.counts.entries, done.problems) == (form, 2, ())
    again = export(memory, done, form)
    assert again.losses == ()
    is_json = form not in ("markdown", "csv", "tsv")
    if is_json:
        assert json.loads(again.data) == json.loads(file.data)
    else:
        assert again.data == file.data


def test_a_large_book_is_taken_in_at_once(memory: Memory) -> None:
    many = {str(uid): {"uid": uid, "key": [f"key{uid}"], "content": ""} for uid in range(1200)}
    done = take(memory, {"entries": many}, "many.json")
    assert (done.counts.entries, done.problem_count) == (1200, 0)
    assert json.loads(export(memory, done, "sillytavern").data) == {"entries": many}


def test_a_story_says_which_python_object_it_is(memory: Memory) -> None:
    done = take(memory, BOOK, "fog.json")
    story = StoryMemory(memory, done.story_id or "")
    file = story.lorebook.export(book_id=done.book_id, format="csv")
    assert file.media_type == "text/csv"
