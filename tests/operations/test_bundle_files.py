"""Bundles by path: read only inside the folder, deleted only after success, whatever somebody tries."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doors import everything
from effort import examples
from fabula.errors import BundleInvalid, FabulaError, InvalidInput, NotFound, PayloadTooLarge
from fabula.memory import Memory
from fabula.operations.bundles import files as bundle_files
from fabula.operations.bundles.bundles import import_data, import_knowledge_bundle
from fabula.operations.bundles.files import offered_file
from fabula.story_memory import StoryMemory
from postgres import place_at

GOOD = "- {type: Item, name: Brass Bell}\n"
SECRET = "- {type: Item, name: Secret}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "import" / "inner").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.yaml").write_text(SECRET)
    return tmp_path / "import"


@pytest.fixture
def memory(tmp_path: Path, folder: Path) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db"), import_dir=folder) as opened:
        yield opened


def import_path(memory: Memory, story: StoryMemory, path: str | Path, **more: Any) -> Any:
    return import_knowledge_bundle(memory.call(), story.id, path, **more)


def refusal_of(memory: Memory, story: StoryMemory, path: str | Path) -> FabulaError:
    """The refusal, after which the story and every file are as before."""
    import_dir = memory.call().import_dir
    assert import_dir is not None
    folder = import_dir.parent
    story_before, files = everything(memory.place), _files(folder)
    with pytest.raises(FabulaError) as refused:
        import_path(memory, story, path)
    assert everything(memory.place) == story_before
    assert _files(folder) == files
    return refused.value


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if not path.name.startswith("fabula.db")}


@pytest.mark.scenario("BUNDLE-IMPORT-FILE-GONE")
def test_a_file_is_deleted_after_success(memory: Memory, story: StoryMemory, folder: Path) -> None:
    file = folder / "inner" / "bundle.yaml"
    for path in (file, file.relative_to(folder), str(file)):
        file.write_text(GOOD)
        tried = import_path(memory, story, path, dry_run=True)
        assert (tried.file_deleted, file.exists()) == (False, True)
        done = import_path(memory, story, path)
        assert (done.file_deleted, file.exists(), done.nodes.upserted) == (True, False, {"Item": 1})


def test_a_file_stays_after_a_refusal(memory: Memory, story: StoryMemory, folder: Path) -> None:
    for text in ("- {type: Itm, name: x}", "- {type: Item", "- &a {type: Item, name: *a}"):
        (folder / "bundle.yaml").write_text(text)
        assert isinstance(refusal_of(memory, story, "bundle.yaml"), BundleInvalid)


def test_the_folder_may_be_named_through_a_link(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    (folder / "bundle.yaml").write_text(GOOD)
    for path in (tmp_path / "link" / "bundle.yaml", folder / "bundle.yaml", Path("bundle.yaml")):
        with offered_file(tmp_path / "link", path) as offered:
            assert offered.data.decode() == GOOD


def _linked_file(folder: Path) -> str:
    (folder / "a.yaml").symlink_to(folder.parent / "outside" / "secret.yaml")
    return "a.yaml"


def _linked_inside(folder: Path) -> str:
    (folder / "b.yaml").write_text(GOOD)
    (folder / "a.yaml").symlink_to(folder / "b.yaml")
    return "a.yaml"


def _linked_folder(folder: Path) -> str:
    (folder / "way").symlink_to(folder.parent / "outside")
    return "way/secret.yaml"


def _fifo(folder: Path) -> str:
    os.mkfifo(folder / "pipe")
    return "pipe"


def _through_a_file(folder: Path) -> str:
    (folder / "a.yaml").write_text(GOOD)
    return "a.yaml/b.yaml"


OTHERS: dict[str, tuple[Callable[[Path], str], str]] = {
    "above": (lambda folder: "../outside/secret.yaml", "outside"),
    "above and back": (lambda folder: "inner/../../outside/secret.yaml", "outside"),
    "absolute": (lambda folder: str(folder.parent / "outside" / "secret.yaml"), "outside"),
    "a name that begins the same": (lambda folder: f"{folder}side/secret.yaml", "outside"),
    "the folder": (str, "outside"),
    "nothing": (lambda folder: "", "outside"),
    "a NUL": (lambda folder: "a\0.yaml", "outside"),
    "a folder": (lambda folder: "inner", "not_a_file"),
    "a device": (lambda folder: "/dev/zero", "outside"),
    "a pipe": (_fifo, "not_a_file"),
    "a link to a file": (_linked_file, "link"),
    "a link that stays inside": (_linked_inside, "link"),
    "a link to a folder": (_linked_folder, "link"),
    "a file as a folder": (_through_a_file, "link"),
    "a long name": (lambda folder: "x" * 5_000, "unreadable"),
    "a name that is no text": (lambda folder: "\ud800.yaml", "unreadable"),
}


@pytest.mark.parametrize(("made", "reason"), OTHERS.values(), ids=OTHERS)
def test_nothing_else_is_read(folder: Path, made: Callable[[Path], str], reason: str) -> None:
    with pytest.raises(InvalidInput) as refused, offered_file(folder, made(folder)):
        pass
    assert (refused.value.details or {})["reason"] == reason


def test_a_link_changes_neither_the_story_nor_a_file(
    memory: Memory, story: StoryMemory, folder: Path
) -> None:
    assert isinstance(refusal_of(memory, story, _linked_file(folder)), InvalidInput)
    assert (folder.parent / "outside" / "secret.yaml").read_text() == SECRET


def test_a_socket_is_not_read(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        here = Path.cwd()
        os.chdir(folder)  # the whole path may be too long for a socket
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        with pytest.raises(InvalidInput), offered_file(folder, "socket"):
            pass


def test_a_file_that_is_not_there_is_not_found(folder: Path) -> None:
    with pytest.raises(NotFound), offered_file(folder, "nothing.yaml"):
        pass


def test_without_a_folder_nothing_is_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused, offered_file(None, tmp_path / "x"):
        pass
    assert "FABULA_IMPORT_DIR" in (refused.value.suggestion or "")


def test_a_file_over_the_limit_is_not_read(folder: Path) -> None:
    (folder / "large.yaml").write_bytes(b"x" * 1_001)
    with pytest.raises(PayloadTooLarge), offered_file(folder, "large.yaml", limit=1_000):
        pass


def test_a_file_that_grows_while_it_is_read_is_not_read_for_ever() -> None:
    with open("/dev/zero", "rb", buffering=0) as endless, pytest.raises(PayloadTooLarge):
        bundle_files._read(endless.fileno(), 3 << 20)


def test_a_folder_that_is_exchanged_for_a_link_leads_nowhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "inner" / "secret.yaml").write_text(GOOD)
    opening = os.open

    def exchanging(path: Any, flags: int, **more: Any) -> int:
        if path == "inner":
            (folder / "inner").rename(folder / "was")
            (folder / "inner").symlink_to(folder.parent / "outside")
        return opening(path, flags, **more)

    monkeypatch.setattr(os, "open", exchanging)
    with pytest.raises(InvalidInput) as refused, offered_file(folder, "inner/secret.yaml"):
        pass
    assert (refused.value.details or {})["reason"] == "link"


def test_a_folder_that_is_moved_away_while_it_is_open_leads_nowhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "inner" / "bundle.yaml").write_text(GOOD)
    opening = os.open

    def moving(path: Any, flags: int, **more: Any) -> int:
        if path == "bundle.yaml":
            (folder / "inner").rename(folder.parent / "outside" / "inner")
        return opening(path, flags, **more)

    monkeypatch.setattr(os, "open", moving)
    with pytest.raises(InvalidInput) as refused, offered_file(folder, "inner/bundle.yaml"):
        pass
    assert (refused.value.details or {})["reason"] == "outside"


@pytest.mark.parametrize("change", ["other file", "link", "other text", "gone"])
def test_only_the_file_that_was_read_is_deleted(folder: Path, change: str) -> None:
    file, secret = folder / "bundle.yaml", folder.parent / "outside" / "secret.yaml"
    file.write_text(GOOD)
    with offered_file(folder, "bundle.yaml") as offered:
        if change == "other text":
            file.write_text(GOOD + SECRET)
        else:
            file.rename(folder / "was.yaml")
        if change == "other file":
            file.write_text(GOOD)
        elif change == "link":
            file.symlink_to(secret)
        assert offered.delete() is False
    assert file.exists() == (change != "gone")
    assert secret.read_text() == SECRET


BOMBS = {
    "aliases": "- &a {type: Item, name: x}\n- *a",
    "billion laughs": "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
    "deep": "[" * 100_000,
    "deep attributes": "- {type: Item, name: x, attributes: " + "{a: " * 39 + "1" + "}" * 39 + "}",
    "the same key": "- {type: Item, name: x, name: y}",
    "a merge key": "- {type: Item, <<: {name: x}}",
    "a tag": "- !!python/object/apply:os.system ['true']",
    "a tag on a text": "- {type: Item, name: !!str x}",
    "a huge integer": "- {type: Item, name: x, attributes: {n: " + "9" * 400 + "}}",
    "a number that is none": "- {type: Item, name: x, attributes: {n: .nan}}",
    "two documents": "[]\n---\n[]",
    "control characters": '- {type: Item, name: "a\\0b"}',
    "a lone surrogate": '- {type: Item, name: "\\ud800"}',
    "not a list": "type: Item",
    "nothing": "",
}


def test_a_file_that_could_hide_something_is_refused(memory: Memory, story: StoryMemory) -> None:
    before = everything(memory.place)
    for what, text in BOMBS.items():
        with pytest.raises(BundleInvalid) as refused:
            import_data(memory.call(), story.id, text.encode())
        told = refused.value.details or {}
        assert told["errorCount"] >= 1, what
        assert told["errors"][0]["message"], what
    assert everything(memory.place) == before


ITEMS = b"""\
- {type: Character, name: Ann, attributes: {age: 30, tags: [a, b]}, since: {chapter: 1}}
- type: Item
  name: "Brass Bell"
  description: |
    It rings.
