"""Lorebooks as they are found in the field: in other encodings, cut, empty, under older names."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import pytest

from fabula.errors import InvalidInput
from fabula.formats.lorebooks.exporting import LORE_FORMATS, LoreFormat, write_lore_file
from fabula.formats.lorebooks.json_file import json_value
from fabula.formats.lorebooks.opening import read_lore_file
from fabula.formats.lorebooks.png import plain_picture
from fabula.formats.lorebooks.tables import read_table
from fabula.formats.novel_text import decoded
from fabula.formats.recognition import file_kind
from lore_files import entries_of

LAMP = {"uid": 0, "key": ["灯"], "comment": "灯塔", "content": "青云山上有灯。"}
WORLD_INFO = json.dumps({"entries": {"0": LAMP}}, ensure_ascii=False)
ENDINGS = {"csv": "csv", "tsv": "tsv", "markdown": "zip", "card-v2-png": "png", "card-v3-png": "png"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "gb18030", "utf-8"])
def test_world_info_is_read_in_any_common_encoding(encoding: str) -> None:
    data = WORLD_INFO.encode(encoding)
    assert file_kind("book.json", data) == "lorebook"
    book = read_lore_file("book.json", data)
    assert (book.format, book.entries[0]["content"]) == ("sillytavern", LAMP["content"])


def test_utf_16_is_read_in_either_order_of_bytes() -> None:
    data = b"\xfe\xff" + WORLD_INFO.encode("utf-16-be")
    assert file_kind("book.json", data) == "lorebook"
    assert json_value(data) == json.loads(WORLD_INFO)


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-8-sig"])
@pytest.mark.parametrize("header", ["名称,关键词,内容,备注", "name,keywords,content,remark"])
def test_a_small_table_of_a_chinese_spreadsheet_is_read(encoding: str, header: str) -> None:
    data = f"{header}\r\n青云宗,青云,山门,甲\r\n".encode(encoding)
    assert file_kind("book.csv", data) == "lorebook"
    entry = read_lore_file("book.csv", data).entries[0]
    assert (entry["entryKey"], entry["keywords"], entry["content"]) == ("青云宗", ["青云"], "山门")


@pytest.mark.parametrize("text", ["Le café près de la forêt.", "“Où?” — naïve, señor; größer", "Ça\r\nÀ"])
def test_western_texts_are_not_taken_for_chinese(text: str) -> None:
    assert decoded(text.encode("cp1252")).encoding == "cp1252"


def test_a_cell_of_a_table_keeps_its_line_endings() -> None:
    data = b'name,content\r\nLamp,"It\r\nburns"\r\n'
    book = read_table(data, "csv")
    assert write_lore_file("csv", book, entries_of(book)).data == data


def test_a_character_that_was_cut_in_two_does_not_stop_a_book() -> None:
    data = (
        b'{"entries": {"0": {"uid": 0, "key": ["a\\ud83d"], "content": "cut \\ud83d, whole \\ud83d\\ude00"}}}'
    )
    book = read_lore_file("book.json", data)
    assert book.entries[0]["content"] == "cut \ufffd, whole 😀"


@pytest.mark.parametrize(
    "text", ['{"a": "\\ud83d", "b": NaN}', '{"a": "\\ud83d"', '{"a": "\\ud83d", "b": 1e999}']
)
def test_what_is_no_json_beside_a_cut_character_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="no valid JSON"):
        json_value(text.encode())


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_the_keyword_of_a_card_in_a_picture_may_be_in_any_case() -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "Mira"}}
    own = plain_picture()
    text = base64.b64encode(json.dumps(card).encode())
    book = read_lore_file("mira.png", own[:-12] + chunk(b"tEXt", b"Chara\0" + text) + own[-12:])
    assert book.card is not None
    assert book.card.name == "Mira"


def test_cards_with_the_names_from_before_the_first_version_are_read() -> None:
    older = {
        "char_name": "Mira",
        "char_persona": "patient",
        "world_scenario": "A harbour.",
        "char_greeting": "The lamp is lit.",
        "example_dialogue": "",
    }
    data = json.dumps(older).encode()
    assert file_kind("mira.json", data) == "lorebook"
    book = read_lore_file("mira.json", data)
    assert book.card is not None
    assert (book.format, book.card.name, book.card.description) == ("card-v1", "Mira", "patient")
    assert {text.field for text in book.card.texts} == {"scenario", "first_mes"}
    written = json.loads(write_lore_file("card-v2", book, ()).data)["data"]
    assert (written["name"], written["first_mes"]) == ("Mira", "The lamp is lit.")


def test_a_card_without_a_book_gets_none_by_being_written_in_another_version() -> None:
    card = {"name": "Mira", "description": "d", "personality": "", "scenario": "", "first_mes": ""}
    book = read_lore_file("mira.json", json.dumps(card).encode())
    assert "character_book" not in json.loads(write_lore_file("card-v2", book, ()).data)["data"]
    lamps = read_lore_file("lamps.json", WORLD_INFO.encode())
    written = json.loads(write_lore_file("card-v2", book, entries_of(lamps)).data)["data"]["character_book"]
    assert [entry["keys"] for entry in written["entries"]] == [["灯"]]
    assert written["extensions"] == {}


def test_a_book_of_a_card_may_have_its_entries_by_number() -> None:
    entry = {"keys": ["lamp"], "content": "It burns.", "extensions": {}, "insertion_order": 3}
    data = json.dumps({"entries": {"0": entry}}).encode()
    book = read_lore_file("book.json", data)
    assert (book.format, book.entries[0]["keywords"]) == ("character-book", ["lamp"])
    assert json.loads(write_lore_file("character-book", book, entries_of(book)).data) == json.loads(data)


UNITED = {
    "folders": {"f": [0]},
    "entries": {"0": {"uid": 0, "key": ["a"], "keysecondary": [], "folder": "f", "content": "x"}},
}
TITLES = {"entries": {"0": {"uid": 0, "key": [], "comment": "Lamp", "content": "=1+1"}}}


@pytest.mark.parametrize(
    "document", [UNITED, TITLES, {"entries": {"0": LAMP}}], ids=["United", "titles", "zh"]
)
@pytest.mark.parametrize("form", LORE_FORMATS)
def test_what_is_written_is_read_again(form: LoreFormat, document: Any) -> None:
    book = read_lore_file("book.json", json.dumps(document).encode())
    data = write_lore_file(form, book, entries_of(book)).data
    name = f"written.{ENDINGS.get(form, 'json')}"
    assert file_kind(name, data) == "lorebook"
    assert [entry["content"] for entry in read_lore_file(name, data).entries] == [
        entry["content"] for entry in book.entries
    ]


@pytest.mark.parametrize("document", [{"entries": []}, {"entries": {}}, {"name": "Empty", "entries": []}])
def test_an_empty_book_is_a_book(document: Any) -> None:
    data = json.dumps(document).encode()
    assert file_kind("book.json", data) == "lorebook"
    book = read_lore_file("book.json", data)
    assert book.entries == []
    layout: Any = book.format
    assert json.loads(write_lore_file(layout, book, ()).data) == document
