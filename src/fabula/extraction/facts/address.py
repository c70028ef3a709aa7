"""What people are by the words others address them with, and by those they use for themselves."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from fabula.extraction.identity.turns import SpeechTurn
from fabula.extraction.ties.drafts import Somebody
from fabula.extraction.wordlist import words
from fabula.model.relation import Language

# Words for a rank or a place in the house, which everybody uses; 哥哥 and 师父 depend on who speaks.
_RANKS_ZH = words("""
    老太太 老祖宗 老太爷 大太太 太太 老爷 大老爷 二老爷 奶奶 大奶奶 二奶奶 姨奶奶 姨太太 姨娘 大爷 二爷
    三爷 四爷 少爷 公子 小姐 大小姐 二小姐 姑娘 大姑娘 二姑娘 三姑娘 四姑娘 陛下 万岁 皇上 皇后 娘娘
    千岁 殿下 太子 公主 驸马 王爷 侯爷 大王 大人 主公 明公 丞相 将军 元帅 都督 军师 太守 太师 太尉 国师
    国丈 寨主 大官人 员外 老师父 老院主 院主 长老 方丈 上人 道长 大仙 上仙 仙长 真人 真君 星君 菩萨 佛祖
    天王 天尊 尊者 大圣 先生 教授 掌柜 老板 老板娘 院长 校长 队长 局长 总裁 董事长 掌门 宗主 教主 帮主
    盟主 城主 家主 族长
""")
_RANKS_EN = (
    "your majesty",
    "your royal highness",
    "your highness",
    "your excellency",
    "your eminence",
    "your grace",
    "your lordship",
    "your ladyship",
    "your honour",
    "your honor",
    "your worship",
    "my lord",
    "milord",
    "my lady",
    "milady",
    "monseigneur",
    "doctor",
    "captain",
    "colonel",
    "general",
    "major",
    "lieutenant",
    "sergeant",
    "professor",
    "inspector",
    "mister mayor",
    "monsieur le maire",
    "reverend father",
    "reverend mother",
    "squire",
    "citizen representative",
)
# What only somebody of that kind says of himself or herself.
_SELVES = {
    "朕": "帝王", "寡人": "君王", "哀家": "太后", "本宫": "后妃", "贫僧": "僧人", "老衲": "僧人",
    "贫尼": "尼姑",
    "贫道": "道士", "末将": "武将", "小将": "武将", "老身": "老妇人", "老妪": "老妇人", "奴婢": "婢女",
    "小神": "神祇", "小仙": "神仙", "微臣": "臣子", "下官": "官员", "本官": "官员", "卑职": "官吏",
    "小妖": "妖怪", "老奴": "老仆",
}  # fmt: skip
_VOCATIVE_ZH = re.compile(
    rf"(?:\A|[“「『，。！？])({'|'.join(sorted(_RANKS_ZH, key=len, reverse=True))})[，！？。,!]"
)
_VOCATIVE_EN = re.compile(rf"\b({'|'.join(sorted(_RANKS_EN, key=len, reverse=True))})[,.!?]", re.IGNORECASE)
_VOCATIVE: dict[Language, re.Pattern[str]] = {"zh": _VOCATIVE_ZH, "en": _VOCATIVE_EN}
_SELF = re.compile("|".join(_SELVES))
_ANSWERS_WITHIN = 400
_OFTEN, _MOSTLY = 3, 0.4
# An edict that is read aloud says 朕, too.
_OF_THEMSELVES, _SHARE = 2, 0.15
_ADDRESSED: dict[Language, str] = {"zh": "人称“{}”。", "en": "Addressed as “{}”."}


class FormOfAddress(NamedTuple):
    """What the words of address say about somebody, and the span that shows it."""

    about: str
    kind: str
    text: str
    start: int
    end: int


def forms_of_address(
    text: str, turns: Sequence[SpeechTurn], who: Mapping[str, Somebody], language: Language
) -> Iterator[FormOfAddress]:
    """What people are called again and again, and what they call themselves."""
    heard: defaultdict[str, Counter[str]] = defaultdict(Counter)
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for turn, following in pairwise(turns):
        if following.start - turn.end > _ANSWERS_WITHIN:
            continue
        speaker, answering = _person(turn, who), _person(following, who)
        if speaker is None or answering is None or speaker == answering:
            continue
        for said, hearer in ((turn, answering), (following, speaker)):
            for found in _VOCATIVE[language].finditer(text, said.start, said.end):
                word = found[1].lower()
                heard[hearer][word] += 1
                places.setdefault((hearer, word), []).append(found.span(1))
    for hearer, counts in heard.items():
        word, times = counts.most_common(1)[0]
        if times >= _OFTEN and times >= _MOSTLY * counts.total() and word not in hearer.lower():
            start, end = sorted(places[hearer, word])[_OFTEN - 1]
            yield FormOfAddress(hearer, "called", _ADDRESSED[language].format(word), start, end)
    if language == "zh":
        yield from _of_themselves(text, turns, who)


def _of_themselves(
    text: str, turns: Sequence[SpeechTurn], who: Mapping[str, Somebody]
) -> Iterator[FormOfAddress]:
    spoken: Counter[str] = Counter()
    selves: defaultdict[str, dict[str, list[tuple[int, int]]]] = defaultdict(dict)
    for turn in turns:
        speaker = _person(turn, who)
        if speaker is None:
            continue
        spoken[speaker] += 1
        for found in _SELF.finditer(text, turn.start, turn.end):
            selves[speaker].setdefault(found[0], []).append(found.span())
    for speaker, said in selves.items():
        word = max(said, key=lambda one: (len(said[one]), one))
        times = len(said[word])
        if times >= max(_OF_THEMSELVES, _SHARE * spoken[speaker]) and word not in speaker:
            start, end = said[word][_OF_THEMSELVES - 1]
            yield FormOfAddress(speaker, "self", f"{_SELVES[word]}，自称“{word}”。", start, end)


def _person(turn: SpeechTurn, who: Mapping[str, Somebody]) -> str | None:
    one = who.get(turn.speaker) if turn.speaker is not None else None
    return one.name if one is not None and one.type == "character" else None
