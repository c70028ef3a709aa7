"""A novel taken apart: whatever its encoding and its headings, every character has its place."""

from __future__ import annotations

import os
import re
import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput
from fabula.formats import novel, novel_lines, novel_outline
from fabula.formats.novel import LONGEST_SCENE, Novel, novel_of
from fabula.formats.novel_headings import heading_of
from fabula.formats.novel_numbers import number_of
from fabula.formats.novel_text import decoded

BODY = "林惊羽推开门，屋里没有人。他站了很久，听见外面的雨声。" * 4
PROSE = "The rain had stopped, and nobody was in the street when she came out of the house again. " * 3
DATA = Path(os.environ.get("FABULA_EVAL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def titles(novel: Novel) -> list[str]:
    return [chapter.title for chapter in novel.chapters]


def of(*headings: str, body: str = BODY) -> str:
    return "\n".join(f"{heading}\n\n{body}\n" for heading in headings)


# Encodings


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", f"第一章\n{BODY}"),
        ("utf-8-sig", f"第一章\n{BODY}"),
        ("gb18030", f"第一章\n{BODY}"),
        ("big5", "第一章\n" + "他們來到這個國家，說了很久的話，沒有人知道後來的事情。" * 5),
        ("utf-16", f"第一章\n{BODY}"),
        ("utf-16-le", f"第一章\n{BODY}"),
        ("utf-16-be", f"第一章\n{BODY}"),
        ("cp1252", f"Chapter I\n{PROSE}“Café,” said Zoë — and left."),
    ],
)
def test_a_text_is_read_in_its_encoding(encoding: str, text: str) -> None:
    assert decoded(text.encode(encoding)).text == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r\ufeff")))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    assert decoded(text.encode("utf-8")).text == text


def test_line_ends_become_one_kind() -> None:
    assert decoded(b"one\r\ntwo\rthree\n").text == "one\ntwo\nthree\n"


@given(st.binary(max_size=300))
def test_any_bytes_are_some_text(data: bytes) -> None:
    assert "\x00" not in decoded(data).text


# Headings


@pytest.mark.parametrize(
    ("line", "rank", "number"),
    [
        ("第一百二十回 甄士隐详说太虚情　贾雨村归结红楼梦", "chapter", 120),
        ("第一回甄士隐梦幻识通灵 贾雨村风尘怀闺秀", "chapter", 1),
        ("第3章 雨夜", "chapter", 3),
        ("　　第０１２章：归来", "chapter", 12),
        ("正文 第二百零三章 大战", "chapter", 203),
        ("第一卷 风起 第十章 离别", "chapter", 10),
        ("【第七章】", "chapter", 7),
        ("## 第八章 春", "chapter", 8),
        ("楔子", "chapter", None),
        ("序章 很久以前", "chapter", None),
        ("番外三 婚礼", "chapter", None),
        ("尾声", "chapter", None),
        ("卷二 长夜", "part", 2),
        ("第三部 归途", "part", 3),
        ("下卷", "part", 3),
        ("CHAPTER XII", "chapter", 12),
        ("Chapter 1. The Bell", "chapter", 1),
        ("CHAPTER THE FIRST", "chapter", 1),
        ("Chapter Twenty-One: Home", "chapter", 21),
        ("PART TWO", "part", 2),
        ("BOOK FOUR: 1806", "part", 4),
        ("Prologue", "chapter", None),
        ("EPILOGUE.", "chapter", None),
        ("IV.", "weak", 4),
        ("12", "weak", 12),
        ("三、雨夜", "weak", 3),
    ],
)
def test_a_heading_is_known(line: str, rank: str, number: int | None) -> None:
    found = heading_of(line)
    assert found is not None
    assert (found.rank, found.number) == (rank, number)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "第二天，他走了。",
        "第一章写完了，他放下笔。",
        "第三回合开始了",
        "第一节课上，老师没有来",
        "他翻到第三章 看了起来",
        "Chapter after chapter he read on.",
        "chapter one was the best of all",
        "Part of the house had burnt down.",
        "I was born in the year 1632.",
        "序幕才刚刚拉开，谁也不知道后面会发生什么事情，大家都在等。",
    ],
)
def test_a_sentence_is_no_heading(line: str) -> None:
    found = heading_of(line)
    assert found is None or found.rank == "weak"


