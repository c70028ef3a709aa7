"""Calls and chats: who hears the lines after somebody says, in whatever words, that they come or go."""

from __future__ import annotations

import re

import pytest

from fabula.staging.on_stage import NamedAt
from fabula.staging.stage import presence_of, present_at

PEOPLE = {"en": ("Anna", "Ben", "Cleo"), "zh": ("李雷", "韩梅", "小北")}
TALK = {
    "en": ("The soup needs more pepper.", "My cousin bought that lamp.", "We should paint the fence."),
    "zh": ("这个汤得再放点胡椒。", "我表哥也买了那个台灯。", "栅栏刷成绿色比较好看。"),
}
LEAVING = [
    ("en", "I'm dropping off the call now, my battery is at two percent."),
    ("en", "Sorry folks, boss is ringing on the other line, I'll jump off."),
    ("en", "That's me done for tonight. Sleep well, everyone."),
    ("en", "Heading to bed, night all."),
    ("en", "Muting and walking away, enjoy the rest of the meeting."),
    ("en", "I'm knackered. Off to bed."),
    ("en", "Hanging up now, love you all."),
    ("zh", "手机快没电了，先退出会议了。"),
    ("zh", "我退群了，各位保重。"),
    ("zh", "不聊了，娃醒了。"),
    ("zh", "得嘞,我先撤,改天再喝。"),
]
COMING = [
    ("en", "Can everyone hear me? My mic was playing up."),
    ("en", "Thanks for adding me to the group!"),
    ("en", "Did you start without me?"),
    ("zh", "谢谢群主拉我进来，各位好！"),
    ("zh", "终于连上了，会议开始多久了？"),
    ("zh", "刚才网断了，现在好了。"),
    ("zh", "还有位子吗？"),
]
STAYING = [
    ("en", "I told her goodbye at the airport last year and cried all night."),
    ("en", "He said good night to the porter and went up."),
    ("zh", "昨天我跟她说了再见以后，心里一直不是滋味。"),
    ("zh", "他挂电话之前哭了很久。"),
]


def _hears(language: str, words: str, *, spoke_before: bool) -> list[bool]:
    """Whether the third person hears each line; theirs is the fifth."""
    one, other, third = PEOPLE[language]
    lines = [(one, TALK[language][0]), (other, TALK[language][1])]
    lines += [(third, TALK[language][2])] if spoke_before else [(one, TALK[language][2])]
    lines += [
        (other, TALK[language][0]),
        (third, words),
        (one, TALK[language][1]),
        (other, TALK[language][2]),
    ]
    text, places = "", []
    for speaker, said in lines:
        places.append(len(text))
        text += f"{speaker}: {said}\n"
    found = re.finditer("|".join(PEOPLE[language]), text)
    spans = presence_of(text, [NamedAt(one.start(), one.end(), one[0]) for one in found])
    return [third in present_at(spans, place, place + 1) for place in places]


@pytest.mark.parametrize(("language", "words"), LEAVING)
def test_who_says_that_they_go_hears_no_more(language: str, words: str) -> None:
    assert _hears(language, words, spoke_before=True) == [True] * 5 + [False] * 2


@pytest.mark.parametrize(("language", "words"), COMING)
def test_who_says_that_they_come_heard_nothing_before(language: str, words: str) -> None:
    assert _hears(language, words, spoke_before=False) == [False] * 4 + [True] * 3


@pytest.mark.parametrize(("language", "words"), STAYING)
def test_who_tells_of_another_farewell_stays(language: str, words: str) -> None:
    assert _hears(language, words, spoke_before=True) == [True] * 7


@pytest.mark.parametrize(
    ("told", "stays"),
    [
        ("The door banged; Mara was gone.", False),
        ("Jon sent Mara to fetch water from the well.", False),
        ("Mara stormed upstairs and slammed her door.", False),
        ("Mara went to her room.", False),
        ("Mara almost left, then thought better of it.", True),
        ("门砰的一声关上，Mara已经不见了。", False),
        ("Mara一言不发地挂断了电话。", False),
        ("几个卫兵把Mara拖了下去。", False),
        ("Jon打发Mara去井边打水。", False),
        ("Mara差一点就走了，想想又坐下来。", True),
    ],
)
def test_who_is_gone_in_prose(told: str, stays: bool) -> None:
    text = f'Anna, Ben, Jon and Mara sat at the table. "Deal," said Mara.\n\n{told}\n\n"I pass," said Ben.'
    found = re.finditer("Anna|Ben|Jon|Mara", text)
    spans = presence_of(text, [NamedAt(one.start(), one.end(), one[0]) for one in found])
    assert ("Mara" in present_at(spans, len(text) - 4, len(text) - 3)) is stays
