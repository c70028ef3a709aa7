"""Statements that a person has another name: 姓甄名费字士隐, 绰号黑旋风, 又名."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from fabula.extraction.chinese.aliases import family_and_given
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.surnames import COMPOUND_SURNAMES, SURNAMES
from fabula.extraction.identity.turns import SpeechTurn
from fabula.extraction.mentions import FoundMention
from fabula.extraction.sameness import JoinReason, Sameness

_FAMILY = f"(?:{'|'.join(COMPOUND_SURNAMES)}|[\u4e00-\u9fff])"
_NAME = "([\u4e00-\u9fff]{1,2})"
_INTRODUCED = re.compile(
    rf"姓({_FAMILY})，?(?:单)?(?:名|讳)(?:唤|叫做?|作|做|是|曰|为)?{_NAME}"
    rf"(?:，?(?:表)?字(?:是|曰|为|唤)?{_NAME})?(?:，?(?:别|道|又)?号(?:是|曰|为)?([\u4e00-\u9fff]{{2,4}}))?"
    r"(?=[，。、；！？”’）\s者])"
)
_CALLED = (
    r"(?:绰号|綽號|诨号|諢號|诨名|浑名|混名|混号|外号|外號|别号|別號|别名|道号|法号|法名|乳名|小名|奶名|学名|大名|又名|又唤|"
    r"本名|原名|改名|更名|表字|雅号|贱名|自号|世称|(?:人|人人|人都|人皆|众人|江湖上?(?:人)?)(?:都)?(?:称|稱|唤|喚|叫|呼))"
)
# 宋江，绰号呼保义 and 宋江，人都唤他做及时雨 and 曹操，字孟德.
_OTHER_NAME = re.compile(
    r"[，,、]?(?:(?:他|她|他的|此人|那人|本|原|便|就|又|亦|也)?(?:姓.，?)?"
    rf"{_CALLED}|(?<=，)(?:字|号|又叫)|(?<=名.)字|号(?=[曰为做作叫]))"
    r"(?:他|她)?(?:都)?(?:唤|喚|叫|称|稱|呼)?(?:他|她)?(?:做|作|为|爲|是|曰|叫做?|唤做?|便是)?"
    r"[“‘「『]?([\u4e00-\u9fff]{2,6}?)[”’」』]?(?=[，。、；！？”’）)\s的]|便是|者)"
)
# 人都叫他做呼保义, 江湖上都称他为…: of whom the sentence has spoken last.
_CALLED_HIM = re.compile(
    r"(?:人|人人|众人|江湖上|乡里|满城|坊间|世人|同学们?|大家)(?:人|们)?(?:都|皆|尽|俱|便)?(?:唤|喚|叫|称|稱|呼|尊称|戏称)"
    r"(?:(?P<who>他|她|我|俺|吾|小人|小可)(?:做|作|为|爲|是|叫做?|一声)?[“‘「『]?|(?:做|作|为|爲)[“‘「『]?)"
    r"(?P<name>[\u4e00-\u9fff]{2,5}?)[”’」』]?(?=[，。、；！？”’）)\s])"
)
_TOPIC = re.compile(r"[。！？!?\n“”「」]")
_FAR, _MOST_NAMES = 80, 4
_SURE, _OF_A_TITLE = 0.92, 0.68
_MOSTLY, _OFTEN = 0.8, 4
_INDEFINITE, _POINTED = frozenset("个個位名"), frozenset("这這那")
_BYNAME_SURE, _BYNAME_LIKELY = 0.92, 0.7
_SHORTEST_BYNAME, _LONGEST_BYNAME = 2, 4
# 谢了恩 and 甚称 are no names, whatever the tagger says.
_NEVER_IN_NAMES = frozenset("了着的甚么什吗呢们谢")
_NOT_IN_BYNAMES = frozenset("的了着是在有不也都就还又与和同把被见道说叫教请问那这是他你我")


def stated_names(text: str, mentions: Sequence[FoundMention], people: Container[str]) -> Iterator[Sameness]:
    """The names that a text says belong to one person."""
    for found in _INTRODUCED.finditer(text):
        yield from _introduced(found)
    for mention in mentions:
        if mention.text not in people or text[mention.start - 1 : mention.start] in _INDEFINITE:
            continue
        yield from _other_names(text, mention, people)


def _other_names(text: str, mention: FoundMention, people: Container[str]) -> Iterator[Sameness]:
    """The names said of somebody one after the other: 曹操，字孟德，小名阿瞒."""
    end, owner = mention.end, mention.text
    parts = family_and_given(owner)
    # 一行者，法名玄奘: a title may mean anybody. A full name may be in the dictionary, too.
    sure = _SURE if parts is not None or not lexicon().is_common(owner) else _OF_A_TITLE
    for _ in range(_MOST_NAMES):
        other = _OTHER_NAME.match(text, end)
        if other is None or other[1] == owner or not _may_be_called(other[1], people):
            return
        end = other.end()
        yield Sameness(other[1], owner, sure, JoinReason.STATED, mention.start, end)
        if parts is not None and len(other[1]) == 2 and "字" in other[0]:
            yield Sameness(parts[0] + other[1], owner, _SURE, JoinReason.STATED, mention.start, end)


def names_given_by_others(
    text: str, mentions: Sequence[FoundMention], turns: Sequence[SpeechTurn], people: Container[str]
) -> Iterator[Sameness]:
    """What people call the one of whom a sentence speaks, or who speaks: 人都叫他做智多星."""
    starts = [mention.start for mention in mentions]
    ends = [turn.end for turn in turns]
    for found in _CALLED_HIM.finditer(text):
        name, place = found["name"], found.start()
        turn = bisect_left(ends, place)
        if found["who"] in (None, "他", "她"):
            owner = _only_one(text, mentions, starts, place, people)
        else:
            is_said = turn < len(turns) and turns[turn].start <= place
            owner = turns[turn].speaker if is_said else None
        if owner is None or owner == name or not _may_be_called(name, people):
            continue
        # 人都叫做… without him may be of a thing.
        sure = _SURE if found["who"] is not None and not lexicon().is_common(owner) else _OF_A_TITLE
        yield Sameness(name, owner, sure, JoinReason.STATED, place, found.end())


def _only_one(
    text: str, mentions: Sequence[FoundMention], starts: list[int], place: int, people: Container[str]
) -> str | None:
    """The one person whom the sentence names before a place."""
    begin = max(0, place - _FAR)
    for ending in _TOPIC.finditer(text, begin, place):
        begin = ending.end()
    heard = [
        mention
        for mention in mentions[bisect_left(starts, begin) : bisect_left(starts, place)]
        if mention.type == "character"
    ]
    if heard and not heard[0].named and text[heard[0].start - 1 : heard[0].start] in _POINTED:
        # 这小丫头也是金桂…使唤的，大家叫他做…
        return None
    named = {mention.text for mention in heard if mention.text in people}
    if not named:
        # 那人姓石名勇，人都唤他做…
        introduced = list(_INTRODUCED.finditer(text, begin, place))
        return introduced[0][1] + introduced[0][2] if len(introduced) == 1 else None
    return named.pop() if len(named) == 1 else None


def _introduced(found: re.Match[str]) -> Iterator[Sameness]:
    family, given, courtesy, style = found.groups()
    if len(family) == 1 and family not in SURNAMES and family in "甚什何谁":
        return
    full = family + given
    others = [courtesy, family + courtesy] if courtesy else []
    for other in (*others, style):
        if other and other != full:
            yield Sameness(other, full, _SURE, JoinReason.STATED, found.start(), found.end())


def _may_be_called(name: str, people: Container[str]) -> bool:
    if not _NEVER_IN_NAMES.isdisjoint(name):
        return False
    return name in people or (_NOT_IN_BYNAMES.isdisjoint(name) and not _are_words(name))


def _are_words(name: str) -> bool:
    """Whether it is a common word, or a noun for people and another word: 女人上来."""
    return lexicon().is_common(name) or (name[:2] in PEOPLE and lexicon().is_common(name[2:]))


def bynames(
    text: str, mentions: Sequence[FoundMention], people: Container[str], stated: Container[str]
) -> Iterator[Sameness]:
    """Names that stand before one full name again and again: 黑旋风李逵."""
    before: dict[str, Counter[str]] = {}
    first: dict[tuple[str, str], int] = {}
    for mention in mentions:
        if mention.text not in people or family_and_given(mention.text) is None:
            continue
        if not _NEVER_IN_NAMES.isdisjoint(mention.text):
            continue
        for size in range(_SHORTEST_BYNAME, _LONGEST_BYNAME + 1):
            start = mention.start - size
            byname = text[start : mention.start]
            if start < 0 or not _NOT_IN_BYNAMES.isdisjoint(byname) or not byname.isalpha():
                break
            is_known = byname in stated or (byname in people and size > _SHORTEST_BYNAME)
            if is_known and _NEVER_IN_NAMES.isdisjoint(byname):
                before.setdefault(byname, Counter())[mention.text] += 1
                first.setdefault((byname, mention.text), start)
    for byname, names in before.items():
        name, times = names.most_common(1)[0]
        # 齐天大圣孙悟空 and 齐天大圣孙行者 are one family.
        total = sum(count for other, count in names.items() if other == name or other[0] != name[0])
        # 太尉高俅 and 太尉宿元景: a rank stands before several people.
        if times < 2 or times < _MOSTLY * total:
            continue
        sure = _BYNAME_SURE if byname in stated or times >= _OFTEN else _BYNAME_LIKELY
        start = first[byname, name]
        yield Sameness(byname, name, sure, JoinReason.BYNAME, start, start + len(byname) + len(name))
