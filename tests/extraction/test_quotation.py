"""Quotations beside proposals: one sentence, cut to size, and no word cut in two."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from fabula.extraction.quotation import MAX_LETTERS, MAX_QUOTATION, quotation

LONG = (
    "It was said in town that the lamp keeper's elder daughter "
    + "who had never been seen there before " * 12
)
WORDS = st.lists(
    st.sampled_from(["fog", "lamp", "Moscow", "everything", "a", "d'Artagnan"]), min_size=1, max_size=120
)


@given(WORDS, st.integers(0, 119))
@example(["everything"] * 119 + ["Moscow"], 119)
def test_no_word_is_cut_in_two(words: list[str], chosen: int) -> None:
    nth = chosen % len(words)
    text = " ".join(words)
    start = len(" ".join([*words[:nth], ""]))
    end = start + len(words[nth])
    first, last = quotation(text, start, end)
    assert first <= start
    assert end <= last
    assert first == 0 or text[first - 1] == " "
    assert last == len(text) or text[last] == " "


def test_an_english_sentence_is_longer_than_a_chinese_one() -> None:
    at = LONG.index("lamp")
    first, last = quotation(LONG, at, at + 4)
    assert MAX_QUOTATION < last - first <= MAX_LETTERS
    assert LONG[first:last].endswith(("who", "had", "never", "been", "seen", "there", "before"))


def test_a_chinese_quotation_has_at_most_a_hundred_characters() -> None:
    text = "雾" * 400
    first, last = quotation(text, 200, 203)
    assert last - first == MAX_QUOTATION
