"""Novels in the files that writing programs and shops make: their chapters, and what is refused."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest
from docx import Document
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput, PayloadTooLarge
from fabula.formats.books import archive
from fabula.formats.books.book_file import BOOKS, book_text, folder_book, is_archive_of_texts
from fabula.formats.books.html import prose_of_html
from fabula.formats.novel import novel_of
from fabula.formats.recognition import file_kind

RAIN = "The rain had stopped, and nobody was in the street when she came out of the house again."
FOG = "In the morning the fog lay on the water, and the harbour bell could be heard but not seen."


def zipped(**files: str) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(name, text)
    return made.getvalue()


def page(body: str) -> str:
    return (
        f'<?xml version="1.0" encoding="utf-8"?><html><head><title>x</title></head><body>{body}</body></html>'
    )


def epub(pages: dict[str, str], labels: dict[str, str] | None = None, guide: str = "") -> bytes:
    """An EPUB of these pages, with the titles that its table of contents gives them."""
    items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in pages)
    spine = "".join(f'<itemref idref="{n}"/>' for n in pages)
    points = "".join(
        f'<navPoint><navLabel><text>{label}</text></navLabel><content src="{n}.xhtml#top"/></navPoint>'
        for n, label in (labels or {}).items()
    )
    made = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Old Pier</dc:title></metadata>'
        f'<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>{items}</manifest>'
        f"<spine>{spine}</spine><guide>{guide}</guide></package>",
        "OEBPS/toc.ncx": f"<ncx><navMap>{points}</navMap></ncx>",
        **{f"OEBPS/{name}.xhtml": page(body) for name, body in pages.items()},
    }
    return zipped(**made)


def chapters(name: str, data: bytes) -> list[tuple[str, str]]:
    return [
        (chapter.title, "".join(scene.text for scene in chapter.scenes).strip())
        for chapter in novel_of(book_text(name, data).text).chapters
    ]


def test_an_epub_has_the_chapters_of_its_spine() -> None:
    data = epub({"one": f"<h2>Fog</h2><p>{FOG}</p>", "two": f"<h2>Rain</h2><p>{RAIN}</p>"})
    assert chapters("book.epub", data) == [("Fog", FOG), ("Rain", RAIN)]
    assert book_text("book.epub", data).title == "The Old Pier"


def test_pages_of_an_epub_without_headings_take_the_titles_of_its_contents() -> None:
    data = epub({"one": f"<p>{FOG}</p>", "two": f"<p>{RAIN}</p>"}, {"one": "Fog", "two": "Rain &amp; Wind"})
    assert chapters("book.epub", data) == [("Fog", FOG), ("Rain & Wind", RAIN)]


def test_the_cover_of_an_epub_is_no_chapter() -> None:
    guide = '<reference type="cover" href="one.xhtml"/>'
    data = epub({"one": "<h1>Cover</h1><p>By nobody.</p>", "two": f"<h1>Rain</h1><p>{RAIN}</p>"}, guide=guide)
    assert chapters("book.epub", data) == [("Rain", RAIN)]


def test_a_word_document_has_the_chapters_of_its_headings() -> None:
    document = Document()
    document.core_properties.title = "雾港"
    document.add_heading("第一卷", 1)
    for title, text in (("雾", FOG), ("雨", RAIN)):
        document.add_heading(title, 2)
        document.add_paragraph(text)
    made = BytesIO()
    document.save(made)
    book = book_text("book.docx", made.getvalue())
    assert (book.title, book.encoding) == ("雾港", "docx")
    assert [title for title, _ in chapters("book.docx", made.getvalue())] == ["第一卷 雾", "雨"]


def test_an_open_document_has_the_chapters_of_its_headings_and_no_notes() -> None:
    names = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:office="urn:office"'
    note = "<text:note><text:note-body><text:p>A footnote.</text:p></text:note-body></text:note>"
    content = (
        f"<office:document-content {names}><office:body>"
        f'<text:h text:outline-level="1">Fog</text:h><text:p>In the morning{note}{FOG[14:]}</text:p>'
        f'<text:h text:outline-level="1">Rain</text:h><text:p>{RAIN}</text:p>'
        "</office:body></office:document-content>"
    )
    data = zipped(**{"content.xml": content})
    assert chapters("book.odt", data) == [("Fog", FOG), ("Rain", RAIN)]


def test_a_page_is_read_without_what_nobody_sees() -> None:
    unseen = "<nav>Home</nav><script>alert(1)</script><!-- no -->"
    body = f"{unseen}<h1>Fog</h1>{unseen}<p>{FOG}</p><h1>Rain</h1><p>{RAIN}</p>"
    assert chapters("book.html", page(body).encode()) == [("Fog", FOG), ("Rain", RAIN)]


def test_a_page_keeps_its_paragraphs_breaks_and_characters() -> None:
    told = prose_of_html("<p>One <b>bold</b>\n word&nbsp;&amp; more.<br/>Next.</p><hr/><p>Last.</p>")
    assert told == "One bold word\xa0& more.\nNext.\n\n***\n\nLast.\n"


@given(st.text(max_size=300))
def test_any_page_is_some_prose(text: str) -> None:
    assert isinstance(prose_of_html(text.replace("\x00", "")), str)


def test_the_files_of_a_folder_are_chapters_in_the_order_of_their_numbers() -> None:
    files = {"10.txt": RAIN, "2.txt": FOG, "notes.png": "x", "1 Before.txt": f"Chapter One\n\n{FOG}"}
    book = folder_book({name: text.encode() for name, text in files.items()})
    told = [chapter.title for chapter in novel_of(book.text).chapters]
    assert told == ["Chapter One", "2", "10"]


def test_chinese_numbers_order_files_too() -> None:
    files = {f"第{n}章.txt": FOG.encode() for n in ("十", "二", "一百零三", "九")}
    told = [chapter.title for chapter in novel_of(folder_book(files).text).chapters]
    assert told == ["第二章", "第九章", "第十章", "第一百零三章"]


def test_an_archive_of_texts_is_a_novel_and_one_of_a_story_is_not() -> None:
    texts = zipped(**{"book/1.txt": FOG, "book/2.txt": RAIN, "book/.x.txt": "x"})
    story = zipped(**{"story.yaml": "fabula: 1", "manuscript/1.md": FOG})
    assert file_kind("book.zip", texts) == "novel"
    assert file_kind("book.zip", story) == "story"
    assert not is_archive_of_texts(b"PK\x03\x04 broken")
    assert [text for _, text in chapters("book.zip", texts)] == [FOG, RAIN]


def test_a_lorebook_that_was_cut_off_is_not_taken_for_a_story() -> None:
    assert file_kind("lore.json", b'{"entries": {"0": {"key":') == "lorebook"
    assert file_kind("story.json", b'{"story.yaml": "fabula: 1"}') == "story"


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_every_format_is_a_novel(name: str) -> None:
    assert file_kind(f"book{name}", b"x") == "novel"


@pytest.mark.parametrize("name", ["book.epub", "book.docx", "book.odt", "book.zip"])
@pytest.mark.parametrize(
    "data",
    [b"", b"PK\x03\x04", b"not an archive", zipped(**{"a.bin": "x"}), zipped(**{"content.xml": "<a><b>"})],
)
def test_a_broken_file_is_refused_in_words(name: str, data: bytes) -> None:
    with pytest.raises(InvalidInput) as refused:
        book_text(name, data)
    assert refused.value.suggestion


@pytest.mark.parametrize("name", ["book.pdf", "book.mobi", "book.doc", "book.rtf"])
def test_formats_that_hold_no_text_are_refused_with_a_way_out(name: str) -> None:
    with pytest.raises(InvalidInput, match="not supported") as refused:
        file_kind(name, b"x")
    assert ".docx" in (refused.value.suggestion or "")


def test_a_bomb_in_an_archive_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_SMALL", 10_000)
    with pytest.raises(PayloadTooLarge):
        book_text("book.epub", zipped(**{"META-INF/container.xml": " " * 2_000_000}))


def test_entities_of_a_hostile_package_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    content = f"{bomb}<office><text><p>&b;&c;{FOG}</p></text></office>"
    told = book_text("book.odt", zipped(**{"content.xml": content})).text
    assert "lol" not in told
    assert "root:" not in told
