"""Ties and facts that sentences state, in both languages."""

from __future__ import annotations

import pytest

from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.model.proposal import ProposalKind
from fabula.model.relation import Language

RULES = LocalExtractor(rules_only=True)
ZH = [
    *(KnownEntity(name, "character") for name in ("陈望", "陈小河", "柳月", "秦明")),
    KnownEntity("翠云山", "location"),
]
EN = [KnownEntity(name, "character") for name in ("Ada", "Ruth", "Tom", "Levin")]


def ties(text: str, known: list[KnownEntity], language: Language) -> set[tuple[str, str, str]]:
    return {
        (draft.entity_name, str(draft.attributes["type"]), str(draft.attributes["target"]))
        for draft in RULES.extract(text, known, language)
        if draft.kind is ProposalKind.RELATION
    }


@pytest.mark.parametrize(
    ("sentence", "tie"),
    [
        ("陈望之妻柳月坐在窗前。", ("柳月", "妻子", "陈望")),
        ("柳月乃陈望之女。", ("陈望", "parent", "柳月")),
        ("后来陈望娶了柳月。", ("陈望", "丈夫", "柳月")),
        ("柳月嫁给了陈望。", ("陈望", "丈夫", "柳月")),
        ("陈小河拜秦明为师。", ("秦明", "mentors", "陈小河")),
        ("秦明收了陈小河为徒。", ("秦明", "mentors", "陈小河")),
        ("陈望与秦明结为兄弟。", ("陈望", "结拜", "秦明")),
        ("陈望手下有大将秦明。", ("秦明", "手下", "陈望")),
        ("秦明一刀杀死陈望。", ("秦明", "杀死", "陈望")),
        ("陈望被秦明所杀。", ("秦明", "杀死", "陈望")),
        ("陈望与秦明势不两立。", ("陈望", "enemy", "秦明")),
        ("陈望带着陈小河走了。", ("陈望", "同伴", "陈小河")),
        ("秦明说道：“我是陈望的徒弟。”", ("陈望", "mentors", "秦明")),
        ("陈望走来，他妻子柳月跟在后面。", ("柳月", "妻子", "陈望")),
        ("陈望與秦明勢不兩立。", ("陈望", "enemy", "秦明")),
    ],
)
def test_a_chinese_sentence_states_a_tie(sentence: str, tie: tuple[str, str, str]) -> None:
    assert ties(sentence, ZH, "zh") == {tie}


@pytest.mark.parametrize(
    "sentence",
    [
        "陈望不是柳月的父亲。",
        "“我要杀了陈望！”秦明喊道。",
        "陈望走了，柳月的哥哥还在。",
        "陈望看着柳月。",
    ],
)
def test_a_sentence_that_states_no_tie_gives_none(sentence: str) -> None:
    assert ties(sentence, ZH, "zh") == set()


@pytest.mark.parametrize(
    ("sentence", "tie"),
    [
        ("Tom married Ada in the spring.", ("Tom", "spouse", "Ada")),
        ("Tom was in love with Ada.", ("Tom", "loves", "Ada")),
        ("Levin was killed by Tom.", ("Tom", "killed", "Levin")),
        ("Ada, a friend of Ruth, came in.", ("Ada", "knows", "Ruth")),
        ("Tom and Levin were brothers.", ("Tom", "sibling", "Levin")),
        ("Tom taught Ada.", ("Tom", "mentors", "Ada")),
        ("“My brother Tom is late,” said Levin.", ("Tom", "sibling", "Levin")),
        ("“No,” said Levin. “It was my brother Tom.”", ("Tom", "sibling", "Levin")),
        ("Levin shook his head. “My brother Tom is late.”", ("Tom", "sibling", "Levin")),
        ("Tom had a sister named Ada.", ("Ada", "sibling", "Tom")),
        ("Tom, whose wife was Ada, came in.", ("Ada", "wife", "Tom")),
        ("Tom adopted Ada.", ("Tom", "parent", "Ada")),
        ("Tom proposed to Ada.", ("Tom", "loves", "Ada")),
        ("Ada was employed by Levin.", ("Ada", "serves", "Levin")),
        ("Levin rang for his butler Tom.", ("Tom", "butler", "Levin")),
        ("“Is it true, uncle Tom?” said Ada. " * 4, ("Tom", "uncle", "Ada")),
    ],
)
def test_an_english_sentence_states_a_tie(sentence: str, tie: tuple[str, str, str]) -> None:
    assert ties(sentence, EN, "en") == {tie}


@pytest.mark.parametrize(
    "sentence",
    [
        "Ruth's maid, Ada said, had left.",
        "Tom would have killed Levin.",
        "“Tom killed Levin,” she said.",
        "Ruth was convinced that Tom had killed Levin.",
        "What if Tom married Ada?",
        "Ada was the wife of Tom's uncle.",
        "“My uncle, Tom, is a sly man,” said Levin.",
        "“Good day, uncle Tom,” said Ada.",
    ],
)
def test_an_english_sentence_that_states_no_tie_gives_none(sentence: str) -> None:
    assert ties(sentence, EN, "en") == set()


