"""Times, dates and numbers in a text: what is read, and when two of them differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.consistency.amounts import Amount, amounts_in
from fabula.model.relation import Language


def read(text: str, language: Language = "en") -> list[tuple[str, int, int]]:
    return [(one.unit, one.value, one.last) for one in amounts_in(text, language)]


def one(text: str, language: Language = "en") -> Amount:
    (found,) = amounts_in(text, language)
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He left at half past six.", [("clock", 390, 390)]),
        ("He left at a quarter to nine in the evening.", [("clock", 1245, 1245)]),
        ("He left at ten past eight.", [("clock", 490, 490)]),
        ("He left at noon.", [("clock", 720, 720)]),
        ("She died between 9:00 and 10:00 PM.", [("clock", 1260, 1320)]),
        ("It was out from noon to 6 PM.", [("clock", 720, 1080)]),
        ("She came on July 31.", [("date", 631, 631)]),
        ("She came on the 31st of July.", [("date", 631, 631)]),
        ("The gun was fired twice.", [("often", 2, 2)]),
        ("The gun was fired three times.", [("often", 3, 3)]),
        ("She had the key to room 303.", [("number room", 303, 303)]),
        ("He paid $50,000 for it.", [("money$", 50_000, 50_000)]),
        ("A single shot was heard.", [("shot", 1, 1)]),
        ("Five men stood there.", [("men", 5, 5)]),
        ("Nothing was to be seen.", []),
    ],
)
def test_what_is_read_in_english(text: str, found: list[tuple[str, int, int]]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("他晚上八点一刻到的。", [("clock", 1215, 1215)]),
        ("死亡时间是下午四点到五点。", [("clock", 960, 1020)]),
        ("她七月三十一日才来。", [("date", 731, 731)]),
        ("那是303房间的钥匙。", [("number 房间", 303, 303)]),
        ("电话打了四分钟。", [("minutes", 4, 4)]),
        ("桌上有两只酒杯。", [("只酒杯", 2, 2)]),
    ],
)
def test_what_is_read_in_chinese(text: str, found: list[tuple[str, int, int]]) -> None:
    assert read(text, "zh") == found


@pytest.mark.parametrize(
    ("one_text", "other_text", "differ"),
    [
        ("He left at half past six.", "He left at 6:30 PM.", False),
        ("He left at 6:30 AM.", "He left at 6:30 PM.", True),
        ("She died between 9:00 and 10:00 PM.", "She died at 9:40 PM.", False),
        ("She died between 9:00 and 10:00 PM.", "She died at 10:40 PM.", True),
        ("She died between 9:00 and 10:00 PM.", "She died at 9:40.", False),
    ],
)
def test_a_time_within_a_range_is_no_other_time(one_text: str, other_text: str, differ: bool) -> None:
    assert one(one_text).differs(one(other_text)) is differ
    assert one(other_text).differs(one(one_text)) is differ


@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 23), st.integers(0, 59))
def test_two_exact_times_differ_if_they_are_not_the_same(h: int, m: int, i: int, n: int) -> None:
    first, second = (
        Amount("clock", value, value, True, 0, 0, frozenset()) for value in (60 * h + m, 60 * i + n)
    )
    assert first.differs(second) is ((h, m) != (i, n))


def test_what_stands_after_a_semicolon_is_about_something_else() -> None:
    assert "watch" not in one("The watch had stopped; mine said 3:25.").about
