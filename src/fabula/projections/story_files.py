"""The files of a story folder, built from its rows: all of them, or those affected by changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from fabula.formats.folder_names import book_path, entity_path, entry_path, thread_path
from fabula.formats.folder_threads import thread_file
from fabula.formats.folder_waivers import waivers_file
from fabula.formats.folder_write import (
    Dossier,
    File,
    Known,
    book_file,
    chapter_file,
    entity_file,
    entry_file,
    git_file,
    ontology_file,
    proposals_file,
    relation_types_file,
    scene_files,
    story_file,
)
from fabula.formats.ontology_file import read_ontology
from fabula.model.book import OWN_BOOK
from fabula.model.fiction import FICTION
from fabula.model.participation import Participation
from fabula.model.reveal import Reveal
from fabula.store import kinds
from fabula.store.changes import Changes
from fabula.store.event_reader import roles_by_event
from fabula.store.export_reader import (
    custom_entries,
    identities,
    places,
    proposal_chapters,
    proposals_from,
    titled_chapters,
)
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind

BATCH = 500
# Beyond this many changes, writing everything is faster than following the log.
FOLLOWED_CHANGES = 5_000

Image = dict[str, Any]


def all_files(reader: Reader, project_id: str) -> Iterator[File]:
    """Yield every file of a story, reading in batches to bound memory use."""
    everybody = {key: Known(kind, name) for key, kind, name in identities(reader, project_id)}
    yield git_file()
    yield from _of_the_story(reader, project_id)
    ids = list(everybody)
    for start in range(0, len(ids), BATCH):
        yield from _entity_files(reader, project_id, ids[start : start + BATCH], everybody)
    yield waivers_file(reader.waivers.all_of(project_id))
    yield from map(book_file, reader.books.all_of(project_id))
    yield from map(entry_file, custom_entries(reader, project_id))
    yield from map(thread_file, reader.threads.all_of(project_id))
    for chapter in titled_chapters(reader, project_id):
        yield chapter_file(chapter, reader.manuscript.chapter(project_id, chapter))
    for place in places(reader, project_id):
        yield from _scene(reader, project_id, place)
    for number in proposal_chapters(reader, project_id):
        yield proposals_file(number, proposals_from(reader, project_id, number))


def files_for(changes: Changes) -> list[File] | None:
    """Return the files affected by the changes; None if all are."""
    concerned = _Concerned()
    for kind, row_id, *images in changes.images(FOLLOWED):
        before, after = (None if image is None else orjson.loads(image) for image in images)
        _TAKEN[kind](concerned, row_id, before, after)
    return None if concerned.everybody else _files_of(changes.reader, changes.story, concerned)


@dataclass
class _Concerned:
    """What the changes affect: rows that appear in files, and their former paths."""

    gone: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)
    books: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)
    threads: set[str] = field(default_factory=set)
    chapters: set[int] = field(default_factory=set)
    places: set[tuple[int, int]] = field(default_factory=set)
    proposals: set[int | None] = field(default_factory=set)
    scenes: set[str] = field(default_factory=set)
    story: bool = False
    waivers: bool = False
    everybody: bool = False

    def take_entity(self, row_id: str, before: Image | None, after: Image | None) -> None:
        """Note an entity, which has a file and whose name appears in others."""
        self.entities.add(row_id)
        if before is None:
            return
        self.gone.add(entity_path(before["type"], before["name"]))
        if after is not None and (before["type"], before["name"]) != (after["type"], after["name"]):
            self.renamed.add(row_id)

    def take_book(self, row_id: str, *images: Image | None) -> None:
        """Note a lorebook, which has a file."""
        self.books.add(row_id)
        self.gone.add(book_path(row_id))

    def take_entry(self, row_id: str, *images: Image | None) -> None:
        """Note an entry, which has a file or is part of its entity's file."""
        for image in filter(None, images):
            if image["entity_id"] is None:
                self.entries.add(row_id)
                self.gone.add(entry_path(image["entry_key"], image.get("book_id", OWN_BOOK)))
            else:
                self.entities.add(image["entity_id"])

    def take_thread(self, row_id: str, *images: Image | None) -> None:
        """Note a thread, which has a file."""
        self.threads.add(row_id)
        self.gone.add(thread_path(row_id))

    def take_story(self, row_id: str, *images: Image | None) -> None:
        """Note the story or its relation types, which have files of their own."""
        self.story = True

    def take_waiver(self, row_id: str, *images: Image | None) -> None:
        """Note a waiver, which is in a file with the others."""
        self.waivers = True

    def take_ontology(self, row_id: str, *images: Image | None) -> None:
        """Note the ontology, whose types affect every entity's file."""
        self.everybody = True

    def take_event(self, row_id: str, *images: Image | None) -> None:
        """Note an event, which is part of its entity's file."""
        self.entities.add(row_id)

    def take_chapter(self, row_id: str, *images: Image | None) -> None:
        """Note a chapter, which has a file."""
        self.chapters.update(image["chapter_index"] for image in filter(None, images))

    def take_scene(self, row_id: str, *images: Image | None) -> None:
        """Note a scene or its snapshot, which have files."""
        self.places.update((image["chapter_index"], image["scene_index"]) for image in filter(None, images))

    def take_proposal(self, row_id: str, *images: Image | None) -> None:
        """Note a proposal, which is in the file of its chapter."""
        self.proposals.update(image["chapter_index"] for image in filter(None, images))

    def take_evidence(self, row_id: str, *images: Image | None) -> None:
        """Note evidence, which is in the file of its scene."""
        self.scenes.update(image["scene_id"] for image in filter(None, images))


