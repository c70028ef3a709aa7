"""Columns: which field of another program's entry says what a field of World Info says, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from fabula.formats.lorebooks.overlay import DEFAULTS

ABSENT: Any = object()

Path = tuple[str, ...]
RawEntry = dict[str, Any]


def _same(value: Any) -> Any:
    return value


class FieldPlace(NamedTuple):
    """A field of the other program's entry, and what its value means; ABSENT if it says nothing.

    A mirror is written along if it is there, however the value was read.
    """

    path: Path
    read: Callable[[Any], Any] = _same
    write: Callable[[Any], Any] = _same
    is_mirror: bool = False


class Column(NamedTuple):
    """A field of World Info and the places that may say it; the first that does counts."""

    field: str
    places: tuple[FieldPlace, ...]


def column(
    field_: str,
    path: str | None = None,
    read: Callable[[Any], Any] = _same,
    write: Callable[[Any], Any] = _same,
) -> Column:
    """A column with one place, given as a dotted path; the field's own name if none is given."""
    return Column(field_, (FieldPlace(tuple((path or field_).split(".")), read, write),))


def negated(value: Any) -> Any:
    """The opposite of a truth value; other values say nothing."""
    return (not value) if isinstance(value, bool) else ABSENT


def text(value: Any) -> Any:
    """A text; other values say nothing."""
    return value if isinstance(value, str) else ABSENT


def number(value: Any) -> Any:
    """A number, also one that is written as text; other values say nothing."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return ABSENT
        value = int(value) if value == value and abs(value) < 1e15 and value == int(value) else value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else ABSENT


def flag(value: Any) -> Any:
    """A truth value; other values say nothing."""
    return value if isinstance(value, bool) else ABSENT


def _nothing(_: RawEntry, view: RawEntry, __: Any) -> RawEntry:
    return view


def _all_by_columns(_: RawEntry, changes: RawEntry, __: Any) -> RawEntry:
    return changes


@dataclass(frozen=True)
class Family:
    """The entries of one program: its fields as columns of World Info, and what columns cannot say.

    `completed` adds to a view what is not one field for another; `taken` writes such changes and returns the
    others. Both are given the book around the entry. `ignored` are fields that have an effect there and none
    here; `runs` are fields without a column that have one.
    """

    name: str
    columns: tuple[Column, ...]
    blank: Mapping[str, Any] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    is_entry: Callable[[Any], bool] = lambda found: isinstance(found, dict)
    completed: Callable[[RawEntry, RawEntry, Any], RawEntry] = _nothing
    taken: Callable[[RawEntry, RawEntry, Any], RawEntry] = _all_by_columns
    id_field: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    is_raw: bool = False

    def view(self, found: RawEntry, book: Any = None) -> RawEntry:
        """The World Info object that an entry amounts to."""
        if self.is_raw:
            return found
        view = {**DEFAULTS, **self.defaults}
        for one in self.columns:
            said = _read(one, found)
            if said is not ABSENT:
                view[one.field] = said
        return self.completed(found, view, book)

    def changed(self, found: RawEntry, changes: RawEntry, book: Any = None) -> RawEntry:
        """A copy of an entry with fields of World Info changed; what it cannot say is left out."""
        after = deepcopy(found)
        for name, value in self.taken(after, dict(changes), book).items():
            for one in self.columns:
                if one.field == name:
                    _write(one, after, value)
        return after

    @cached_property
    def _known(self) -> tuple[frozenset[str], frozenset[str]]:
        """The fields that have a column, and those that have fields inside, by their dotted names."""
        covered = frozenset(".".join(place.path) for one in self.columns for place in one.places)
        return covered, frozenset(name.split(".")[0] for name in covered | self.ignored if "." in name)

    @cached_property
    def _blanks(self) -> RawEntry:
        return dict(_leaves(dict(self.blank), self._known[1]))

    def told(self, found: RawEntry) -> Iterator[tuple[str, str]]:
        """The fields of an entry that say something, each with what becomes of it: runs, ignored or kept."""
        covered, nests = self._known
        for name, value in _leaves(found, nests):
            if value is None or value in ("", [], {}) or value == self._blanks.get(name, ABSENT):
                continue
            if name in self.ignored:
                if value is not False:
                    yield name, "ignored"
            elif name in covered or name in self.runs:
                yield name, "runs"
            elif value is not False:
                yield name, "kept"


def _leaves(found: RawEntry, nests: frozenset[str]) -> Iterator[tuple[str, Any]]:
    for name, value in found.items():
        if name in nests and isinstance(value, dict):
            yield from ((f"{name}.{inner}", inside) for inner, inside in value.items())
        else:
            yield name, value


def _read(one: Column, found: RawEntry) -> Any:
    for place in one.places:
        value = _at(found, place.path)
        if value is not ABSENT:
            said = place.read(value)
            if said is not ABSENT:
                return said
    return ABSENT


def _write(one: Column, found: RawEntry, value: Any) -> None:
    """Write to the place that was read, else to one that is there, else to the first; and to its mirrors.

    Keys that stand there as a list stay a list, also where others are written as one text.
    """
    there = [place for place in one.places if _at(found, place.path) is not ABSENT]
    own = [place for place in there if not place.is_mirror]
    saying = [place for place in own if place.read(_at(found, place.path)) is not ABSENT]
    chosen = (saying or own or list(one.places))[0]
    for place in (chosen, *(place for place in there if place.is_mirror)):
        said = place.write(value)
        if isinstance(value, list) and isinstance(_at(found, place.path), list):
            said = value if isinstance(said, str) else said
        if said is not ABSENT:
            put(found, place.path, said)


def _at(found: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(found, Mapping) or step not in found:
            return ABSENT
        found = found[step]
    return found


def put(found: RawEntry, path: Path, value: Any) -> None:
    """Set a field, making the objects on the way to it."""
    for step in path[:-1]:
        inner = found.get(step)
        if not isinstance(inner, dict):
            inner = found[step] = {}
        found = inner
    found[path[-1]] = value
