"""The text of an EPUB, chapter by chapter in the order of its spine."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from fabula.errors import InvalidInput
from fabula.formats.books.archive import all_files
from fabula.formats.books.book_text import BookText, heading_line
from fabula.formats.books.html import prose_of_html
from fabula.formats.novel_text import decoded

_CONTAINER = "META-INF/container.xml"
_PAGES = ("application/xhtml+xml", "text/html")
_ENCRYPTED = "META-INF/encryption.xml"
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_MARKED = re.compile(r"^#{1,6} ", re.M)
# A title page holds nothing that belongs to the story.
_APART = re.compile(r"\b(?:cover|toc|titlepage|copyright-page|colophon|landmarks)\b", re.I)


def epub_book(data: bytes) -> BookText:
    """Read an EPUB; InvalidInput if it is damaged or protected."""
    files = all_files(data, _no_epub)
    roots = _xml(files, _CONTAINER).iter("{*}rootfile")
    place = next((one.get("full-path", "") for one in roots), "")
    package = _xml(files, place)
    folder = posixpath.dirname(place)
    title = next((one.text or "" for one in package.iterfind("{*}metadata/{*}title")), "")
    text = "\n\n".join(_chapters(files, package, folder))
    if not text.strip():
        raise _no_epub() if _ENCRYPTED not in files else _protected()
    return BookText(text, "epub", " ".join(title.split()))


def _chapters(files: Mapping[str, bytes], package: etree._Element, folder: str) -> Iterator[str]:
    items = {item.get("id", ""): item for item in package.iterfind("{*}manifest/{*}item")}
    apart = {
        _path(folder, reference.get("href", ""))
        for reference in package.iterfind("{*}guide/{*}reference")
        if _APART.search(reference.get("type", ""))
    }
    labels = dict(_labels(files, items.values(), folder))
    for reference in package.iterfind("{*}spine/{*}itemref"):
        item = items.get(reference.get("idref", ""))
        if item is None or reference.get("linear") == "no" or item.get("media-type") not in _PAGES:
            continue
        path = _path(folder, item.get("href", ""))
        if path in apart or _is_navigation(item) or path not in files:
            continue
        prose = prose_of_html(decoded(files[path]).text)
        if prose.strip():
            label = "" if _MARKED.search(prose[:2_000]) else labels.get(path, "")
            yield heading_line(1, label) + prose


def _labels(
    files: Mapping[str, bytes], items: Iterable[etree._Element], folder: str
) -> Iterator[tuple[str, str]]:
    """The titles that the tables of contents give to whole files, the first of a file last."""
    for item in items:
        path = _path(folder, item.get("href", ""))
        if path not in files:
            continue
        if _is_navigation(item):
            listed = [(one.get("href", ""), one) for one in _xml(files, path).iter("{*}a")]
        elif item.get("media-type") == "application/x-dtbncx+xml":
            listed = [
                (content.get("src", ""), label)
                for point in _xml(files, path).iter("{*}navPoint")
                for content in point.iterfind("{*}content")
                for label in point.iterfind("{*}navLabel")
            ]
        else:
            continue
        for href, label in reversed(listed):
            target = _path(posixpath.dirname(path), href.partition("#")[0])
            yield target, " ".join("".join(map(str, label.itertext())).split())


def _is_navigation(item: etree._Element) -> bool:
    return "nav" in item.get("properties", "").split()


def _path(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, _ESCAPED.sub(_unescaped, href)))


def _unescaped(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def _xml(files: Mapping[str, bytes], path: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        root: etree._Element | None = etree.fromstring(files[path], parser)
    except (KeyError, etree.XMLSyntaxError):
        root = None
    if root is None:
        raise _no_epub()
    return root


def _no_epub() -> InvalidInput:
    return InvalidInput(
        "This is no EPUB that can be read.", suggestion="Save the book as EPUB, .docx or plain text again."
    )


def _protected() -> InvalidInput:
    return InvalidInput(
        "This EPUB is protected against copying.", suggestion="Use a copy without protection, or plain text."
    )