_Take = Callable[[_Concerned, str, Image | None, Image | None], None]


def _owned_through(column: str) -> _Take:
    """Return a function that notes the entity named in this column."""

    def take(concerned: _Concerned, row_id: str, *images: Image | None) -> None:
        concerned.entities.update(image[column] for image in filter(None, images))

    return take


_TAKEN: dict[RowKind, _Take] = {
    kinds.ENTITY: _Concerned.take_entity,
    kinds.STORY: _Concerned.take_story,
    kinds.RELATION_TYPE: _Concerned.take_story,
    kinds.ONTOLOGY: _Concerned.take_ontology,
    kinds.BOOK: _Concerned.take_book,
    kinds.ENTRY: _Concerned.take_entry,
    kinds.EVENT: _Concerned.take_event,
    kinds.STATE: _owned_through("entity_id"),
    kinds.RELATION: _owned_through("source_entity_id"),
    kinds.PENDING_RELATION: _owned_through("source_entity_id"),
    kinds.EVENT_ROLE: _owned_through("event_id"),
    kinds.CHAPTER: _Concerned.take_chapter,
    kinds.SCENE: _Concerned.take_scene,
    kinds.SNAPSHOT: _Concerned.take_scene,
    kinds.PROPOSAL: _Concerned.take_proposal,
    kinds.EVIDENCE: _Concerned.take_evidence,
    kinds.KNOWING: _owned_through("knower_id"),
    kinds.THREAD: _Concerned.take_thread,
    kinds.WAIVER: _Concerned.take_waiver,
    kinds.REVEAL: _owned_through("first_entity_id"),
}
FOLLOWED = frozenset(_TAKEN)


def _files_of(reader: Reader, project_id: str, concerned: _Concerned) -> list[File]:
    files = dict.fromkeys(concerned.gone)
    ids = concerned.entities | _referring(reader, project_id, concerned.renamed)
    found: list[File] = []
    if ids:
        living = [key for key, *_ in identities(reader, project_id, ids)]
        found += _entity_files(reader, project_id, living, None)
    books = reader.books.all_of(project_id) if concerned.books else ()
    found += [book_file(book) for book in books if book.id in concerned.books]
    threads = reader.threads.all_of(project_id) if concerned.threads else ()
    found += [thread_file(thread) for thread in threads if thread.id in concerned.threads]
    kept = reader.lore.entries(project_id, concerned.entries) if concerned.entries else {}
    found += [entry_file(entry) for entry in kept.values() if entry.entity_id is None]
    found += _of_the_story(reader, project_id) if concerned.story else ()
    found += [waivers_file(reader.waivers.all_of(project_id))] if concerned.waivers else []
    for chapter in concerned.chapters:
        found.append(chapter_file(chapter, reader.manuscript.chapter(project_id, chapter)))
    for place in concerned.places | _places_of(reader, project_id, concerned.scenes):
        found += _scene(reader, project_id, place)
    for number in concerned.proposals:
        found.append(proposals_file(number, proposals_from(reader, project_id, number)))
    files |= {file.path: file.data for file in found}
    return [File(path, data) for path, data in files.items()]


