"""Cards in pictures and archives, notes in Markdown, and tables: read, and written without loss."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import InvalidInput
from fabula.formats.lorebooks.exporting import LORE_FORMATS, CardWords, LoreFormat, write_lore_file
from fabula.formats.lorebooks.markdown import read_markdown, write_markdown
from fabula.formats.lorebooks.opening import is_lore_file, layout_of, read_lore_file
from fabula.formats.lorebooks.png import SIGNATURE, card_texts, plain_picture, with_cards
from fabula.formats.lorebooks.tables import read_table
from lore_files import JSON_VALUES, NAMES, AnEntry, entries_of

CARD: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        "name": "Mira",
        "nickname": "Mi",
        "description": "{{char}} keeps the lamp.",
        "personality": "patient",
        "scenario": "A harbour in fog.",
        "first_mes": "The lamp is lit.",
        "mes_example": "<START>",
        "alternate_greetings": ["The lamp is out."],
        "group_only_greetings": [],
        "assets": [{"type": "icon", "uri": "embeded://x"}],
        "extensions": {"depth_prompt": {"depth": 4}},
        "character_book": {
            "name": "Lamps",
            "extensions": {},
            "scan_depth": 9,
            "entries": [
                {
                    "keys": ["lamp"],
                    "content": "It burns.",
                    "enabled": False,
                    "insertion_order": 5,
                    "extensions": {},
                }
            ],
        },
    },
}


def chunk(kind: bytes, data: bytes, crc: int | None = None) -> bytes:
    check = zlib.crc32(kind + data) if crc is None else crc
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def picture(*chunks: bytes) -> bytes:
    own = plain_picture()
    return own[:-12] + b"".join(chunks) + own[-12:]


def packed(card: Any) -> bytes:
    return base64.b64encode(json.dumps(card).encode())


V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**CARD["data"], "name": "Old"}}


@pytest.mark.parametrize(
    "data",
    [
        picture(chunk(b"tEXt", b"chara\0" + packed(V2)), chunk(b"tEXt", b"ccv3\0" + packed(CARD))),
        picture(chunk(b"tEXt", b"ccv3\0" + packed(CARD), crc=1)),
        picture(chunk(b"zTXt", b"ccv3\0\0" + zlib.compress(packed(CARD)))),
        picture(chunk(b"iTXt", b"ccv3\0\1\0\0\0" + zlib.compress(packed(CARD)))),
        picture(chunk(b"iTXt", b"ccv3\0\0\0en\0\0" + json.dumps(CARD).encode())),
        picture(chunk(b"tEXt", b"ccv3\0" + packed(CARD).rstrip(b"="))),
        picture(chunk(b"tEXt", b"ccv3\0" + packed(CARD)))[:-14],
        picture(
            chunk(b"tEXt", b"ccv3\0!!!"), chunk(b"tEXt", b"chara\0" + packed({**V2, "data": CARD["data"]}))
        ),
    ],
    ids=[
        "both",
        "wrong checksum",
        "zTXt",
        "packed iTXt",
        "bare JSON",
        "no padding",
        "cut off",
        "damaged first",
    ],
)
def test_a_card_in_a_picture_is_read_as_other_programs_read_it(data: bytes) -> None:
    book = read_lore_file("mira.png", data)
    assert book.card is not None
    assert (book.card.name, book.name, len(book.entries)) == ("Mira", "Lamps", 1)


def test_a_picture_without_a_card_says_so_in_words_of_its_owner() -> None:
    with pytest.raises(InvalidInput, match="This PNG has no character card in it") as refused:
        read_lore_file("photo.png", plain_picture())
    assert refused.value.suggestion


def test_a_card_has_its_character_texts_and_a_book_that_is_off_where_it_was_off() -> None:
    book = read_lore_file("mira.json", json.dumps(CARD).encode())
    assert (book.format, book.source, book.entries[0]["enabled"]) == ("card-v3", "character", False)
    card = book.card
    assert card is not None
    assert (card.nickname, card.description) == ("Mi", "{{char}} keeps the lamp.")
    assert {text.field: text.content for text in card.texts} == {
        "scenario": "A harbour in fog.",
        "personality": "patient",
        "mes_example": "<START>",
        "first_mes": "The lamp is lit.",
        "alternate_greetings.0": "The lamp is out.",
    }
    assert "scanDepth" not in book.settings


@pytest.mark.parametrize(
    "own", [None, picture(chunk(b"tEXt", b"Title\0kept"), chunk(b"tEXt", b"chara\0old"))]
)
def test_a_card_is_written_into_its_picture_or_into_a_plain_one(own: bytes | None) -> None:
    book = read_lore_file("mira.json", json.dumps(CARD).encode())
    file = write_lore_file("card-v3-png", book, entries_of(book), CardWords({}, own))
    texts = card_texts(file.data)
    assert json.loads(texts["ccv3"]) == CARD
    assert json.loads(texts["chara"])["spec"] == "chara_card_v2"
    assert file.data.startswith(SIGNATURE)
    assert file.data.endswith(plain_picture()[-12:])
    assert (b"Title\0kept" in file.data) == (own is not None)
    assert any(loss.field == "picture" for loss in file.losses) == (own is None)


def test_what_a_second_version_has_no_field_for_is_listed() -> None:
    book = read_lore_file("mira.json", json.dumps(CARD).encode())
    file = write_lore_file("card-v2", book, entries_of(book))
    assert {loss.field for loss in file.losses} == {"nickname", "assets"}
    data = json.loads(file.data)["data"]
    assert (data["name"], data["character_book"]["scan_depth"]) == ("Mira", 9)
    assert "assets" not in data


def test_texts_changed_in_fabula_win_in_the_card_and_in_its_copies() -> None:
    copied = {**V2, "description": "stale", "first_mes": "stale"}
    book = read_lore_file("mira.json", json.dumps(copied).encode())
    words = CardWords({"description": "New.", "alternate_greetings.0": "Hello."})
    card = json.loads(write_lore_file("card-v2", book, entries_of(book), words).data)
    assert (card["data"]["description"], card["description"], card["first_mes"]) == ("New.", "New.", "stale")
    assert card["data"]["alternate_greetings"] == ["Hello."]


def archive(**files: bytes | str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, data in files.items():
            made.writestr(name.replace("__", "/"), data)
    return out.getvalue()


def test_a_charx_is_the_card_in_it() -> None:
    data = archive(**{"card.json": json.dumps(CARD), "assets__icon.png": b"x"})
    assert is_lore_file("mira.charx", data)
    book = read_lore_file("mira.charx", data)
    assert (book.format, book.program, book.name) == ("card-v3", "CharX", "Lamps")


def test_a_byaf_becomes_a_card_with_its_lore_and_greetings() -> None:
    character = {
        "name": "Ann",
        "displayName": "Ann Vale",
        "persona": "{character} knows {user}.",
        "loreItems": [{"key": "bell, tower", "value": "{character} rings it."}],
    }
    scenes = {"narrative": "Fog.", "firstMessages": [{"text": "#{character}: Hi."}]}
    data = archive(
        **{
            "manifest.json": json.dumps({"characters": ["characters/a.json"], "scenarios": ["s.json"]}),
            "characters__a.json": json.dumps(character),
            "s.json": json.dumps(scenes),
        }
    )
    book = read_lore_file("ann.byaf", data)
    assert book.card is not None
    assert (book.card.name, book.card.description) == ("Ann Vale", "{{char}} knows {{user}}.")
    assert [text.content for text in book.card.texts] == ["Fog.", "{{char}}: Hi."]
    assert (book.entries[0]["keywords"], book.entries[0]["content"]) == (
        ["bell", "tower"],
        "{{char}} rings it.",
    )


# Markdown

NOTES = {
    "People/Mira.md": "---\naliases: [Mi, the keeper]\ntype: character\ncolor: blue\n---\n\n# Mira\n\nShe.\n",
    "People/Old Tom.md": "---\naliases: Tom\nenabled: false\n---\nGone.",
    "fog.md": "---\ntype: lore\nalwaysIncludeInContext: true\n---\n\nIt comes at night.\n\n",
}


def zipped(files: dict[str, str]) -> bytes:
    return archive(**{name.replace("/", "__"): text for name, text in files.items()})


def unzipped(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        return {name: made.read(name).decode() for name in made.namelist()}


def test_notes_become_entries_by_name_and_alias_and_are_written_to_the_letter() -> None:
    book = read_lore_file("notes.zip", zipped(NOTES))
    mira, tom, fog = book.entries
    assert (mira["entryKey"], mira["keywords"], mira["content"]) == (
        "Mira",
        ["Mi", "the keeper"],
        "# Mira\n\nShe.",
    )
    assert (tom["entryKey"], tom["enabled"], fog["aiContextLevel"]) == ("Old Tom", False, "always")
    assert (book.activation, dict(book.counts.kept)) == ("fabula", {"type": 2, "color": 1})
    assert unzipped(write_lore_file("markdown", book, entries_of(book)).data) == NOTES


def test_a_codex_of_novelcrafter_is_read_with_what_stands_beside_its_entries() -> None:
    folder = "characters/mira-2abcdefghijklmnopqrstuvwxyz"
    files = {
        f"{folder}/entry.md": "A lamp keeper.\n",
        f"{folder}/metadata.json": json.dumps(
            {"attributes": {"name": "Mira", "aliases": ["Mi"], "noAutoInclude": True}}
        ),
        f"{folder}/notes.md": "Research.",
    }
    book = read_lore_file("codex.zip", zipped(files))
    (mira,) = book.entries
    assert (mira["entryKey"], mira["keywords"], mira["aiContextLevel"]) == ("Mira", ["Mi"], "manual_only")
    assert unzipped(write_lore_file("markdown", book, entries_of(book)).data) == files


NOTE = st.builds(
    lambda front, body: (f"---\n{front}---\n" if front is not None else "") + body,
    st.none()
    | st.sampled_from(("", "aliases: [a, b]\n", "priority: 3\nx: {y: 1}\n", "name: Fog\n# a comment\n")),
    st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n"), max_size=30),
)


@given(st.dictionaries(NAMES.map(lambda name: f"{name}.md"), NOTE, min_size=1, max_size=4))
@settings(max_examples=examples(150), deadline=None)
def test_any_notes_are_the_same_after_reading_and_writing(notes: dict[str, str]) -> None:
    notes = {name: text.replace("\ufeff", "") for name, text in notes.items()}
    book = read_markdown({name: text.encode() for name, text in notes.items()})
    assert write_markdown(book, entries_of(book)).value == notes


# Tables


def test_a_table_with_named_columns_is_a_book() -> None:
    data = "名称,关键词,内容,优先级,作者\n雾港,雾;海港,港口。,7,甲\n灯,,灯灭了。,,\n".encode("utf-8-sig")
    book = read_lore_file("雾.csv", data)
    fog, lamp = book.entries
    assert (fog["entryKey"], fog["keywords"], fog["priority"]) == ("雾港", ["雾", "海港"], 7)
    assert (lamp["content"], dict(book.counts.kept)) == ("灯灭了。", {"作者": 1})


ROWS = st.lists(
    st.lists(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8), min_size=1, max_size=5),
    max_size=5,
)


@given(ROWS, st.sampled_from(("csv", "tsv")))
@settings(max_examples=examples(200), deadline=None)
def test_any_table_is_the_same_after_reading_and_writing(rows: list[list[str]], form: LoreFormat) -> None:
    rows = [[cell.replace("\ufeff", "") for cell in row] for row in rows]
    rows = [["name", "keywords", "content", "enabled", "x"], *rows]
    delimiter = "," if form == "csv" else "\t"
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    book = read_table(out.getvalue().encode(), form)
    again = write_lore_file(form, book, entries_of(book)).data.decode()
    assert list(csv.reader(io.StringIO(again, newline=""), delimiter=delimiter)) == rows


@given(st.sampled_from(("csv", "markdown")), NAMES, st.lists(NAMES, max_size=2, unique=True), st.booleans())
@settings(max_examples=examples(60), deadline=None)
def test_edits_win_in_notes_and_tables(form: str, name: str, words: list[str], enabled: bool) -> None:
    if form == "csv":
        book = read_lore_file("a.csv", b"name,keys,content,owner\r\nFog,a,x,me\r\n")
    else:
        book = read_lore_file("a.zip", zipped({"Fog.md": "---\nkeys: [a]\nowner: me\n---\nx\n"}))
    (entry,) = entries_of(book)
    entry = entry._replace(display_name=name, keywords=tuple(words), enabled=enabled, content="y")
    file = write_lore_file("csv" if form == "csv" else "markdown", book, [entry])
    (again,) = entries_of(read_lore_file(f"a{file.ending}", file.data))
    assert (again.display_name, again.keywords, again.enabled, again.content) == (
        name,
        tuple(words),
        enabled,
        "y",
    )
    whole = file.data if form == "csv" else "".join(unzipped(file.data).values()).encode()
    assert b"me" in whole


@given(JSON_VALUES)
@settings(max_examples=examples(100), deadline=None)
def test_whatever_stands_in_a_picture_is_a_card_or_a_clear_error(value: Any) -> None:
    data = with_cards(plain_picture(), {"ccv3": json.dumps(value).encode()})
    if layout_of(value) is None:
        with pytest.raises(InvalidInput) as refused:
            read_lore_file("x.png", data)
        assert refused.value.suggestion


def test_an_entry_of_the_story_itself_is_written_in_every_format() -> None:
    book = read_lore_file("a.csv", b"name,keys,content\r\nFog,mist,It waits.\r\n")
    own: list[AnEntry] = [one._replace(extensions={}) for one in entries_of(book)]
    for form in LORE_FORMATS:
        file = write_lore_file(form, book, own, CardWords({"name": "Fog"}))
        (again,) = read_lore_file(f"x{file.ending}", file.data).entries
        assert again["content"].endswith("It waits."), form
        assert {"Fog", "mist"} <= {again["entryKey"], *again["keywords"]}, form


def test_the_page_has_words_in_both_languages_for_every_reason_to_refuse_a_file() -> None:
    root = Path(__file__).parents[2]
    rooms = ("src/fabula/formats/lorebooks", "src/fabula/operations/import_export")
    source = "".join(path.read_text("utf-8") for room in rooms for path in (root / room).glob("*.py"))
    page = (root / "web/src/story/importing/refusals.ts").read_text("utf-8")
    assert set(re.findall(r'"reason": "(\w+)"', source)) == set(
        re.findall(r"^  (\w+): \[", page, re.MULTILINE)
    )
