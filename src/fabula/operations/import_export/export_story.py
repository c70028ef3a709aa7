"""Exporting a story as a folder, as an archive of it, as a bundle, or its manuscript as a book."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Literal

import orjson

from fabula.call import Call
from fabula.canon.ontology import story_ontology
from fabula.canon.profile_relations import shown_attributes
from fabula.errors import InvalidInput
from fabula.formats.books.write_epub import write_epub
from fabula.formats.books.write_markdown import write_markdown
from fabula.formats.books.write_word import write_word
from fabula.formats.bundle_items import declared_part, edge_item, node_item, typed
from fabula.formats.yaml_text import write_yaml
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.story_ontology import EdgeType, NodeType, Ontology
from fabula.model.wire import Value
from fabula.operations.import_export.bundle_facts import FactExport
from fabula.operations.import_export.manuscript_book import written_book
from fabula.operations.table import StoryRequest, operation
from fabula.projections.folder import Reached, StoryFolder, Written
from fabula.projections.story_files import BATCH, all_files
from fabula.store.export_reader import identities
from fabula.store.reader import Reader

FileFormat = Literal["zip", "json", "bundle", "md", "docx", "epub"]

MEDIA_TYPES: dict[FileFormat, str] = {
    "zip": "application/zip",
    "json": "application/json",
    "bundle": "application/yaml",
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "epub": "application/epub+zip",
}
ENDINGS: dict[FileFormat, str] = {
    "zip": ".zip",
    "json": ".json",
    "bundle": ".bundle.yaml",
    "md": ".md",
    "docx": ".docx",
    "epub": ".epub",
}

_IN_MEMORY = 16 << 20
_BEGINNING_OF_TIME = (1980, 1, 1, 0, 0, 0)


class ExportFolderResponse(Value):
    """How many files of a folder were written, removed, and left unchanged."""

    path: str
    changed: int
    removed: int
    same: int


class ExportFolderRequest(StoryRequest):
    """A story, and the folder to export it to."""

    path: Path
    overwrite: bool = False


@operation("export.folder", role=Role.READER)
def export_folder(call: Call, request: ExportFolderRequest) -> ExportFolderResponse:
    """Export a story to a folder, writing what differs and removing obsolete files of earlier exports."""
    project_id, path, overwrite = request.project_id, request.path, request.overwrite
    try:
        written = _written(call, project_id, StoryFolder(path), overwrite)
    except OSError as error:
        raise InvalidInput(
            f"{error.filename or path}: {error.strerror}.",
            details={"path": str(path)},
            suggestion="Choose a folder that can be written to.",
        ) from error
    return ExportFolderResponse(path=str(path), **written._asdict())


def _written(call: Call, project_id: str, folder: StoryFolder, overwrite: bool) -> Written:
    with call.store.read() as reader:
        reader.story(project_id)
        with folder.locked():
            reader.renew()
            reached = Reached(project_id, *reader.edition(project_id))
            files = all_files(reader, project_id)
            return folder.write(files, reached, is_whole=True, overwrite=overwrite)


class ExportFileRequest(StoryRequest):
    """A story to export as one file: whole, its entities and relations, or the manuscript to read."""

    format: FileFormat = "zip"


@operation("export.file", role=Role.READER)
def export_file(call: Call, request: ExportFileRequest) -> IO[bytes]:
    """Export a story as one file, positioned at its start; a large one is buffered on disk."""
    project_id, form = request.project_id, request.format
    out: IO[bytes] = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
    with call.store.read() as reader:
        reader.story(project_id)
        _WRITERS[form](reader, project_id, out)
    out.seek(0)
    return out


def _zip(reader: Reader, project_id: str, out: IO[bytes]) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in all_files(reader, project_id):
            if data is not None:
                # Reproducible archives: the same story gives the same bytes, without timestamps or
                # permissions.
                entry = zipfile.ZipInfo(path, _BEGINNING_OF_TIME)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                entry.create_system = 3
                archive.writestr(entry, data)


def _json(reader: Reader, project_id: str, out: IO[bytes]) -> None:
    """Write the same files as one JSON object, with texts by path."""
    sign = b"{"
    for path, data in all_files(reader, project_id):
        if data is not None:
            out.write(sign + b"\n" + orjson.dumps(path) + b": " + orjson.dumps(data.decode()))
            sign = b","
    out.write(b"\n}\n")


# Bundles


def _bundle(reader: Reader, project_id: str, out: IO[bytes]) -> None:
    """Write nodes and edges; what the ontology does not cover is counted at the end."""
    writing = _BundleWriting(reader, project_id)
    text = io.TextIOWrapper(out, "utf-8", newline="\n", write_through=True)
    for items in writing.items():
        if items:
            text.write(write_yaml(items))
    if not writing.written:
        text.write("[]\n")
    for what, count in sorted((+writing.left_out).items()):
        text.write(f"# {count} of {what} left out: the ontology has no words for them.\n")
    text.detach()


class _BundleWriting:
    """The items of a bundle, in batches."""

    def __init__(self, reader: Reader, project_id: str) -> None:
        self._reader, self._project_id = reader, project_id
        self._ontology: Ontology = story_ontology(reader, project_id)
        self._ids = [key for key, *_ in identities(reader, project_id)]
        self.left_out: Counter[str] = Counter()
        self.written = 0

    def items(self) -> Iterator[list[dict[str, object]]]:
        """Yield all nodes, then all edges, then what is said of both."""
        for ids in self._parts():
            nodes = [self._node(entity) for entity in self._sorted(ids)]
            yield self._counted(
                [self._worded(node_item(*node), node[1]) for node in nodes if node is not None]
            )
        for ids in self._parts():
            yield self._counted(list(self._edges(ids)))
        facts = FactExport(self._reader, self._project_id, self._ontology, self._ids)
        for items in facts.items():
            yield self._counted(items)
        self.left_out.update(facts.left_out)

    def _parts(self) -> Iterator[list[str]]:
        return (self._ids[start : start + BATCH] for start in range(0, len(self._ids), BATCH))

    def _counted(self, items: list[dict[str, object]]) -> list[dict[str, object]]:
        self.written += len(items)
        return items

    def _worded(self, item: dict[str, object], type_: NodeType | EdgeType) -> dict[str, object]:
        kept, lost = declared_part(item, type_)
        self.left_out.update(f"{name} in the type {type_.name}" for name in lost)
        return kept

    def _sorted(self, ids: list[str]) -> list[Entity]:
        found = self._reader.entities(self._project_id, ids)
        attributes = shown_attributes(self._reader, list(found.values()))
        return [found[key].model_copy(update={"attributes": attributes[key]}) for key in ids]

    def _node(self, entity: Entity) -> tuple[Entity, NodeType] | None:
        node = self._typed(entity)
        if node is None:
            self.left_out[f"the type {entity.type}"] += 1
        return node

    def _typed(self, entity: Entity) -> tuple[Entity, NodeType] | None:
        return typed(entity, self._ontology)

    def _edges(self, ids: list[str]) -> Iterator[dict[str, object]]:
        relations = self._reader.relations_from(self._project_id, ids)
        order = {key: place for place, key in enumerate(self._ids)}
        ends = {relation.target_entity_id for relation in relations} | set(ids)
        found = self._reader.entities(self._project_id, ends)
        for relation in sorted(
            relations,
            key=lambda r: (order[r.source_entity_id], r.relation_type, order[r.target_entity_id], r.id),
        ):
            edge = self._ontology.edge_of_key.get(relation.relation_type)
            source, target = (
                self._typed(found[end]) for end in (relation.source_entity_id, relation.target_entity_id)
            )
            if edge is None or source is None or target is None:
                self.left_out[f"the type {relation.relation_type}"] += 1
            else:
                yield self._worded(edge_item(relation, edge, source, target), edge)


_WRITERS: dict[FileFormat, Callable[[Reader, str, IO[bytes]], None]] = {
    "zip": _zip,
    "json": _json,
    "bundle": _bundle,
    "md": lambda reader, project_id, out: write_markdown(written_book(reader, project_id), out),
    "docx": lambda reader, project_id, out: write_word(written_book(reader, project_id), out),
    "epub": lambda reader, project_id, out: write_epub(written_book(reader, project_id), out),
}
