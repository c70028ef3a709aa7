"""Who has which thing in a text: Anna drew the lamp, 宝玉拿起通灵玉."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fabula.consistency.marked import NAMES, MarkedText, is_mark
from fabula.consistency.readers.sentences import Telling
from fabula.consistency.reading import Assertion, KnownPeople

# What somebody does with a thing in hand, and how a thing comes to somebody.
USES, GETS = "uses", "gets"
_P = f"(?P<p>[{NAMES}])"
_THE = r"(?:(?:(?:out|on|up)\s+)?(?:the|a|an|his|her|that|this)\s+)?"
_EN = (
    (
        USES,
        re.compile(
            rf"{_P}\s+(?:[a-z]+ly\s+|still\s+|now\s+|again\s+|always\s+)?(?:held|drew|wore|carried|raised|lifted|used|wielded|"
            rf"brandished|swung|owned|kept|pocketed|sheathed|had|unwrapped|hid|clutched|gripped|put\s+on|took\s+out|pulled\s+out|"
            rf"was\s+(?:holding|wearing|carrying|wielding))\s+{_THE}"
        ),
    ),
    (
        GETS,
        re.compile(
            rf"{_P}\s+(?:[a-z]+ly\s+|then\s+|had\s+)?(?:took|taken|stole|stolen|received|found|bought|inherited|won|got|seized|"
            rf"picked\s+up|accepted|borrowed|caught|snatched|recovered|was\s+given|was\s+handed)\s+{_THE}"
        ),
    ),
    (
        GETS,
        re.compile(rf"\b(?:gave|given|handed|passed|sold|lent|left|threw|brought|sent)\s+{_P}\s+{_THE}"),
    ),
)
_EN_TO = re.compile(
    rf"\s+(?:over\s+)?to\s+{_P}(?!['’])|\s+from\s+[^.;]{{0,30}}\s+and\s+gave\s+it\s+to\s+(?P<q>[{NAMES}])"
)
_EN_GIVES = re.compile(
    rf"\b(?:gave|given|handed|passed|sold|lent|left|threw|brought|sent|bequeathed|returned)\s+{_THE}$"
)
# What may stand between somebody and what they do: 又, 从怀里; not somebody else’s: 的.
_WORD_ZH = rf"[^{NAMES}，。！？；：“”\s的和与同跟说道见听问给对向让叫]{{0,5}}?"
_ZH = (
    (
        USES,
        re.compile(
            rf"{_P}{_WORD_ZH}(?:手持|手握|握着|握紧|举起|举着|拔出|抽出|戴着|戴上|佩着|挂着|带着|背着|揣着|捧着|端着|抱着|用|挥动|挥舞|亮出|拿着|掏出|取出)(?:了)?(?:那[把支枚块件只盏]?|自己的|他的|她的)?"
        ),
    ),
    (
        GETS,
        re.compile(
            rf"{_P}{_WORD_ZH}(?:得到|得了|夺过|夺走|夺了|抢走|抢过|偷走|偷了|接过|收下|收到|买下|买了|捡到|捡起|拾起|找到|找回|继承|借走|借了|拿走)(?:了)?(?:那[把支枚块件只盏]?)?"
        ),
    ),
)
_ZH_TO = re.compile(rf"(?:交给|递给|送给|还给|赠给|传给|卖给|借给|给)了?{_P}")
# the lamp in Anna’s hand; 苏晚手里的铜灯; 铜灯挂在苏晚腰间
_EN_IN_HAND = re.compile(
    rf"\s+(?:(?:was|hung|lay|shone)\s+)?(?:in|on|at|around|round|from)\s+{_P}['’]s?\s+(?:[a-z]+\s+)?"
    rf"(?:hands?|fingers?|neck|belt|side|pocket|head|shoulders?|waist|palm|wrist|breast|grip|arms?)\b"
)
_ZH_IN_HAND = re.compile(rf"[正就还仍便都]?[挂戴握拿揣藏放佩系插别]在{_P}[手怀腰身头胸颈脖袖背]")
_ZH_OWN = re.compile(
    rf"{_P}(?:手里|手中|手上|怀里|怀中|腰间|身上|头上|胸前|颈上|袖中|背上)的(?:那[把支枚块件只盏]?)?$"
)
_NOT = re.compile(
    r"\b(?:not|never|if|would|might|could|should|dream\w*|imagin\w*|remember\w*|wish\w*|once|as\s+if)\b|[不没未若梦曾想如]"
)


def holdings(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield who has a known thing, as `holder`: `value` is the person, `other` whether they get it then."""
    if not cast.items:
        return
    whole = _folded(text.marked)
    here = [name for name in cast.items if name.lower() in whole]
    here.sort(key=len, reverse=True)
    telling = Telling(text)
    for sentence in telling.sentences() if here else ():
        if not any(map(is_mark, sentence.text)):
            continue
        for start, end, name in _things(_folded(sentence.text), here):
            if telling.is_spoken(sentence.start + start) or _NOT.search(sentence.text[:start]):
                continue
            found = _holder(sentence.text, start, end, cast)
            if found is not None:
                way, mark = found
                first, last = (text.origin(sentence.start + place) for place in (start, end))
                yield Assertion("holder", cast.items[name], text.who(mark), first, last, way)


def _folded(text: str) -> str:
    """A text in lower case, in which every place is where it was."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text


def _things(text: str, names: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where things are named; what a longer name covers is no other thing."""
    taken: list[tuple[int, int]] = []
    for name in names:
        begin = 0
        while (place := text.find(name.lower(), begin)) >= 0:
            begin = end = place + len(name)
            is_part = name[-1].isascii() and (text[end : end + 1].isalnum() or text[:place][-1:].isalnum())
            if not is_part and not any(first < end and place < last for first, last in taken):
                taken.append((place, end))
                yield place, end, name


def _holder(text: str, start: int, end: int, cast: KnownPeople) -> tuple[str, str] | None:
    """Who has the thing that is named there, and whether they only now get it."""
    before, is_chinese = text[:start], cast.language == "zh"
    to = (_ZH_TO if is_chinese else _EN_TO).match(text, end)
    if to is not None and (is_chinese or _EN_GIVES.search(before)):
        return GETS, next(one for one in to.groups() if one)
    in_hand = (_ZH_IN_HAND if is_chinese else _EN_IN_HAND).match(text, end) or _ZH_OWN.search(before)
    if in_hand is not None:
        return USES, in_hand["p"]
    for way, pattern in _ZH if is_chinese else _EN:
        found = next((one for one in pattern.finditer(before) if one.end() == len(before)), None)
        if found is not None:
            return way, found["p"]
    return None
