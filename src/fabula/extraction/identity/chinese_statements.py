"""Statements that a person has another name: 姓甄名费字士隐, 绰号黑旋风, 又名."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from fabula.extraction.chinese.aliases import family_and_given
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.surnames import COMPOUND_SURNAMES, SURNAMES
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
_SURE, _OF_A_TITLE = 0.92, 0.68
_MOSTLY, _OFTEN = 0.8, 4
_INDEFINITE = frozenset("个個位名")
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
        other = _OTHER_NAME.match(text, mention.end)
        if other is None or other[1] == mention.text or not _may_be_called(other[1], people):
            continue
        # 一行者，法名玄奘: a title may mean anybody.
        sure = _OF_A_TITLE if lexicon().is_common(mention.text) else _SURE
        yield Sameness(other[1], mention.text, sure, JoinReason.STATED, mention.start, other.end())
        parts = family_and_given(mention.text)
        if parts is not None and len(other[1]) == 2 and "字" in other[0]:
            full = parts[0] + other[1]
            yield Sameness(full, mention.text, _SURE, JoinReason.STATED, mention.start, other.end())


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
    return name in people or (_NOT_IN_BYNAMES.isdisjoint(name) and not lexicon().is_common(name))


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
