"""Who somebody is: what a text says about a person, the most telling first, and nothing else."""

from __future__ import annotations

import pytest

from fabula.extraction.local import LocalExtractor
from fabula.extraction.mentions import FoundMention
from fabula.extraction.port import KnownEntity
from fabula.extraction.stated import stated
from fabula.extraction.ties.drafts import Somebody
from fabula.model.relation import Language


def told(text: str, name: str, names: dict[str, str], language: Language) -> list[str]:
    """The facts about somebody in a text whose names are given with those they mean."""
    mentions = []
    for written in names:
        start = text.find(written)
        while start >= 0:
            inside = any(len(other) > len(written) and _stands(text, other, start) for other in names)
            if not inside:
                mentions.append(FoundMention(start, start + len(written), written, "character", 1.0))
            start = text.find(written, start + len(written))
    who = {written: Somebody(main, "character", 1.0) for written, main in names.items()}
    found = stated(text, sorted(mentions), who, language, 0.65, is_book=True).facts.get(name, ())
    for fact in found:
        assert fact.source_start is not None
        assert text[fact.source_start : fact.source_end] == fact.source_text
    return [fact.text for fact in found]


def _stands(text: str, name: str, place: int) -> bool:
    first = max(0, place - len(name) + 1)
    return any(
        text.startswith(name, start) and start + len(name) > place for start in range(first, place + 1)
    )


ZH = {"秦岳": "秦岳", "柳月": "柳月", "周远": "周远"}
EN = {"Ruth": "Ruth", "Tom": "Tom", "Mr. Hale": "Mr. Hale"}


def test_who_somebody_is_comes_before_what_they_are_like_and_company_is_left_to_relations() -> None:
    text = "秦岳和周远来了。" * 4 + "秦岳为人心直口快。秦岳现任青州太守。秦岳是柳月的哥哥。"
    said = told(text, "秦岳", ZH, "zh")
    assert said.index("柳月的哥哥。") < said.index("青州太守。") < said.index("为人心直口快。")
    # With whom somebody goes, the relations tell.
    assert "常与周远同行。" not in said


@pytest.mark.parametrize(
    ("text", "language"),
    [("秦岳和周远来了。柳月说道：“请坐。”秦岳说道：“多谢。”", "zh"), ("Ruth met Tom. Ruth left.", "en")],
)
def test_nobody_is_described_by_those_who_stand_beside_them(text: str, language: Language) -> None:
    for name in ("秦岳", "Ruth"):
        assert not [one for one in told(text, name, ZH | EN, language) if "初次" in one or "First" in one]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("“我是这山中的猎户，姓秦名岳。”", "山中的猎户。"),
        ("那妇人是周远的妻，秦岳的母，名唤柳月。", "秦岳的母。"),
        ("原来柳月亦是周远之婢。", "周远之婢。"),
    ],
)
def test_an_introduction_in_chinese_is_read(text: str, fact: str) -> None:
    name = "秦岳" if "猎户" in text else "柳月"
    assert fact in told(text, name, {**ZH, "岳": "秦岳"} if "姓秦名岳" in text else ZH, "zh")


@pytest.mark.parametrize(
    "text",
    [
        "难道秦岳是天王？",
        "若秦岳是个将军，也不至如此。",
        "“柳月是我孙子！”秦岳骂道。",
        "打量秦岳死了，又哭起来。",
        "这里秦岳正思自尽，见人来了，也放了心。",
        "如今他比秦岳生得还风流俊俏。",
    ],
)
def test_what_is_asked_supposed_or_said_of_others_is_no_fact(text: str) -> None:
    assert told(text, "秦岳", ZH, "zh") == []


def test_whoever_speaks_again_and_again_has_not_died() -> None:
    died = "秦岳病故。"
    assert "病故。" in told(died, "秦岳", ZH, "zh")
    alive = died + "雨下了一夜。" * 800 + "秦岳笑道：“我还在。”" * 3
    assert "病故。" not in told(alive, "秦岳", ZH, "zh")


