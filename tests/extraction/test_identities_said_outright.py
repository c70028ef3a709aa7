"""Names that one character, a title, or a plain statement of the book makes one person's."""

from __future__ import annotations

import pytest

from extraction.test_identities import mentions_of, one_group, people
from fabula.extraction.english.book_evidence import judged_in_english
from fabula.extraction.found import FoundName
from fabula.extraction.identity.evidence import identities

TALK = "周远坐在堂上，看着窗外的雨。\n"


def test_a_character_in_one_persons_name_only_makes_a_pet_name_theirs() -> None:
    text = "秦琏走了进来。\n" * 30 + "琏二爷回来了。\n" * 5 + TALK
    assert one_group(people(text, "秦琏", "琏二爷", "周远"), "秦琏", "琏二爷")


def test_what_somebody_is_like_is_no_character_of_a_name() -> None:
    text = "秦好走了进来。\n" * 30 + "好姐姐回来了。\n" * 5 + TALK
    assert not one_group(people(text, "秦好", "好姐姐", "周远"), "秦好", "好姐姐")


def test_a_pet_name_with_the_family_name_is_the_one_full_name() -> None:
    text = "凤姐笑道：“来。”\n" * 60 + "王凤姐来了。\n" * 3 + "王熙凤走了。\n" * 5 + "孙凤仙走了。\n" * 9
    outcome = people(text, "凤姐", "王凤姐", "王熙凤", "孙凤仙")
    assert one_group(outcome, "凤姐", "王熙凤")
    assert not one_group(outcome, "凤姐", "孙凤仙")


def test_who_says_a_full_name_of_themselves_has_it_if_the_two_never_meet() -> None:
    text = "\n".join(
        [*["石王睡了。后来孙云水走了。"] * 4, "石王道：“我乃是花山孙云水。”"] + ["石王笑了。"] * 9
    )
    assert one_group(people(text, "石王", "孙云水"), "石王", "孙云水")


def test_what_one_is_to_others_is_nobodys_name() -> None:
    text = "行远道：“是我小和尚。”\n" * 4 + "小和尚走了。\n" * 4 + TALK
    outcome = people(text, "行远", "小和尚", "周远")
    assert not one_group(outcome, "行远", "小和尚")
    assert not outcome.likely


def test_a_word_that_a_title_follows_so_often_is_the_name() -> None:
    text = "观音菩萨来了。\n" * 12 + "观音笑了。\n" * 4
    assert one_group(people(text, "观音菩萨"), "观音菩萨", "观音")


@pytest.mark.parametrize("said", [" is no other than", " was none other than", ", that is to say,"])
def test_what_a_book_says_outright_holds_though_both_stand_in_one_list(said: str) -> None:
    after = (
        "They spoke of Mr. Brandon and Jack Tarn did not mind. " * 3
        + "Jack Tarn slept. Mr. Brandon came home. " * 8
    )
    names = ("Mr. Brandon", "Jack Tarn")
    text = f"Mr. Brandon{said} Jack Tarn. {after}"
    found = [FoundName(name, "character", text.count(name), 0.95) for name in names]
    assert one_group(identities(text, mentions_of(text, names), found, "en"), *names)
    assert not one_group(identities(after, mentions_of(after, names), found, "en"), *names)


def test_two_people_who_turn_out_to_be_one_late_in_the_book_are_a_proposal() -> None:
    text = "Mr. Brandon came home. " * 8 + "Jack Tarn slept. " * 8 + "Mr. Brandon is no other than Jack Tarn."
    names = ("Mr. Brandon", "Jack Tarn")
    found = [FoundName(name, "character", text.count(name), 0.95) for name in names]
    outcome = identities(text, mentions_of(text, names), found, "en")
    assert not one_group(outcome, *names)
    assert [{one.name, one.other} for one in outcome.likely] == [set(names)]


def test_a_nickname_and_a_family_name_are_the_one_with_a_patronymic() -> None:
    text = "Konstantin Levin rose. Konstantin Dmitrievitch Levin sat. Kostya Levin laughed. " * 4
    outcome = people(text, "Konstantin Levin", "Konstantin Dmitrievitch Levin", "Kostya Levin", language="en")
    assert one_group(outcome, "Konstantin Levin", "Kostya Levin")


def test_the_rest_of_the_name_of_a_street_is_nobody() -> None:
    text = "He went to the Rue de la Chanvrerie. He saw Marcel, who laughed. " * 6
    names = ("Chanvrerie", "Marcel")
    found = [FoundName(name, "character", 6, 0.9) for name in names]
    judged = {name.text: name for name in judged_in_english(found, mentions_of(text, names), text)}
    assert judged["Chanvrerie"].confidence < 0.5
    assert judged["Marcel"].confidence > 0.8
