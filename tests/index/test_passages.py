"""Scenes cut into passages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.index.passages import FULL, TAIL, WIDEST, PassageIndex, passages

SENTENCES = [
    "Mr. Hale went home. ",
    "“Now?” she asked.\n\n",
    "雨下了一夜。",
    "「走吧。」\n",
    "x" * 700,
    "青" * 350,
    "\n \n",
    "…",
    "word " * 60,
]
mixed = st.lists(st.sampled_from(SENTENCES), max_size=40).map("".join)


def width(text: str) -> int:
    return sum(3 if "\u4e00" <= character <= "\u9fff" else 1 for character in text)


@settings(max_examples=examples(100))
@given(st.text() | mixed)
def test_passages_are_the_text_without_loss(text: str) -> None:
    spans = passages(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]


@settings(max_examples=examples(100))
@given(mixed)
def test_no_passage_is_too_wide_and_none_but_a_whole_scene_is_tiny(text: str) -> None:
    widths = [width(text[start:end]) for start, end in passages(text)]
    assert all(found <= WIDEST + TAIL for found in widths)
    assert len(widths) < 2 or sum(widths) / len(widths) > FULL / 4


@pytest.mark.parametrize("breaks", ["\n\n", "\n"])
def test_passages_end_with_paragraphs_where_these_are_near(breaks: str) -> None:
    paragraph = "The lamp went out. Nobody saw it. " * 9
    text = breaks.join([paragraph.strip()] * 12)
    assert all(text[:end].endswith(breaks) for _, end in passages(text)[:-1])


def test_passages_end_with_sentences_in_a_long_paragraph() -> None:
    for sentence in (
        "Then Mr. Hale of St. Ives, who had come by sea, looked at the lamp for a while. ",
        "他提着灯走上望归塔，看了很久的海。",
    ):
        text = sentence * 60
        spans = passages(text)
        assert len(spans) >= 3
        assert all(text[start:].startswith(sentence) for start, _ in spans)


def test_wrapped_lines_are_no_paragraphs() -> None:
    line = "and so they walked along the shore until the light was gone and the wind\n"
    text = (line * 9).strip() + " fell.\n\n"
    assert all((text * 9)[:end].endswith("fell.\n\n") for _, end in passages(text * 9))


@pytest.mark.parametrize(
    "hostile", ["\n", " ", ".", ". ", "。", "”", "\n ", ".\n", "a", "青", ". " + " " * 500]
)
def test_hostile_text_is_cut_in_no_time(hostile: str) -> None:
    text = hostile * (60_000 // len(hostile))
    assert sum(end - start for start, end in passages(text)) == len(text)


def test_scenes_stand_in_the_order_of_the_telling_whenever_they_came() -> None:
    index = PassageIndex()
    for chapter, scene in ((2, 0), (0, 1), (0, 0), (1, 0)):
        index.put((chapter << 20) | scene, f"Scene {scene} of chapter {chapter}. " * 60)
    order = index.in_order()
    assert order.instants.tolist() == sorted(order.instants.tolist())
    assert sorted(set(order.chapters.tolist())) == [0, 1, 2]
    assert order.up_to(1).sum() == (order.chapters == 0).sum() > 0
    index.drop(0)
    index.put(1, "short")
    order = index.in_order()
    assert order.instants.tolist()[0] == 1
    assert (int(order.starts[0]), int(order.ends[0]), int(order.lengths[0])) == (0, 5, 1)
    assert len(index) == len(order.slots)


def test_an_empty_scene_has_no_passages() -> None:
    index = PassageIndex([(0, "Title", "")])
    assert len(index) == 0
    assert index.in_order().slots.tolist() == []
