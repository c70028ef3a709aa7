"""The text of a book, whatever file it came in."""

from __future__ import annotations

from typing import NamedTuple


class BookText(NamedTuple):
    """The text of a book, the encoding or format it was read from, and its title if the file names one.

    Headings that the file marks as such are lines of Markdown: `# The Bell`.
    """

    text: str
    encoding: str
    title: str = ""


def heading_line(level: int, title: str) -> str:
    """A marked heading as a line of Markdown, with blank lines around it; empty for an empty title."""
    told = " ".join(title.split())
    return f"\n\n{'#' * max(1, min(level, 6))} {told}\n\n" if told else ""
