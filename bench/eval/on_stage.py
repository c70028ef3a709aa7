"""Who is on stage in each chapter of a novel, against hand-made lists of who meets whom.

Once with the names of the list given, once as a user would have it: the novel is imported without any lore,
and the snapshots of its scenes say who is there. P, R and F1 count pairs of chapter and character. A person
of the story is the one of the list who shares most of their names with them. The rules were made on the odd
chapters of both novels; the later ones for whoever is called by name were chosen with both halves in view.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bench.eval.graphbase import Cast, agreement_row, cast_world, read_cast
from bench.eval.presence import on_stage, presences_in
from bench.eval.product_story import WORDS, opened, story_file
from bench.eval.table import DATA, Row, no_data, show
from fabula.extraction.port import KnownEntity
from fabula.formats.books.book_file import book_text, folder_book
from fabula.formats.novel import Novel
from fabula.matching.implied import implied_names
from fabula.model.names import name_key
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, import_novel, novel_in
from fabula.operations.proposals.extractors import known_names

_CHAPTER = re.compile(r"\bCHAPTER [IVXLC]+")


class CastNovel(NamedTuple):
    """A novel with its cast, and which of its chapters stands for which of the list."""

    title: str
    text: str
    cast: Cast
    places: dict[int, int]
    chapters: Novel


def novels() -> Iterator[CastNovel]:
    """The novels that are there."""
    lists, texts = DATA / "graphbase", DATA / "english_novels"
    files = {file.name: file.read_bytes() for file in (texts / "anna_karenina_chapters").glob("*.txt")}
    if files and (lists / "anna.dat").exists():
        text = folder_book(files).text
        novel = novel_in(text)
        places = {place: place for place in range(len(novel.chapters))}
        yield CastNovel("Anna Karenina", text, read_cast(lists / "anna.dat"), places, novel)
    file = texts / "les_miserables" / "les_miserables.txt"
    if file.exists() and (lists / "jean.dat").exists():
        text = book_text(file.name, file.read_bytes()).text
        cast, novel = read_cast(lists / "jean.dat"), novel_in(text)
        yield CastNovel("Les Misérables", text, cast, _numbered(novel, cast), novel)


def _numbered(novel: Novel, cast: Cast) -> dict[int, int]:
    """The chapters by volume, book and chapter, as the list counts them."""
    numbers = {number: place for place, number in enumerate(cast.numbers)}
    volume = book = chapter = 0
    places = {}
    for index, one in enumerate(novel.chapters):
        if one.title.startswith("VOLUME"):
            volume, book = volume + 1, 0
        if re.search(r"\bBOOK [A-Z]+\b", one.title):
            book, chapter = book + 1, 0
        if _CHAPTER.search(one.title):
            chapter += 1
            if (place := numbers.get(f"{volume}.{book}.{chapter}")) is not None:
                places[index] = place
    return places


def report(quick: bool) -> dict[str, list[Row]]:
    """Measure and print; the quick way leaves out what is imported."""
    told = {}
    for novel in novels():
        told[novel.title] = [*_given(novel), *([] if quick else _imported(novel))]
        show(f"{novel.title}: who is on stage in a chapter", told[novel.title])
    return told or {"": no_data("on_stage", DATA)}


def _given(novel: CastNovel) -> Iterator[Row]:
    world = cast_world(novel.cast, implied=True)
    texts = {
        place: "\n".join(scene.text for scene in novel.chapters.chapters[index].scenes)
        for index, place in novel.places.items()
    }
    everybody = world.everybody()
    named = {place: set(presences_in(world, text, everybody)) for place, text in texts.items()}
    yield from _rows("names given: everybody named", named, novel.cast)
    yield from _rows(
        "names given: on stage", {p: on_stage(world, t, everybody) for p, t in texts.items()}, novel.cast
    )


def _rows(name: str, found: dict[int, set[int]], cast: Cast) -> Iterator[Row]:
    places = sorted(found)
    for half, own in (("", places), (", odd half", places[::2]), (", even half", places[1::2])):
        yield agreement_row(f"{name}{half}", [found[p] for p in own], [cast.chapters[p] for p in own])


def _imported(novel: CastNovel) -> Iterator[Row]:
    with story_file() as file, opened(file, WORDS) as memory:
        call = memory.call()
        story = import_novel(call, ImportNovelRequest(text=novel.text, title=novel.title))
        call.jobs.do(call, KIND, story.story_id, "", "", lambda share, message: None)
        with call.store.read() as reader:
            known = known_names(call, reader, story.story_id)
            snapshots = reader.manuscript.snapshots(story.story_id)
    who = _people(novel.cast, [one for one in known.everybody if one.type == "character"])
    found: dict[int, set[int]] = {place: set() for place in novel.places.values()}
    for snapshot in snapshots:
        place = novel.places.get(snapshot.chapter_index)
        if place is not None:
            found[place] |= {who.get(one.name, -1) for one in snapshot.active_characters}
    yield from _rows("imported: snapshots", found, novel.cast)


def _plain(name: str) -> str:
    """A name without accents, which the lists do not always have."""
    letters = unicodedata.normalize("NFD", name_key(name))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _people(cast: Cast, known: Sequence[KnownEntity]) -> dict[str, int]:
    """The person of the list for each of the story, by the names that are nobody else's."""
    claims: Counter[str] = Counter()
    own: list[set[str]] = []
    for person in cast.people:
        words = {person.name, *person.aliases, *implied_names(person.name, person.aliases)}
        own.append({_plain(word) for word in words})
        claims.update(own[-1])
    found: dict[str, int] = {}
    for entity in known:
        keys = {_plain(name) for name in (entity.name, *entity.aliases)}
        best = max(range(len(own)), key=lambda slot: sum(1 / claims[key] for key in keys & own[slot]))
        if keys & own[best]:
            found[entity.name] = best
    return found
