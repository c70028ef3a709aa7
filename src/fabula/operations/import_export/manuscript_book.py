"""The manuscript of a story as a book to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from fabula.formats.books.written_book import ManuscriptBook, ManuscriptChapter
from fabula.model.relation import Language
from fabula.store.reader import Reader


def written_book(reader: Reader, project_id: str) -> ManuscriptBook:
    """Return the manuscript with the headings that it prints; chapters are read as they are asked for."""
    story = reader.story(project_id)
    chapters = _chapters(reader, project_id, story.language)
    return ManuscriptBook(story.id, story.title, story.language, story.updated_at, chapters)


def _chapters(reader: Reader, project_id: str, language: Language) -> Iterator[ManuscriptChapter]:
    titles = reader.manuscript.chapter_titles(project_id)
    scenes = reader.manuscript.headings(project_id)
    for chapter, own in groupby(scenes, key=lambda one: one.chapter_index):
        places = [(one.chapter_index, one.scene_index) for one in own]
        texts = reader.manuscript.texts(project_id, places)
        number = f"第{chapter + 1}章" if language == "zh" else f"Chapter {chapter + 1}"
        yield ManuscriptChapter(titles.get(chapter) or number, tuple(texts[place] for place in places))
