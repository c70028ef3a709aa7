"""The one table of the book formats that are read, and of those that are refused with a hint."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO

from fabula.errors import InvalidInput
from fabula.formats.books.archive import BROKEN, all_files
from fabula.formats.books.book_text import BookText, heading_line
from fabula.formats.books.epub import epub_book
from fabula.formats.books.html import html_book
from fabula.formats.books.word import docx_book, odt_book
from fabula.formats.folder_names import STORY
from fabula.formats.novel_headings import heading_of
from fabula.formats.novel_numbers import CHINESE, number_of
from fabula.formats.novel_text import decoded, is_text


def _plain_book(data: bytes) -> BookText:
    return BookText(*decoded(data))


BOOKS: Mapping[str, Callable[[bytes], BookText]] = {
    ".txt": _plain_book,
    ".md": _plain_book,
    ".markdown": _plain_book,
    ".epub": epub_book,
    ".docx": docx_book,
    ".odt": odt_book,
    ".html": html_book,
    ".htm": html_book,
    ".xhtml": html_book,
}
# Formats that hold a novel but give no text without guessing.
_REFUSED = frozenset((".pdf", ".mobi", ".azw3", ".doc", ".rtf", ".pages"))
_NUMBER = re.compile(rf"[0-9]+|(?<=第)[{CHINESE}]+")


def ending_of(name: str) -> str:
    """The extension of a file name in lower case, with its dot."""
    return posixpath.splitext(name.replace("\\", "/"))[1].lower()


def is_book(name: str) -> bool:
    """Whether a file's name says that it holds a novel; InvalidInput if it is one of a kind not read."""
    ending = ending_of(name)
    if ending in _REFUSED:
        raise InvalidInput(
            f"Files of the type {ending} are not supported.",
            details={"field": "name"},
            suggestion="Save the novel as .docx, .odt, .epub or plain text (.txt) first.",
        )
    return ending in BOOKS


def is_archive_of_texts(data: bytes) -> bool:
    """Whether a ZIP archive holds texts and no story; False for a broken one."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (*BROKEN, RuntimeError):
        return False
    return not any(posixpath.basename(name) == STORY for name in names) and any(map(is_readable, names))


def is_readable(name: str) -> bool:
    """Whether a file is of a kind that holds a text and can be read."""
    return ending_of(name) in BOOKS and not posixpath.basename(name).startswith((".", "__MACOSX"))


def book_text(name: str, data: bytes) -> BookText:
    """Return the text of a book file, or of an archive of such files; InvalidInput if there is none."""
    if ending_of(name) == ".zip":
        return folder_book(all_files(data, _no_archive))
    book = BOOKS.get(ending_of(name), _plain_book)(data)
    if not book.text.strip():
        raise InvalidInput(f"{name}: there is no text in it.", suggestion="Name a file with a text.")
    if not is_text(book.text):
        raise InvalidInput(
            f"{name} is no text.", suggestion="Save the novel as .docx, .epub or plain text (.txt) first."
        )
    return book


def folder_book(files: Mapping[str, bytes]) -> BookText:
    """Return the texts of a folder as one book, in the order of their names.

    A file that does not begin with a heading gets its name as one. InvalidInput if no file holds a text.
    """
    texts: list[str] = []
    encodings: list[str] = []
    for name in sorted(files, key=_order):
        if is_readable(name) and files[name].strip():
            book = book_text(name, files[name])
            texts.append(_headed(name, book.text))
            encodings.append(book.encoding)
    if not texts:
        raise InvalidInput(
            "There is no text in the folder.",
            suggestion="Give a folder of .txt, .md, .docx or .html files, or one that `fabula export` made.",
        )
    return BookText("\n\n".join(texts), max(set(encodings), key=encodings.count))


def _no_archive() -> InvalidInput:
    return InvalidInput("This archive cannot be read.", suggestion="Pack the texts as a ZIP file again.")


def _headed(name: str, text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    heading = heading_of(first)
    if heading is not None and heading.rank != "weak":
        return text
    stem = posixpath.splitext(posixpath.basename(name))[0]
    return heading_line(1, stem.lstrip("0") or stem if stem.isdecimal() else stem) + text


def _order(name: str) -> tuple[tuple[str, int], ...]:
    """The key that sorts chapter 2 before chapter 10, and 第二章 before 第十章."""
    numbers = [number_of(found) or 0 for found in _NUMBER.findall(name)]
    return tuple(zip(_NUMBER.split(name), [*numbers, 0], strict=True))
