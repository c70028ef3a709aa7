"""The scan of a story's lorebooks as in SillyTavern, for one audience: what may not be told is not scanned.

Levels, periods and secrets decide before the scan, and recursion reads redacted texts, so that nothing a
book says can open a secret.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from fabula.context.audience import ModelView
from fabula.context.entity_texts import believed_content
from fabula.formats.lorebooks.overlay import effective_world_info
from fabula.index.story_index import StoryIndex
from fabula.model.book import LoreBook
from fabula.model.lore import LoreEntry
from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.store.reader import Reader
from fabula.world_info import (
    CompiledBook,
    CompiledEntry,
    Injection,
    Scan,
    ScanData,
    ScanMessage,
    ScannedCharacter,
    ScanResult,
    TimedEffects,
    compile_book,
    scan,
)
from fabula.world_info.macros import MacroNames, has_macros, substituted

# A text whose macros still change after so many rounds was made to hide something.
MOST_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class StoryScan:
    """What a story's books are scanned for: a chat, and the token budget of which they may have a part.

    `scan_depth` and `include_names` take the place of the books' own settings if they are given.
    """

    chat: tuple[ScanMessage, ...]
    token_budget: int
    seed: str
    count: Callable[[str], int]
    user: str = "User"
    char: str = ""
    character: ScannedCharacter | None = None
    scan_data: ScanData = field(default_factory=ScanData)
    injections: tuple[Injection, ...] = ()
    timed: TimedEffects = field(default_factory=TimedEffects)
    dry_run: bool = False
    scan_depth: int | None = None
    include_names: bool | None = None


class _Source(NamedTuple):
    """What is scanned of an entry, and the entry without its texts, on which depends what may be told."""

    entry: LoreEntry
    raw: dict[str, Any]


class _Readable(NamedTuple):
    """A compiled book, and its entries by id."""

    compiled: CompiledBook
    entries: dict[str, _Source]


def compile_books(reader: Reader, index: StoryIndex) -> None:
    """Compile the books of a story that are scanned, before a query's time limit starts."""
    for book in _scanned_books(reader, index):
        index.books.compiled(reader, book, _compiled)


def _scanned_books(reader: Reader, index: StoryIndex) -> list[LoreBook]:
    return [book for book in index.books.all(reader) if book.is_scanned and book.enabled]


def scan_story_books(on: ModelView, asked: StoryScan) -> ScanResult | None:
    """Scan all books of a story that are switched on, for one audience; None if there are none.

    `ref` of an entry in the result is its id, `world` the id of its book. Books with the same settings are
    scanned together, as if they were selected together; those with others have a budget of their own.
    """
    groups: dict[str, list[LoreBook]] = {}
    for book in _scanned_books(on.reader, on.index):
        groups.setdefault(book.settings.model_dump_json(), []).append(book)
    results = [_scanned(on, books, asked) for books in groups.values()]
    return _joined(results) if results else None


def _scanned(on: ModelView, books: Sequence[LoreBook], asked: StoryScan) -> ScanResult:
    readable = [on.index.books.compiled(on.reader, book, _compiled) for book in books]
    entries = ChainMap(*(one.entries for one in readable))
    by_source: dict[BookSource, tuple[CompiledBook, ...]] = {}
    for book, one in zip(books, readable, strict=True):
        by_source[book.source] = (*by_source.get(book.source, ()), one.compiled)
    data = asked.scan_data
    names = MacroNames(
        asked.user,
        asked.char,
        data.persona_description,
        data.character_description,
        data.character_personality,
        data.scenario,
        data.character_depth_prompt,
        data.creator_notes,
    )

    def told(entry: CompiledEntry) -> str | None:
        return _told(on, entries[str(entry.ref)].entry, entry.content, names)

    return scan(
        Scan(
            books=by_source,
            chat=asked.chat,
            count=asked.count,
            settings=_settings(books[0].settings, asked),
            user=asked.user,
            char=asked.char,
            character=asked.character,
            scan_data=data,
            injections=asked.injections,
            timed=asked.timed,
            dry_run=asked.dry_run,
            seed=asked.seed,
            told=told,
        )
    )


def _settings(settings: ScanSettings, asked: StoryScan) -> ScanSettings:
    """Return the settings of a scan: the books' budget is a part of that of the call."""
    given = {"scan_depth": asked.scan_depth, "include_names": asked.include_names}
    own = {name: value for name, value in given.items() if value is not None}
    return settings.model_copy(update={"max_context": asked.token_budget, **own})


def _compiled(
    book: LoreBook, entries: Sequence[LoreEntry], stale: Collection[str], before: _Readable | None
) -> _Readable:
    known = {} if before is None else {key: one for key, one in before.entries.items() if key not in stale}
    for entry in entries:
        # The id takes the place of the uid, which two entries of a book may share.
        raw = {**effective_world_info(entry), "uid": entry.id}
        slim = LoreEntry.trusted(**{**vars(entry), "content": "", "extensions": {}})
        known[entry.id] = _Source(slim, raw)
    ordered = sorted(known.values(), key=lambda one: (one.entry.place, one.entry.id))
    return _Readable(compile_book(book.id, [one.raw for one in ordered]), known)


def _told(on: ModelView, entry: LoreEntry, content: str, names: MacroNames) -> str | None:
    """Return what may be told of an entry, with its macros replaced, since they may spell a secret.

    None if it may not be told at all, or if nothing is left of it.
    """
    if not on.may_be_known(entry) or not on.entry_name(entry):
        return None
    text = content = believed_content(on, entry, content)
    for _ in range(MOST_ROUNDS):
        said = substituted(text, names) if has_macros(text) else text
        open_text = on.redaction_of(entry).prose(said)
        if content.strip() and said.strip() and not open_text.strip():
            return None
        if open_text == text:
            return text
        text = open_text
    return None


def spells_a_secret(on: ModelView, texts: Iterable[str]) -> bool:
    """Whether a text names something hidden once its macros are replaced, whatever they stand for."""
    return any(map(partial(_spells, on), filter(has_macros, texts)))


def _spells(on: ModelView, text: str) -> bool:
    for _ in range(MOST_ROUNDS):
        said = substituted(text, MacroNames("", ""))
        if on.redaction.spans(said):
            return True
        if said == text or not has_macros(said):
            return False
        text = said
    return True


def _joined(results: Sequence[ScanResult]) -> ScanResult:
    """Return the results of several scans as one."""
    first, *others = results
    for other in others:
        first = replace(
            first,
            activated=first.activated + other.activated,
            left_out=first.left_out + other.left_out,
            passes=first.passes + other.passes,
            budget=(first.budget or 0) + (other.budget or 0),
            overflow=first.overflow or other.overflow,
            timed=TimedEffects(
                sticky={**first.timed.sticky, **other.timed.sticky},
                cooldown={**first.timed.cooldown, **other.timed.cooldown},
            ),
            before="\n".join(filter(None, (first.before, other.before))),
            after="\n".join(filter(None, (first.after, other.after))),
            an_top=first.an_top + other.an_top,
            an_bottom=first.an_bottom + other.an_bottom,
            em_top=first.em_top + other.em_top,
            em_bottom=first.em_bottom + other.em_bottom,
            at_depth=first.at_depth + other.at_depth,
            outlets={
                name: first.outlets.get(name, ()) + other.outlets.get(name, ())
                for name in (*first.outlets, *other.outlets)
            },
        )
    return first
