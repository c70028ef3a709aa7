"""The text of Word and OpenDocument files, with their headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO

from docx import Document
from docx.opc.exceptions import OpcError
from lxml import etree

from fabula.errors import InvalidInput
from fabula.formats.books.archive import all_files
from fabula.formats.books.book_text import BookText, heading_line

_HEADING = re.compile(r"(?:heading|标题|標題)\s*([1-6])", re.I)
_CONTENTS = re.compile(r"toc\b|目录|目錄", re.I)
_TITLE = "title"


def docx_book(data: bytes) -> BookText:
    """Read a Word document; InvalidInput if it is damaged or protected."""
    broken = _unreadable("Word document (.docx)")
    all_files(data, broken)
    try:
        document = Document(BytesIO(data))
        pieces = [_paragraph(one.style.name if one.style else "", one.text) for one in document.paragraphs]
        title = document.core_properties.title
    except (OpcError, KeyError, ValueError, AttributeError, etree.XMLSyntaxError) as error:
        raise broken() from error
    return BookText("".join(pieces), "docx", " ".join(title.split()))


def _paragraph(style: str | None, text: str) -> str:
    style = style or ""
    level = _HEADING.match(style)
    if level is not None:
        return heading_line(int(level[1]), text)
    if style.casefold() == _TITLE:
        return heading_line(1, text)
    return "" if _CONTENTS.match(style) else f"{text}\n"


def odt_book(data: bytes) -> BookText:
    """Read an OpenDocument text; InvalidInput if it is damaged or protected."""
    broken = _unreadable("OpenDocument text (.odt)")
    files = all_files(data, broken)
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        root = etree.fromstring(files["content.xml"], parser)
    except (KeyError, etree.XMLSyntaxError):
        raise broken() from None
    return BookText("".join(_blocks(root)), "odt")


def _blocks(root: etree._Element) -> Iterator[str]:
    """Yield the paragraphs and headings in order, without notes and the table of contents."""
    for unwanted in [*root.iter("{*}note", "{*}table-of-content", "{*}annotation", "{*}tracked-changes")]:
        # What follows a note inside a paragraph is its tail, and stays.
        unwanted[:] = []
        unwanted.text = None
    for block in root.iter("{*}p", "{*}h"):
        for line_break in block.iter("{*}line-break"):
            line_break.text = "\n"
        text = "".join(str(piece) for piece in block.itertext())
        if etree.QName(block).localname == "p":
            yield f"{text}\n"
        else:
            level = next((str(v) for k, v in block.items() if str(k).endswith("outline-level")), "1")
            yield heading_line(int(level) if level.isdecimal() else 1, text)


def _unreadable(what: str) -> Callable[[], InvalidInput]:
    def error() -> InvalidInput:
        return InvalidInput(
            f"This is no {what} that can be read.",
            suggestion="Save it again without a password, or as plain text.",
        )

    return error
