"""Lorebooks beside the story's own: values like all others, with keys and entries of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fabula.canon.book import save
from fabula.canon.book_values import BookFields
from fabula.canon.entry import add_to_book
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.canon.step import write
from fabula.errors import Conflict, InvalidInput, LoreKeyDuplicate, NotFound
from fabula.memory import Memory
from fabula.model.book import OWN_BOOK
from fabula.operations.import_export.import_folder import import_archive
from fabula.store.log import IMPORT_LORE
from fabula.story_memory import StoryMemory


class Shelf:
    """The books of a story."""

    def __init__(self, story: StoryMemory) -> None:
        self.story = story

    def book(self, name: str = "Borrowed", **fields: Any) -> Any:
        return self.story.ask("lorebook.book.create", name=name, **fields)

    def books(self) -> Any:
        return self.story.ask("lorebook.book.list").items

    def entry(self, book_id: str, key: str, content: str = "Text.", **fields: Any) -> Any:
        return self.story.entry(key, content, book_id=book_id, **fields)

    def entries(self, book_id: str | None = None) -> list[str]:
        return [one.entry_key for one in self.story.ask("lorebook.entry.list", book_id=book_id).items]

    def content(self) -> Any:
        """Everything but versions and times."""
        without = {"version", "created_at", "updated_at", "user_id", "story_id"}
        entries = self.story.ask("lorebook.entry.list", size=1000).items
        return (
            [
                one.model_dump(exclude=without | {"name"} if one.id == OWN_BOOK else without)
                for one in self.books()
            ],
            [one.model_dump(exclude=without) for one in entries],
        )


@pytest.fixture
def shelf(story: StoryMemory) -> Shelf:
    return Shelf(story)


def test_every_story_has_its_own_book(shelf: Shelf) -> None:
    shelf.story.entry("Fog", "It is thick.")
    (own,) = shelf.books()
    assert (own.id, own.activation, own.entry_count, own.version) == (OWN_BOOK, "fabula", 1, 0)
    assert dict(shelf.story.ask("lorebook.book.read", id=OWN_BOOK)) == dict(own)
    for ask in ("update", "delete"):
        with pytest.raises(InvalidInput):
            shelf.story.ask(f"lorebook.book.{ask}", id=OWN_BOOK, **({"patch": {}} if ask == "update" else {}))


def test_keys_are_unique_within_a_book(shelf: Shelf) -> None:
    one, other = shelf.book(), shelf.book()
    for book_id in (OWN_BOOK, one.id, other.id):
        shelf.entry(book_id, "Fog", f"In {book_id}.")
        with pytest.raises(LoreKeyDuplicate):
            shelf.entry(book_id, "FOG")
    for book_id in (OWN_BOOK, one.id, other.id):
        found = shelf.story.ask("lorebook.key.read", entry_key="fog", book_id=book_id)
        assert (found.book_id, found.content) == (book_id, f"In {book_id}.")
        assert shelf.entries(book_id) == ["Fog"]
    assert shelf.story.ask("lorebook.key.read", entry_key="fog").book_id == OWN_BOOK
    assert shelf.entries() == ["Fog"] * 3
    shelf.story.ask("lorebook.key.update", entry_key="Fog", book_id=one.id, patch={"content": "New."})
    shelf.story.ask("lorebook.key.delete", entry_key="Fog", book_id=other.id)
    assert shelf.story.ask("lorebook.key.read", entry_key="Fog").content == "In own."
    assert [book.entry_count for book in shelf.books()] == [1, 1, 0]


def test_an_unknown_book_is_refused(shelf: Shelf) -> None:
    for ask in (
        lambda: shelf.entry("none", "Fog"),
        lambda: shelf.entries("none"),
        lambda: shelf.story.ask("lorebook.book.read", id="none"),
        lambda: shelf.story.ask("lorebook.key.read", entry_key="Fog", book_id="none"),
        lambda: shelf.story.ask(
            "lorebook.import", entries=[{"entryKey": "a", "content": "b"}], book_id="none"
        ),
    ):
        with pytest.raises(NotFound):
            ask()


def test_entries_keep_the_order_of_their_book(shelf: Shelf, memory: Memory) -> None:
    book = shelf.book()
    for key in ("c", "a", "b"):
        shelf.entry(book.id, key)
    with memory.call().store.read() as reader:
        found = reader.books.entries_in(shelf.story.id, book.id)
    assert [(one.entry_key, one.place) for one in found] == [("c", 0), ("a", 1), ("b", 2)]


def test_an_entry_of_another_book_may_be_blank_but_is_custom(shelf: Shelf) -> None:
    book = shelf.book()
    blank = shelf.entry(book.id, "Blank", "")
    assert blank.content == ""
    with pytest.raises(InvalidInput):
        shelf.entry(OWN_BOOK, "Blank", " ")
    with pytest.raises(InvalidInput):
        shelf.entry(book.id, "Ann", category="character")
    with pytest.raises(InvalidInput):
        shelf.story.ask("lorebook.entry.update", entry_id=blank.id, patch={"book_id": OWN_BOOK})


def test_entities_are_made_of_chosen_entries_at_once(shelf: Shelf) -> None:
    book = shelf.book(activation="sillytavern")
    chosen = [shelf.entry(book.id, key, f"{key} is here.", extensions={"x": 1}) for key in ("Ann", "Bo")]
    shelf.entry(book.id, "Tower")
    shelf.story.ask("lorebook.edit", ids=[one.id for one in chosen], patch={"category": "character"})
    assert {one.name for one in shelf.story.entity.list().items} == {"Ann", "Bo"}
    assert (sorted(shelf.entries(OWN_BOOK)), shelf.entries(book.id)) == (["Ann", "Bo"], ["Tower"])
    kept = shelf.story.ask("lorebook.key.read", entry_key="Ann")
    assert (kept.id, kept.content, kept.extensions) == (chosen[0].id, "Ann is here.", {"x": 1})
    with pytest.raises(InvalidInput):
        shelf.story.ask("lorebook.entry.update", entry_id=kept.id, patch={"book_id": book.id})
    shelf.story.history.undo()
    assert shelf.entries(OWN_BOOK) == []


def test_a_book_goes_with_its_entries_in_one_step_and_comes_back(shelf: Shelf) -> None:
    book = shelf.book(settings={"scanDepth": 5}, extensions={"file": {"a": 1}}, source="character")
    for key in ("a", "b"):
        shelf.entry(book.id, key, keywords=["/x+/i"])
    before = shelf.content()
    gone = shelf.story.ask("lorebook.book.delete", id=book.id)
    assert (gone.entry_count, len(shelf.books()), shelf.entries()) == (2, 1, [])
    shelf.story.history.undo()
    assert shelf.content() == before
    shelf.story.history.redo()
    assert len(shelf.books()) == 1


def test_the_making_of_a_book_is_not_undone_under_its_entries(shelf: Shelf) -> None:
    book = shelf.book()
    made = shelf.story.history.list(limit=1).items[0].revision
    shelf.entry(book.id, "a")
    with pytest.raises(Conflict):
        shelf.story.history.undo(revision=made)
    removed = shelf.story.ask("lorebook.entry.list", book_id=book.id).items[0]
    shelf.story.ask("lorebook.entry.delete", entry_id=removed.id)
    step = shelf.story.history.list(limit=1).items[0].revision
    shelf.story.ask("lorebook.book.delete", id=book.id)
    with pytest.raises(Conflict):
        shelf.story.history.undo(revision=step)


def test_a_change_names_only_what_it_changes(shelf: Shelf) -> None:
    book = shelf.book(settings={"scanDepth": 5, "recursive": False})
    changed = shelf.story.ask(
        "lorebook.book.update", id=book.id, patch={"settings": {"scanDepth": 1}, "expectedVersion": 1}
    )
    assert (changed.settings.scan_depth, changed.settings.recursive, changed.version) == (1, False, 2)
    with pytest.raises(Conflict):
        shelf.story.ask("lorebook.book.update", id=book.id, patch={"name": "x", "expectedVersion": 1})


def test_entries_imported_before_there_were_books_move_into_one(shelf: Shelf) -> None:
    original = {"uid": 1, "key": ["fog"], "content": "Thick."}
    shelf.story.entry("Fog", "Thick.", extensions={"sillytavern": original})
    shelf.story.entry("Own", "Mine.")
    shelf.story.entry("Ann", "She.", category="character", extensions={"sillytavern": original})
    book = shelf.book(activation="sillytavern", adopt_imported=True)
    assert (book.entry_count, shelf.entries(book.id)) == (1, ["Fog"])
    assert sorted(shelf.entries(OWN_BOOK)) == ["Ann", "Own"]
    shelf.story.history.undo()
    assert sorted(shelf.entries(OWN_BOOK)) == ["Ann", "Fog", "Own"]


def test_a_whole_book_is_added_at_once(shelf: Shelf, memory: Memory) -> None:
    told = [LorebookEntryCreate(entry_key=f"k{n}", content="", book_id="new") for n in range(1_000)]

    def work(step: Any) -> str:
        book = save(step, None, BookFields(name="Large", activation="sillytavern"))
        assert [one.place for one in add_to_book(step, book.id, told)] == list(range(1_000))
        with pytest.raises(LoreKeyDuplicate):
            add_to_book(step, book.id, told[:1])
        with pytest.raises(LoreKeyDuplicate):
            add_to_book(step, book.id, [told[0].model_copy(update={"entry_key": key}) for key in ("n", "N")])
        return book.id

    book_id = write(memory.call(), shelf.story.id, IMPORT_LORE, work)
    assert shelf.story.ask("lorebook.book.read", id=book_id).entry_count == 1_000
    shelf.story.history.undo()
    assert len(shelf.books()) == 1


def test_nothing_of_a_book_is_lost_in_a_folder(shelf: Shelf, memory: Memory, tmp_path: Path) -> None:
    shelf.story.entry("a", "Own.")
    book = shelf.book("名: 书", activation="sillytavern", settings={"budgetPercent": 12.5}, position=-3)
    shelf.book("off", enabled=False, source="persona", extensions={"kept": [1, {"b": None}]})
    for key in ("b", "a"):
        shelf.entry(book.id, key, "", keywords=["/x/"], extensions={"sillytavern": {"uid": 7}})
    shelf.story.export(tmp_path / "story")
    with shelf.story.ask("export.file", format="zip") as exported:
        copied = import_archive(memory.call(), exported.read())
    copy = Shelf(memory.story("", id=copied.story_id))
    assert copy.content() == shelf.content()
    assert (tmp_path / "story" / "lorebooks" / f"{book.id}.yaml").is_file()
    assert (tmp_path / "story" / "lorebooks" / book.id / "a.yaml").is_file()


def test_the_whole_of_an_exported_book_can_be_imported_into_another(shelf: Shelf) -> None:
    book, other = shelf.book(), shelf.book("Other")
    shelf.entry(book.id, "a", "", keywords=["k"])
    told = shelf.story.ask("lorebook.export", book_id=book.id)
    items = [one.model_dump(mode="json", by_alias=True) for one in told.entries]
    done = shelf.story.ask("lorebook.import", entries=items, book_id=other.id)
    assert (done.imported, done.errors, shelf.entries(other.id)) == (1, (), ["a"])
