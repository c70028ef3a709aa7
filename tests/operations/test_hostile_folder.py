"""Folders and archives from elsewhere: all that is wrong is told at once, and nothing of it is written."""

from __future__ import annotations

import io
import json
import os
import stat
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import BundleInvalid, FabulaError, InvalidInput, PayloadTooLarge
from fabula.formats.books import archive
from fabula.memory import Memory
from fabula.operations.import_export.import_folder import (
    import_archive,
    import_story,
    read_archive,
    read_folder_files,
)

STORY = "fabula: 1\ntitle: 海\nlanguage: zh\n"
LIN = "type: character\nname: 林远\n"
JIA = "type: item\nname: 甲\n"
X, Y = "entities__x.yaml", "entities__y.yaml"
WAITING = "  - {type: ally, to: 林远, id: r}\n"
TO_LIN = "  - {type: ally, to: character/林远}\n"


def _files(**changed: str) -> dict[str, bytes]:
    """A small folder with some files changed; a path has __ for /."""
    files = {"story.yaml": STORY, "entities/character/林远.yaml": LIN}
    files |= {path.replace("__", "/"): text for path, text in changed.items()}
    return {path: text.encode() for path, text in files.items()}


def _errors(memory: Memory, files: dict[str, bytes]) -> list[dict[str, Any]]:
    before = memory.stories()
    with pytest.raises(BundleInvalid) as refusal:
        import_story(memory.call(), files)
    assert memory.stories() == before
    details = refusal.value.details or {}
    assert details["errorCount"] == len(details["errors"])
    found: list[dict[str, Any]] = details["errors"]
    return found


def test_all_that_is_wrong_is_told_at_once_with_its_place(memory: Memory) -> None:
    files = _files(
        **{
            "story.yaml": "fabula: 1\ntitle: 海\nlanguage: fr\n",
            "entities__a.yaml": JIA + "relations:\n  - {type: ally, to: item/乙}\n  - {type: ally}\n",
            "entities__b.yaml": "type: item\nname: [\n",
            "lorebook__c.yaml": "key: 键\ncontent: 文\npriority: high\n",
            "manuscript__00000__0000.md": "",
            "relation-types.yaml": "- {key: ally, label: 盟友}\n- {label: 无}\n",
        }
    )
    places = {(error["path"], error.get("line")) for error in _errors(memory, files)}
    assert places >= {
        ("story.yaml", 3),
        ("entities/a.yaml", 5),
        ("lorebook/c.yaml", 3),
        ("manuscript/00000/0000.md", None),
        ("relation-types.yaml", 2),
    }
    assert any(path == "entities/b.yaml" and line for path, line in places)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({X: LIN}, "another character named"),
        ({X: "type: charcter\nname: 甲\n"}, "is not an entity type"),
        ({X: JIA + "relations:\n  - {type: ally, to: item/乙}\n"}, "no 'item/乙'"),
        ({X: JIA + "relations:\n  - {type: ally, to: item/甲}\n"}, "two different"),
        ({X: JIA + "relations:\n" + TO_LIN + TO_LIN.replace("ally", "盟友")}, "appears twice"),
        ({X: JIA + "roles:\n  - {entity: character/林远}\n"}, "are for events"),
        ({X: "type: event\nname: 甲\nroles:\n  - {entity: event/甲}\n"}, "take part in itself"),
        ({X: JIA + "since: {chapter: 2}\nuntil: {chapter: 1}\n"}, "before since"),
        ({X: JIA + "id: i\n", Y: "type: item\nname: 乙\nid: i\n"}, "taken"),
        ({X: JIA + "relations:\n" + TO_LIN.replace("}", ", id: r}") + "waiting:\n" + WAITING}, "taken"),
        ({X: JIA + "attributes: {" + ", ".join(f"a{n}: 1" for n in range(201)) + "}\n"}, "200 are allowed"),
        ({"lorebook__x.yaml": "key: 键\ncontent: ' '\n"}, "blank"),
        ({"lorebook__x.yaml": "key: A\ncontent: 一\n", "lorebook__y.yaml": "key: a\ncontent: 二\n"}, "taken"),
        ({"manuscript__0000__0000.yaml": "title: 起\n"}, "is missing"),
        ({"ontology.yaml": "nodes: 1\n"}, "ontology"),
        ({X: "a: &x 1\nb: *x\n"}, "anchor"),
        ({X: JIA + "attributes: " + "{a: " * 60 + "1" + "}" * 60}, "deep"),
    ],
)
def test_what_does_not_fit_together_is_refused(memory: Memory, changed: dict[str, str], message: str) -> None:
    told = _errors(memory, _files(**changed))
    assert any(message in error["message"] for error in told), told


def test_a_folder_without_a_story_is_refused(memory: Memory, tmp_path: Path) -> None:
    assert _errors(memory, {"entities/a.yaml": LIN.encode()})[0]["path"] == "story.yaml"
    with pytest.raises(InvalidInput):
        read_folder_files(tmp_path)


