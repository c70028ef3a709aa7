"""Relations that an English sentence states explicitly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.stated_relation import StatedRelation, kinship

_KIN = "|".join(sorted(KIN["en"], key=len, reverse=True))
_ADJECTIVE = (
    r"(?:(?:elder|older|younger|eldest|youngest|little|old|only|late|dear|poor|own|twin|best|oldest)\s+){0,2}"
)

_S_KIN_B = re.compile(rf"\s?['’]s\s+{_ADJECTIVE}({_KIN}),?\s+\Z")
_AND_HIS_KIN_B = re.compile(rf"(?:,|\s+and|\s+with)\s+(?:his|her|their)\s+{_ADJECTIVE}({_KIN}),?\s+\Z")
_IS_KIN_OF = re.compile(rf"(?:,|\s+is|\s+was)\s+(?:the\s+|a\s+|an\s+)?{_ADJECTIVE}({_KIN})\s+(?:of|to)\s+\Z")
_IS = re.compile(r"(?:,|\s+is|\s+was)\s+\Z")
_S_KIN = re.compile(rf"\s?['’]s\s+{_ADJECTIVE}({_KIN})\b")
_OF_GROUP = re.compile(
    r"(?:,|\s+is|\s+was)?\s+(?:(?:the|a|an)\s+)?"
    r"(member|captain|leader|head|master|knight|soldier|officer|founder|chief|servant|agent)?\s*of\s+(?:the\s+)?\Z"
)
_HOLDS = re.compile(
    r"\s?['’]s\s+\Z|\s+(?:drew|raised|held|carried|wielded|gripped|owned|wore|clutched)\s+(?:the\s+|his\s+|her\s+)?\Z"
)


def stated_in_english(text: str, mentions: Sequence[FoundMention]) -> Iterator[StatedRelation]:
    """The relations between adjacent names of one sentence; `mentions` are its names in order."""
    for one, other in pairwise(mentions):
        between = text[one.end : other.start]
        after = text[other.end : other.end + 48]
        people = one.type == other.type == "character"
        if people and (found := _S_KIN_B.match(between) or _AND_HIS_KIN_B.match(between)):
            yield kinship(one, other, found[1], "en")
        elif (people and (found := _IS_KIN_OF.match(between))) or (
            people and _IS.match(between) and (found := _S_KIN.match(after))
        ):
            yield kinship(other, one, found[1], "en")
        elif one.type == "character" and other.type == "faction" and (found := _OF_GROUP.match(between)):
            yield StatedRelation(one, other, "belongs_to", found[1] or "", 0.75)
        elif one.type == "character" and other.type == "item" and _HOLDS.match(between):
            yield StatedRelation(one, other, "owns", "", 0.7)
