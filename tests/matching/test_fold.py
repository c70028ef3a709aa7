import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabula.matching import Folded, fold, is_word_char
from fabula.matching.fold import _fold_in_pieces, _table

# Characters that fold in every way there is, and some that do not fold at all.
TRICKY = (
    "aAbZéß\ufb01İŉΣς´…½ǅＡａ：林雲云国國葛ﾊ\uff9fｶ\uff9e한ᄒ\u1161\u11abㅠ\u0e19\u0e49\u0e33😀𝔄①⑩"
    "\u0301\u0327\u0338=\ufe0f\U000e0100\u0345 \n\r\t\u3000\xa0\u2028'’-\u2010·・\x00\ud800\uffff\ufffe"
)
texts = st.text(st.one_of(st.sampled_from(TRICKY), st.characters()), max_size=30)


def pieces(folded: Folded, text: str) -> list[tuple[str, str]]:
    """Each folded character with the part of the text it stands for."""
    out = []
    for i, ch in enumerate(folded.text):
        start, end = folded.span(i, i + 1)
        out.append((ch, text[start:end]))
    return out


def test_width_and_case_fold_one_to_one() -> None:
    folded = fold("ＡＬＩＣＥ：林逸，Ok")
    assert folded.text == "alice:林逸,ok"
    assert folded.span(0, 5) == (0, 5)
    assert folded.span(6, 8) == (6, 8)


def test_keep_case_folds_width_only() -> None:
    assert fold("ＡＬＩＣＥ Straße", keep_case=True).text == "ALICE Straße"


def test_expanding_characters_map_back() -> None:
    text = "xß\ufb01y"
    folded = fold(text)
    assert folded.text == "xssfiy"
    assert folded.span(1, 3) == (1, 2)
    assert folded.span(3, 5) == (2, 3)
    assert folded.span(5, 6) == (3, 4)
    assert folded.span(2, 4) == (1, 3)
    assert folded.span(5, 5) == (3, 3)
    assert folded.aligned(1, 5)
    assert not folded.aligned(1, 2)
    assert not folded.aligned(2, 3)


def test_combining_marks_belong_to_their_base() -> None:
    text = "caf" + "e\u0301" + "s"
    folded = fold(text)
    assert folded.text == "cafés"
    assert folded.span(3, 4) == (3, 5)
    assert folded.span(4, 5) == (5, 6)
    assert fold("x\u0302y").span(0, 1) == (0, 2)


def test_marks_on_an_expanding_character_stay_with_it() -> None:
    folded = fold("aß\u0301\u0301b")
    assert folded.text == unicodedata.normalize("NFKC", "ass\u0301\u0301b")
    assert [cut[2:] for cut in folded.cuts] == [(1, 4)]


def test_endless_marks_are_taken_thirty_at_a_time() -> None:
    folded = fold("q" + "\u0301" * 100_000 + "b")
    assert folded.text == "q" + "\u0301" * 100_000 + "b"
    assert folded.span(0, 1) == (0, 31)
    assert folded.span(100_001, 100_002) == (100_001, 100_002)


def test_marks_after_white_space_stand_alone() -> None:
    folded = fold("a \n\u0301b")
    assert folded.text == "a \u0301b"
    assert [folded.span(i, i + 1) for i in range(4)] == [(0, 1), (1, 3), (3, 4), (4, 5)]


def test_astral_characters_keep_their_places() -> None:
    text = "😀𠮷田\U0001d504ß😀"
    folded = fold(text)
    assert folded.text == "😀𠮷田ass😀"
    assert folded.span(3, 4) == (3, 4)
    assert folded.span(6, 7) == (5, 6)


def test_half_width_kana_and_hangul_parts_compose() -> None:
    assert fold("ﾊ\uff9fﾝ").text == "パン"
    assert fold(unicodedata.normalize("NFD", "한국")).text == "한국"


