"""What is new in a text: every new paragraph is read once, with its neighbours, and nothing else."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.extraction.rereading import paragraphs_of, windows_of

PARAGRAPHS = st.lists(
    st.text(alphabet="林苏赵的了 。\t", max_size=40) | st.sampled_from(["甲" * 700, "乙。" * 900])
)


@settings(max_examples=examples(40))
@given(PARAGRAPHS, st.integers(0, 40), st.none() | st.integers(50, 2_000))
def test_every_new_paragraph_is_read_once_and_known_ones_only_around_it(
    lines: list[str], known: int, longest: int | None
) -> None:
    text = "\n".join(lines)
    paragraphs = paragraphs_of(text)
    read = {one.mark for one in paragraphs[:known]}
    windows = windows_of(paragraphs, read, longest)
    fresh = [one.mark for one in paragraphs if one.mark not in read]
    assert [mark for window in windows for mark in window.fresh] == fresh
    for window in windows:
        inside = {one.mark for one in paragraphs if window.start <= one.start and one.end <= window.end}
        assert set(window.fresh) <= inside
        assert text[window.start : window.end].strip()
    if not fresh:
        assert windows == []


@given(PARAGRAPHS)
def test_paragraphs_hold_every_visible_character(lines: list[str]) -> None:
    text = "\n".join(lines)
    told = "".join(text[one.start : one.end] for one in paragraphs_of(text))
    assert "".join(told.split()) == "".join(text.split())


def test_a_change_in_the_middle_is_read_with_its_neighbours_only() -> None:
    lines = [f"第{number}段，一直下着雨，没有人说话，只有风声和水声。" * 4 for number in range(30)]
    read = {one.mark for one in paragraphs_of("\n".join(lines))}
    lines[15] = "赵无极来了。"
    text = "\n".join(lines)
    (window,) = windows_of(paragraphs_of(text), read)
    part = text[window.start : window.end]
    assert "赵无极来了。" in part
    assert "第14段" in part
    assert "第16段" in part
    assert len(part) < 1_200


def test_a_long_line_is_taken_sentence_by_sentence() -> None:
    text = "".join(f"这是第{number}句话，说的是同一件事情。" for number in range(200))
    before = {one.mark for one in paragraphs_of(text)}
    after = paragraphs_of(text.replace("第100句", "第一百句"))
    assert len([one for one in after if one.mark not in before]) == 1
    english = "She went on and said nothing about it at all. " * 60
    assert len(paragraphs_of(english)) == 60