@given(st.integers(1, 9999))
def test_chinese_numbers_are_read_as_they_are_written(number: int) -> None:
    assert number_of(written(number)) == number


def written(number: int) -> str:
    """A number as Chinese writes it."""
    told, zero = "", False
    for value, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // value % 10
        if digit:
            told += ("零" if zero and told else "") + "零一二三四五六七八九"[digit] + unit
        zero = not digit
    return told


# Chapters


def test_a_web_novel_with_volumes_and_a_preface() -> None:
    front = "《雾港》\n作者：某人\n\n"
    text = (
        front
        + of("楔子")
        + "第一卷 潮\n\n"
        + of("第一章 灯", "第二章 雨")
        + "第二卷 岸\n\n"
        + of("第三章 归")
    )
    novel = novel_of(text)
    assert novel.title == "雾港"
    assert novel.is_chinese
    assert titles(novel) == ["楔子", "第一卷 潮 第一章 灯", "第二章 雨", "第二卷 岸 第三章 归"]


def test_a_book_that_is_only_mentioned_gives_no_title() -> None:
    told = "第一回 起\n\n作者自云曾历过一番梦幻，故撰此《山中记》一书也。\n\n" + of("第二回 承", "第三回 转")
    assert novel_of(told).title == ""
    assert novel_of("书名：《雾港》（全本）\n\n" + told).title == "雾港"


def test_a_table_of_contents_makes_no_chapters() -> None:
    listed = "目录\n第一章 灯\n第二章 雨\n第三章 归\n\n"
    assert titles(novel_of(listed + of("第一章 灯", "第二章 雨", "第三章 归"))) == [
        "第一章 灯",
        "第二章 雨",
        "第三章 归",
    ]
    english = "CONTENTS\n\nCHAPTER I. The Bell\nCHAPTER II. The Sea\n\n"
    novel = novel_of(english + of("CHAPTER I. The Bell", "CHAPTER II. The Sea", body=PROSE))
    assert titles(novel) == ["CHAPTER I. The Bell", "CHAPTER II. The Sea"]


def test_the_licence_of_a_library_is_no_part_of_the_novel() -> None:
    head = "The eBook of Salt\n\nTitle: Salt\n\n*** START OF THE PROJECT GUTENBERG EBOOK SALT ***\n\n"
    foot = "*** END OF THE PROJECT GUTENBERG EBOOK SALT ***\n\nLicence, licence.\n"
    novel = novel_of(head + of("CHAPTER I", "CHAPTER II", body=PROSE) + foot)
    assert novel.title == "Salt"
    assert titles(novel) == ["CHAPTER I", "CHAPTER II"]
    assert "icence" not in "".join(scene.text for chapter in novel.chapters for scene in chapter.scenes)


def test_a_title_below_its_number_belongs_to_it() -> None:
    novel = novel_of(of("CHAPTER I\n\nTHE BELL", "CHAPTER II\n\nTHE SEA", body=PROSE))
    assert titles(novel) == ["CHAPTER I THE BELL", "CHAPTER II THE SEA"]


@pytest.mark.parametrize("numbers", [("I.", "II.", "III."), ("1", "2", "3"), ("一", "二", "三")])
def test_mere_numbers_that_go_up_are_headings_where_nothing_better_is(numbers: tuple[str, ...]) -> None:
    text = "\n".join(f"\n{number}\n\n{PROSE}\n" for number in numbers)
    assert titles(novel_of(text)) == list(numbers)
    lone = f"{PROSE}\n\n1632\n\n{PROSE}\n\n7\n\n{PROSE}"
    assert titles(novel_of(lone)) == [""]