def test_files_of_others_are_no_part_of_the_story(memory: Memory) -> None:
    files = _files(**{"README.md": "%", "notes__a.yaml": "[", ".git__config": "x", "entities__.a.yaml": "["})
    assert import_story(memory.call(), files).entity_count == 1


def test_a_hand_made_folder_needs_no_ids(memory: Memory) -> None:
    files = _files(
        **{
            "entities__any name.yaml": "type: character\nname: 苏晚\nrelations:\n" + TO_LIN,
            "manuscript__0000__0000.md": "雾。",
        }
    )
    first, second = (import_story(memory.call(), files) for _ in range(2))
    assert (first.relation_count, first.scene_count) == (1, 1)
    assert first.story_id != second.story_id


def test_links_are_not_followed(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(LIN)
    (tmp_path / "folder/entities").mkdir(parents=True)
    (tmp_path / "folder/story.yaml").write_text(STORY)
    (tmp_path / "folder/entities/a.yaml").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "folder/entities/b.yaml")
    with pytest.raises(BundleInvalid) as refusal:
        read_folder_files(tmp_path / "folder")
    assert [error["path"] for error in (refusal.value.details or {})["errors"]] == [
        "entities/a.yaml",
        "entities/b.yaml",
    ]


# Archives


def _zip(entries: dict[str, bytes], mode: int = stat.S_IFREG | 0o644) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return out.getvalue()


def test_the_folder_itself_may_be_packed(memory: Memory) -> None:
    packed = {f"海/{path}": data for path, data in _files().items()} | {"__MACOSX/海/._story.yaml": b"x"}
    assert import_archive(memory.call(), _zip(packed)).entity_count == 1


@pytest.mark.parametrize("folder", ["manuscript", "entities/character"])
def test_a_link_to_a_folder_is_refused_and_not_passed_over(tmp_path: Path, folder: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    place = tmp_path / "story" / folder
    place.parent.mkdir(parents=True)
    (tmp_path / "story" / "story.yaml").write_text(STORY, "utf-8")
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BundleInvalid, match=f"{folder}: is a link"):
        read_folder_files(tmp_path / "story")


@pytest.mark.parametrize("name", ["manuscript/1/0001.md", "manuscript/0001/1.md", "manuscript/0001/1.yaml"])
def test_a_scene_that_would_not_be_read_is_refused(tmp_path: Path, name: str) -> None:
    files = {"story.yaml": STORY.encode(), name: b"Text.", "manuscript/0001/notes.md": b"Mine."}
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for path, data in files.items():
            packed.writestr(path, data)
    told = json.dumps({path: data.decode() for path, data in files.items()}).encode()
    with pytest.raises(BundleInvalid, match=f"{name}: .* four digits") as refused:
        read_folder_files(tmp_path)
    assert (refused.value.details or {})["errorCount"] == 1
    for data in (archive.getvalue(), told):
        with pytest.raises(BundleInvalid, match=f"{name}: .* four digits"):
            read_archive(data)


@pytest.mark.parametrize("name", ["../x.yaml", "/etc/x", "a/../../x", "C:/x", "a\\..\\x"])
def test_ways_out_of_the_folder_are_refused(memory: Memory, name: str) -> None:
    data = _zip(_files() | {name: b"x"}).replace(b"a/../../x".replace(b"/", b"\\"), b"a/../../x")
    with pytest.raises(BundleInvalid):
        import_archive(memory.call(), data)


def test_links_in_an_archive_are_refused(memory: Memory) -> None:
    with pytest.raises(BundleInvalid):
        import_archive(memory.call(), _zip(_files(), stat.S_IFLNK | 0o777))


def test_an_archive_that_grows_without_measure_is_refused(memory: Memory) -> None:
    bomb = _zip(_files() | {"manuscript/0000/0000.md": b"\n" * (20 << 20)})
    assert len(bomb) < 100_000
    with pytest.raises(PayloadTooLarge):
        import_archive(memory.call(), bomb)


def test_a_file_that_is_too_large_is_refused(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILE_BYTES", 100)
    with pytest.raises(PayloadTooLarge):
        import_archive(memory.call(), _zip(_files(**{"entities__a.yaml": "#" * 101})))
    monkeypatch.setattr(archive, "MAX_FILES", 1)
    with pytest.raises(PayloadTooLarge):
        import_archive(memory.call(), _zip(_files()))


@settings(max_examples=examples(60))
@given(cut=st.integers(0, 600), byte=st.integers(0, 255), keep=st.booleans(), junk=st.binary(max_size=40))
def test_a_broken_archive_is_refused(cut: int, byte: int, keep: bool, junk: bytes) -> None:
    whole = bytearray(_zip(_files()))
    whole[cut % len(whole)] = byte
    for data in (bytes(whole), bytes(whole)[: None if keep else cut], junk, b"{" + junk):
        # What is not refused is what was packed: a changed byte may be one that says nothing.
        with suppress(FabulaError):
            assert set(read_archive(data)) <= set(_files())


def test_a_file_without_a_name_makes_no_archive() -> None:
    with pytest.raises(InvalidInput, match="no archive"):
        read_archive(_zip({"story.yaml": STORY.encode(), "": b"x"}))
