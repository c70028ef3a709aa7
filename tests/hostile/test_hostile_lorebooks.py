"""Lorebooks and cards made to do harm: a clear error each, nothing written, in bounded time and memory."""

from __future__ import annotations

import base64
import io
import json
import struct
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fabula.errors import FabulaError
from fabula.formats.lorebooks.png import SIGNATURE, plain_picture
from fabula.memory import Memory
from fabula.operations.import_export.any_file import take_file
from postgres import place_at

MOST_SECONDS = 20.0
MOST_BYTES = 300 << 20


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(*chunks: bytes) -> bytes:
    own = plain_picture()
    return own[:-12] + b"".join(chunks) + own[-12:]


def archive(files: dict[str, bytes | str], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def in_chunk(text: str) -> bytes:
    return picture(chunk(b"tEXt", b"chara\0" + base64.b64encode(text.encode())))


DEEP = '{"spec":"chara_card_v2","data":' + '{"a":' * 5_000 + "1" + "}" * 5_001
DEEP_LISTS = '{"entries":{"0":{"key":' + "[" * 400 + "]" * 400 + "}}}"
FRONT = "---\na: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\naliases: [*c, *c]\n---\nx\n"
NULLS = b"\0" * (200 << 20)


def lying_size() -> bytes:
    data = bytearray(archive({"card.json": b"{}" * 50}, zipfile.ZIP_STORED))
    place = data.rindex(b"PK\1\2")
    data[place + 20 : place + 28] = struct.pack("<II", 10**9, 10**9)
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(archive({"card.json": b"{}"}))
    data[data.rindex(b"PK\1\2") + 8] |= 1
    return bytes(data)


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "no card": ("a.png", plain_picture),
    "only a signature": ("a.png", lambda: SIGNATURE),
    "a chunk of a billion bytes": (
        "a.png",
        lambda: SIGNATURE + struct.pack(">I", 10**9) + b"tEXtchara\0e30=",
    ),
    "a chunk of four billion bytes": ("a.png", lambda: SIGNATURE + b"\xff\xff\xff\xfftEXtchara\0"),
    "a million chunks": ("a.png", lambda: SIGNATURE + chunk(b"IDAT", b"") * 1_000_000),
    "zTXt bomb": ("a.png", lambda: picture(chunk(b"zTXt", b"chara\0\0" + zlib.compress(NULLS, 9)))),
    "iTXt bomb": ("a.png", lambda: picture(chunk(b"iTXt", b"ccv3\0\1\0\0\0" + zlib.compress(NULLS, 9)))),
    "zTXt of noise": ("a.png", lambda: picture(chunk(b"zTXt", b"chara\0\0noise"))),
    "no base64": ("a.png", lambda: picture(chunk(b"tEXt", b"chara\0\xff\xfe***"))),
    "a card that is a number": ("a.png", lambda: in_chunk("7")),
    "a card cut off": ("a.png", lambda: in_chunk('{"spec":"chara_card_v2","data":{"na')),
    "a card nested deep": ("a.png", lambda: in_chunk(DEEP)),
    "a picture that is none": ("a.png", lambda: b"GIF89a" + b"\0" * 100),
    "a bomb as a card": ("a.charx", lambda: archive({"card.json": NULLS})),
    "an archive in an archive": ("a.charx", lambda: archive({"card.json": archive({"card.json": NULLS})})),
    "a path out of the folder": ("a.charx", lambda: archive({"../../x": b"1", "card.json": b"{}"})),
    "an absolute path": ("a.charx", lambda: archive({"/etc/passwd": b"1", "card.json": b"{}"})),
    "an archive that is none": ("a.charx", lambda: b"PK\3\4" + b"\0" * 64),
    "an archive cut off": (
        "a.byaf",
        lambda: archive({"manifest.json": b"{}", "characters/a.json": b"{}"})[:-9],
    ),
    "a size that lies": ("a.charx", lying_size),
    "an encrypted archive": ("a.charx", encrypted),
    "a byaf without its character": (
        "a.byaf",
        lambda: archive({"manifest.json": b'{"characters":["../x"]}', "characters/b.json": b"{}"}),
    ),
    "aliases in YAML": ("a.zip", lambda: archive({"a.md": FRONT, "b.md": "---\ntype: x\n---\ny"})),
    "a tag in YAML": (
        "a.zip",
        lambda: archive({"a.md": "---\nx: !!python/name:os.system\n---\n", "b.md": "---\ntype: x\n---\ny"}),
    ),
    "notes that leave the folder": ("a.zip", lambda: archive({"../a.md": "---\ntype: x\n---\ny"})),
    "notes as a bomb": ("a.zip", lambda: archive({"a.md": b"---\ntype: x\n---\n" + NULLS})),
    "lists nested deep": ("a.lorebook", lambda: b'{"lorebookVersion":1,"entries":' + b"[" * 100_000),
    "keys nested deep": ("a.json", DEEP_LISTS.encode),
    "JSON cut off": ("a.lorebook", lambda: b'{"lorebookVersion": 6, "entries": [{"text": "x'),
    "JSON that is noise": ("a.scenario", lambda: bytes(range(256)) * 50),
    "half a character": (
        "a.lorebook",
        lambda: '{"lorebookVersion":1,"entries":[{"text":"x"}]'.encode("utf-16")[:-3],
    ),
    "too many entries": (
        "a.json",
        lambda: json.dumps({"entries": {str(uid): {"key": []} for uid in range(50_001)}}).encode(),
    ),
    "a key of ten million characters": (
        "a.json",
        lambda: json.dumps({"entries": {"0": {"key": ["k" * 10_000_000], "content": "x"}}}).encode(),
    ),
    "a content of ten million characters": (
        "a.json",
        lambda: json.dumps({"entries": {"0": {"key": ["k"], "content": "x" * 10_000_000}}}).encode(),
    ),
    "a cell without end": ("a.csv", lambda: b'name,content\r\na,"' + b"x" * 1_000_000),
    "a table without columns": ("a.lorebook", lambda: b"1,2,3\r\n"),
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    with Memory(place_at(folder / "fabula.db")) as opened:
        yield opened


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_made_to_do_harm_is_refused_with_a_way_out(memory: Memory, case: str) -> None:
    name, made = HOSTILE[case]
    data = made()
    for dry_run in (True, False):
        tracemalloc.start()
        began = time.process_time()
        try:
            with pytest.raises(FabulaError) as refused:
                take_file(memory.call(), data=data, name=name, dry_run=dry_run)
            seconds = time.process_time() - began
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        error = refused.value
        assert error.status < 500, error.message
        assert error.code
        assert error.suggestion
        assert len(error.message) < 600
        assert (seconds < MOST_SECONDS, peak < MOST_BYTES) == (True, True), (seconds, peak)
    assert memory.stories() == ()


SCRIPT = "<script>alert(1)</script>\u202e{{char}}\n../../x"


def test_scripts_and_paths_in_names_are_text(tmp_path: Path) -> None:
    entry: dict[str, Any] = {"key": [SCRIPT], "comment": SCRIPT, "content": SCRIPT}
    card = {
        "spec": "chara_card_v2",
        "data": {"name": SCRIPT, "description": SCRIPT, "character_book": {"name": SCRIPT, "entries": []}},
    }
    with Memory(place_at(tmp_path / "fabula.db")) as memory:
        for value in ({"name": SCRIPT, "entries": {"0": entry}}, card):
            done = take_file(memory.call(), data=json.dumps(value).encode(), name="../../etc/passwd.json")
            story = memory.story("", id=done.story_id)
            told = story.lorebook.export(book_id=done.book_id, format="sillytavern")
            assert not {"/", "\\", "\n"} & set(told.name)
            kept = story.lorebook.book.read(id=done.book_id)
            assert "\n" not in kept.name


def test_an_entry_that_cannot_be_kept_is_named_and_the_others_come_in(tmp_path: Path) -> None:
    book = {
        "entries": {
            "0": {"comment": "Long", "content": "x" * 70_000},
            "1": {"comment": "Nul", "content": "a\0b"},
            "2": {"comment": "Fine", "content": "y", "": {"deep\0": [1]}},
        }
    }
    with Memory(place_at(tmp_path / "fabula.db")) as memory:
        done = take_file(memory.call(), data=json.dumps(book).encode(), name="x.json")
        assert [problem.entry_key for problem in done.problems] == ["Long", "Nul"]
        assert done.counts.entries == 1
        told = memory.story("", id=done.story_id).lorebook.export(book_id=done.book_id, format="sillytavern")
        assert json.loads(told.data)["entries"] == {"2": book["entries"]["2"]}