def test_the_words_of_address_say_what_somebody_is() -> None:
    text = "周远说道：“陛下，请坐。”秦岳说道：“朕知道了。”\n" * 4
    assert told(text, "秦岳", ZH, "zh")[:2] == ["人称“陛下”。", "帝王，自称“朕”。"]
    text = "“Will he live, doctor?” asked Tom.\n“Hardly,” said Mr. Hale.\n" * 4
    assert "Addressed as “doctor”." in told(text, "Mr. Hale", EN, "en")


def test_once_is_not_enough_to_be_addressed_as_something() -> None:
    text = "周远说道：“陛下，请坐。”秦岳说道：“好。”"
    assert told(text, "秦岳", ZH, "zh") == ["与周远交谈。"]


def test_the_title_of_another_name_is_told() -> None:
    text = "Oblonsky nodded. Then Prince Oblonsky left the room. Oblonsky was gone."
    names = {"Oblonsky": "Oblonsky", "Prince Oblonsky": "Oblonsky"}
    assert told(text, "Oblonsky", names, "en") == ["A prince."]
    assert told("魏征来了。魏征丞相坐下。", "魏征", {"魏征": "魏征", "魏征丞相": "魏征"}, "zh") == ["丞相。"]


@pytest.mark.parametrize(
    ("text", "name", "fact"),
    [
        ("“That is Tom, the celebrated writer and duelist.”", "Tom", "The celebrated writer and duelist."),
        ("Ruth, maid to the old Countess, came in.", "Ruth", "Maid to the old Countess."),
        ("Mr. Hale, member of the Academy, bowed.", "Mr. Hale", "Member of the Academy."),
        ("The preacher--Mr. Hale--rose.", "Mr. Hale", "The preacher."),
        ("Tom, the butler, bowed.", "Tom", "The butler."),
        ("They sent for Tom the gardener.", "Tom", "Gardener."),
        ("The church of which Mr. Hale was pastor, burned.", "Mr. Hale", "Pastor."),
        ("The detective Tom left.", "Tom", "Detective."),
        ("Mr. Hale himself, a tall man with a beard, opened.", "Mr. Hale", "A tall man with a beard."),
        ("Ruth laughed. She was one of the housemaids.", "Ruth", "One of the housemaids."),
        ("It was the voice of Tom, the town-crier of Boulogne.", "Tom", "The town-crier of Boulogne."),
        (
            "Tom was a tall, thinnish, middle-aged man, with a beard.",
            "Tom",
            "A tall, thinnish, middle-aged man.",
        ),
        ("Her maid Ruth--a little French waif--helped her.", "Ruth", "Maid."),
        ("Tom, who kept an inn at Montfermeil, came in.", "Tom", "Kept an inn at Montfermeil."),
    ],
)
def test_an_introduction_in_english_is_read(text: str, name: str, fact: str) -> None:
    assert fact in told(text, name, EN, "en")


@pytest.mark.parametrize(
    "text",
    [
        "During the talk with the secretary Tom had recovered.",
        "The old man called Tom’s attention to the girls.",
        "Her invitation to the young actress, Tom’s sudden arrival, all was planned.",
        "If he had been told that Tom was dead, he would have wept.",
        "The talk between Ruth and Tom died down.",
        "Tom, an old friend, came in.",
        "Tom was a patriot.",
        "A man named Tom came in.",
        "Tom, holding a cat in his arms, came in.",
        "The man Tom had come to meet left.",
        "Tom was a little afraid he would exhaust the horses.",
    ],
)
def test_what_english_says_of_others_is_no_fact(text: str) -> None:
    assert [one for one in told(text, "Tom", EN, "en") if not one.startswith(("Often", "Speaks"))] == []


def test_a_man_is_no_actress() -> None:
    text = "Tom said that he was late. He told Ruth that she might go. " * 5 + "Tom, a young actress, bowed."
    assert "A young actress." not in told(text, "Tom", EN, "en")


