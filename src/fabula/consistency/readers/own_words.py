"""What people say of themselves in so many words: how old they are, and what somebody is to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.numbers import EN_NUMBER, ZH_NUMBER, chinese_number, english_number
from fabula.consistency.readers.kin import PLAIN
from fabula.consistency.reading import Assertion, KnownPeople
from fabula.model.relation import Language

_KIN = {
    language: "|".join(sorted((word for word in words if len(word) > 1), key=len, reverse=True))
    for language, words in PLAIN.items()
}
_VERBS = (
    "said|asked|replied|answered|cried|shouted|whispered|murmured|exclaimed|added|repeated|observed|remarked|"
    "muttered|told"
)
# “My nephew Sergey will come,” said Levin; “我侄儿沈怀安会来的。”白景行说
_MY: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"[“\"](?:[^“”\"{NAMES}]{{0,40}}\s)?[Mm]y\s+(?:[a-z]+\s+)?(?P<k>{_KIN['en']}),?\s+(?P<q>[{NAMES}])(?!['’])"
        rf"[^“”\"{NAMES}\n]*[,.!?][”\"]\s+(?:(?:{_VERBS})\s+(?P<p>[{NAMES}])(?!['’])|"
        rf"(?P<r>[{NAMES}])\s+(?:{_VERBS})\b)"
    ),
    "zh": re.compile(
        rf"“[^“”{NAMES}\n]{{0,20}}我(?:的|那|"
        rf"家)?(?P<k>{_KIN['zh']})(?P<q>[{NAMES}])[^“”{NAMES}\n]*”(?P<p>[{NAMES}])[^{NAMES}，。”]{{0,6}}[说道问答]|"
        rf""
        rf""
        rf"(?P<r>[{NAMES}])[^{NAMES}，。”]{{0,6}}[说道问答]：“[^“”{NAMES}\n]{{0,20}}我(?:的|那|"
        rf"家)?(?P<l>{_KIN['zh']})(?P<s>[{NAMES}])"
    ),
}
# “I’m twelve,” said Dorian; “我十二岁。”沈怀安说
_AGED: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"[“\"](?:[^“”\"{NAMES}]{{0,30}}\s)?I(?:['’]m|\s+am)\s+(?:only\s+|just\s+|nearly\s+|"
        rf"already\s+)?(?P<v>{EN_NUMBER})(?:\s+years\s+old)?"
        rf"(?:[,.!?]|[,.!?]\s[^“”\"{NAMES}\n]*)[”\"]\s+(?:(?:{_VERBS})\s+(?P<p>[{NAMES}])(?!['’])|"
        rf"(?P<r>[{NAMES}])\s+(?:{_VERBS})\b)"
    ),
    "zh": re.compile(
        rf"“[^“”{NAMES}\n]{{0,10}}我(?:今年|才|都|已经?|刚|"
        rf"快)?(?P<v>{ZH_NUMBER})岁[^“”{NAMES}\n]*”(?P<p>[{NAMES}])[^{NAMES}，。”]{{0,6}}[说道问答]|"
        rf""
        rf"(?P<r>[{NAMES}])[^{NAMES}，。”]{{0,6}}[说道问答]：“[^“”{NAMES}\n]{{0,10}}我(?:今年|才|都|"
        rf"已经?|刚|快)?(?P<w>{ZH_NUMBER})岁"
    ),
}


def own_words(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield what speakers who are named beside their words say of themselves."""
    language = cast.language
    for found in _MY[language].finditer(text.marked):
        groups = found.groupdict()
        speaker, other = _one(groups, "p", "r"), _one(groups, "q", "s")
        named = "k" if groups["k"] else "l"
        if speaker != other:
            start, end = (text.origin(place) for place in found.span(named))
            value = PLAIN[language][found[named]]
            yield Assertion("kin", text.who(speaker), value, start, end, text.who(other))
    read = chinese_number if language == "zh" else english_number
    for found in _AGED[language].finditer(text.marked):
        groups = found.groupdict()
        named = "v" if groups["v"] else "w"
        age = read(found[named])
        if age is not None:
            start, end = (text.origin(place) for place in found.span(named))
            yield Assertion("age", text.who(_one(groups, "p", "r")), str(age), start, end)


def _one(groups: dict[str, str | None], *names: str) -> str:
    return next(one for one in (groups.get(name) for name in names) if one)
