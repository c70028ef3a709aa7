"""Writes a manuscript as an EPUB 3, with a table of contents for older readers beside the new one."""

from __future__ import annotations

import zipfile
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from fabula.formats.books.written_book import (
    SCENE_BREAK,
    ManuscriptBook,
    ManuscriptChapter,
    clean,
    scene_parts,
)
from fabula.model.bilingual import Bilingual

_BEGINNING_OF_TIME = (1980, 1, 1, 0, 0, 0)
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
_CONTENTS = Bilingual("Contents", "目录")
_CONTAINER = (
    _HEAD + '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)
_STYLE = (
    "body { line-height: 1.7; }\nh1, h2 { text-align: center; margin: 2em 0 1.5em; }\n"
    "p { margin: 0; text-indent: 2em; }\np.break { margin: 1em 0; text-align: center; text-indent: 0; }\n"
)
_PAGE = "application/xhtml+xml"


def write_epub(book: ManuscriptBook, out: IO[bytes]) -> None:
    """Write a page for the title and one for each chapter; the same story gives the same bytes."""
    headings: list[str] = []
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "mimetype", "application/epub+zip", is_packed=False)
        _put(archive, "META-INF/container.xml", _CONTAINER)
        _put(archive, "OEBPS/style.css", _STYLE)
        title = f'<section epub:type="titlepage"><h1>{_text(book.title)}</h1></section>'
        _put(archive, "OEBPS/title.xhtml", _page(book, book.title, title))
        for number, chapter in enumerate(book.chapters, 1):
            headings.append(chapter.heading)
            _put(archive, f"OEBPS/{_name(number)}", _page(book, chapter.heading, _body(chapter)))
        _put(archive, "OEBPS/contents.xhtml", _contents(book, headings))
        _put(archive, "OEBPS/contents.ncx", _old_contents(book, headings))
        _put(archive, "OEBPS/book.opf", _package(book, len(headings)))


def _put(archive: zipfile.ZipFile, path: str, text: str, is_packed: bool = True) -> None:
    entry = zipfile.ZipInfo(path, _BEGINNING_OF_TIME)
    entry.compress_type = zipfile.ZIP_DEFLATED if is_packed else zipfile.ZIP_STORED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    archive.writestr(entry, text)


def _name(number: int) -> str:
    return f"chapter{number:05}.xhtml"


def _text(text: str) -> str:
    return escape(" ".join(clean(text).split()))


def _page(book: ManuscriptBook, title: str, body: str) -> str:
    return (
        f'{_HEAD}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops" lang="{book.language}" xml:lang="{book.language}">'
        f"<head><title>{_text(title)}</title>"
        '<link rel="stylesheet" type="text/css" href="style.css"/></head>\n'
        f"<body>{body}</body></html>\n"
    )


def _body(chapter: ManuscriptChapter) -> str:
    parts = ["".join(f"<p>{escape(line)}</p>\n" for line in lines) for lines in scene_parts(chapter)]
    gap = f'<p class="break">{SCENE_BREAK}</p>\n'
    return f'<section epub:type="chapter"><h2>{_text(chapter.heading)}</h2>\n{gap.join(parts)}</section>'


def _contents(book: ManuscriptBook, headings: list[str]) -> str:
    named = _CONTENTS.said_in(book.language)
    # A list without an item is not allowed, so the title stands first.
    items = [f'<li><a href="title.xhtml">{_text(book.title)}</a></li>']
    items += [
        f'<li><a href="{_name(number)}">{_text(one)}</a></li>' for number, one in enumerate(headings, 1)
    ]
    body = f'<nav epub:type="toc"><h1>{named}</h1><ol>\n{"".join(items)}</ol></nav>'
    return _page(book, named, body)


def _old_contents(book: ManuscriptBook, headings: list[str]) -> str:
    pages = ["title.xhtml", *(_name(number) for number, _ in enumerate(headings, 1))]
    points = "".join(
        f'<navPoint id="n{number}" playOrder="{number}"><navLabel><text>{_text(one)}</text></navLabel>'
        f'<content src="{page}"/></navPoint>\n'
        for number, (one, page) in enumerate(zip([book.title, *headings], pages, strict=True), 1)
    )
    return (
        f'{_HEAD}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head>'
        f'<meta name="dtb:uid" content={quoteattr(_identifier(book))}/></head>'
        f"<docTitle><text>{_text(book.title)}</text></docTitle><navMap>\n{points}</navMap></ncx>\n"
    )


def _identifier(book: ManuscriptBook) -> str:
    return f"urn:fabula:{clean(book.id)}"


def _package(book: ManuscriptBook, chapters: int) -> str:
    pages = [_name(number) for number in range(1, chapters + 1)]
    items = "".join(
        f'<item id="c{n}" href="{page}" media-type="{_PAGE}"/>\n' for n, page in enumerate(pages, 1)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(1, chapters + 1))
    return (
        f'{_HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" '
        f'xml:lang="{book.language}"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">{escape(_identifier(book))}</dc:identifier>'
        f"<dc:title>{_text(book.title)}</dc:title><dc:language>{book.language}</dc:language>"
        f'<meta property="dcterms:modified">{escape(book.changed_at[:19])}Z</meta></metadata>\n<manifest>'
        f'<item id="contents" href="contents.xhtml" media-type="{_PAGE}" properties="nav"/>\n'
        '<item id="ncx" href="contents.ncx" media-type="application/x-dtbncx+xml"/>\n'
        '<item id="style" href="style.css" media-type="text/css"/>\n'
        f'<item id="title" href="title.xhtml" media-type="{_PAGE}"/>\n{items}</manifest>\n'
        f'<spine toc="ncx"><itemref idref="title"/>{spine}</spine>\n'
        '<guide><reference type="other.titlepage" title="" href="title.xhtml"/></guide></package>\n'
    )
