"""Importing a lorebook or a character card of another program: a book of its own, in one step."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from pydantic import ValidationError

from fabula.call import Call
from fabula.canon import book as books
from fabula.canon.book_values import BookFields
from fabula.canon.entry import add_to_book, save
from fabula.canon.entry_values import LorebookEntryCreate, LorebookEntryPatch
from fabula.canon.step import Step, write
from fabula.canon.story import new_story
from fabula.errors import InvalidInput
from fabula.formats.lorebooks.cards import said_of
from fabula.formats.lorebooks.overlay import ORIGIN
from fabula.formats.lorebooks.reading import UniqueNames
from fabula.formats.lorebooks.values import CardText, ReadBook, ReadCard
from fabula.formats.novel_text import is_chinese
from fabula.model.book import LoreBook
from fabula.model.level import AiContextLevel, stricter
from fabula.model.lore import Category, LoreEntry
from fabula.model.names import name_key
from fabula.model.parsing import invalid_input, parsed
from fabula.model.relation import Language
from fabula.operations.lorebook.bulk import ImportProblem
from fabula.store.log import IMPORT_LORE

CARD = "card"
# A larger picture would not fit into what a book keeps; the card is then written into a plain one.
MAX_PICTURE = 96 << 10

_LEVELS = {"scenario": AiContextLevel.ALWAYS, "personality": AiContextLevel.WHEN_DETECTED}


class LoreWish(NamedTuple):
    """Where a book goes: into a story, or into a new one of this title."""

    story_id: str | None
    title: str
    overwrite: bool
    dry_run: bool


class LoreImport(NamedTuple):
    """What became of a book."""

    story_id: str
    title: str
    book_id: str
    imported: int
    skipped: int
    characters: int
    problems: tuple[ImportProblem, ...]
    collisions: tuple[str, ...]


def import_book(call: Call, read: ReadBook, wish: LoreWish, picture: bytes | None = None) -> LoreImport:
    """Import a book in one step, or roll it back for a dry run; entries that cannot be saved are reported."""
    story_id = wish.story_id or call.clock.new_id()
    fit, problems = _checked(read.entries)
    if problems and not fit and read.card is None:
        first = problems[0]
        raise InvalidInput(
            f"No entry of this file can be imported. {first.entry_key}: {first.message}"[:500],
            details={
                "problems": [problem.model_dump(by_alias=True) for problem in problems[:20]],
                "reason": "no_entry_fits",
            },
            suggestion="Shorten or correct the entries in the program that made them, and export them again.",
        )
    begin = partial(new_story, call, story_id, title=wish.title, language=_language(read))
    taking = _Taking(read, fit, problems, wish, picture)
    return write(
        call,
        story_id,
        IMPORT_LORE,
        taking.into,
        begin=None if wish.story_id else begin,
        dry_run=wish.dry_run,
    )


class _Taking:
    """A book on its way into a story; a step that is tried again begins anew."""

    def __init__(
        self,
        read: ReadBook,
        fit: Sequence[LorebookEntryCreate],
        problems: Sequence[ImportProblem],
        wish: LoreWish,
        picture: bytes | None,
    ) -> None:
        self.read, self.fit, self.problems, self.wish = read, fit, problems, wish
        self.picture = picture
        self.collisions: list[str] = []

    def into(self, step: Step) -> LoreImport:
        self.collisions = []
        characters = entity_id = None
        if self.read.card is not None:
            characters, entity_id = self._character(step, self.read.card)
        book = self._book(step, entity_id)
        imported, skipped = self._entries(step, book)
        if self.read.card is not None:
            imported += self._texts(step, book, self.read.card)
        return LoreImport(
            step.project_id,
            step.story(step.project_id).title,
            book.id,
            imported,
            skipped,
            characters or 0,
            tuple(self.problems),
            tuple(self.collisions),
        )

    def _book(self, step: Step, entity_id: str | None) -> LoreBook:
        """The book of this name and format that is there already, else a new one."""
        name = self.read.name or self.wish.title
        for known in step.books.all_of(step.project_id):
            origin = known.extensions.get(ORIGIN)
            came_as = origin.get("format") if isinstance(origin, dict) else None
            if known.name == name and came_as == self.read.format:
                return known
        fields = {
            "name": name,
            "source": self.read.source,
            "activation": self.read.activation,
            "settings": dict(self.read.settings),
        }
        return books.save(step, None, self._fitting(fields, entity_id))

    def _fitting(self, fields: dict[str, Any], entity_id: str | None) -> BookFields:
        """The book with as much of its file as can be kept: all, all but the picture, or its format alone."""
        kept = dict(self.read.extensions)
        own = {**kept[ORIGIN], **({"entity": entity_id} if entity_id else {})}
        tries = [{**kept, ORIGIN: own}]
        if self.picture is not None and len(self.picture) <= MAX_PICTURE:
            text = base64.b64encode(self.picture).decode()
            tries.insert(0, {**kept, ORIGIN: {**own, "picture": text}})
        for extensions in tries:
            try:
                return BookFields.model_validate({**fields, "extensions": extensions})
            except ValidationError:
                continue
        self.problems = [*self.problems, _too_large()]
        return parsed(BookFields, {**fields, "extensions": {}})

    def _entries(self, step: Step, book: LoreBook) -> tuple[int, int]:
        known = step.lore.entries_of_keys(step.project_id, (one.entry_key for one in self.fit), book.id)
        new = [one for one in self.fit if name_key(one.entry_key) not in known]
        old = [one for one in self.fit if name_key(one.entry_key) in known]
        self.collisions += [one.entry_key for one in old]
        new = self._as_hidden_as_now(step, new)
        if new:
            add_to_book(step, book.id, new)
        if not self.wish.overwrite:
            return len(new), len(old)
        for one in old:
            _overwrite(step, known[name_key(one.entry_key)], one)
        return len(self.fit), 0

    def _as_hidden_as_now(self, step: Step, new: list[LorebookEntryCreate]) -> list[LorebookEntryCreate]:
        """Entries named like something secret are as secret, so that a file reveals nothing."""
        if self.wish.story_id is None:
            return new
        named = step.entities_named(step.project_id, {name_key(one.entry_key) for one in new})
        levels = {name_key(entity.name): entity.ai_context_level for entity in named}
        return [
            one.model_copy(
                update={
                    "ai_context_level": stricter(
                        one.ai_context_level or AiContextLevel.WHEN_DETECTED,
                        levels.get(name_key(one.entry_key), AiContextLevel.WHEN_DETECTED),
                    )
                }
            )
            for one in new
        ]

    def _character(self, step: Step, card: ReadCard) -> tuple[int, str | None]:
        """The character of a card as an entity; one that is there already stays as it is."""
        name = card.name or self.wish.title
        if step.entities_named(step.project_id, [name_key(name)]) or step.lore.entry_of_key(
            step.project_id, name
        ):
            self.collisions.append(name)
            return 0, None
        told = {
            "entry_key": name,
            "content": said_of(card, card.description) or name,
            "category": Category.CHARACTER,
            "aliases": [card.nickname] if card.nickname else None,
        }
        try:
            entry = save(step, None, parsed(LorebookEntryCreate, told))
        except InvalidInput as refused:
            self.problems = [*self.problems, _problem(0, name, refused)]
            return 0, None
        return 1, entry.entity_id

    def _texts(self, step: Step, book: LoreBook, card: ReadCard) -> int:
        """The greetings, examples and the scenario of a card as entries of the story's own book."""
        name = card.name or self.wish.title
        names, told = UniqueNames(), list[LorebookEntryCreate]()
        for text in card.texts:
            key = names.take(f"{name}: {text.title}")
            if step.lore.entry_of_key(step.project_id, key) is not None:
                self.collisions.append(key)
                continue
            try:
                told.append(_text_entry(key, name, text, card, book))
            except InvalidInput as refused:
                self.problems = [*self.problems, _problem(0, key, refused)]
        for one in told:
            save(step, None, one)
        return len(told)


