"""Importing a whole story from a folder or an archive, in one step or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import orjson

from fabula.call import Call
from fabula.canon.ontology import save as save_ontology
from fabula.canon.step import Step, write
from fabula.canon.story import new_story
from fabula.errors import Conflict, InvalidInput
from fabula.formats.books.archive import MAX_FILE_BYTES, ReadLimits, entry_problems, opened
from fabula.formats.folder_names import STORY
from fabula.formats.folder_read import FolderError, holds_parts, is_part, misnamed, read_folder, refuse
from fabula.formats.folder_rows import FolderRows
from fabula.formats.folder_shapes import StoryFile
from fabula.formats.folder_story import folder_rows
from fabula.model.wire import Value
from fabula.store.export_reader import is_empty

_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)

Files = Mapping[str, bytes]


class ImportArchiveResponse(Value):
    """The imported story."""

    story_id: str
    title: str
    revision: int
    entity_count: int
    relation_count: int
    entry_count: int
    scene_count: int
    proposal_count: int


def import_story(
    call: Call, files: Files, project_id: str | None = None, title: str | None = None
) -> ImportArchiveResponse:
    """Import a folder's files as a new story, or into an empty one; Conflict if it is not empty.

    With a title, the story gets that instead of its own.
    """
    told = read_folder(files)
    story_id = project_id or call.clock.new_id()
    rows = folder_rows(told, story_id, call.clock.now(), max_attributes=call.limits.max_attribute_keys)
    own, definition = told.story, told.definition
    if title is not None:
        own = own.model_copy(update={"title": title})
    del told  # so that a large story is in memory only once

    begin = partial(new_story, call, story_id, title=own.title, language=own.language, settings=own.settings)

    def work(step: Step) -> None:
        _refuse_full(step)
        _fill(step, own, definition, rows)

    write(call, story_id, "story:import", work, begin=None if project_id else begin)
    with call.store.read() as reader:
        story = reader.story(story_id)
    return ImportArchiveResponse(
        story_id=story.id,
        title=story.title,
        revision=story.revision,
        entity_count=story.entity_count,
        relation_count=story.relation_count,
        entry_count=len(rows.entries),
        scene_count=len(rows.scenes),
        proposal_count=len(rows.proposals),
    )


def import_archive(call: Call, data: bytes, project_id: str | None = None) -> ImportArchiveResponse:
    """Import a story from a ZIP archive, or from an export in JSON."""
    return import_story(call, read_archive(data), project_id)


def _refuse_full(step: Step) -> None:
    if not is_empty(step, step.project_id):
        raise Conflict(
            "A folder can be imported into an empty story only, and this one is not.",
            details={"projectId": step.project_id},
            suggestion="Import it as a new story.",
        )


def _fill(step: Step, own: StoryFile, definition: str | None, rows: FolderRows) -> None:
    before = step.story(step.project_id)
    after = before.model_copy(update={"title": own.title, "language": own.language, "settings": own.settings})
    if after != before:
        step.replace([(before, after)])
    step.remove(step.relation_types(step.project_id))
    if definition is not None:
        save_ontology(step, None, definition)
    for values in rows:
        step.add(values)


# Files from elsewhere


def read_source(source: Path) -> dict[str, bytes]:
    """Return the files of a story from a folder or an archive."""
    if source.is_dir():
        return read_folder_files(source)
    try:
        return read_archive(source.read_bytes())
    except OSError as error:
        raise InvalidInput(f"{source}: {error.strerror}.", suggestion="Name a folder or a file.") from error


def read_folder_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a story below a folder, without following links and within the size limits."""
    if not (folder / STORY).is_file():
        raise InvalidInput(
            f"{folder} is no folder of a story: it has no {STORY}.",
            details={"path": str(folder)},
            suggestion="Give a folder that `fabula export` made.",
        )
    counting, files, errors = ReadLimits(), dict[str, bytes](), list[FolderError]()
    for path in _walk(folder):
        name = path.relative_to(folder).as_posix()
        if not is_part(name) and not (path.is_symlink() and holds_parts(name)):
            errors += misnamed(name)
            continue
        if not stat.S_ISREG(path.lstat().st_mode):
            errors.append(FolderError(name, "is a link or no plain file"))
            continue
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW)
        with open(handle, "rb") as file:
            files[name] = counting.take(name, file.read(MAX_FILE_BYTES + 1))
    refuse(errors)
    return files


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if (Path(root) / name).is_symlink()]
        yield from (Path(root) / name for name in sorted([*names, *links]))


def read_archive(data: bytes) -> dict[str, bytes]:
    """Return the files of a story from a ZIP archive, or from an export in JSON."""
    return _from_json(data) if data.lstrip()[:1] == b"{" else _from_zip(data)


def _from_json(data: bytes) -> dict[str, bytes]:
    try:
        told = orjson.loads(data)
    except ValueError:
        raise _no_archive() from None
    if not all(isinstance(text, str) for text in told.values()):
        raise _no_archive()
    refuse(error for path in told for error in misnamed(path))
    counting = ReadLimits()
    return {path: counting.take(path, text.encode()) for path, text in told.items() if is_part(path)}


def _from_zip(data: bytes) -> dict[str, bytes]:
    with opened(data, _no_archive) as archive:
        errors = (FolderError(e.filename, problem) for e in archive.entries for problem in entry_problems(e))
        refuse(errors)
        root = _root(archive.names)
        refuse(error for name in archive.names for error in misnamed(name.removeprefix(root)))
        files: dict[str, bytes] = {}
        for entry in archive.entries:
            name = entry.filename.removeprefix(root)
            if not entry.filename.startswith(root) or not is_part(name):
                continue
            if name in files:
                refuse([FolderError(name, "stands twice in the archive")])
            files[name] = archive.read(entry)
        return files


def _root(names: list[str]) -> str:
    """Return the folder inside an archive that contains the story; people often pack the folder itself."""
    if STORY in names:
        return ""
    roots = [
        name.removesuffix(STORY) for name in names if name.endswith(f"/{STORY}") and name.count("/") == 1
    ]
    return roots[0] if len(roots) == 1 else ""


def _no_archive() -> InvalidInput:
    return InvalidInput(
        "This is no archive of a story that can be read.",
        suggestion="Send a ZIP archive of a folder that `fabula export` made.",
    )