def test_the_one_who_tells_the_story_has_an_uncle() -> None:
    said = "My uncle Tom came in. "
    assert "The narrator’s uncle." not in told(said, "Tom", EN, "en")
    assert "The narrator’s uncle." in told(said + "“Well,” said I.\n\n" * 6, "Tom", EN, "en")


def test_of_whom_nothing_is_stated_the_most_telling_sentence_is_told() -> None:
    text = "Ruth closed the window and sat down again.\nRuth was no longer the girl whom he had known then.\n"
    assert told(text, "Ruth", EN, "en") == ["Ruth was no longer the girl whom he had known then."]


def test_a_quotation_stands_only_for_whom_nothing_is_known() -> None:
    reader = LocalExtractor(rules_only=True)
    text = "苏瑶笑道：“来了。”苏瑶走了。"
    (draft,) = [
        one
        for one in reader.extract(text, [KnownEntity("陈望", "character")], "zh")
        if one.entity_name == "苏瑶"
    ]
    assert draft.facts == ()
    assert draft.source_text


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("It was Ruth the sexton at work in a shed.", "Sexton."),
        ("I wonder if Tom, the butler, knows you?", "The butler."),
        ("I was given over to the care of the huntsman, Tom, who was kind.", "The huntsman."),
        ("They liked Tom, the one-eyed lieutenant, whom nobody feared.", "The one-eyed lieutenant."),
        ("He bought nails of Tom, our ironmonger, that day.", "Ironmonger."),
        ("Tom was by trade a maker of clocks.", "A maker of clocks."),
        ("Tom, the Seneschal, rode ahead.", "The Seneschal."),
    ],
)
def test_more_ways_to_say_in_english_what_somebody_is(text: str, fact: str) -> None:
    assert fact in told(text, "Ruth" if "Ruth" in text else "Tom", EN, "en")


def test_what_somebody_is_stands_before_what_they_are_like_and_is_not_cut_off() -> None:
    text = "Tom was an odious man. Ruth went home. Tom, the painter of doors, slept."
    assert told(text, "Tom", EN, "en") == ["The painter of doors.", "An odious man."]
    assert told("Ruth was a shrewd woman who, of late, had slept.", "Ruth", EN, "en") == ["A shrewd woman."]


@pytest.mark.parametrize(
    ("text", "name", "language", "facts"),
    [
        ("Dr. Hale slept. Dr. Hale rose.", "Dr. Hale", "en", ["A doctor."]),
        ("崔判官来了。崔判官坐下。", "崔判官", "zh", []),
    ],
)
def test_a_title_in_the_only_name_is_told_where_the_name_does_not_show_it(
    text: str, name: str, language: Language, facts: list[str]
) -> None:
    assert told(text, name, {name: name}, language) == facts


def test_kin_are_told_by_the_words_for_men_and_women() -> None:
    text = "Tom and Ruth were married. " + "Ruth smiled, and she sang. Tom laughed, and he slept. " * 5
    assert told(text, "Ruth", EN, "en")[0] == "Wife of Tom."
    assert told(text, "Tom", EN, "en")[0] == "Husband of Ruth."


def test_whoever_goes_on_speaking_was_not_killed() -> None:
    end = "Nothing stirred. " * 300 + '"Go," said Tom. "No," said Ruth. ' * 4
    assert "Killed by Ruth." not in told(f"Ruth had killed Tom. {end}", "Tom", EN, "en")
    assert "Killed by Ruth." in told("Ruth killed Tom. All wept.", "Tom", EN, "en")


def test_nothing_is_told_twice_because_of_its_apostrophe() -> None:
    text = "Ruth, Tom's nurse, came in. " + "Ruth sat. " * 3 + "Ruth, Tom’s nurse, went out."
    assert len([one for one in told(text, "Ruth", EN, "en") if "nurse" in one]) == 1


def test_an_age_and_an_office_are_told_without_the_words_of_the_sentence_around_them() -> None:
    said = told("秦岳方五岁。" + "秦岳走了。" * 3, "秦岳", ZH, "zh")
    assert "五岁。" in said