def _text_entry(key: str, name: str, text: CardText, card: ReadCard, book: LoreBook) -> LorebookEntryCreate:
    level = _LEVELS.get(text.field, AiContextLevel.MANUAL_ONLY)
    return parsed(
        LorebookEntryCreate,
        {
            "entry_key": key,
            "content": said_of(card, text.content),
            "keywords": [name] if text.field == "personality" else [],
            "ai_context_level": level,
            "extensions": {CARD: {"book": book.id, "field": text.field}},
        },
    )


def _checked(entries: Sequence[dict[str, Any]]) -> tuple[list[LorebookEntryCreate], list[ImportProblem]]:
    fit: list[LorebookEntryCreate] = []
    problems: list[ImportProblem] = []
    for index, entry in enumerate(entries):
        try:
            # The book is made later; any but the story's own may have entries without content.
            fit.append(LorebookEntryCreate.model_validate({**entry, "bookId": "imported"}))
        except ValidationError as error:
            problems.append(_problem(index, entry["entryKey"], invalid_input(error)))
    return fit, problems


def _overwrite(step: Step, existing: LoreEntry, entry: LorebookEntryCreate) -> None:
    fields = {
        name: getattr(entry, name) for name in entry.model_fields_set - {"entry_key", "book_id", "place"}
    }
    level = stricter(existing.ai_context_level, entry.ai_context_level or existing.ai_context_level)
    fields["ai_context_level"] = level if level is existing.ai_context_level else entry.ai_context_level
    save(step, existing, LorebookEntryPatch.model_construct(_fields_set=set(fields), **fields))


def _language(read: ReadBook) -> Language:
    texts = [entry["content"] for entry in read.entries[:200]]
    if read.card is not None:
        texts.append(read.card.description)
    return "zh" if is_chinese("\n".join(texts)) else "en"


def _problem(index: int, key: str, error: InvalidInput) -> ImportProblem:
    return ImportProblem(index=index, entry_key=key, code=error.code, message=error.message)


def _too_large() -> ImportProblem:
    return ImportProblem(
        index=0,
        entry_key="",
        code="PAYLOAD_TOO_LARGE",
        message="What the file says beside its entries is too large to be kept.",
    )
