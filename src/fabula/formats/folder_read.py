"""Parses the files of a story folder, or reports all their errors at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar, cast

from pydantic import ValidationError

from fabula.collector import collector_paused
from fabula.errors import BundleInvalid, FabulaError
from fabula.formats.folder_names import (
    CHAPTER,
    ENTITIES,
    LOREBOOK,
    LOREBOOKS,
    MANUSCRIPT,
    ONTOLOGY,
    PROPOSALS,
    RELATION_TYPES,
    STORY,
    THREADS,
    WAIVERS,
    chapter_path,
    scene_paths,
)
from fabula.formats.folder_shapes import (
    BookFile,
    ChapterFile,
    EntityFile,
    EntryFile,
    ProposalRow,
    RelationTypeRow,
    SceneFile,
    StoryFile,
    WaiverRow,
)
from fabula.formats.folder_threads import ThreadFile
from fabula.formats.ontology_file import read_ontology
from fabula.formats.safe_yaml import YamlReading, read_yaml
from fabula.model.fiction import FICTION
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.model.story_ontology import Ontology
from fabula.model.wire import Value, safe_text

SHOWN_ERRORS = 200

_PLACE = re.compile(rf"{MANUSCRIPT}/[0-9]{{4,10}}/(?:[0-9]{{4,7}}\.(?:md|yaml)|{re.escape(CHAPTER)})")
_NEARLY_A_PLACE = re.compile(rf"{MANUSCRIPT}/[0-9]+/[0-9]+\.(?:md|yaml)")
FieldPath = tuple[int | str, ...]
ShapeT = TypeVar("ShapeT", bound=Value)


class FolderError(NamedTuple):
    """An error in a file of the folder."""

    path: str
    message: str
    line: int | None = None
    suggestion: str | None = None


class FolderShapes(NamedTuple):
    """The parsed content of a whole folder, each part with its path."""

    story: StoryFile
    ontology: Ontology
    definition: str | None
    relation_types: tuple[RelationTypeRow, ...]
    entities: tuple[tuple[str, EntityFile], ...]
    books: tuple[tuple[str, BookFile], ...]
    entries: tuple[tuple[str, EntryFile], ...]
    chapters: Mapping[int, ChapterFile]
    texts: Mapping[tuple[int, int], str]
    scenes: Mapping[tuple[int, int], tuple[str, SceneFile]]
    proposals: tuple[tuple[str, ProposalRow], ...]
    waivers: tuple[WaiverRow, ...]
    threads: tuple[tuple[str, ThreadFile], ...] = ()


def is_part(path: str) -> bool:
    """Whether the file at this path, with `/` as separator, is part of the story."""
    parts = path.split("/")
    if any(part.startswith(".") for part in parts):
        return False
    if len(parts) == 1:
        return path in (STORY, ONTOLOGY, RELATION_TYPES, WAIVERS)
    if parts[0] == MANUSCRIPT:
        return _PLACE.fullmatch(path) is not None
    return parts[0] in (ENTITIES, LOREBOOK, LOREBOOKS, PROPOSALS, THREADS) and path.endswith(".yaml")


def holds_parts(path: str) -> bool:
    """Whether the directory at this path may contain parts of the story."""
    parts = path.split("/")
    is_open = not any(part.startswith(".") for part in parts)
    return is_open and parts[0] in (ENTITIES, LOREBOOK, LOREBOOKS, MANUSCRIPT, PROPOSALS, THREADS)


def misnamed(path: str) -> list[FolderError]:
    """The error of a scene file whose name would keep it from being read."""
    if is_part(path) or _NEARLY_A_PLACE.fullmatch(path) is None:
        return []
    words = "chapters and scenes are numbers of at least four digits"
    return [FolderError(path, words, suggestion=f"Call it like {MANUSCRIPT}/0003/0001.md.")]


def refuse(errors: Iterable[FolderError]) -> None:
    """Raise BundleInvalid with all errors, if there are any."""
    found = sorted(errors, key=lambda error: (error.path, error.line or 0))
    if not found:
        return
    first = found[0]
    where = first.path if first.line is None else f"{first.path}, line {first.line}"
    stop = "" if first.message.endswith((".", "?")) else "."
    rest = f"{stop} And {len(found) - 1:,} more." if len(found) > 1 else ""
    raise BundleInvalid(
        f"{where}: {first.message}{rest}",
        details={"errors": [_as_dict(error) for error in found[:SHOWN_ERRORS]], "errorCount": len(found)},
        suggestion=first.suggestion,
    )


def _as_dict(error: FolderError) -> dict[str, Any]:
    return {key: value for key, value in error._asdict().items() if value is not None}


def read_folder(files: Mapping[str, bytes]) -> FolderShapes:
    """Parse the files of a folder, given by path; BundleInvalid with all errors in them."""
    reading = _Reading()
    with collector_paused():
        for path in sorted(files):
            if is_part(path):
                reading.take(path, files[path])
    return reading.told()


class _Reading:
    """The files parsed so far, and their errors."""

    def __init__(self) -> None:
        self.errors: list[FolderError] = []
        self.story: StoryFile | None = None
        self.ontology = FICTION
        self.definition: str | None = None
        self.types: list[RelationTypeRow] = []
        self.entities: list[tuple[str, EntityFile]] = []
        self.books: list[tuple[str, BookFile]] = []
        self.entries: list[tuple[str, EntryFile]] = []
        self.chapters: dict[int, ChapterFile] = {}
        self.texts: dict[tuple[int, int], str] = {}
        self.scenes: dict[tuple[int, int], tuple[str, SceneFile]] = {}
        self.proposals: list[tuple[str, ProposalRow]] = []
        self.threads: list[tuple[str, ThreadFile]] = []
        self.waivers: list[WaiverRow] = []

    def take(self, path: str, data: bytes) -> None:
        room = path.split("/")[0]
        if path == STORY:
            self.story = self._mapping(StoryFile, path, data)
        elif path == ONTOLOGY:
            self._take_ontology(path, data)
        elif path == RELATION_TYPES:
            self.types = [row for _, row in self._rows(RelationTypeRow, path, data)]
        elif path == WAIVERS:
            self.waivers = [row for _, row in self._rows(WaiverRow, path, data)]
        elif room == ENTITIES:
            self.entities += self._one(path, self._mapping(EntityFile, path, data))
        elif room == LOREBOOKS and path.count("/") == 1:
            self.books += self._one(path, self._mapping(BookFile, path, data))
        elif room in (LOREBOOK, LOREBOOKS):
            self.entries += self._one(path, self._mapping(EntryFile, path, data))
        elif room == THREADS:
            self.threads += self._one(path, self._mapping(ThreadFile, path, data))
        elif room == PROPOSALS:
            self.proposals += self._rows(ProposalRow, path, data)
        else:
            self._take_manuscript(path, data)

    def told(self) -> FolderShapes:
        if self.story is None and not any(error.path == STORY for error in self.errors):
            self.errors.append(
                FolderError(STORY, "is missing", suggestion="Give a folder that `fabula export` made.")
            )
        for place, (path, shape) in self.scenes.items():
            if place not in self.texts and (shape.title or shape.id):
                text_path = path.removesuffix("yaml") + "md"
                self.errors.append(FolderError(text_path, f"is missing, though {path} describes the scene"))
        refuse(self.errors)
        return FolderShapes(
            cast(StoryFile, self.story),
            self.ontology,
            self.definition,
            tuple(self.types),
            tuple(self.entities),
            tuple(self.books),
            tuple(self.entries),
            self.chapters,
            self.texts,
            self.scenes,
            tuple(self.proposals),
            tuple(self.waivers),
            tuple(self.threads),
        )

    @staticmethod
    def _one(path: str, shape: ShapeT | None) -> list[tuple[str, ShapeT]]:
        return [] if shape is None else [(path, shape)]

    def _take_ontology(self, path: str, data: bytes) -> None:
        try:
            self.ontology = read_ontology(data)
            self.definition = data.decode()
        except FabulaError as error:
            self._refused(path, error)
        except UnicodeDecodeError:
            self.errors.append(FolderError(path, "is not UTF-8"))

    def _take_manuscript(self, path: str, data: bytes) -> None:
        _, folder, file = path.split("/")
        stem, _, ending = file.rpartition(".")
        chapter, scene = int(folder), 0 if file == CHAPTER else int(stem)
        if path not in (chapter_path(chapter), *scene_paths(chapter, scene)):
            self.errors.append(FolderError(path, "is written with more zeros than needed"))
        elif chapter > MAX_CHAPTER or scene > MAX_SCENE:
            self.errors.append(FolderError(path, "has a number that is too large for a chapter or scene"))
        elif file == CHAPTER:
            told = self._mapping(ChapterFile, path, data)
            self.chapters |= {} if told is None else {chapter: told}
        elif ending == "md":
            self._take_text(path, (chapter, scene), data)
        else:
            said = self._mapping(SceneFile, path, data)
            self.scenes |= {} if said is None else {(chapter, scene): (path, said)}

    def _take_text(self, path: str, place: tuple[int, int], data: bytes) -> None:
        try:
            text = safe_text(data.decode())
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            self.errors.append(FolderError(path, "is not UTF-8", line))
        except ValueError as error:
            self.errors.append(FolderError(path, str(error)))
        else:
            if len(text) > MAX_SCENE_LENGTH:
                self.errors.append(FolderError(path, f"has more than {MAX_SCENE_LENGTH:,} characters"))
            self.texts[place] = text

    # YAML files

    def _mapping(self, shape: type[ShapeT], path: str, data: bytes) -> ShapeT | None:
        reading = self._read(path, data)
        if reading is None:
            return None
        if not isinstance(reading.value, dict):
            self.errors.append(FolderError(path, "must be a mapping of names to values", 1))
            return None
        return self._shaped(shape, path, reading.value, lambda place: _line_in(data, place))

    def _rows(self, shape: type[ShapeT], path: str, data: bytes) -> list[tuple[str, ShapeT]]:
        reading = self._read(path, data)
        if reading is None:
            return []
        if not isinstance(reading.value, list):
            self.errors.append(FolderError(path, "must be a list", 1))
            return []
        rows: list[tuple[str, ShapeT]] = []
        for index, row in enumerate(reading.value):
            rows += self._one(path, self._shaped(shape, path, row, partial(_line_of_row, reading, index)))
        return rows

    def _read(self, path: str, data: bytes) -> YamlReading | None:
        try:
            return read_yaml(data)
        except FabulaError as error:
            self._refused(path, error)
            return None

    def _refused(self, path: str, error: FabulaError) -> None:
        line = (error.details or {}).get("line")
        self.errors.append(FolderError(path, error.message, line, error.suggestion))

    def _shaped(
        self, shape: type[ShapeT], path: str, value: Any, line_of: Callable[[FieldPath], int | None]
    ) -> ShapeT | None:
        try:
            return shape.model_validate(value)
        except ValidationError as error:
            for problem in error.errors(include_input=False, include_url=False, include_context=False):
                place = problem["loc"]
                message = problem["msg"].removeprefix("Value error, ")
                self.errors.append(FolderError(path, f"{_spelt(place)}: {message}", line_of(place)))
            return None


def _line_of_row(reading: YamlReading, index: int, _: FieldPath) -> int | None:
    return reading.line(index)


def _spelt(place: FieldPath) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "all of it"


def _line_in(data: bytes, place: FieldPath) -> int | None:
    """The line of a field, if the file has the layout of an export; else that of the key above it."""
    lines = data.decode("utf-8-sig").split("\n")
    number = 0
    for depth, step in enumerate(place[:2]):
        indent = "  " * depth
        if isinstance(step, int):
            rows = [n for n in range(number, len(lines)) if lines[n].startswith(f"{indent}- ")]
            found = rows[step] + 1 if step < len(rows) else 0
        else:
            head = f"{indent}{step}:"
            found = next((n + 1 for n in range(number, len(lines)) if lines[n].startswith(head)), 0)
        if not found:
            break
        number = found
    return number or None
