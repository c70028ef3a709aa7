"""Who is who in a book: names that mean one person join, and people who meet never do."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.extraction.chinese.speakers import with_titles
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.identity.book import calibrated
from fabula.extraction.identity.evidence import identities
from fabula.extraction.identity.joining import Joined
from fabula.extraction.known import KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.local_drafts import BOOK
from fabula.extraction.mentions import FoundMention
from fabula.extraction.port import KnownEntity
from fabula.extraction.sameness import JoinReason
from fabula.extraction.whole_book import Block, joined, weighed
from fabula.model.proposal import FIRST_CHAPTER, JOINS, TIMES, ProposalKind
from fabula.model.relation import Language


def mentions_of(text: str, names: tuple[str, ...]) -> list[FoundMention]:
    """Every place of every name, the longest first."""
    any_name = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))
    return [
        FoundMention(found.start(), found.end(), found[0], "character", 0.95)
        for found in any_name.finditer(text)
    ]


def people(text: str, *names: str, language: Language = "zh", owners: dict[str, str] | None = None) -> Joined:
    mentions = mentions_of(text, names)
    times = Counter(mention.text for mention in mentions)
    found = [FoundName(name, "character", times[name], 0.95) for name in names]
    return identities(text, mentions, found, language, owners or {})


def one_group(outcome: Joined, *names: str) -> bool:
    return any(set(names) <= group for group in outcome.groups)


TALK = "周远坐在堂上，看着窗外的雨。\n"


def test_a_stated_name_joins_and_quotes_the_statement() -> None:
    text = "那大汉姓秦名岳，字子昭，本是渔户。\n" + "子昭笑了。秦岳走了。\n" * 6 + TALK
    outcome = people(text, "秦岳", "子昭", "周远")
    assert one_group(outcome, "秦岳", "子昭")
    (stated,) = [same for same in outcome.joins if same.reason is JoinReason.STATED and same.name == "子昭"]
    assert text[stated.start : stated.end].startswith("姓秦名岳，字子昭")


@pytest.mark.parametrize(
    "said",
    [
        "，绰号铁算盘，",
        "，人称铁算盘，",
        "，江湖上人都唤他做铁算盘。",
        "，又名铁算盘，",
        "，外号叫做铁算盘。",
    ],
)
def test_a_byname_that_is_told_joins(said: str) -> None:
    text = f"来人是马三才{said}最会记账。\n" + "马三才走了。\n铁算盘来了。\n" * 4
    assert one_group(people(text, "马三才", "铁算盘"), "马三才", "铁算盘")


def test_a_byname_before_a_full_name_joins_and_a_rank_before_several_does_not() -> None:
    text = "穿云箭石敬走了。\n穿云箭来了。\n" * 5 + "大统领石敬走了。\n大统领高朗来了。\n" * 5
    outcome = people(text, "穿云箭", "石敬", "大统领", "高朗")
    assert one_group(outcome, "穿云箭", "石敬")
    assert not one_group(outcome, "大统领", "石敬")
    assert not one_group(outcome, "大统领", "高朗")


def test_a_title_with_a_family_name_is_the_only_one_who_is_near() -> None:
    text = "苏婉清推门进来。苏姑娘今日来得早。\n" * 6 + "苏定山在城外打猎。\n" * 6
    outcome = people(text, "苏婉清", "苏姑娘", "苏定山")
    assert one_group(outcome, "苏婉清", "苏姑娘")
    assert not one_group(outcome, "苏定山", "苏姑娘")


def test_whoever_answers_to_a_name_has_it() -> None:
    exchange = "周远道：“石头，把门关上。”丁小山道：“来了。”\n周远走了。\n"
    outcome = people(exchange * 9, "周远", "石头", "丁小山")
    assert one_group(outcome, "石头", "丁小山")
    assert not one_group(outcome, "石头", "周远")
    (answers,) = [same for same in outcome.joins if same.reason is JoinReason.ANSWERS]
    assert (exchange * 9)[answers.start : answers.end] == "“石头，把门关上。”"


def test_a_woman_and_a_man_of_one_family_stay_two() -> None:
    text = "Mr. Harwood nodded. He left.\n\nMiss Harwood laughed. She stayed.\n\n" * 8
    outcome = people(text, "Mr. Harwood", "Miss Harwood", language="en")
    assert not one_group(outcome, "Mr. Harwood", "Miss Harwood")
    assert outcome.likely == []


def test_a_nurse_is_not_her_brother() -> None:
    text = "Nurse Dunn came in. She sat down.\n\nPeter Dunn looked up. He was tired.\n\n" * 8
    assert not one_group(people(text, "Nurse Dunn", "Peter Dunn", language="en"), "Nurse Dunn", "Peter Dunn")


def test_english_names_join_by_parts_titles_and_statements() -> None:
    text = (
        "Thomas Arkwright, known as Badger, kept the mill. He was old.\n\n"
        + "Mr. Arkwright slept. Badger dreamt. Arkwright woke. He rose.\n\n" * 5
        + "Walter Reed wrote. He read.\n\n" * 5
    )
    names = ("Thomas Arkwright", "Mr. Arkwright", "Arkwright", "Badger", "Walter Reed")
    outcome = people(text, *names, language="en")
    assert one_group(outcome, *names[:4])
    assert not one_group(outcome, "Walter Reed", "Badger")


def test_brothers_with_one_family_name_stay_two() -> None:
    text = "Ivan Petrov spoke to Sergei Petrov. Ivan Petrov left.\n\nSergei Petrov wept.\n\n" * 6
    outcome = people(text, "Ivan Petrov", "Sergei Petrov", "Petrov", language="en")
    assert not one_group(outcome, "Ivan Petrov", "Sergei Petrov")


def test_the_patronymic_is_the_same_person_with_and_without_the_family_name() -> None:
    text = "Pavel Andreevitch Orlov came. He bowed. Pavel Andreevitch sat down. Orlov smiled.\n\n" * 6
    names = ("Pavel Andreevitch Orlov", "Pavel Andreevitch", "Orlov")
    assert one_group(people(text, *names, language="en"), *names)


_NAMES = st.sampled_from(["林远", "远儿", "林大哥", "老林", "林远山", "远山", "小远", "阿远"])


@settings(max_examples=examples(60))
@given(_NAMES, _NAMES, st.integers(2, 8))
def test_two_who_address_each_other_are_never_one(one: str, other: str, times: int) -> None:
    if one == other or one in other or other in one:
        return
    text = f"{one}道：“{other}，走吧。”{other}道：“{one}，再等等。”\n" * times
    outcome = people(text, one, other)
    assert not one_group(outcome, one, other)
    assert outcome.likely == []


@settings(max_examples=examples(60))
@given(_NAMES, _NAMES, st.sampled_from("、和与同"))
def test_two_who_stand_in_one_list_are_never_one(one: str, other: str, joint: str) -> None:
    if one == other or one in other or other in one:
        return
    outcome = people(f"{one}{joint}{other}都来了。\n" + f"{one}走了。{other}来了。\n" * 6, one, other)
    assert not one_group(outcome, one, other)
    assert outcome.likely == []


@settings(max_examples=examples(40))
@given(st.permutations([0, 1, 2, 3]))
def test_the_order_of_blocks_does_not_matter(order: list[int]) -> None:
    parts = ["苏婉清道：“走吧。”\n", "苏姑娘走了。\n", "周远和苏婉清来了。\n", "周远道：“好。”\n"]
    blocks, start = [], 0
    for part in parts:
        mentions = mentions_of(part, ("苏婉清", "苏姑娘", "周远"))
        times = Counter(mention.text for mention in mentions)
        names = [FoundName(name, "character", count, 0.9) for name, count in times.items()]
        blocks.append(Block(start, FoundMentions(mentions, names)))
        start += len(part)
    text = "".join(parts)
    assert weighed(joined([blocks[index] for index in order]), text, "zh") == weighed(
        joined(blocks), text, "zh"
    )


def test_evidence_in_any_order_joins_the_same() -> None:
    text = "穿云箭石敬走了。\n穿云箭来了。\n石敬道：“好。”\n" * 5 + "老石笑了。石敬走了。\n" * 5
    outcomes = [people(text, *names) for names in permutations(("穿云箭", "石敬", "老石"))]
    assert all(outcome == outcomes[0] for outcome in outcomes)


def test_two_entities_of_the_story_are_never_joined() -> None:
    text = "来人是马三才，绰号铁算盘，最会记账。\n" + "马三才走了。\n铁算盘来了。\n" * 4
    owners = {"马三才": "马三才", "铁算盘": "铁算盘"}
    outcome = people(text, "马三才", "铁算盘", owners=owners)
    assert not one_group(outcome, "马三才", "铁算盘")
    assert outcome.likely == []


def test_a_title_that_speaks_all_the_time_is_a_name_and_a_noun_is_not() -> None:
    text = "掌灯使道：“走。”众人与掌灯使走了。\n" * 12 + "那老者道：“好。”一个老者走了。\n" * 12
    names = {name.text for name in with_titles(FoundMentions([], []), text).names}
    assert "掌灯使" in names
    assert "老者" not in names


def test_two_names_without_a_comma_are_two() -> None:
    text = "宋青禾走了。\n江映雪来了。\n" * 9 + "宋青禾江映雪都笑了。\n" * 3
    mentions = mentions_of(text, ("宋青禾江映雪", "宋青禾", "江映雪"))
    times = Counter(mention.text for mention in mentions)
    found = FoundMentions(mentions, [FoundName(name, "character", n, 0.9) for name, n in times.items()])
    after = with_titles(found, text)
    assert {name.text: name.times for name in after.names} == {"宋青禾": 12, "江映雪": 12}


def long_novel() -> str:
    lines = (
        "林惊羽走进望归塔，看见苏瑶坐在窗前。",
        "林惊羽说道：“苏瑶，你怎么在这里？”",
        "苏瑶笑道：“我等了你三天。”惊羽没有回答。",
        "惊羽看了看天。苏瑶又笑道：“下雪了。”林惊羽叹了口气。",
    )
    return "\n".join(lines[number % len(lines)] for number in range(BOOK // 15)) + "\n"


@pytest.mark.long
def test_a_book_gives_one_draft_of_one_person_with_its_evidence() -> None:
    text = long_novel()
    assert len(text) > BOOK
    extractor = LocalExtractor(rules_only=True)
    found = weighed(extractor.found(text, KnownNames(()), "zh"), text, "zh")
    drafts = extractor.drafts(text, found, KnownNames(()), "zh")
    (hero,) = [draft for draft in drafts if "林惊羽" in draft.names and draft.kind is ProposalKind.ENTITY]
    assert (hero.entity_name, hero.aliases) == ("林惊羽", ("惊羽",))
    assert hero.attributes[TIMES] == text.count("惊羽")
    (join,) = hero.attributes[JOINS]
    assert (join["name"], join["other"], join["reason"]) == ("惊羽", "林惊羽", "part")
    assert text.startswith(join["quotation"], join["start"])
    assert FIRST_CHAPTER not in hero.attributes


@pytest.mark.long
def test_a_book_never_renames_what_the_story_has() -> None:
    text = long_novel()
    known = KnownNames([KnownEntity("惊羽", "character")])
    extractor = LocalExtractor(rules_only=True)
    found = weighed(extractor.found(text, known, "zh"), text, "zh")
    drafts = extractor.drafts(text, found, known, "zh")
    assert not any(draft.kind is ProposalKind.ENTITY and "惊羽" in draft.names for draft in drafts)
    owners = {
        draft.attributes["aliasOf"]
        for draft in drafts
        if draft.kind is ProposalKind.ALIAS and draft.entity_name == "林惊羽"
    }
    assert owners <= {"惊羽"}


@settings(max_examples=examples(40))
@given(st.floats(0, 1), st.floats(0, 1))
def test_calibration_keeps_the_order(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert 0 <= calibrated(low) <= calibrated(high) <= 1


def test_a_name_with_a_title_after_it_is_the_same_name() -> None:
    text = "惠岸笑了。惠岸行者坐下。雨停了。惠岸行者走了。" * 2 + TALK
    assert one_group(people(text, "惠岸", "周远"), "惠岸", "惠岸行者")
    once = "惠岸笑了。惠岸行者坐下。" + TALK
    assert not one_group(people(once, "惠岸", "周远"), "惠岸", "惠岸行者")


def test_whose_wife_or_son_it_is_is_somebody_else() -> None:
    text = "敖广走了。敖广太子坐下。敖广夫人来了。敖广太子又来了。敖广夫人走了。" + TALK
    outcome = people(text, "敖广", "周远")
    assert not one_group(outcome, "敖广", "敖广太子")
    assert not one_group(outcome, "敖广", "敖广夫人")


def test_a_name_with_a_character_less_before_the_same_title_joins() -> None:
    text = "观音菩萨来了。观世音菩萨笑了。" * 4 + TALK
    assert one_group(people(text, "观音菩萨", "观世音菩萨", "周远"), "观音菩萨", "观世音菩萨")


def test_whoever_says_who_they_are_is_likely_that_one() -> None:
    text = "那时铁面人喝道：“我乃秦岳是也！”众人大惊。\n" + "铁面人走了。秦岳来了。\n" * 3 + TALK
    outcome = people(text, "铁面人", "秦岳", "周远")
    assert not one_group(outcome, "铁面人", "秦岳")
    (likely,) = [same for same in outcome.likely if {same.name, same.other} == {"铁面人", "秦岳"}]
    assert "我乃秦岳" in text[likely.start : likely.end]
    denied = "铁面人说道：“我是秦岳的徒弟。”\n" * 3 + TALK
    assert not people(denied, "铁面人", "秦岳", "周远").likely


def test_whoever_calls_somebody_is_not_the_one_who_is_called() -> None:
    text = "Marsh called Sergeant Hebert, and Hebert came. " * 4
    assert not one_group(people(text, "Marsh", "Sergeant Hebert", "Hebert", language="en"), "Marsh", "Hebert")


def test_a_daughter_is_not_her_father_and_old_duroy_not_the_young_one() -> None:
    text = "M. Walter bowed. Later Suzanne Walter left. Then Suzanne came. " * 4
    assert not one_group(
        people(text, "M. Walter", "Suzanne Walter", "Suzanne", language="en"), "M. Walter", "Suzanne Walter"
    )
    text = "Georges Duroy walked on. There sat Old Duroy. " * 4
    assert not one_group(
        people(text, "Georges Duroy", "Old Duroy", language="en"), "Georges Duroy", "Old Duroy"
    )


@pytest.mark.parametrize(
    ("said", "byname"),
    [
        ("因他使得好锤，江湖上都唤他做铁算盘。", "铁算盘"),
        ("原来马三才生得矮小，以此人都呼他做铁算盘。", "铁算盘"),
    ],
)
def test_what_others_call_somebody_is_a_name_of_whom_the_sentence_speaks(said: str, byname: str) -> None:
    text = f"那汉子姓马名三才，{said}\n" if "马三才" not in said else f"{said}\n"
    assert one_group(people(text + "马三才走了。\n" * 4, "马三才"), "马三才", byname)


def test_what_others_call_one_of_two_is_nobodys_name() -> None:
    text = "马三才打了周远，人都呼他做铁算盘。\n" + "马三才走了。周远来了。\n" * 4
    assert not one_group(people(text, "马三才", "周远"), "马三才", "铁算盘")


def test_names_told_one_after_the_other_are_all_joined_even_those_in_the_dictionary() -> None:
    text = "来的正是曹操，字孟德，小名阿瞒。\n" + "曹操走了。孟德来了。阿瞒笑了。\n" * 4
    assert one_group(people(text, "曹操", "孟德", "阿瞒"), "曹操", "孟德", "阿瞒")


def test_the_name_one_gives_oneself_again_and_again_is_ones_own() -> None:
    text = "智通道：“俺马三才怕谁。”\n智通笑道：“我马三才去也。”\n智通怒道：“俺马三才不去。”\n" + TALK
    assert one_group(people(text, "智通", "马三才", "周远"), "智通", "马三才")


def test_somebody_of_ones_own_is_not_oneself() -> None:
    text = "智通道：“我马三才家的田。”\n智通道：“我马三才师父好。”\n智通道：“我马三才的马。”\n" + TALK
    assert not one_group(people(text, "智通", "马三才", "周远"), "智通", "马三才")


def test_a_title_of_the_books_own_is_learnt() -> None:
    text = (
        "Comrade Bale went. Comrade Moss came. Comrade Dunn sat. Bale slept. Moss ate. Dunn ran. " * 5
    ) + ("Old friends are rare. " * 5)
    names = ("Comrade Bale", "Comrade Moss", "Comrade Dunn", "Bale", "Moss", "Dunn")
    outcome = people(text, *names, language="en")
    assert one_group(outcome, "Comrade Bale", "Bale")
    assert not one_group(outcome, "Bale", "Moss")


def test_a_land_is_not_its_prince_and_a_given_name_joins_no_two() -> None:
    text = "The Prince of Mervo sat. Mervo is small. " * 6
    assert not one_group(people(text, "Prince of Mervo", "Mervo", language="en"), "Prince of Mervo", "Mervo")
    text = "Princess Varvara sat.\n\n" * 8 + "Varvara Andreevna left.\n\n" * 8 + "Varvara slept."
    names = ("Princess Varvara", "Varvara Andreevna", "Varvara")
    assert not one_group(people(text, *names, language="en"), "Princess Varvara", "Varvara Andreevna")


def test_a_pet_name_with_the_family_name_is_the_full_name() -> None:
    text = "Dan Quill smiled. " * 9 + "Daniel Quill bowed. " * 3 + "Dan Moss ate. " * 5
    outcome = people(text, "Dan Quill", "Daniel Quill", "Dan Moss", language="en")
    assert one_group(outcome, "Dan Quill", "Daniel Quill")
    assert not one_group(outcome, "Dan Quill", "Dan Moss")


def test_a_family_name_alone_is_rather_a_man_than_the_one_called_mrs() -> None:
    text = "Tom Quill said he was late.\n\n" * 9 + "Quill bowed.\n\n" * 9 + "Mrs. Quill bakes.\n\n" * 2
    outcome = people(text, "Tom Quill", "Quill", "Mrs. Quill", language="en")
    assert one_group(outcome, "Tom Quill", "Quill")
    assert not one_group(outcome, "Quill", "Mrs. Quill")


def test_several_people_are_nobodys_other_name() -> None:
    text = "石邢走了。众石来了。\n" * 9 + "石邢二夫人来了。\n石邢坐下。\n" * 9
    outcome = people(text, "石邢", "众石", "石邢二夫人")
    assert not any(len(group) > 1 for group in outcome.groups)
    assert outcome.likely == []


def test_a_word_for_anybody_is_not_certainly_the_one_who_has_it_in_a_name() -> None:
    text = "婆子来了。\n" * 40 + "石婆子坐下。婆子坐下。\n" * 4
    assert not one_group(people(text, "婆子", "石婆子"), "婆子", "石婆子")


def test_in_a_large_family_what_follows_its_name_is_a_given_name() -> None:
    text = "石如松走了。石玉树来了。\n如松笑了。玉树笑了。\n" * 5 + "石青山坐下。\n石长河坐下。\n" * 5
    names = ("石如松", "石玉树", "石青山", "石长河", "如松", "玉树")
    told = [{same.name, same.other} for same in (*people(text, *names).joins, *people(text, *names).likely)]
    assert {"石如松", "石玉树"} not in told


def test_a_verb_before_a_name_is_no_part_of_it() -> None:
    text = "江映雪走了。\n" * 40 + "多谢江映雪。\n" + "蒙白石先生相救。\n" * 2 + "白石先生来了。\n" * 9
    mentions = mentions_of(text, ("谢江映雪", "江映雪", "蒙白石先生", "白石先生"))
    times = Counter(mention.text for mention in mentions)
    found = FoundMentions(mentions, [FoundName(name, "character", n, 0.9) for name, n in times.items()])
    assert {name.text for name in with_titles(found, text).names} == {"江映雪", "白石先生"}


def test_a_wife_is_not_the_man_of_her_family_name() -> None:
    text = "石之远走了。\n石奶奶来了。石之远坐下。\n" * 9
    outcome = people(text, "石之远", "石奶奶")
    assert not one_group(outcome, "石之远", "石奶奶")
    assert outcome.likely == []
