from __future__ import annotations

import pytest

from fabula.matching.implied import implied_names


@pytest.mark.parametrize(
    ("name", "implied"),
    [
        ("Anna Arkadyevna Karenina", {"Anna", "Karenina", "Anna Arkadyevna", "Anna Karenina"}),
        ("Count Alexey Vronsky", {"Vronsky", "Count Vronsky", "Alexey Vronsky"}),
        ("Étienne de Crécy", {"Étienne", "Crécy"}),
        ("Maurice, Prince of Orange", {"Maurice"}),
        ("Ermengarde of Tours", {"Ermengarde"}),
        ("贾宝玉", {"宝玉"}),
        ("诸葛孔明", {"孔明"}),
        ("爱丽丝·李", {"爱丽丝"}),
        ("文殊菩萨", {"文殊"}),
    ],
)
def test_parts_that_people_use_are_implied(name: str, implied: set[str]) -> None:
    assert implied <= set(implied_names(name))


@pytest.mark.parametrize(
    ("name", "not_implied"),
    [
        ("Count Alexey Vronsky", {"Count"}),
        ("The King", {"King", "The"}),
        ("Ermengarde of Tours", {"Tours"}),
        ("王夫人", {"夫人", "王"}),
        ("林逸", {"逸", "林"}),
        ("青云剑诀", {"剑诀"}),
        ("When Harry Met Sally", {"When", "When Harry", "When Sally", "When Harry Met Sally"}),
        ("What of Ann", {"What"}),
    ],
)
def test_titles_places_and_single_characters_are_not(name: str, not_implied: set[str]) -> None:
    assert not_implied.isdisjoint(implied_names(name))


def test_what_is_an_alias_already_is_not_implied_again() -> None:
    assert "Anna" not in implied_names("Anna Karenina", ("Anna",))
