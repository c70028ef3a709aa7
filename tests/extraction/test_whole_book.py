"""A book read in blocks: people are those who speak, and blocks join to one reading."""

from __future__ import annotations

import pytest

from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.mentions import FoundMention
from fabula.extraction.whole_book import Block, joined, packed, unpacked, weighed


def book(*told: tuple[str, str], times: int = 10, kind: str = "character") -> tuple[str, FoundMentions]:
    """A text in which each name stands before what is told of it, so many times; all are believed alike."""
    text, mentions = "", []
    for _ in range(times):
        for name, rest in told:
            mentions.append(FoundMention(len(text), len(text) + len(name), name, kind, 0.95))
            text += f"{name}{rest}\n"
    return text, FoundMentions(mentions, [FoundName(name, kind, times, 0.95) for name, _ in told])


def confidence(found: FoundMentions) -> dict[str, float]:
    return {name.text: name.confidence for name in found.names}


def test_who_never_speaks_and_what_is_only_said_is_doubted() -> None:
    text, found = book(
        ("袭人", "笑道：“来了。”"), ("袭人", "走了。"), ("胡涂", "得很。"), ("嚷着", "道：“好。”")
    )
    sure = confidence(weighed(found, text, "zh"))
    assert sure["袭人"] >= 0.95
    assert sure["胡涂"] < 0.8
    assert sure["嚷着"] < 0.5


def test_whoever_speaks_is_somebody_whatever_the_name_looks_like() -> None:
    text, found = book(("八戒", "道：“饿了。”"), ("八戒", "走了。"), kind="item")
    after = weighed(found, text, "zh")
    assert {name.type for name in after.names} == {"character"}
    assert {mention.type for mention in after.mentions} == {"character"}


def test_a_full_name_need_not_speak_and_a_common_word_may() -> None:
    text, found = book(("王熙凤", "来了。"), ("那婆子", "说道：“是。”"), ("那婆子", "走了。"))
    sure = confidence(weighed(found, text, "zh"))
    assert sure["王熙凤"] == 0.95
    assert sure["那婆子"] < 0.8


def test_places_of_two_characters_and_positions_are_doubted() -> None:
    text, found = book(("大观园", "里有人。"), ("炕沿上", "坐着。"), ("大路", "很长。"), kind="location")
    sure = confidence(weighed(found, text, "zh"))
    assert sure["大观园"] == 0.95
    assert max(sure["炕沿上"], sure["大路"]) < 0.8


def told(name: str, *sentences: str, kind: str = "character", times: int = 10) -> FoundName:
    """What a book thinks of a name that stands in each of these sentences, so many times."""
    text, mentions = "", []
    for _ in range(times):
        for sentence in sentences:
            start = len(text) + sentence.index(name)
            mentions.append(FoundMention(start, start + len(name), name, kind, 0.95))
            text += f"{sentence}\n"
    (judged,) = weighed(
        FoundMentions(mentions, [FoundName(name, kind, len(mentions), 0.95)]), text, "zh"
    ).names
    return judged


@pytest.mark.parametrize(
    ("name", "sentences"),
    [
        ("合掌", ("行者合掌道：“是。”", "长老合掌道：“来。”", "他合掌念经。")),
        ("口里", ("口里说道：“不去。”", "他把果子放在口里。")),
        ("落云头", ("行者按落云头，叫他。", "他按落云头。")),
        ("老僧", ("老僧道：“请。”", "老僧走了。")),
        ("三王子", ("三王子道：“请。”", "三王子走了。")),
        ("俗语", ("俗语说：“好事多磨。”", "这是俗语。")),
    ],
)
def test_words_that_stand_where_people_speak_are_nobody(name: str, sentences: tuple[str, ...]) -> None:
    assert told(name, *sentences).confidence < 0.8


@pytest.mark.parametrize(
    ("name", "before", "sentences", "after"),
    [
        ("金箍棒", "character", ("他掣金箍棒就打。", "行者举金箍棒相迎。"), "item"),
        ("芦雪庭", "character", ("众人到芦雪庭来。", "他在芦雪庭坐着。"), "location"),
        ("南天门", "faction", ("他出南天门去了。", "行者到南天门外。"), "location"),
        ("水帘洞", "location", ("他在水帘洞里。", "花果山水帘洞好。"), "location"),
        ("林黛玉", "character", ("只见林黛玉来了。", "林黛玉听了。"), "character"),
    ],
)
def test_what_is_held_is_a_thing_and_where_one_goes_a_place(
    name: str, before: str, sentences: tuple[str, ...], after: str
) -> None:
    judged = told(name, *sentences, kind=before)
    assert (judged.type, judged.confidence) == (after, 0.95)


def test_a_longer_form_of_a_speakers_name_is_no_thing() -> None:
    text, found = book(("八戒", "道：“饿了。”"), ("八戒", "走了。"), ("猪八戒", "来了。"))
    names = [name._replace(type="item") for name in found.names]
    after = weighed(FoundMentions(found.mentions, names), text, "zh")
    assert {name.type for name in after.names} == {"character"}


