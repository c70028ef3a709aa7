"""Writes a manuscript as a Word document."""

from __future__ import annotations

from typing import IO, Any

from docx import Document
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt
from lxml import etree

from fabula.formats.books.written_book import SCENE_BREAK, ManuscriptBook, clean, scene_parts
from fabula.model.relation import Language

_FONTS: dict[Language, tuple[str, str]] = {
    "zh": ("Times New Roman", "宋体"),
    "en": ("Times New Roman", "Times New Roman"),
}
_SIZE = Pt(12)
_LINES = 1.5
_LONGEST_TITLE = 255  # of the properties of a document


def write_word(book: ManuscriptBook, out: IO[bytes]) -> None:
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
    # The library looks at all paragraphs for the place of a new one: those of a book are put before the end.
    end = document.element.body.sectPr
    for chapter in book.chapters:
        end.addprevious(_paragraph(heading.style_id, clean(chapter.heading)))
        for number, lines in enumerate(scene_parts(chapter)):
            if number:
                end.addprevious(_paragraph(body.style_id, SCENE_BREAK, is_centred=True))
            for line in lines:
                end.addprevious(_paragraph(prose.style_id, line))
    document.save(out)


def _paragraph(style: str, text: str, is_centred: bool = False) -> Any:
    paragraph = OxmlElement("w:p")
    properties = etree.SubElement(paragraph, qn("w:pPr"))
    etree.SubElement(properties, qn("w:pStyle")).set(qn("w:val"), style)
    if is_centred:
        etree.SubElement(properties, qn("w:jc")).set(qn("w:val"), "center")
    run = etree.SubElement(paragraph, qn("w:r"))
    etree.SubElement(run, qn("w:t")).text = text
    return paragraph
