"""Files of lorebooks to try the formats with: any values in any place, and entries as a story has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st

from fabula.formats.lorebooks.formats import FAMILIES, LAYOUT_OF, LAYOUTS
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.reading import read_book, with_value
from fabula.formats.lorebooks.values import ReadBook
from fabula.formats.lorebooks.writing import write_book
from fabula.model.activation import ActivationRules
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition

# Fields of World Info that programs in the field write in other types than they should.
ODD_FIELDS = ("uid", "id", "enabled", "displayIndex", "extensions", "x/unknown", "", "mode", "category")
TEXTS = st.text(max_size=12)
NAMES = st.text(st.characters(categories=("Lu", "Ll", "Lo", "Nd")), min_size=1, max_size=8)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


class AnEntry(NamedTuple):
    """An entry as a story has it, made of what reading gives."""

    entry_key: str
    display_name: str | None
    content: str
    keywords: tuple[str, ...]
    priority: int
    enabled: bool
    insertion_position: InsertionPosition
    ai_context_level: AiContextLevel | None
    rules: ActivationRules
    extensions: dict[str, Any]
    place: int | None


def entry_of(fields: Mapping[str, Any]) -> AnEntry:
    """The entry that a story has of fields that were read; what is kept went through JSON."""
    return AnEntry(
        fields["entryKey"],
        fields["displayName"],
        fields["content"],
        tuple(fields["keywords"]),
        fields["priority"],
        fields["enabled"],
        InsertionPosition(fields["insertionPosition"]),
        AiContextLevel(fields["aiContextLevel"]),
        ActivationRules.model_validate(fields["rules"]),
        json.loads(json.dumps(fields["extensions"])),
        fields["place"],
    )


def entries_of(book: ReadBook) -> list[AnEntry]:
    return [entry_of(fields) for fields in book.entries]


def written_again(layout: Layout, document: Any) -> Any:
    """A file after it was read and written in its own format."""
    book = read_book(layout, document, "a file")
    return write_book(layout, book, entries_of(book), FAMILIES, LAYOUT_OF).value


def as_json(value: Any) -> str:
    """A JSON value as text, in which 1, 1.0 and true differ and the order of an object's fields does not."""
    return json.dumps(value, sort_keys=True)


def _likely(value: Any) -> st.SearchStrategy[Any]:
    """Values of the type a field has, and now and then any other."""
    if isinstance(value, bool):
        own: st.SearchStrategy[Any] = st.booleans()
    elif isinstance(value, int | float):
        own = st.integers(-10, 200)
    elif isinstance(value, list):
        own = st.lists(NAMES | TEXTS | st.just("/a(b|c)/i"), max_size=3)
    elif isinstance(value, dict):
        own = st.fixed_dictionaries({}, optional={name: _likely(inner) for name, inner in value.items()})
    else:
        own = TEXTS | st.lists(NAMES, max_size=3).map(",".join)
    return own | own | own | JSON_VALUES


def entry_objects(layout: Layout) -> st.SearchStrategy[dict[str, Any]]:
    """Entries of a program: its own fields, some of them odd, and fields nobody knows."""
    family = layout.family
    known: dict[str, Any] = dict(family.blank)
    for column in family.columns:
        for place in column.places:
            if len(place.path) == 1:
                known.setdefault(place.path[0], "")
            else:
                known.setdefault(place.path[0], {})
                if isinstance(known[place.path[0]], dict):
                    known[place.path[0]] = {**known[place.path[0]], place.path[1]: 1}
    fields = {name: _likely(value) for name, value in known.items()}
    odd = {name: JSON_VALUES for name in ODD_FIELDS if name not in known}
    decorated = st.sampled_from(
        ("@@depth 3\nx", "@@role user\n@@unknown 1\n@@@scan_depth 2\ny", "@@dont_activate")
    )
    said = st.fixed_dictionaries({}, optional=fields | odd)
    if "content" in known:
        return said | st.builds(lambda entry, text: {**entry, "content": text}, said, decorated)
    return said


def documents(layout: Layout) -> st.SearchStrategy[Any]:
    """Files of a layout, with fields nobody knows around the entries and items among them that are none."""
    items = st.lists(entry_objects(layout) | entry_objects(layout) | JSON_VALUES, max_size=4)
    keys = st.integers(0, 30).map(str) | TEXTS
    listed: st.SearchStrategy[Any] = items
    if layout.is_keyed:
        listed = st.dictionaries(keys, entry_objects(layout) | JSON_VALUES, max_size=4)
    around = st.dictionaries(
        TEXTS.filter(lambda name: name not in ("entries", "folders")), JSON_VALUES, max_size=3
    )
    path = (*layout.container, layout.entries) if layout.entries is not None else layout.container

    def made(found: Any, outside: dict[str, Any], inside: dict[str, Any]) -> Any:
        document = layout.blank
        if layout.container:
            own = layout.book(document)
            document = with_value(
                document, layout.container, {**inside, **(own if isinstance(own, dict) else {})}
            )
        if isinstance(document, dict):
            document = {**outside, **document}
        return with_value(document, path, found)

    return st.builds(made, listed, around, around).map(lambda found: json.loads(json.dumps(found)))


def any_document() -> st.SearchStrategy[tuple[str, Any]]:
    """The name of a format and a file of it."""
    names = st.sampled_from([layout.format for layout in LAYOUTS])
    return names.flatmap(lambda name: documents(LAYOUT_OF[name]).map(lambda found: (name, found)))
