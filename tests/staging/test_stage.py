"""Who is present at each line of a scene: conversations, scripts and prose, in both languages."""

from __future__ import annotations

import re
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.staging.on_stage import NamedAt
from fabula.staging.stage import presence_of, present_at

CAST = ("Mara", "Tom", "Egret", "林远", "苏晚", "老陈")
ANY_CASE = re.compile("|".join(CAST), re.IGNORECASE)


def named(text: str) -> list[NamedAt[str]]:
    people = {name.lower(): name for name in CAST}
    return [NamedAt(*found.span(), people[found[0].lower()]) for found in ANY_CASE.finditer(text)]


def present(text: str) -> list[set[str]]:
    return [set(span.people) for span in presence_of(text, named(text))]


def at(text: str, quotation: str) -> set[str]:
    start = text.index(quotation)
    return set(present_at(presence_of(text, named(text)), start, start + len(quotation)))


TALKS = {
    "I have to take this call, be right back.": "I'm back. What did I miss?",
    "It's getting late, I should head home. Bye!": "Hey everyone, sorry, I forgot my keys.",
    "我去接个电话，马上回来。": "我回来了，你们在聊什么？",
    "时间不早了，我先走了，改天聊。": "大家好，我又来了，不介意我加入吧？",
}


@pytest.mark.parametrize("leaving", TALKS)
def test_who_takes_leave_hears_nothing_until_they_are_back(leaving: str) -> None:
    lines = ["Mara: Let us begin.", "Tom: Yes.", f"Egret: {leaving}", "Mara: The key is in the well."]
    lines += ["Tom: Nobody will look there.", f"Egret: {TALKS[leaving]}", "Mara: Nothing."]
    everybody, two = {"Mara", "Tom", "Egret"}, {"Mara", "Tom"}
    assert present("\n".join(lines)) == [everybody] * 3 + [two] * 2 + [everybody] * 2


@pytest.mark.parametrize(
    "staying",
    [
        "I have to go to the market every day.",
        "I left my coat at the inn last week.",
        "We said goodbye to the old boat.",
        "我每天都要去码头。",
        "他走了以后，店就关了。",
    ],
)
def test_who_only_talks_about_going_stays(staying: str) -> None:
    lines = ["Mara: Well?", "Tom: Well.", f"Egret: {staying}", *["Mara: Go on.", "Tom: Do."] * 3]
    assert present("\n".join(lines)) == [{"Mara", "Tom", "Egret"}] * 9


@pytest.mark.parametrize(
    ("out", "back"),
    [
        ("[Egret goes.]", "[Egret comes back.]"),
        ("[Egret’s connection drops.]", "[Egret reconnects.]"),
        ("Mara removed Egret from the group.", "Mara added Egret to the group."),
        ("Mara将Egret移出了群聊", "Mara邀请Egret加入了群聊"),
    ],
)
def test_calls_and_chats_say_who_is_gone_and_who_comes_again(out: str, back: str) -> None:
    lines = ["Mara: Well?", "Tom: Well.", "Egret: Well.", out, "Mara: The key is in the well."]
    heard = present("\n".join([*lines, "Tom: Good.", back, "Egret: What is good?"]))
    assert heard[4:6] == [{"Mara", "Tom"}] * 2
    assert heard[-1] == {"Mara", "Tom", "Egret"}


def test_who_hangs_up_hears_no_more_and_who_agrees_has_not_just_come() -> None:
    lines = [
        "林远：喂，人都在吗？",
        "苏晚：喂。",
        "老陈：你们好。",
        "老陈：信号不好，我先挂了。",
        "林远：其实名单里有老陈。",
    ]
    assert present("\n".join(lines)) == [{"林远", "苏晚", "老陈"}] * 4 + [{"林远", "苏晚"}]
    lines = ["林远：散会。", "苏晚：终于。", "老陈：好。"]
    assert present("\n".join(lines)) == [{"林远", "苏晚", "老陈"}] * 3


def test_a_newcomer_has_not_heard_what_was_said_before() -> None:
    talk = "Mara: The key is in the well.\nTom: Hush.\nMara: Why?\nEgret: Hi all, mind if I join?\nTom: Sit."
    assert at(talk, "in the well") == {"Mara", "Tom"}
    assert at(talk, "Sit") == {"Mara", "Tom", "Egret"}