- {type: OWNS, source: {type: Character, name: Ann}, target: {type: Item, name: Brass Bell}}
- {type: Character, action: delete, name: Bob}
"""
SIGNS = rb"""*a|&a |!!int |<<: |{|]|- |'|"|: |~|0x1F|type|delete|name|--- |? |# |99999999999999999999"""
SCRAPS = st.sampled_from([*SIGNS.split(b"|"), b"\n", b"\0", b"\xff", b"\t", b"\xf0\x9f\x92\xa3"])
EDITS = st.lists(
    st.tuples(st.integers(0, len(ITEMS)), st.integers(0, 12), SCRAPS | st.binary(max_size=4)), max_size=6
)


@settings(
    max_examples=examples(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(EDITS)
def test_a_spoilt_file_is_written_whole_or_not_at_all(
    memory: Memory, story: StoryMemory, edits: list[tuple[int, int, bytes]]
) -> None:
    data = ITEMS
    for place, length, scrap in edits:
        data = data[:place] + scrap + data[place + length :]
    before = everything(memory.place)
    try:
        import_data(memory.call(), story.id, data)
    except BundleInvalid:
        assert everything(memory.place) == before
    assert all(report.differing == () for report in memory.audit())


def test_the_file_that_is_spoilt_above_is_right_by_itself(memory: Memory, story: StoryMemory) -> None:
    assert import_data(memory.call(), story.id, ITEMS).edges.created == {"OWNS": 1}
