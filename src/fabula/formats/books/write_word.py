"""Writes a manuscript as a Word document."""

from __future__ import annotations

from typing import IO

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml.ns import qn
from docx.shared import Pt

from fabula.formats.books.written_book import SCENE_BREAK, WrittenBook, clean, scene_parts
from fabula.model.relation import Language

_FONTS: dict[Language, tuple[str, str]] = {
    "zh": ("Times New Roman", "宋体"),
    "en": ("Times New Roman", "Times New Roman"),
}
_SIZE = Pt(12)
_LINES = 1.5
_LONGEST_TITLE = 255  # of the properties of a document


def write_word(book: WrittenBook, out: IO[bytes]) -> None:
    """Write the title, a heading on a new page for each chapter, and indented paragraphs."""
    document = Document()
    document.core_properties.title = clean(book.title)[:_LONGEST_TITLE]
    document.core_properties.author = ""
    document.core_properties.comments = ""
    document.core_properties.language = book.language
    body, heading = document.styles["Normal"], document.styles["Heading 1"]
    latin, eastern = _FONTS[book.language]
    body.font.name, body.font.size = latin, _SIZE
    body.element.rPr.rFonts.set(qn("w:eastAsia"), eastern)
    body.paragraph_format.line_spacing = _LINES
    body.paragraph_format.space_after = Pt(0)
    heading.paragraph_format.page_break_before = True
    prose = document.styles["Body Text"]
    prose.paragraph_format.first_line_indent = 2 * _SIZE
    prose.paragraph_format.space_after = Pt(0)
    document.add_paragraph(clean(book.title), document.styles["Title"])
    for chapter in book.chapters:
        document.add_paragraph(clean(chapter.heading), heading)
        for number, lines in enumerate(scene_parts(chapter)):
            if number:
                document.add_paragraph(SCENE_BREAK).alignment = WD_ALIGN_PARAGRAPH.CENTER
            for line in lines:
                document.add_paragraph(line, prose)
    document.save(out)
