"""Importing a file of any supported kind into a story or as a new one, or only inspecting it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import Field

from fabula.call import Call
from fabula.errors import FabulaError, InvalidInput
from fabula.formats.books.book_file import book_text
from fabula.formats.folder_names import STORY
from fabula.formats.folder_read import read_folder
from fabula.formats.folder_story import folder_rows
from fabula.formats.lorebooks.opening import read_lore_file
from fabula.formats.lorebooks.png import is_png
from fabula.formats.novel_text import decoded, is_chinese
from fabula.formats.recognition import FileKind, file_kind, lore_entries
from fabula.formats.safe_yaml import read_yaml
from fabula.model.manuscript import word_count
from fabula.model.parsing import parsed
from fabula.model.relation import Language
from fabula.model.wire import Id, Text, Value
from fabula.operations.access import Role, require
from fabula.operations.bundles.bundles import import_data
from fabula.operations.bundles.values import KnowledgeBundleImportResponse
from fabula.operations.import_export.import_folder import import_archive, read_archive
from fabula.operations.import_export.lore_import import LoreWish, import_book
from fabula.operations.lorebook.bulk import (
    ImportEntriesRequest,
    ImportProblem,
    checked_entries,
    import_entries,
)
from fabula.operations.manuscript.novel_import import (
    ChapterPreview,
    ImportNovelRequest,
    begin_novel,
    novel_in,
    preview_of,
)
from fabula.operations.stories import Title, create_story, delete_story, read_story
from fabula.operations.table import StoryRequest, operation

SHOWN = 200
SHOWN_CHAPTERS = 2_000


class ImportFileRequest(Value):
    """A file to import: the story it goes into, or the title of a new story."""

    data: bytes = Field(default=b"", repr=False)

    name: Annotated[Text, Field(max_length=512)] = ""
    story_id: Id | None = None
    title: Title | None = None
    overwrite: bool = False
    dry_run: bool = False


class FileCounts(Value):
    """How much a file contains, or how much was imported; what does not apply is 0."""

    chapters: int = 0
    scenes: int = 0
    words: int = 0
    entities: int = 0
    relations: int = 0
    deleted: int = 0
    entries: int = 0
    skipped: int = 0


class ImportFileResponse(Value):
    """What a file is and what was imported, or with `dryRun` would be.

    `storyId` is null for a dry run that would create a story. `taskId` is the job that reads a novel.
    `problems` are lorebook entries that cannot be imported. `chapters` are those of a novel on trial.

    For a lorebook or card of another program, `format` names it, and its fields are counted by how many
    entries use them: `runs` have an effect here, `ignored` have one only there, and `kept` have none or are
    not known; all of them are kept and written again. `collisions` are keys that the story has already.
    """

    kind: FileKind
    story_id: str | None
    title: str
    is_new: bool
    counts: FileCounts
    problems: tuple[ImportProblem, ...] = ()
    problem_count: int = 0
    chapters: tuple[ChapterPreview, ...] = ()
    encoding: str | None = None
    task_id: str | None = None
    format: str | None = None
    book_id: str | None = None
    runs: dict[str, int] = Field(default_factory=dict)
    ignored: dict[str, int] = Field(default_factory=dict)
    kept: dict[str, int] = Field(default_factory=dict)
    collisions: tuple[str, ...] = ()
    collision_count: int = 0
    dry_run: bool


@operation("import.file", role=None)
def take_file(call: Call, request: ImportFileRequest) -> ImportFileResponse:
    """Import a file of any supported kind, all of it or nothing."""
    data = request.data
    if request.story_id is not None:
        require(call, request.story_id, Role.EDITOR)
    return _TAKERS[file_kind(request.name, data)](call, data, request)


def _novel(call: Call, data: bytes, wish: ImportFileRequest) -> ImportFileResponse:
    if wish.story_id is not None:
        raise InvalidInput(
            "A novel becomes a story of its own.",
            details={"field": "storyId", "reason": "novel_is_a_story"},
            suggestion="Import it as a new story.",
        )
    text, encoding, own_title = book_text(wish.name or "The text", data)
    novel = novel_in(text)
    wished = wish.title or own_title[:256] or None
    counts = FileCounts(
        chapters=len(novel.chapters),
        scenes=sum(len(chapter.scenes) for chapter in novel.chapters),
        words=word_count(text),
    )
    told = {"kind": "novel", "counts": counts, "encoding": encoding, "dry_run": wish.dry_run}
    if wish.dry_run:
        title = wished or novel.title[:256] or _stem(wish.name)
        found = {"title": title, "chapters": preview_of(novel, SHOWN_CHAPTERS)}
        return parsed(ImportFileResponse, {**told, **found, "story_id": None, "is_new": True})
    story = begin_novel(call, parsed(ImportNovelRequest, {"text": text, "title": wished}), _stem(wish.name))
    own = {"story_id": story.story_id, "title": story.title, "is_new": story.is_new}
    return parsed(ImportFileResponse, {**told, **own, "task_id": story.task_id})


def _whole(call: Call, data: bytes, wish: ImportFileRequest) -> ImportFileResponse:
    is_packed = data.startswith(b"PK") or wish.name.lower().endswith(".zip")
    if not is_packed and STORY.encode() not in data:
        raise InvalidInput(
            "This file is no story, lorebook or character card that Fabula knows.",
            details={"field": "data", "reason": "not_known"},
            suggestion="docs/lorebook_formats.md lists what can be read; check that the file is whole.",
        )
    if wish.dry_run:
        told = read_folder(read_archive(data))
        rows = folder_rows(told, "", call.clock.now(), max_attributes=call.limits.max_attribute_keys)
        return ImportFileResponse(
            kind="story",
            story_id=wish.story_id,
            title=told.story.title,
            is_new=wish.story_id is None,
            counts=FileCounts(
                chapters=len({scene.chapter_index for scene in rows.scenes}),
                scenes=len(rows.scenes),
                words=sum(scene.word_count for scene in rows.scenes),
                entities=len(rows.entities),
                relations=len(rows.relations),
                entries=len(rows.entries),
            ),
            dry_run=True,
        )
    done = import_archive(call, data, wish.story_id)
    return ImportFileResponse(
        kind="story",
        story_id=done.story_id,
        title=done.title,
        is_new=wish.story_id is None,
        counts=FileCounts(
            scenes=done.scene_count,
            entities=done.entity_count,
            relations=done.relation_count,
            entries=done.entry_count,
        ),
        dry_run=False,
    )


def _bundle(call: Call, data: bytes, wish: ImportFileRequest) -> ImportFileResponse:
    if wish.dry_run and wish.story_id is None:
        found = read_yaml(data).value
        if not isinstance(found, list):
            raise InvalidInput(
                "A bundle is a list.",
                details={"field": "data", "reason": "bundle_is_no_list"},
                suggestion="Look into the file.",
            )
        return _told("bundle", wish, None, FileCounts(entities=len(found)))

    def take(story_id: str) -> FileCounts:
        return _bundle_counts(import_data(call, story_id, data, dry_run=wish.dry_run))

    story_id, counts = _into_story(call, data, wish, take)
    return _told("bundle", wish, read_story(call, StoryRequest(project_id=story_id)).title, counts, story_id)


def _lorebook(call: Call, data: bytes, wish: ImportFileRequest) -> ImportFileResponse:
    entries = lore_entries(data)
    if entries is None:
        return _book_of_others(call, data, wish)
    said = {"entries": entries, "overwrite_existing": wish.overwrite}
    parsed(ImportEntriesRequest, {**said, "project_id": wish.story_id or ""})
    if wish.dry_run:
        return _lorebook_on_trial(call, entries, wish)
    problems_of: list[ImportProblem] = []

    def take(story_id: str) -> FileCounts:
        done = import_entries(call, parsed(ImportEntriesRequest, {**said, "project_id": story_id}))
        problems_of.extend(done.errors)
        return FileCounts(entries=done.imported, skipped=done.skipped)

    story_id, counts = _into_story(call, data, wish, take)
    return _told(
        "lorebook",
        wish,
        read_story(call, StoryRequest(project_id=story_id)).title,
        counts,
        story_id,
        tuple(problems_of),
    )


def _book_of_others(call: Call, data: bytes, wish: ImportFileRequest) -> ImportFileResponse:
    read = read_lore_file(wish.name, data)
    title = wish.title or (read.card.name if read.card else "") or read.name or _stem(wish.name)
    place = LoreWish(wish.story_id, title, overwrite=wish.overwrite, dry_run=wish.dry_run)
    done = import_book(call, read, place, data if is_png(data) else None)
    is_kept = not wish.dry_run or wish.story_id is not None
    return ImportFileResponse(
        kind="lorebook",
        story_id=done.story_id if is_kept else None,
        title=done.title,
        is_new=wish.story_id is None,
        counts=FileCounts(entries=done.imported, skipped=done.skipped, entities=done.characters),
        problems=done.problems[:SHOWN],
        problem_count=len(done.problems),
        format=read.format,
        book_id=None if wish.dry_run else done.book_id,
        runs=dict(read.counts.runs),
        ignored=dict(read.counts.ignored),
        kept=dict(read.counts.kept),
        collisions=done.collisions[:SHOWN],
        collision_count=len(done.collisions),
        dry_run=wish.dry_run,
    )


def _lorebook_on_trial(call: Call, entries: list[Any], wish: ImportFileRequest) -> ImportFileResponse:
    fit, problems = checked_entries(entries)
    if wish.story_id is None:
        return _told("lorebook", wish, None, FileCounts(entries=len(fit)), None, tuple(problems))
    with call.store.read() as reader:
        title = reader.story(wish.story_id).title
        known = reader.lore.entries_of_keys(wish.story_id, (entry.entry_key for _, entry in fit))
    skipped = 0 if wish.overwrite else len(known)
    counts = FileCounts(entries=len(fit) - skipped, skipped=skipped)
    return _told("lorebook", wish, title, counts, wish.story_id, tuple(problems))


def _into_story(
    call: Call, data: bytes, wish: ImportFileRequest, take: Callable[[str], FileCounts]
) -> tuple[str, FileCounts]:
    """Import a file into the given story, or into a new one that is deleted if the import fails."""
    if wish.story_id is not None:
        return wish.story_id, take(wish.story_id)
    language: Language = "zh" if is_chinese(decoded(data).text) else "en"
    story = create_story(call, title=wish.title or _stem(wish.name), language=language)
    try:
        return story.id, take(story.id)
    except FabulaError:
        delete_story(call, StoryRequest(project_id=story.id))
        raise


def _told(
    kind: FileKind,
    wish: ImportFileRequest,
    title: str | None,
    counts: FileCounts,
    story_id: str | None = None,
    problems: tuple[ImportProblem, ...] = (),
) -> ImportFileResponse:
    return ImportFileResponse(
        kind=kind,
        story_id=story_id,
        title=title or wish.title or _stem(wish.name),
        is_new=wish.story_id is None,
        counts=counts,
        problems=problems[:SHOWN],
        problem_count=len(problems),
        dry_run=wish.dry_run,
    )


def _bundle_counts(done: KnowledgeBundleImportResponse) -> FileCounts:
    return FileCounts(
        entities=sum(done.nodes.upserted.values()),
        relations=sum(done.edges.upserted.values()),
        deleted=sum(done.nodes.deleted.values()) + sum(done.edges.deleted.values()),
    )


def _stem(name: str) -> str:
    return PurePath(name).stem[:256] or "Import"


_TAKERS: dict[FileKind, Callable[[Call, bytes, ImportFileRequest], ImportFileResponse]] = {
    "novel": _novel,
    "story": _whole,
    "bundle": _bundle,
    "lorebook": _lorebook,
}
