"""A manuscript as a book to read: its title and its chapters, ready to be written into a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabula.model.relation import Language

SCENE_BREAK = "* * *"

# What no XML file may contain.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_EDGES = " \t\u3000\r"


class ManuscriptChapter(NamedTuple):
    """A chapter with its heading and the texts of its scenes."""

    heading: str
    scenes: tuple[str, ...]


class ManuscriptBook(NamedTuple):
    """A book; `changed_at` is when the story was last changed, and its chapters are read one by one."""

    id: str
    title: str
    language: Language
    changed_at: str
    chapters: Iterable[ManuscriptChapter]


def paragraphs(text: str) -> Iterator[str]:
    """Yield the lines that have words, without the spaces that indent them."""
    for line in text.splitlines():
        if words := clean(line).strip(_EDGES):
            yield words


def clean(text: str) -> str:
    """Return the text without characters that XML does not allow."""
    return _FORBIDDEN.sub("", text)


def scene_parts(chapter: ManuscriptChapter) -> Iterator[list[str]]:
    """Yield the paragraphs of each scene that has any."""
    for text in chapter.scenes:
        if found := list(paragraphs(text)):
            yield found