def test_a_couple_is_one_name_with_two_titles() -> None:
    known = [KnownEntity(name, "character") for name in ("Mr. Pett", "Mrs. Pett", "Mrs. Hale")]
    text = "Mr. and Mrs. Pett came in. Mr. and Mrs. Hale stayed away."
    assert ties(text, known, "en") == {("Mr. Pett", "spouse", "Mrs. Pett")}


def test_a_pronoun_is_not_of_the_other_sex() -> None:
    known = [KnownEntity(name, "character") for name in ("Mrs. Hale", "Miss Moss")]
    assert ties("Tom sat between Mrs. Hale and his sister Miss Moss.", known, "en") == set()


@pytest.mark.long
def test_nobody_is_tied_to_himself() -> None:
    known = [KnownEntity("陈望", "character", ("老陈",)), KnownEntity("柳月", "character")]
    assert ties("陈望的师父老陈来了。陈望和老陈，老陈和陈望，陈望和老陈一同走了。", known, "zh") == set()


def test_people_who_answer_each_other_know_each_other() -> None:
    text = "陈望道：“你来了。”柳月道：“来了。”" * 3
    assert ties(text, ZH, "zh") == {("陈望", "knows", "柳月")}


def test_a_tie_holds_from_where_enough_is_said() -> None:
    text = "陈望和柳月来了。雪停了。陈望和柳月走了。天黑了。陈望和柳月又来了。"
    (draft,) = [one for one in RULES.extract(text, ZH, "zh") if one.kind is ProposalKind.RELATION]
    assert (draft.attributes["type"], draft.source_text) == ("同伴", "陈望和柳月又来了。")


def facts(text: str, name: str, language: Language) -> list[tuple[str, dict[str, str]]]:
    for draft in RULES.extract(text, [], language):
        if draft.kind is ProposalKind.ENTITY and draft.entity_name == name:
            for fact in draft.facts:
                assert fact.source_start is not None
                assert text[fact.source_start : fact.source_end] == fact.source_text
            return [(fact.text, fact.attributes) for fact in draft.facts]
    raise AssertionError(f"{name} is not found")


def test_a_chinese_person_is_described_by_what_the_text_says() -> None:
    text = (
        "苏瑶笑道：“来了。”苏瑶是赵无极的徒弟。苏瑶年方十七岁。"
        "赵无极说道：“苏瑶。”苏瑶说完，赵无极笑道：“好。”赵无极病故。"
    )
    said = facts(text, "苏瑶", "zh")
    assert "赵无极的徒弟。" in [one for one, _ in said]
    assert ("年方十七岁。", {"年龄": "年方十七岁"}) in said
    assert ("病故。", {"结局": "病故"}) in facts(text, "赵无极", "zh")


def test_an_english_person_is_described_by_what_the_text_says() -> None:
    text = (
        "Mr. Dick, a gentleman with grey hair, nodded. “Yes,” said Mr. Dick. Mr. Dick’s blue eyes shone. "
        "Captain Marsh spoke to Mr. Dick. “No,” said Captain Marsh. Captain Marsh died."
    )
    said = facts(text, "Mr. Dick", "en")
    assert ("A gentleman with grey hair.", {}) in said
    assert ("Blue eyes.", {"eyes": "blue"}) in said
    assert ("Died.", {"fate": "died"}) in facts(text, "Captain Marsh", "en")


FAMILY = [KnownEntity(name, "character") for name in ("Ben Hart", "Mrs. Hart", "Mr. Hart", "Ruth", "Tom")]


@pytest.mark.parametrize(
    ("text", "tie"),
    [
        ("Mr. Hart and his wife sat down.", ("Mr. Hart", "spouse", "Mrs. Hart")),
        ("Ben Hart’s mother was asleep.", ("Mrs. Hart", "parent", "Ben Hart")),
        ("There stood Ruth the daughter of Tom that day.", ("Tom", "parent", "Ruth")),
        (
            "“Come,” said Tom.\n\n“Yes, papa,” said Ruth.\n\n“Now,” said Tom.\n\n“But, papa!” said Ruth.",
            ("Tom", "parent", "Ruth"),
        ),
    ],
)
def test_english_families_are_read_without_their_names(text: str, tie: tuple[str, str, str]) -> None:
    assert tie in ties(text, FAMILY, "en")


def test_the_husband_of_somebodys_sister_is_not_her_husband() -> None:
    found = ties("Ruth’s sister and her husband, Tom, came in.", FAMILY, "en")
    assert not {kind for one, kind, other in found if {one, other} == {"Ruth", "Tom"}} & {"spouse", "husband"}


def test_a_killing_that_is_looked_back_on_is_less_certain_than_one_that_is_seen() -> None:
    seen, believed = (
        {one.attributes["type"]: one.confidence for one in RULES.extract(text, EN, "en")}
        for text in ("Tom killed Levin.", "Tom had killed Levin.")
    )
    assert believed.get("killed", 0.0) < 0.65 < seen["killed"]
