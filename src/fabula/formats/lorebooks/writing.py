"""Writes a book in a layout: kept originals with what was changed since, everything else converted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from fabula.formats.lorebooks.cards import as_version
from fabula.formats.lorebooks.columns import ABSENT, Family, RawEntry, put
from fabula.formats.lorebooks.decorators import plain
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.overlay import (
    DEFAULTS,
    ORIGIN,
    EntryFields,
    edits,
    effective_world_info,
    original,
    read_fields,
)
from fabula.formats.lorebooks.reading import with_value
from fabula.formats.lorebooks.values import BookToWrite, Loss, WrittenBook
from fabula.model.level import AiContextLevel

# RawEntry that no other program has a use for.
_UNMISSED = frozenset(
    {"addMemo", "displayIndex", "display_index", "uid", "id", "lastUpdatedAt", "worldInfoId", "use_regex"}
)
_SECRET = (AiContextLevel.NEVER, AiContextLevel.MANUAL_ONLY)
_LAST = 1 << 62


def write_book(
    layout: Layout,
    book: BookToWrite,
    entries: Sequence[EntryFields],
    families: dict[str, Family],
    layouts: dict[str, Layout],
) -> WrittenBook:
    """The book as a JSON value of the layout, and what could not be said in it."""
    writing = _Writing(layout, book, families, layouts)
    items = writing.items(entries)
    return WrittenBook(writing.filled(items), list(dict.fromkeys(writing.losses)))


class _Writing:
    def __init__(
        self, layout: Layout, book: BookToWrite, families: dict[str, Family], layouts: dict[str, Layout]
    ) -> None:
        self.layout, self.family, self.book = layout, layout.family, book
        self.families = families
        self.losses: list[Loss] = []
        origin = book.extensions.get(ORIGIN)
        self.origin: dict[str, Any] = origin if isinstance(origin, dict) else {}
        self.came_as = layouts.get(str(self.origin.get("format")))
        self.frame = self._frame()

    def _frame(self) -> Any:
        """The file around the entries: the one that came, its book in a new one, or a new one."""
        came_as, blank = self.came_as, deepcopy(self.layout.blank)
        if came_as is None or came_as.family.name != self.family.name:
            return blank
        kept = original(self.book.extensions.get(came_as.family.name))
        if came_as.format == self.layout.format:
            return kept
        if came_as.is_card and self.layout.is_card:
            document, lost = as_version(kept, came_as, self.layout)
            self.losses.extend(Loss("", name, "left_out") for name in lost)
            return document
        around = came_as.container
        own = came_as.book(kept)
        if isinstance(kept, dict) and around:
            lost = [name for name in kept if name != around[0] and kept[name]]
            self.losses.extend(Loss("", name, "left_out") for name in lost)
        same_field = came_as.entries == self.layout.entries
        return (
            with_value(blank, self.layout.container, own) if isinstance(own, dict) and same_field else blank
        )

    def items(self, entries: Sequence[EntryFields]) -> list[tuple[Any, Any]]:
        """The entries in the order of their file, new ones last; among them what is no entry."""
        came = self.came_as is not None and self.came_as.family.name == self.family.name
        placed = [
            (_LAST if entry.place is None else entry.place, item)
            for entry in entries
            for item in self._item(entry, came)
        ]
        rest = original(self.origin.get("rest")) if came else None
        if isinstance(rest, list):
            placed += [(one[0], (one[1], one[2])) for one in rest if isinstance(one, list) and len(one) == 3]
        placed.sort(key=lambda one: one[0])
        return [item for _, item in placed]

    def _item(self, entry: EntryFields, came: bool) -> Iterator[tuple[Any, Any]]:
        """The key and the object of an entry; none if it is off and the format cannot say so."""
        kept = original(entry.extensions.get(self.family.name)) if came else None
        is_kept = isinstance(kept, dict)
        item = self._with_edits(entry, kept) if isinstance(kept, dict) else self._converted(entry)
        is_off = not entry.enabled or entry.ai_context_level in _SECRET
        if is_off and read_fields(self.family.view(item, self.layout.book(self.frame))).enabled:
            self.losses = [loss for loss in self.losses if loss.entry != entry.entry_key]
            self.losses.append(Loss(entry.entry_key, "entry", "left_out"))
        else:
            yield (_key(entry) if is_kept else None), item

    def _with_edits(self, entry: EntryFields, kept: RawEntry) -> RawEntry:
        book = self.layout.book(self.frame)
        view = self.family.view(kept, book)
        changes = edits(entry, view) | self._hidden(entry, view)
        if not changes:
            return kept
        after = self.family.changed(kept, changes, book)
        # A changed content may have lost decorators that said fields which can also be said elsewhere.
        columns = {one.field for one in self.family.columns} - {"content"}
        still = edits(entry, self.family.view(after, book))
        further = {name: value for name, value in still.items() if name in columns}
        if further.keys() - changes.keys():
            changes |= further
            after = self.family.changed(after, further, book)
        self._compare(entry, changes, self.family.view(after, book))
        return after

    def _converted(self, entry: EntryFields) -> RawEntry:
        """An entry of another format or of Fabula's own: what differs from a new one is written."""
        said = effective_world_info(entry)
        said |= self._hidden(entry, said)
        said["content"] = plain(said["content"], said)
        if not self.family.is_raw:  # keys that are no list are none
            said |= {name: [] for name in ("key", "keysecondary") if not isinstance(said.get(name), list)}
        blank = deepcopy(dict(self.family.blank))
        empty = self.family.view(blank)
        changes = {
            name: value
            for name, value in said.items()
            if (name in DEFAULTS or self.family.is_raw)
            and (value != empty.get(name, DEFAULTS.get(name)) or name == "order")
            and not _is_unused(name, said)
        }
        after = self.family.changed(blank, changes)
        if self.family.is_raw:
            after |= {name: deepcopy(value) for name, value in said.items() if name not in after}
        self._compare(entry, changes, self.family.view(after))
        self._lost_of_origin(entry)
        return after

    def _hidden(self, entry: EntryFields, view: RawEntry) -> RawEntry:
        """Switch off what may not be told, as other programs know no secrets."""
        if entry.ai_context_level not in _SECRET:
            return {}
        self.losses.append(Loss(entry.entry_key, "aiContextLevel", "disabled"))
        return {"disable": True} if read_fields(view).enabled else {}

    def _compare(self, entry: EntryFields, changes: RawEntry, view: RawEntry) -> None:
        """List what was to be said and is not what a reader of the written entry finds."""
        for name, value in changes.items():
            found = view.get(name)
            if found == value or not (found or value) or name in _UNMISSED or name not in DEFAULTS:
                continue
            if name == "content" and isinstance(found, str) and plain(found, view) == value:
                continue
            is_gone = name != "position" and (found == DEFAULTS[name] or found is None)
            self.losses.append(Loss(entry.entry_key, name, "left_out" if is_gone else "changed"))

    def _lost_of_origin(self, entry: EntryFields) -> None:
        """List the fields of an entry's own program that have an effect there or are not known here."""
        for name, family in self.families.items():
            kept = original(entry.extensions.get(name))
            if (
                name == self.family.name
                or not isinstance(kept, dict)
                or (family.is_raw and len(entry.extensions) > 2)
            ):
                continue
            for field, becomes in family.told(kept):
                if becomes != "runs" and field.split(".")[-1] not in _UNMISSED:
                    self.losses.append(Loss(entry.entry_key, field, "left_out"))

    def filled(self, items: list[tuple[Any, Any]]) -> Any:
        """The file with its entries and its name."""
        layout = self.layout
        if layout.is_card and not isinstance(layout.book(self.frame), dict):
            if not items:
                return self.frame
            self.frame = with_value(self.frame, layout.container, {"extensions": {}})
        document = self._named(self.frame)
        there = layout.items(document)
        is_keyed = isinstance(there, dict) or (layout.is_keyed and not isinstance(there, list))
        if there is None and not items:
            return document
        if not isinstance(there, list | dict) and not items:
            return document
        value = dict(self._keyed(items)) if is_keyed else [item for _, item in self._numbered(items)]
        path = (*layout.container, layout.entries) if layout.entries is not None else layout.container
        return with_value(document, path, value)

    def _named(self, document: Any) -> Any:
        """The file with the book's name, if it was changed or the file is new."""
        columns = [one for one in self.layout.columns if one.field == "name"]
        if not columns or self.book.name == self.origin.get("name"):
            return document
        came_without = self.came_as is not None and not self.origin.get("name")
        if not self.book.name or (came_without and self.came_as is self.layout):
            return document
        own = self.layout.book(document)
        named = dict(own) if isinstance(own, dict) else {}
        put(named, columns[0].places[0].path, self.book.name)
        return with_value(document, self.layout.container, named)

    def _keyed(self, items: list[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
        taken: set[str] = set()
        used = {str(key) for key, _ in items if key is not None}
        for key, item in items:
            if key is None or key in taken:
                key = _free(used)
                used.add(key)
                if self.family.id_field is not None and isinstance(item, dict):
                    item = {self.family.id_field: int(key), **item, self.family.id_field: int(key)}
            taken.add(key)
            yield key, item

    def _numbered(self, items: list[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        field = self.family.id_field
        if field is None:
            yield from items
            return
        used = {str(item.get(field)) for _, item in items if isinstance(item, dict) and field in item}
        for key, item in items:
            if isinstance(item, dict) and field not in item and self.came_as is not self.layout:
                number = _free(used)
                used.add(number)
                item = {field: int(number), **item}
            yield key, item


def _free(used: set[str]) -> str:
    number = len(used)
    while str(number) in used:
        number += 1
    return str(number)


def _key(entry: EntryFields) -> str | None:
    origin = entry.extensions.get(ORIGIN)
    key = original(origin.get("key")) if isinstance(origin, dict) else None
    return key if isinstance(key, str) else None


def _is_unused(name: str, said: RawEntry) -> bool:
    """Whether a field has no effect in an entry, so that leaving it out loses nothing."""
    if name == "depth" or name == "role":
        return said.get("position") != 4
    if name == "selectiveLogic" or name == "selective":
        return not said.get("keysecondary")
    return said.get(name, ABSENT) is None and DEFAULTS.get(name) in (None, False)