def test_who_bids_farewell_to_somebody_does_not_leave() -> None:
    talk = "Mara: So.\nTom: I must go now. Bye!\nEgret: Bye, Tom! Take care.\n"
    talk += "Mara: Now listen.\n" + "Mara: And another thing.\n" * 6
    assert at(talk, "Now listen") == {"Mara", "Egret"}


def test_a_play_says_who_enters_and_leaves() -> None:
    play = (
        "Enter MARA and TOM.\nMARA. The tide is late.\n[Enter EGRET]\nEGRET. (aside to Mara) Trust nobody.\n"
    )
    play += "MARA. I see. [Exit]\nTOM. What did she say?\n[Exeunt all but Egret]\nEGRET. Nothing.\n"
    assert at(play, "The tide") == {"Mara", "Tom"}
    assert at(play, "Trust nobody") == {"Mara", "Egret"}
    assert at(play, "What did she say") == {"Tom", "Egret"}
    assert at(play, "Nothing.") == {"Egret"}


def test_a_chinese_play_says_who_enters_and_leaves() -> None:
    play = "（林远、苏晚上）\n林远：人呢？\n（老陈急上）\n老陈：（低声对苏晚）信丢了。\n"
    play += "苏晚：知道了。（下）\n林远：她去哪儿？\n（众人同下）\n"
    assert at(play, "人呢") == {"林远", "苏晚"}
    assert at(play, "信丢了") == {"苏晚", "老陈"}
    assert at(play, "她去哪儿") == {"林远", "老陈"}


@pytest.mark.parametrize(
    ("text", "quotation", "who"),
    [
        ("Mara and Tom sat down. Tom left the room. Mara opened the letter.", "opened the letter", {"Mara"}),
        ("Mara waited. Then Tom came in. “The key,” said Tom.", "The key", {"Mara", "Tom"}),
        ("Mara and Tom ate. Everyone left except Mara. She wept.", "She wept", {"Mara"}),
        ("Mara sent Tom away. Mara hid the key.", "hid the key", {"Mara"}),
        ("Mara did not leave. Tom told Mara to leave. Tom spoke of Egret.", "Egret", {"Mara", "Tom"}),
        ("林远和苏晚坐下。苏晚起身离开了。林远打开信。", "打开信", {"林远"}),
        ("苏晚在写信。老陈推门进来。老陈说：“信呢？”说完走出去了。苏晚藏起信。", "藏起信", {"苏晚"}),
        ("林远、苏晚、老陈都在。众人都散了，只剩下林远。他叹了口气。", "叹了口气", {"林远"}),
    ],
)
def test_prose_tells_who_is_there(text: str, quotation: str, who: set[str]) -> None:
    assert at(text, quotation) == who


def test_nobody_is_carried_over_a_break() -> None:
    assert present("Mara spoke to Tom.\n\n* * *\n\nEgret sat alone.")[-1] == {"Egret"}


@pytest.mark.parametrize(
    "piece", ["Mara left ", "Mara, ", "“Mara” ", "Mara: I have to ", "林远走", "*a", "enter "]
)
def test_a_text_of_one_endless_sentence_takes_no_longer_than_others(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    begun = process_time()
    presence_of(text, named(text))
    assert process_time() - begun < 5


TEXT = st.lists(
    st.sampled_from(
        [*CAST, ": ", "：", "\n", "\n\n", "[", "]", "（", "）", "“", "”", " left. ", " came in. "]
    )
    | st.sampled_from(
        ["走了。", "进来，", "Exit ", "Exeunt", "Bye!", "I'm back.", "everyone ", "众人", "***", "."]
    ),
    max_size=40,
).map("".join)


@given(TEXT)
def test_the_spans_follow_one_another_and_hold_those_who_are_named(text: str) -> None:
    spans = presence_of(text, named(text))
    assert all(one.end <= following.start for one, following in pairwise(spans))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    people = {one.who for one in named(text)}
    assert all(span.people <= people for span in spans)


@given(TEXT, st.integers(0, 80), st.integers(1, 40))
def test_who_is_there_during_a_stretch_is_there_at_each_part_of_it(
    text: str, start: int, length: int
) -> None:
    spans = presence_of(text, named(text))
    during = present_at(spans, start, start + length)
    assert all(during <= present_at(spans, one, one + 1) for one in range(start, start + length) if spans)