def test_variation_selectors_vanish() -> None:
    text = "葛\U000e0100城"
    assert fold(text).text == "葛城"
    assert fold(text).span(0, 1) == (0, 2)
    assert fold("\ufe0fa").span(0, 1) == (1, 2)


def test_simplify_only_when_asked() -> None:
    assert fold("青雲宗").text == "青雲宗"
    assert fold("青雲宗", simplify=True).text == "青云宗"
    assert fold("薴苧", simplify=True).text == fold("苎苎", simplify=True).text
    assert len(fold("乾隆後來發現頭髮" * 40, simplify=True).text) == 320


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("New\nYork", "new york"),
        ("New \r\n  York", "new york"),
        ("New\u3000York", "new york"),
        ("New\n\nYork", "new  york"),
        ("New\n \nYork", "new   york"),
        ("完\n\u3000\u3000林", "完   林"),
    ],
)
def test_white_space(text: str, expected: str) -> None:
    assert fold(text).text == expected


def test_marks_that_writers_exchange() -> None:
    assert fold("O’Brien Jean\u2010Luc 艾丽丝・李").text == "o'brien jean-luc 艾丽丝·李"


def test_word_characters() -> None:
    assert all(map(is_word_char, "aÉß9жωअ\u0301ע"))
    assert not any(map(is_word_char, "林𠮷〇あアｱー한ᄒกລခក ,.'’-_😀、"))


def test_what_utf8_cannot_hold_is_replaced() -> None:
    assert fold("a\ud800\uffff\ufffe\x00b").text == "a\ufffd\ufffd\ufffd\ufffdb"


@settings(deadline=None)
@given(texts, st.booleans(), st.booleans())
def test_spans_map_back_inside_the_text_in_order(text: str, simplify: bool, keep_case: bool) -> None:
    folded = fold(text, simplify=simplify, keep_case=keep_case)
    last = (0, 0)
    for i in range(len(folded.text)):
        start, end = folded.span(i, i + 1)
        assert 0 <= start < end <= len(text)
        assert (start, end) == last or start >= last[1]
        last = (start, end)
        assert folded.span(i, i) == (start, start)
    if folded.text:
        for start, end in ((0, len(folded.text)), (len(folded.text) // 2, len(folded.text))):
            first, _ = folded.span(start, start + 1)
            assert folded.span(start, end) == (first, last[1])


@settings(deadline=None)
@given(texts, st.booleans())
def test_each_aligned_part_folds_to_what_it_stands_for(text: str, simplify: bool) -> None:
    folded = fold(text, simplify=simplify)
    for end in range(1, len(folded.text) + 1):
        for start in range(end):
            if folded.aligned(start, end) and not folded.text[start:end].isspace():
                first, last = folded.span(start, end)
                assert (
                    fold(text[first:last], simplify=simplify).text.strip() == folded.text[start:end].strip()
                )


@settings(deadline=None)
@given(texts, st.booleans(), st.booleans())
def test_table_and_pieces_agree(text: str, simplify: bool, keep_case: bool) -> None:
    one_to_one = [c for c in text if not fold(c, simplify=simplify, keep_case=keep_case).cuts]
    simple = "".join(one_to_one)
    table = _table(simplify, keep_case)
    translated = simple.translate(table)
    assert _fold_in_pieces(simple, translated, simplify, keep_case) == fold(
        simple, simplify=simplify, keep_case=keep_case
    )
    # The long form of the table, which reads an array, gives the same as the short form.
    assert table.translate("林" * 500 + text)[500:] == text.translate(table)
    far = fold("林" * 500 + "。" + text, simplify=simplify, keep_case=keep_case)
    near = fold("。" + text, simplify=simplify, keep_case=keep_case)
    assert far.text[500:] == near.text
    assert pieces(far, "林" * 500 + "。" + text)[500:] == pieces(near, "。" + text)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_composed_and_decomposed_text_fold_alike(text: str) -> None:
    composed = fold(unicodedata.normalize("NFC", text)).text
    assert fold(unicodedata.normalize("NFD", text)).text == composed
