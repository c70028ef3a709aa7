"""Files as they are: hard line breaks, marked headings, and what sites and archives put into a text."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.formats.novel import novel_of
from fabula.formats.novel_prose import prose

WORDS = st.sampled_from(
    ["the", "harbour", "bell", "rang", "over", "water", "and", "nobody", "answered", "fog"]
)
PARAGRAPHS = st.lists(st.lists(WORDS, min_size=30, max_size=90).map(" ".join), min_size=12, max_size=20)
HAN = st.text(alphabet="雾港钟声远近潮水船灯夜风雨码头", min_size=80, max_size=200).map(
    lambda t: f"　　{t}。"
)
BODY = "He stood at the window for a long time. " * 5


@given(paragraphs=PARAGRAPHS, width=st.integers(55, 85))
def test_a_wrapped_text_becomes_its_paragraphs_again(paragraphs: list[str], width: int) -> None:
    wrapped = "\n\n".join(textwrap.fill(paragraph, width) for paragraph in paragraphs)
    assert prose(wrapped).split("\n\n") == paragraphs


@given(paragraphs=st.lists(HAN, min_size=15, max_size=20), width=st.integers(25, 40))
def test_a_wrapped_chinese_text_becomes_its_paragraphs_again(paragraphs: list[str], width: int) -> None:
    lines = [p[at : at + width] for p in paragraphs for at in range(0, len(p), width)]
    assert prose("\n".join(lines)).split("\n") == paragraphs


@given(st.lists(st.text(alphabet="ab .\n", max_size=400), max_size=40).map("\n".join))
def test_a_text_that_is_not_wrapped_loses_no_letter(text: str) -> None:
    assert "".join(prose(text).split()) == "".join(text.split())


def test_verse_and_headings_stay_lines_of_their_own() -> None:
    wrapped = textwrap.fill("The harbour bell rang over the water, and nobody answered. " * 40, 70)
    verse = "  O bell of fog,\n  O bell of rain,"
    told = prose(f"CHAPTER I\n{wrapped}\n\n{verse}\n\n{wrapped}\nCHAPTER II\n{wrapped}")
    assert told.startswith("CHAPTER I\nThe harbour")
    assert f"\n\n{verse}\n\n" in told
    assert "\nCHAPTER II\nThe harbour" in told


def test_a_wrapped_heading_is_one_title() -> None:
    long = (
        "CHAPTER XX. OF THE UNEXAMPLED AND UNHEARD-OF ADVENTURE WHICH WAS ACHIEVED BY THE VALIANT KEEPER OF "
        "THE LIGHT WITH LESS PERIL THAN ANY EVER ACHIEVED BY ANY FAMOUS KEEPER IN THE WORLD"
    )
    wrapped = textwrap.fill("The harbour bell rang over the water, and nobody answered. " * 40, 70)
    text = "\n\n".join([textwrap.fill(long, 70), wrapped, "CHAPTER XXI. A NIGHT", wrapped])
    assert [chapter.title for chapter in novel_of(prose(text)).chapters] == [long, "CHAPTER XXI. A NIGHT"]


@pytest.mark.parametrize(
    "notice",
    [
        "（本章完）",
        "未完待续",
        "更多精彩请访问 www.example.com",
        "手机阅读请登录 m.example.cc 最新章节",
        "PS：求推荐票，求收藏！",
        "本书由某某整理制作",
    ],
)
def test_notices_of_sites_are_left_out(notice: str) -> None:
    text = f"第一章 雾\n\n雾很大，他在码头上等了一夜。\n{notice}\n\n第二章 雨\n\n雨停了，没有人来。\n"
    assert prose(text) == text.replace(f"{notice}\n", "")


@pytest.mark.parametrize(
    "line",
    ["他未完待续地看着她，心里想着别的事情。", "“你求收藏什么？”她问他，他没有回答，只是看着窗外的雨。"],
)
def test_a_sentence_is_no_notice(line: str) -> None:
    text = f"第一章\n\n{line}\n雾很大，他在码头上等了一夜。\n"
    assert prose(text) == text


def test_marked_headings_divide_a_text_whatever_they_say() -> None:
    text = (
        f"# The Old Pier\n\n## Fog\n\n{BODY}\n\n## What nobody knew, and why\n\n{BODY}\n\n### Later\n\n{BODY}"
    )
    novel = novel_of(text)
    assert novel.title == "The Old Pier"
    assert [(one.title, len(one.scenes)) for one in novel.chapters] == [
        ("Fog", 1),
        ("What nobody knew, and why", 2),
    ]


def test_marked_parts_stand_before_the_title_of_their_first_chapter() -> None:
    text = f"# Part One\n\n## Fog\n\n{BODY}\n\n## Rain\n\n{BODY}\n\n# Part Two\n\n## Wind\n\n{BODY}"
    assert [one.title for one in novel_of(text).chapters] == ["Part One Fog", "Rain", "Part Two Wind"]


def test_parts_that_number_their_books_anew_keep_their_names() -> None:
    volume = "\n\n".join(
        f"BOOK {book}\n\nCHAPTER I\n\n{BODY}\n\nCHAPTER II\n\n{BODY}" for book in ("FIRST", "SECOND")
    )
    text = f"VOLUME I\n\n{volume}\n\nVOLUME II\n\n{volume}"
    assert [one.title for one in novel_of(text).chapters] == [
        "VOLUME I BOOK FIRST CHAPTER I",
        "CHAPTER II",
        "BOOK SECOND CHAPTER I",
        "CHAPTER II",
        "VOLUME II BOOK FIRST CHAPTER I",
        "CHAPTER II",
        "BOOK SECOND CHAPTER I",
        "CHAPTER II",
    ]


def test_a_table_of_contents_with_long_titles_is_no_chapter() -> None:
    titles = [
        f"CHAPTER {n}--WHAT HAPPENED ON THE PIER, AND WHO WAS\n      THERE TO SEE IT"
        for n in ("I", "II", "III")
    ]
    contents = "\n  ".join(titles)
    body = "\n\n".join(f"{title.splitlines()[0]}\n\n{BODY}" for title in titles)
    novel = novel_of(f"Contents\n\n  {contents}\n\n  FOOTNOTES:\n\nList of Illustrations\n\nA Bell\n\n{body}")
    assert len(novel.chapters) == 3
    assert all(BODY.strip() in chapter.scenes[0].text for chapter in novel.chapters)
