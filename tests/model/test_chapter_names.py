import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.model.chapter_names import own_number


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("第十四回 林如海捐馆扬州城", "第十四回"),
        ("第二卷 第三回 风起", "第三回"),
        ("第 12 章", "第 12 章"),
        ("卷三 江湖", "卷三"),
        ("楔子", "楔子"),
        ("Chapter XIV. The Return", "Chapter XIV"),
        ("CHAPTER TWENTY-ONE", "CHAPTER TWENTY-ONE"),
        ("Book Two, Chapter the Third", "Chapter the Third"),
        ("Letter 4", "Letter 4"),
        ("Prologue", "Prologue"),
        ("IV. The Return", "IV"),
        ("7", "7"),
    ],
)
def test_the_number_that_a_book_prints_is_read(title: str, number: str) -> None:
    assert own_number(title) == number


@pytest.mark.parametrize("title", ["", "The Storm", "I remember", "Chapter House", "Mixed Company", "江边"])
def test_a_title_without_a_number_has_none(title: str) -> None:
    assert own_number(title) is None


@given(st.text(alphabet="赵无极 Maravoss", max_size=20))
def test_the_number_holds_nothing_of_the_rest_of_the_title(rest: str) -> None:
    """Property: what follows the number is never told with it."""
    assert own_number(f"第三回 {rest}") == "第三回"
    assert own_number(f"Chapter 3: {rest}") == "Chapter 3"
