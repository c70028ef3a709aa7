"""How old a text says that somebody is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText, is_mark
from fabula.consistency.numbers import chinese_number, english_number
from fabula.consistency.readers.sentences import Telling
from fabula.consistency.reading import Assertion, KnownPeople

_AGE_EN = re.compile(
    rf"(?P<p>[{NAMES}])(?:\s+(?:was|is)|,)\s+(?:only\s+|just\s+|about\s+|nearly\s+|now\s+|"
    rf"then\s+)?(?:aged\s+)?"
    rf"(?P<v>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)\s+years\s+(?:old|of\s+age)|"
    rf"(?P<q>[{NAMES}]),\s+(?:aged|an?\s+(?:[a-z]+\s+)?[a-z]+\s+of)\s+(?P<w>\d{{1,3}}|"
    rf"[a-z]+(?:-[a-z]+)?)\b(?!\s+[a-z]+s\b)|"
    # Anna had turned twenty; Anna was twenty; twenty-year-old Anna; at twenty Anna knew
    rf"(?P<r>[{NAMES}])\s+(?:ha[ds]\s+)?(?:just\s+|only\s+)?turned\s+(?P<x>\d{{1,3}}|"
    rf"[a-z]+(?:-[a-z]+)?)\b(?=\s*[.,;]|\s+(?:that|in|on|when|this|last)\b)|"
    rf"(?P<s>[{NAMES}])\s+(?:was|is)\s+(?:only\s+|just\s+|barely\s+|nearly\s+|now\s+|"
    rf"then\s+)?(?P<y>[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|"
    rf"nine)ty(?:-[a-z]+)?)\b(?=\s*[.,;]|\s+(?:when|then|that|and|now)\b)|"
    rf"\b(?P<z>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)-year-old\s+(?P<t>[{NAMES}])(?!['’])|"
    rf"(?P<pb>[{NAMES}])\s+(?:ha[ds]\s+)?(?:just\s+)?(?:celebrated|kept|had|reached)\s+(?:his|"
    rf"her)\s+(?P<xb>[a-z]+(?:-[a-z]+)?)\s+birthday\b|"
    rf"(?P<pa>[{NAMES}]),\s+(?:who\s+was|being)\s+(?:only\s+|just\s+|barely\s+|now\s+|"
    rf"then\s+)?(?P<xa>[a-z]+teen|ten|eleven|twelve|(?:twen|thir|for|fif|six|seven|eigh|"
    rf"nine)ty(?:-[a-z]+)?)\b(?=\s*[.,;])|"
    rf"\b[Aa]t\s+(?:the\s+age\s+of\s+)?(?P<k>[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|"
    rf"nine)ty(?:-[a-z]+)?),?\s+(?P<u>[{NAMES}])(?!['’])"
)
_ODD = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}
_AGE_ZH = re.compile(
    rf"(?P<p>[{NAMES}])(?:今年|年方|年已|年纪|方|才|纔|已经?|如今|此时|时年|现年|正|刚|满|年满|不过|"
    rf"只有|，){{0,4}}(?P<v>[一二三四五六七八九十百两\d]{{1,4}})岁(?!上|时|的?时候|那年)|"
    rf"(?<![一二三四五六七八九十百两\d])(?P<w>[一二三四五六七八九十百两\d]{{1,4}})岁(?:大)?的(?P<q>[{NAMES}])|"
    rf""
    rf""
    rf"(?P<s>[{NAMES}])(?:刚|才|纔|已)?(?:过完?|"
    rf"庆祝)了?(?P<y>[一二三四五六七八九十百两\d]{{1,4}})岁(?:的)?生日|"
    rf"(?P<r>[{NAMES}])(?:今年|也|才|纔|已|已经|刚|年){{0,2}}满(?P<x>十[一二三四五六七八九]|"
    rf"[二三四五六七八九]十[一二三四五六七八九]?)(?=[，。；！])"
)


def ages(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield the ages that a text gives people, outside of speech."""
    is_chinese = cast.language == "zh"
    telling = Telling(text)
    for sentence in telling.sentences():
        for found in (_AGE_ZH if is_chinese else _AGE_EN).finditer(sentence.text):
            place = sentence.start + found.start()
            if not is_chinese and telling.is_spoken(place):
                continue
            named = next(key for key, said in found.groupdict().items() if said and not is_mark(said[0]))
            who = next(said for said in found.groups() if said and is_mark(said[0]))
            age = chinese_number(found[named]) if is_chinese else english_number(_cardinal(found[named]))
            if age is not None:
                start, end = (text.origin(sentence.start + one) for one in found.span(named))
                yield Assertion("age", text.who(who), str(age), start, end)


def _cardinal(word: str) -> str:
    """Eighteen for eighteenth."""
    first, dash, last = word.rpartition("-")
    plain = _ODD.get(last) or (last[:-4] + "y" if last.endswith("ieth") else last.removesuffix("th"))
    return first + dash + plain