def test_scenes_are_parted_by_signs_and_wide_gaps() -> None:
    text = f"第一章\n{BODY}\n***\n{BODY}\n\n\n\n\n{BODY}\n　　◇◇◇\n{BODY}\n第二章\n{BODY}"
    first, second = novel_of(text).chapters
    assert (len(first.scenes), len(second.scenes)) == (4, 1)


def test_a_long_chapter_is_cut_at_the_ends_of_paragraphs() -> None:
    body = "\n".join(BODY for _ in range(200))
    (chapter,) = novel_of(f"第一章\n{body}").chapters
    assert len(chapter.scenes) > 2
    assert max(len(scene.text) for scene in chapter.scenes) <= LONGEST_SCENE[True]
    assert all(scene.text.endswith("\n") for scene in chapter.scenes[:-1])


def test_thousands_of_chapters_are_all_found() -> None:
    text = "\n".join(f"第{number}章 归来\n\n{BODY}" for number in range(1, 3_001))
    assert len(novel_of(text).chapters) == 3_000


@pytest.mark.parametrize(
    ("module", "what", "text"),
    [
        (novel_outline, "chapters", lambda n: "".join(f"第{k}章\n{BODY}\n" for k in range(n))),
        (novel_outline, "chapters", lambda n: "".join(f"卷{k}\n" for k in range(n))),
        (novel, "scenes", lambda n: "灯\n***\n" * n),
        (novel_lines, "lines", lambda n: "a\n" * n),
    ],
    ids=["chapters", "parts", "scenes", "lines"],
)
def test_more_than_any_novel_has_is_refused(
    module: ModuleType, what: str, text: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"MOST_{what.upper()}"
    assert getattr(module, name) >= 20_000, "whoever writes for ten years has as many"
    monkeypatch.setattr(module, name, 50)
    novel_of(text(50))
    with pytest.raises(InvalidInput, match=f"more than 50 {what}") as refused:
        novel_of(text(51))
    assert refused.value.details == {"reason": f"too_many_{what}", "limit": 50}
    assert "several files" in (refused.value.suggestion or "")


@pytest.mark.parametrize("line", ["\n", "a\n", "1\n\n", "***\n", "第1章\n", "卷一\n", "I.\n\n"])
def test_short_lines_fill_no_more_memory_than_their_text(line: str) -> None:
    text = line * (30_000 // len(line))
    novel_of(text[:1_000])
    tracemalloc.start()
    try:
        novel_of(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * len(text)


LINES = st.one_of(
    st.sampled_from(
        ["第一章 灯", "第二章", "楔子", "卷二", "CHAPTER I", "II.", "***", "", "", "目录", BODY, PROSE]
    ),
    st.text(max_size=30),
)


@given(st.lists(LINES, max_size=30).map("\n".join))
def test_every_character_has_its_place_in_one_part(text: str) -> None:
    text = decoded(text.encode("utf-8", "ignore")).text
    novel = novel_of(text)
    assert "".join(text[part.start : part.end] for part in novel.parts) == text
    assert all(one.end == other.start for one, other in pairwise(novel.parts))
    told = "".join(text[part.start : part.end] for part in novel.parts if part.kind == "scene")
    kept = "".join(scene.text for chapter in novel.chapters for scene in chapter.scenes)
    assert re.sub(r"\s", "", kept) == re.sub(r"\s", "", told)
    for chapter in novel.chapters:
        for scene in chapter.scenes:
            assert text.startswith(scene.text, scene.start)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the novels are not here")
@pytest.mark.parametrize(("book", "chapters"), [("红楼梦", 120), ("西游记", 100)])
def test_the_chapters_of_real_novels_are_all_found(book: str, chapters: int) -> None:
    files = sorted((DATA / "chinese_novels" / book).glob("*.txt"))[:chapters]
    novel = novel_of("\n\n".join(file.read_text("utf-8") for file in files))
    assert len(novel.chapters) == chapters
    assert [heading_of(title).number for title in titles(novel)] == list(range(1, chapters + 1))  # type: ignore[union-attr]
