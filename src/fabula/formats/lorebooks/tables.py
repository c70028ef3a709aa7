"""Lorebooks as tables: CSV and TSV with named columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from fabula.errors import InvalidInput
from fabula.formats.lorebooks.named import (
    changed_cells,
    differences,
    entry_fields,
    field_named,
    is_known,
    named_of,
    read_named,
)
from fabula.formats.lorebooks.overlay import ORIGIN, EntryFields, original, storable
from fabula.formats.lorebooks.reading import UniqueNames, refuse_too_many
from fabula.formats.lorebooks.unsaid import unsaid_fields
from fabula.formats.lorebooks.values import BookToWrite, FieldCounts, Loss, ReadBook, WrittenBook
from fabula.formats.novel_text import decoded

FAMILY = "csv"
_DELIMITERS = {"csv": ",", "tsv": "\t"}
_NEW_HEADER = ("name", "keywords", "content", "priority", "enabled")


def is_table(text: str, delimiter: str) -> bool:
    """Whether a text begins with a row that names what a lorebook needs."""
    first = next(csv.reader(io.StringIO(text[:20_000]), delimiter=delimiter), [])
    named = {field_named(name) for name in first}
    return "content" in named and bool({"name", "keywords"} & named)


def read_table(data: bytes, form: str, name: str = "") -> ReadBook:
    """The book in a table; InvalidInput if its columns do not say what they are."""
    text = decoded(data, is_plain=False).text
    delimiter = _delimiter(text, form)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise InvalidInput(
            f"The table cannot be read: {error}.",
            details={"field": "data", "reason": "table_unreadable"},
            suggestion="Save it as CSV with quoted texts.",
        ) from None
    if not rows or not is_table(text, delimiter):
        raise InvalidInput(
            "The first row of a table must name its columns, with a column for the text and one for the name "
            "or the keywords.",
            details={"field": "data", "reason": "table_without_header"},
            suggestion="Name them for example: name, keywords, content.",
        )
    refuse_too_many(len(rows) - 1)
    header, names, counts = rows[0], UniqueNames(), FieldCounts()
    entries: list[dict[str, Any]] = []
    rest: list[list[Any]] = []
    for index, row in enumerate(rows[1:]):
        if not any(cell.strip() for cell in row):
            rest.append([index, None, row])
            continue
        said = read_named(_cells(header, row))
        for column, cell in zip(header, row, strict=False):
            if cell.strip():
                counts.count(column, "runs" if is_known(column) else "kept")
        entries.append(named_entry(said, names, index, {FAMILY: storable({"cells": row})}))
    origin = {"format": form, "name": "", **({"rest": storable(rest)} if rest else {})}
    frame = {"header": header, "delimiter": delimiter}
    return ReadBook(
        format=form,
        program=form.upper(),
        name=name,
        entries=entries,
        extensions={ORIGIN: origin, FAMILY: storable(frame)},
        counts=counts,
        activation="fabula",
    )


def write_table(form: str, book: BookToWrite, entries: Sequence[EntryFields]) -> WrittenBook:
    """The book as rows of cells, the header first, and what could not be said."""
    frame = original(book.extensions.get(FAMILY))
    came = isinstance(frame, dict) and isinstance(frame.get("header"), list)
    header = list(frame["header"]) if came and isinstance(frame, dict) else list(_NEW_HEADER)
    origin = book.extensions.get(ORIGIN)
    rest = original(origin.get("rest")) if came and isinstance(origin, dict) else None
    losses: list[Loss] = []
    placed: list[tuple[int, list[str]]] = []
    for number, entry in enumerate(entries):
        kept = original(entry.extensions.get(FAMILY)) if came else None
        row = list(kept["cells"]) if isinstance(kept, dict) and isinstance(kept.get("cells"), list) else None
        losses.extend(unsaid_fields(entry, FAMILY))
        place = 1_000_000_000 + number if entry.place is None else entry.place
        placed.append((place, _row(entry, header, row)))
    placed += [(one[0], one[2]) for one in rest or () if isinstance(one, list) and len(one) == 3]
    placed.sort(key=lambda one: one[0])
    return WrittenBook([header, *(row for _, row in placed)], losses)


def table_bytes(rows: Sequence[Sequence[str]], form: str, book: BookToWrite) -> bytes:
    """Rows as a file; its delimiter is the one it came with."""
    frame = original(book.extensions.get(FAMILY))
    kept = frame.get("delimiter") if isinstance(frame, dict) else None
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=kept if kept in (",", "\t", ";") else _DELIMITERS[form]).writerows(rows)
    return out.getvalue().encode()


def named_entry(
    said: dict[str, Any], names: UniqueNames, index: int, extensions: dict[str, Any]
) -> dict[str, Any]:
    """An entry from named fields, with a unique key."""
    title = said["name"] or next(iter(said["keywords"]), "")
    name = names.take(title[:200] or f"Entry {index + 1}")
    origin = {"name": name} if name != title else {}
    return {
        **entry_fields(said),
        "entryKey": name,
        "displayName": title[:200] or name,
        "place": index,
        "extensions": {ORIGIN: origin, **extensions},
    }


def edits_of(entry: EntryFields, before: dict[str, Any]) -> dict[str, Any]:
    """What an entry says otherwise than the named fields it came from; a name made for it is no change."""
    changes = differences(named_of(entry), before)
    origin = entry.extensions.get(ORIGIN)
    made = origin.get("name") if isinstance(origin, dict) else None
    title = before["name"] or next(iter(before["keywords"]), "")[:200]
    if "name" in changes and changes["name"] in (title, made):
        del changes["name"]
    if "name" not in changes and entry.entry_key not in (title, made, entry.display_name):
        changes["name"] = entry.entry_key
    return changes


def _row(entry: EntryFields, header: list[str], row: list[str] | None) -> list[str]:
    cells = {} if row is None else _cells(header, row)
    changes = edits_of(entry, read_named(cells)) if row is not None else _all_of(entry, header)
    if row is not None and not changes:
        return row
    after = changed_cells({**dict.fromkeys(header, ""), **cells}, changes)
    header.extend(name for name in after if name not in header)
    written = [_cell(after.get(name, "")) for name in header]
    unchanged = {name: place for place, name in enumerate(header) if cells.get(name) == after.get(name)}
    for name, place in unchanged.items():
        written[place] = cells.get(name, "")
    return written + (row[len(header) :] if row is not None else [])


def _all_of(entry: EntryFields, header: list[str]) -> dict[str, Any]:
    """What a new row says: whatever has a column, and what differs from the default."""
    said = named_of(entry)
    columns = {field_named(name) for name in header}
    return {name: said[name] for name in said if name in columns} | differences(said, read_named({}))


def _cells(header: list[str], row: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in zip(header, row, strict=False):
        found.setdefault(name, cell)
    return found


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return str(value)


def _delimiter(text: str, form: str) -> str:
    own = _DELIMITERS[form]
    return own if is_table(text, own) else next((one for one in ";\t," if is_table(text, one)), own)
