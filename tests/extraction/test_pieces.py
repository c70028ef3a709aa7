import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.extraction.pieces import pieces_of

texts = st.text(alphabet="甲乙。，\n a.第章", max_size=300)


@given(texts, st.integers(5, 40), st.integers(0, 4))
def test_pieces_cover_the_text_in_order_and_none_is_too_large(text: str, limit: int, overlap: int) -> None:
    pieces = pieces_of(text, limit, overlap)

    covered = 0
    for piece in pieces:
        assert piece.start <= covered < piece.end
        assert piece.end - piece.start <= limit
        assert covered - piece.start <= overlap
        covered = piece.end
    assert covered == (len(text) if text.strip() else 0)


def test_a_piece_ends_where_a_scene_does() -> None:
    text = "甲" * 30 + "\n\n" + "乙" * 30 + "\n" + "乙" * 30

    pieces = pieces_of(text, 70, 0)

    assert [text[piece.start : piece.end].strip() for piece in pieces] == [
        "甲" * 30,
        "乙" * 30 + "\n" + "乙" * 30,
    ]


def test_a_piece_begins_with_the_end_of_the_one_before() -> None:
    text = "\n".join(letter * 9 for letter in "甲乙丙丁")

    pieces = pieces_of(text, 20, 10)

    assert [text[piece.start : piece.end].split() for piece in pieces] == [
        ["甲" * 9, "乙" * 9],
        ["乙" * 9, "丙" * 9],
        ["丙" * 9, "丁" * 9],
    ]


def test_tokens_can_be_the_measure() -> None:
    text = "one two three four five six seven eight"

    pieces = pieces_of(text, 3, 0, lambda part: len(part.split()))

    assert all(len(text[piece.start : piece.end].split()) <= 3 for piece in pieces)


def test_what_is_larger_than_a_piece_by_itself_stands_alone() -> None:
    assert len(pieces_of("甲乙丙", 2, 1, lambda part: 5 * len(part))) == 3


def test_an_overlap_as_large_as_a_piece_is_refused() -> None:
    with pytest.raises(ValueError, match="larger"):
        pieces_of("甲乙丙", 2, 2)
