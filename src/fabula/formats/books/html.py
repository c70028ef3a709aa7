"""The prose of an HTML or XHTML page, its headings as lines of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree, html

from fabula.formats.books.book_text import BookText, heading_line
from fabula.formats.novel_text import decoded

_UNSEEN: Final = frozenset(
    [
        "head",
        "script",
        "style",
        "nav",
        "noscript",
        "template",
        "svg",
        "math",
        "iframe",
        "object",
        "form",
        "rt",
        "rp",
    ]
)
_BLOCKS: Final = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hgroup",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_HEADING = re.compile(r"h([1-6])\Z")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*\n+")
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_SIGNS: Final = {"br": "\n", "hr": "\n\n***\n\n"}


def prose_of_html(text: str) -> str:
    """Return the visible text of a page, a paragraph a line."""
    text = _DECLARATION.sub("", text)
    if not text.strip():
        return ""
    try:
        page = html.document_fromstring(text)
    except etree.ParserError:
        return ""
    return _BLANK_LINES.sub("\n\n", "".join(_pieces(page))).strip("\n") + "\n"


def html_book(data: bytes) -> BookText:
    """Read a book from a single page."""
    text, _ = decoded(data)
    title = re.search(r"<title[^>]*>([^<]{1,200})</title>", text[:20_000], re.I)
    return BookText(prose_of_html(text), "html", " ".join(html_text(title[1]).split()) if title else "")


def html_text(text: str) -> str:
    """Return a text with its character references resolved."""
    return "".join(map(str, html.fromstring(f"<p>{text}</p>").itertext()))


def _pieces(page: html.HtmlElement) -> Iterator[str]:
    """Yield the text of a page in order, with line breaks where blocks begin and end."""
    hidden: etree._Element | None = None
    for event, element in etree.iterwalk(page, events=("start", "end", "comment", "pi")):
        tag = element.tag if isinstance(element.tag, str) else ""
        if event == "start" and hidden is None:
            yield _beginning(element, tag)
            # The text of a heading is told at its beginning.
            hidden = element if tag in _UNSEEN or _HEADING.match(tag) else None
        elif event in ("end", "comment", "pi"):
            if element is hidden:
                hidden = None
            elif hidden is None and tag in _BLOCKS:
                yield "\n\n"
            if hidden is None:
                yield _inline(element.tail)


def _beginning(element: etree._Element, tag: str) -> str:
    """What an element adds to the text before its children."""
    level = _HEADING.match(tag)
    if level is not None:
        return heading_line(int(level[1]), "".join(map(str, element.itertext())))
    if tag in _SIGNS or tag in _UNSEEN:
        return _SIGNS.get(tag, "")
    return ("\n\n" if tag in _BLOCKS else "") + _inline(element.text)


def _inline(text: str | None) -> str:
    return re.sub(r"[ \t\r\n\f]+", " ", text) if text else ""
