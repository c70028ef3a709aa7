"""`/stories/{storyId}/export` and `/stories/import`: a whole story over HTTP."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from lxml import etree

from doors import Server
from fabula.formats.books.book_text import BookText
from fabula.formats.books.epub import epub_book
from fabula.formats.books.word import docx_book

API = "/api/v2"


def _told(server: Server, story: str) -> str:
    lin = server.entity(story, "林远", attributes={"age": 27})
    su = server.entity(story, "苏晚")
    server.relation(story, lin, su, "师从")
    server.client.put(f"{API}/stories/{story}/chapters/0/scenes/0", json={"text": "雾。\r\n"})
    return story


def test_a_story_goes_out_and_comes_in_again(server: Server, told: str) -> None:
    out = server.client.get(f"{API}/stories/{_told(server, told)}/export")
    assert out.headers["content-type"] == "application/zip"
    assert out.headers["content-disposition"] == "attachment; filename*=UTF-8''%E8%AF%95.zip"
    with zipfile.ZipFile(io.BytesIO(out.content)) as archive:
        assert archive.read("manuscript/0000/0000.md") == "雾。\r\n".encode()
    taken = server.client.post(f"{API}/stories/import", content=out.content)
    assert taken.status_code == 201, taken.text
    answer = taken.json()
    new = answer.pop("storyId")
    assert answer == {
        "title": "试",
        "revision": 2,
        "entityCount": 2,
        "relationCount": 1,
        "entryCount": 0,
        "sceneCount": 1,
        "proposalCount": 0,
    }
    assert server.client.get(f"{API}/stories/{new}/export").content == out.content


def test_an_empty_story_is_filled(server: Server, told: str) -> None:
    out = server.client.get(f"{API}/stories/{_told(server, told)}/export").content
    here = f"{API}/stories/{server.new_story()}/import?format=folder"
    assert server.client.post(f"{here}&dryRun=true", content=out).status_code == 400
    filled = server.client.post(here, content=out)
    assert (filled.status_code, filled.json()["entityCount"]) == (200, 2)
    again = server.client.post(here, content=out)
    assert (again.status_code, again.json()["code"]) == (409, "CONFLICT")


def test_a_story_as_json_and_as_a_bundle(server: Server, told: str) -> None:
    _told(server, told)
    files = server.client.get(f"{API}/stories/{told}/export", params={"format": "json"})
    lines = files.json()["entities/character/林远.yaml"].splitlines()
    (relation,) = server.data("knowledge:relation:list", {"projectId": told})["items"]
    assert lines[-1] == f"  - {{type: 师从, to: character/苏晚, id: {relation['id']}}}"
    assert server.client.post(f"{API}/stories/import", content=files.content).status_code == 201
    bundle = server.client.get(f"{API}/stories/{told}/export", params={"format": "bundle"})
    assert bundle.headers["content-type"] == "application/yaml"
    assert bundle.text.startswith("- type: Character\n  name: 林远\n")
    assert bundle.text.endswith("# 1 of the type 师从 left out: the ontology has no words for them.\n")


def _written(server: Server) -> str:
    story: str = server.client.post(
        f"{API}/stories", json={"title": "Fog & <Lamps>", "language": "en"}
    ).json()["id"]
    scenes = f"{API}/stories/{story}/chapters"
    server.client.put(f"{scenes}/0", json={"title": "Chapter I. The Fog"})
    texts = {
        "0/scenes/0": "　　Rain <b>fell</b>.\n\n# 1 & only\x0c",
        "0/scenes/1": "She *left*.\n3. Gone.\n",
        "2/scenes/0": "雾。",
    }
    for place, text in texts.items():
        assert server.client.put(f"{scenes}/{place}", json={"text": text}).is_success
    return story


def test_the_manuscript_goes_out_as_markdown(server: Server) -> None:
    out = server.client.get(f"{API}/stories/{_written(server)}/export", params={"format": "md"})
    assert out.headers["content-type"] == "text/markdown; charset=utf-8"
    assert out.headers["content-disposition"].endswith(".md")
    assert out.text.split("\n\n") == [
        "# Fog \\& \\<Lamps>",
        "## Chapter I. The Fog",
        "Rain \\<b>fell\\</b>.",
        "\\# 1 \\& only",
        "* * *",
        "She *left*.",
        "3\\. Gone.",
        "## Chapter 3",
        "雾。",
        "",
    ]


@pytest.mark.parametrize(("form", "read"), [("docx", docx_book), ("epub", epub_book)])
def test_the_manuscript_goes_out_as_a_book_that_can_be_read_again(
    server: Server, form: str, read: Callable[[bytes], BookText]
) -> None:
    story = _written(server)
    out = server.client.get(f"{API}/stories/{story}/export", params={"format": form})
    assert out.status_code == 200, out.text
    book = read(out.content)
    assert book.title == "Fog & <Lamps>"
    lines = [line.strip("# ") for line in book.text.splitlines() if line.strip()]
    assert lines[-8:] == [
        "Chapter I. The Fog",
        "Rain <b>fell</b>.",
        "1 & only",
        "* * *",
        "She *left*.",
        "3. Gone.",
        "Chapter 3",
        "雾。",
    ]
    if form == "epub":
        assert server.client.get(f"{API}/stories/{story}/export?format=epub").content == out.content


def test_every_page_of_an_epub_is_sound_and_listed(server: Server) -> None:
    out = server.client.get(f"{API}/stories/{_written(server)}/export", params={"format": "epub"})
    with zipfile.ZipFile(io.BytesIO(out.content)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        package = etree.fromstring(archive.read("OEBPS/book.opf"))
        listed = {f"OEBPS/{item.get('href')}" for item in package.iterfind("{*}manifest/{*}item")}
        assert {*archive.namelist()} == {*listed, "mimetype", "META-INF/container.xml", "OEBPS/book.opf"}
        for name in listed:
            if not name.endswith(".css"):
                etree.fromstring(archive.read(name))
        (changed,) = package.iterfind("{*}metadata/{*}meta")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", changed.text or "")


@pytest.mark.parametrize("form", ["md", "docx", "epub"])
def test_a_story_without_a_manuscript_is_a_book_with_a_title(server: Server, told: str, form: str) -> None:
    out = server.client.get(f"{API}/stories/{told}/export", params={"format": form})
    assert (out.status_code, len(out.content) > 0) == (200, True)


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04", b"{", b'{"a": 1}', b"[]"])
def test_what_is_no_archive_is_refused(server: Server, body: bytes) -> None:
    refused = server.client.post(f"{API}/stories/import", content=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")


def test_a_bad_story_is_refused_with_all_that_is_wrong(server: Server) -> None:
    body = {"story.yaml": "fabula: 1\ntitle: 海\nlanguage: zh\n", "entities/a.yaml": "type: x\nname: 甲\n"}
    refused = server.client.post(f"{API}/stories/import", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "BUNDLE_INVALID")
    (error,) = refused.json()["details"]["errors"]
    assert error["path"] == "entities/a.yaml"
    assert "not an entity type" in error["message"]


def test_an_unknown_story_or_format_is_refused(server: Server, told: str) -> None:
    assert server.client.get(f"{API}/stories/nowhere/export").status_code == 404
    assert server.client.get(f"{API}/stories/{told}/export", params={"format": "pdf"}).status_code == 400
