"""Reads a book by its layout: entries in Fabula's fields, with their originals and the rest of the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fabula.errors import InvalidInput
from fabula.formats.lorebooks.columns import ABSENT, Family
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.overlay import (
    MAX_TITLE,
    ORIGIN,
    WORLD_INFO,
    ReadFields,
    read_fields,
    storable,
    title_of,
)
from fabula.formats.lorebooks.values import FieldCounts, ReadBook
from fabula.model.names import name_key

MAX_ENTRIES = 50_000

PlacedItem = tuple[int, str | None, Any]

# Longer than any title, so that a number fits behind one.
_ROOM_FOR_A_NUMBER = 12


def read_book(layout: Layout, document: Any, name: str = "") -> ReadBook:
    """The book of a file, given as a JSON value; `name` is used if the file does not say its own."""
    book, family = layout.book(document), layout.family
    names, counts = UniqueNames(), FieldCounts()
    entries: list[dict[str, Any]] = []
    rest: list[list[Any]] = []
    items = layout.items(document)
    refuse_too_many(len(items) if isinstance(items, list | dict) else 0)
    for index, key, found in items_of(items):
        if not family.is_entry(found):
            rest.append([index, key, found])
            continue
        for field, becomes in family.told(found):
            counts.count(field, becomes)
        entries.append(_entry(family, book, (index, key, found), names))
    said = {one.field: one.places[0].read(_value(book, one.places[0].path)) for one in layout.columns}
    said = {field: value for field, value in said.items() if value is not ABSENT}
    own_name = title_of(said.pop("name", None))
    return ReadBook(
        format=layout.format,
        program=layout.program,
        name=own_name or name,
        entries=entries,
        extensions=kept_of_file(layout, document, rest, own_name),
        counts=counts,
        source="character" if layout.is_card else "global",
        settings={**layout.settings, **family.settings, **_fitting(said)},
    )


def refuse_too_many(count: int) -> None:
    """Refuse a book with more entries than are allowed, before any of them is looked at."""
    if count > MAX_ENTRIES:
        raise InvalidInput(
            f"The lorebook has {count:,} entries; {MAX_ENTRIES:,} are allowed.",
            details={"limit": MAX_ENTRIES, "count": count, "reason": "too_many_entries"},
            suggestion="Split it into several files.",
        )


def items_of(found: Any) -> Iterator[PlacedItem]:
    """The entries of a file with their places; keyed ones in JavaScript's order of keys."""
    if isinstance(found, list):
        yield from ((index, None, one) for index, one in enumerate(found))
    elif isinstance(found, dict):
        yield from ((place, key, found[key]) for place, key in enumerate(sorted(found, key=_js_place)))


def _js_place(key: str) -> tuple[int, int]:
    """Where JavaScript has a key of an object: whole numbers first, by size; the others as written."""
    is_number = key.isascii() and key.isdecimal() and str(int(key[:12])) == key
    return (0, int(key)) if is_number else (1, 0)


def kept_of_file(layout: Layout, document: Any, rest: list[list[Any]], name: str) -> dict[str, Any]:
    """What a book keeps of its file: all but the entries, and the items among them that are none."""
    origin: dict[str, Any] = {"format": layout.format, "name": name}
    if rest:
        origin["rest"] = storable(rest)
    return {ORIGIN: origin, layout.family.name: storable(without_items(layout, document))}


def without_items(layout: Layout, document: Any) -> Any:
    """A file with an empty list or object in the place of its entries."""
    items = layout.items(document)
    if not isinstance(items, list | dict):
        return document
    blank: Any = [] if isinstance(items, list) else {}
    path = (*layout.container, layout.entries) if layout.entries is not None else layout.container
    return with_value(document, path, blank)


def with_value(document: Any, path: tuple[str, ...], value: Any) -> Any:
    """A copy of a file with another value at a path; only the objects on the way are copied."""
    if not path:
        return value
    copy = dict(document) if isinstance(document, dict) else {}
    copy[path[0]] = with_value(copy.get(path[0]), path[1:], value)
    return copy


class UniqueNames:
    """Names for the entries of one book, numbered where they would be the same."""

    def __init__(self) -> None:
        # By normalised name: the number to try next.
        self._next: dict[str, int] = {}

    def take(self, wish: str) -> str:
        """The wish, or the wish with the first free number behind it."""
        name = wish[:MAX_TITLE]
        if name_key(name) not in self._next:
            self._next[name_key(name)] = 2
            return name
        stem = wish[: MAX_TITLE - _ROOM_FOR_A_NUMBER].rstrip()
        number = self._next.setdefault(name_key(stem), 2)
        while name_key(f"{stem} ({number})") in self._next:
            number += 1
        self._next[name_key(stem)] = number + 1
        self._next[name_key(f"{stem} ({number})")] = 2
        return f"{stem} ({number})"


def _entry(family: Family, book: Any, item: PlacedItem, names: UniqueNames) -> dict[str, Any]:
    index, key, found = item
    view = family.view(found, book)
    read = read_fields(view)
    title = read.title or (read.keywords[0][:MAX_TITLE] if read.keywords else "")
    name = names.take(title or f"Entry {key if key is not None else index + 1}"[:MAX_TITLE])
    origin: dict[str, Any] = {}
    if key is not None:
        origin["key"] = storable(key)
    if name != title:
        origin["name"] = name
    extensions = {ORIGIN: origin, family.name: storable(found)}
    if not family.is_raw:
        extensions[WORLD_INFO] = storable({k: v for k, v in view.items() if k != "content"})
    return {
        **fabula_fields(read),
        "entryKey": name,
        "displayName": title or name,
        "place": index,
        "extensions": extensions,
    }


def fabula_fields(read: ReadFields) -> dict[str, Any]:
    """An entry's fields as they are sent to Fabula, without its names."""
    rules: dict[str, Any] = {"caseSensitive": read.case_sensitive, "secondaryLogic": read.secondary_logic}
    if read.whole_word is not None:
        rules["wholeWord"] = read.whole_word
    if read.secondary_keywords:
        rules["secondaryKeywords"] = list(read.secondary_keywords)
    return {
        "content": read.content,
        "keywords": list(read.keywords),
        "priority": read.priority,
        "enabled": read.enabled,
        "insertionPosition": read.insertion_position,
        "aiContextLevel": read.ai_context_level,
        "rules": rules,
    }


_BOUNDS = {"scanDepth": (0, 1000), "budgetCap": (0, 65_536)}


def _fitting(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings a book may have; a number out of its bounds counts as the nearest."""
    fit: dict[str, Any] = {}
    for name, value in settings.items():
        least, most = _BOUNDS.get(name, (None, None))
        if least is None or most is None:
            fit[name] = value
        elif value == value:
            fit[name] = int(min(max(value, least), most))
    return fit


def _value(book: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        book = book.get(step, ABSENT) if isinstance(book, dict) else ABSENT
    return book
