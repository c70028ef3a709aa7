"""Relations that a Chinese sentence states explicitly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.stated_relation import StatedRelation, kinship
from fabula.extraction.wordlist import words
from fabula.matching import closed_up

_KIN = "|".join(sorted(KIN["zh"], key=len, reverse=True))
_RANKS = "|".join(
    words("""
    大弟子 外门弟子 内门弟子 弟子 太上长老 大长老 长老 掌门 宗主 教主 帮主 盟主
    门主 堂主 护法 圣女 圣子 少主 族长 家主 队长 院长 校长 学生 成员
""")
)

_S_KIN_B = re.compile(rf"的({_KIN})(?:就是|是|名叫|叫|，|、)?\Z")
_IS = re.compile(r"(?:就|便|也|正|乃|竟|原)?是\Z|，\Z|乃\Z|为\Z")
_KIN_OF = re.compile(rf"\s*的\s*({_KIN})(?=[，。！？、；…”’\s]|\Z)")
_RANK = re.compile(rf"的?({_RANKS})\Z")
_RANK_OF = re.compile(rf"\s*的\s*({_RANKS})")
_HOLDS = re.compile(
    r"(?:手中|手里|手上|腰间|背后|怀里|怀中|身上)?的(?:那[柄把枚只件块])?\Z"
    r"|.{0,4}(?:拔出|抽出|祭出|取出|拿出|掏出|握着|握住|握紧|举起|挥动|挥舞|提着|背着|佩着|戴着|捧着|收起|擦拭)"
    r"了?(?:自己的|手中的|腰间的|背后的|怀里的|那[柄把枚只件块]|一[柄把枚只件块])?\Z"
)


def stated_in_chinese(text: str, mentions: Sequence[FoundMention]) -> Iterator[StatedRelation]:
    """The relations between adjacent names of one sentence; `mentions` are its names in order."""
    for one, other in pairwise(mentions):
        between = closed_up(text[one.end : other.start])
        after = text[other.end : other.end + 10]
        people = one.type == other.type == "character"
        if people and (found := _S_KIN_B.match(between)):
            yield kinship(one, other, found[1], "zh")
        elif people and _IS.match(between) and (found := _KIN_OF.match(after)):
            yield kinship(other, one, found[1], "zh")
        elif one.type == "faction" and other.type == "character" and (found := _RANK.match(between)):
            yield StatedRelation(other, one, "belongs_to", found[1], 0.85)
        elif one.type == "character" and other.type == "faction" and _IS.match(between):
            if found := _RANK_OF.match(after):
                yield StatedRelation(one, other, "belongs_to", found[1], 0.8)
        elif one.type == "character" and other.type == "item" and _HOLDS.match(between):
            yield StatedRelation(one, other, "owns", "", 0.7)