def test_english_people_are_known_by_said_before_and_after() -> None:
    def judged(text: str) -> FoundName:
        places = [place for place in range(len(text)) if text.startswith("Salt", place)]
        mentions = [FoundMention(place, place + 4, "Salt", "item", 0.9) for place in places]
        (name,) = weighed(FoundMentions(mentions, [FoundName("Salt", "item", 8, 0.9)]), text, "en").names
        return name

    assert judged('Salt said, "No." "Yes," said Salt. ' * 4).confidence < 0.9  # nothing but speech
    somebody = judged('Salt went away. "Yes," said Salt. ' * 4)
    assert (somebody.type, somebody.confidence) == ("character", 0.9)


def test_blocks_join_to_one_and_survive_being_kept() -> None:
    _, first = book(("袭人", "笑道。"), times=2)
    _, second = book(("袭人", "走了。"), times=6)
    second = FoundMentions(second.mentions, [FoundName("袭人", "location", 6, 0.5)])
    blocks = [Block(0, unpacked(packed(first))), Block(100, unpacked(packed(second)))]
    found = joined(blocks)
    assert [mention.start for mention in found.mentions[:3]] == [0, 6, 100]
    (name,) = found.names
    assert (name.type, name.times) == ("location", 8)
    assert 0.5 < name.confidence < 0.95


def judged_in_english(name: str, kind: str, *sentences: str, others: tuple[str, ...] = ()) -> FoundName:
    """What a book that says these sentences ten times thinks of a name that was found as this kind."""
    text, mentions = "", []
    for _ in range(10):
        for sentence in sentences:
            for each in (name, *others):
                start = sentence.find(each)
                if start >= 0:
                    place = len(text) + start
                    mentions.append(FoundMention(place, place + len(each), each, kind, 0.9))
            text += f"{sentence}\n"
    names = [FoundName(each, kind, 10, 0.9) for each in (name, *others)]
    found = weighed(FoundMentions(sorted(mentions), names), text, "en")
    return next(one for one in found.names if one.text == name)


@pytest.mark.parametrize(
    ("name", "before", "sentences", "after"),
    [
        ("Brill", "location", ('"Yes, Brill," he cried.', "She went to Brill."), "character"),
        ("Mitka", "location", ("Then Mitka laughed.", "He turned to Mitka."), "character"),
        ("Olverton", "character", ("They lived in Olverton.", "He came from Olverton."), "location"),
        (
            "Harp Lane",
            "character",
            ("Harp Lane had a bell.", "He lives in Harp Lane."),
            "location",
        ),
        (
            "Olya",
            "location",
            ("She went to Olya.", "It woke Olya, who wept.", *["She gave Olya his bath."] * 9),
            "character",
        ),
        ("Gap", "location", ("The Gap was steep.", *["They saw the Gap."] * 3), "location"),
        ("Gable", "location", ("The Gable had lifted his fist.", "The Gable laughed."), "character"),
    ],
)
def test_how_a_book_uses_an_english_name_says_what_it_names(
    name: str, before: str, sentences: tuple[str, ...], after: str
) -> None:
    judged = judged_in_english(name, before, *sentences)
    assert judged.type == after
    assert judged.confidence >= 0.8


def test_names_are_peoples_by_the_names_of_their_family() -> None:
    crew = ("Mr. Hollis said so.", "He had read of Barnaby Hollis.", "They dined with the Hollises.")
    assert judged_in_english("Barnaby Hollis", "location", *crew, others=("Mr. Hollis",)).type == "character"
    assert judged_in_english("Hollises", "location", *crew, others=("Mr. Hollis",)).type == "faction"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Varnish", "He spoke a Varnish word to the Varnish crowd."),
        ("Monsieur le Prefet", "He bowed to Monsieur le Prefet."),
        ("New Testament", "He opened the New Testament."),
    ],
)
def test_words_of_origin_titles_alone_and_scriptures_name_nobody(name: str, sentence: str) -> None:
    assert judged_in_english(name, "location", sentence).confidence < 0.5
    assert judged_in_english(name, "character", sentence).confidence < 0.5


@pytest.mark.parametrize("name", ["拜谢", "礼毕", "我妈", "老爷太太", "倪家母女", "多官", "国王教", "掣铁棒"])
def test_deeds_and_several_people_are_no_name(name: str) -> None:
    assert told(name, f"他{name}，便走了。", f"{name}道：“请。”").confidence < 0.5


def test_a_verb_before_a_title_is_no_family_name() -> None:
    deeds = tuple(f"多蒙{who}相救。" for who in ("我", "秦岳", "柳月", "周远", "菩萨"))
    text, mentions = "", []
    names = ("秦岳", "柳月", "周远", "蒙菩萨")
    for _ in range(10):
        for sentence in deeds:
            for name in names:
                start = sentence.find(name)
                if start >= 0:
                    place = len(text) + start
                    mentions.append(FoundMention(place, place + len(name), name, "character", 0.95))
            text += f"{sentence}\n"
    found = FoundMentions(mentions, [FoundName(name, "character", 10, 0.95) for name in names])
    sure = confidence(weighed(found, text, "zh"))
    assert sure["蒙菩萨"] < 0.5 < sure["秦岳"]


def test_whoever_begins_to_speak_is_believed_more_than_one_of_several() -> None:
    somebody = told("敖白", "敖白道：“去罢。”", "众人看敖白时，早已不见。")
    assert somebody.confidence > 0.95
    anybody = told("伙徒", "来了一伙徒，都拿着刀。", "一伙徒走了。", "伙徒去了。")
    assert anybody.confidence < 0.8