def _places_of(reader: Reader, project_id: str, scenes: Collection[str]) -> set[tuple[int, int]]:
    """Return where these scenes stand now."""
    found = (reader.manuscript.scene_of_id(project_id, scene_id) for scene_id in sorted(scenes))
    return {(scene.chapter_index, scene.scene_index) for scene in found if scene is not None}


def _referring(reader: Reader, project_id: str, renamed: Collection[str]) -> set[str]:
    """Return the entities whose files mention the renamed ones."""
    if not renamed:
        return set()
    related = {relation.source_entity_id for relation in reader.relations_of(project_id, renamed)}
    joined = {reveal.entity_ids[0] for reveal in reader.reveals.of_entities(project_id, renamed)}
    return related | joined | reader.events.event_ids_of(project_id, renamed)


def _of_the_story(reader: Reader, project_id: str) -> list[File]:
    ontology = reader.ontology(project_id)
    return [
        story_file(reader.story(project_id)),
        ontology_file(None if ontology is None else ontology.definition),
        relation_types_file(reader.relation_types(project_id)),
    ]


def _scene(reader: Reader, project_id: str, place: tuple[int, int]) -> tuple[File, File]:
    told = reader.manuscript.scene(project_id, *place)
    evidence = () if told is None else reader.evidence.of_scenes(project_id, [told.id])
    return scene_files(*place, told, reader.manuscript.snapshot(project_id, *place), evidence)


def _entity_files(
    reader: Reader, project_id: str, ids: Sequence[str], everybody: dict[str, Known] | None
) -> list[File]:
    dossiers = _dossiers(reader, project_id, ids)
    known = _named_in(reader, project_id, dossiers) if everybody is None else everybody
    listed = _listed_types(reader, project_id)
    return [entity_file(dossier, known, listed) for dossier in dossiers]


def _listed_types(reader: Reader, project_id: str) -> frozenset[str]:
    ontology = reader.ontology(project_id)
    types = FICTION if ontology is None else read_ontology(ontology.definition.encode())
    return frozenset(types.node_of_key)


def _named_in(reader: Reader, project_id: str, dossiers: Iterable[Dossier]) -> dict[str, Known]:
    ids = {relation.target_entity_id for dossier in dossiers for relation in dossier.relations}
    ids |= {reveal.entity_ids[1] for dossier in dossiers for reveal in dossier.reveals}
    ids |= {role.entity_id for dossier in dossiers for role in dossier.roles if role.entity_id is not None}
    return {key: Known(kind, name) for key, kind, name in identities(reader, project_id, ids)}


def _dossiers(reader: Reader, project_id: str, ids: Sequence[str]) -> list[Dossier]:
    entities = reader.entities(project_id, ids)
    entries = reader.lore.entries_of(project_id, ids)
    states = _grouped(reader.states_of(project_id, ids), "entity_id")
    # Participations are in the event's file.
    told = (one for one in reader.relations_from(project_id, ids) if not isinstance(one, Participation))
    relations = _grouped(told, "source_entity_id")
    events = reader.events.rows(project_id, ids)
    roles = roles_by_event(reader.events.roles(project_id, ids))
    waiting = _grouped(reader.events.pending_of(project_id, ids), "source_entity_id")
    knowings = _grouped(reader.knowings.of_knowers(project_id, ids), "knower_id")
    reveals: dict[str, list[Reveal]] = {}
    for reveal in reader.reveals.of_entities(project_id, ids):
        reveals.setdefault(reveal.entity_ids[0], []).append(reveal)
    return [
        Dossier(
            entities[key],
            entries.get(key),
            tuple(states.get(key, ())),
            tuple(relations.get(key, ())),
            events.get(key),
            tuple(roles.get(key, ())),
            tuple(waiting.get(key, ())),
            tuple(knowings.get(key, ())),
            tuple(sorted(reveals.get(key, ()), key=lambda one: one.id)),
        )
        for key in ids
        if key in entities
    ]


def _grouped(rows: Iterable[Any], owner: str) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(getattr(row, owner), []).append(row)
    return groups
