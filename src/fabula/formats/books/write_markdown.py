"""Writes a manuscript as Markdown."""

from __future__ import annotations

import re
from typing import IO

from fabula.formats.books.written_book import SCENE_BREAK, ManuscriptBook, clean, scene_parts

# At the beginning of a line these would make it a heading, a quotation, a list, a rule or code.
_MARK = re.compile(r"(?=[#>~`=|-]|[*+](?:\s|$)|\*\s*\*\s*\*)|^(\d{1,9})(?=[.)](?:\s|$))")
_INLINE = re.compile(r"(?=[\\<&\[])")


def write_markdown(book: ManuscriptBook, out: IO[bytes]) -> None:
    """Write the title, a heading for each chapter, and every paragraph between empty lines."""
    blocks = [f"# {_plain(book.title)}"]
    for chapter in book.chapters:
        blocks.append(f"## {_plain(chapter.heading)}")
        for number, lines in enumerate(scene_parts(chapter)):
            if number:
                blocks.append(SCENE_BREAK)
            blocks += map(_paragraph, lines)
        out.write(_joined(blocks))
        blocks = []
    out.write(_joined(blocks))


def _joined(blocks: list[str]) -> bytes:
    return "".join(f"{block}\n\n" for block in blocks).encode()


def _plain(text: str) -> str:
    return _INLINE.sub(r"\\", " ".join(clean(text).split()))


def _paragraph(line: str) -> str:
    """Return a line as it reads: emphasis with stars stays, what would be structure is escaped."""
    text = _INLINE.sub(r"\\", line)
    found = _MARK.match(text)
    if found is None:
        return text
    return f"{found[1] or ''}\\{text[found.end() :]}"
