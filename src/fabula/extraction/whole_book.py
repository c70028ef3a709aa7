"""A whole book read in blocks: what is found in each is joined, and weighed by what only a book can tell.

Over a million characters a word that was mistaken once is mistaken a thousand times, and counting makes it
sure. What tells people from words is that people speak: whoever matters in a novel says something in it.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import orjson

from fabula.extraction.chinese.company_in_a_book import (
    Company,
    companies,
    is_doubled,
    is_one_of_many,
    is_position,
    other_type,
)
from fabula.extraction.chinese.surnames import SURNAMES
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.mentions import Mention
from fabula.extraction.wordlist import word_set
from fabula.model.names import name_key
from fabula.model.relation import Language

# From so many mentions on, the share of them that speak says something.
_ENOUGH = 5
_ONLY_SPEECH = 0.75
# In English much is said without a name beside it.
_SPEAKER: dict[Language, float] = {"zh": 0.1, "en": 0.05}
_RARE, _DOUBTFUL, _NOBODY = 0.8, 0.7, 0.3
_OFTEN = 8
# What the reader of sentences is so sure of need not do much in the book.
_CERTAIN = 0.97

_SPEAKS = re.compile(
    r",?[”\"']?\s+(?:\w+ly\s+)?(?:said|asked|replied|answered|cried|exclaimed|whispered|murmured|added|"
    r"shouted|remarked|returned|continued|began|observed|muttered|thought|laughed|nodded|smiled)\b"
)
_SPOKEN_BEFORE = re.compile(
    r"(?:said|asked|replied|answered|cried|exclaimed|whispered|murmured|added|shouted|remarked|returned|observed)\s+$"
)
# 那怪, 众僧, 两府: nobody's name, however often they speak.
_POINTED = frozenset("那这這众眾两兩几幾诸諸各每某此")
_DEGREES = frozenset("小老大")
_COMMON_PEOPLE = word_set("""
    丫头 丫鬟 婆子 小厮 媳妇 嬷嬷 妈妈 姑子 和尚 道士 太监 官儿 小子 家人 下人 妖 妖精 怪 魔 妖怪 魔头 猴 将
    奶奶 太太 老爷 姑娘 姐姐 妹妹 哥哥 兄弟 爷 娘 爹 公公 婆婆 大爷 二爷 三爷 夫人 师父 徒弟 长老 樵子 女子
    表兄 表弟 表姐 表妹 舅爷 舅母 姑爷 亲家 昏君 国丈 门子 女尼 仙姑 星官 僧官 驿丞 帝君 太公 家僮 僮仆 寺僧
""")
# 嚷道, 贾母忙
_SAYING = frozenset("道曰说說忙笑")
# 炕上, 两边, 里间: where something is, but no place with a name.
_POSITIONS = frozenset("上下里裡边邊间間旁沿处處前后後内內外中头頭口畔")


class Block(NamedTuple):
    """What was found in one block of a book, places counted from the start of the block."""

    start: int
    found: FoundMentions


def packed(found: FoundMentions) -> bytes:
    """What was found, as bytes that can be kept."""
    names = [list(name) for name in found.names]
    return zlib.compress(orjson.dumps([[list(mention) for mention in found.mentions], names]), 1)


def unpacked(content: bytes) -> FoundMentions:
    """What was found, from the bytes that were kept."""
    mentions, names = orjson.loads(zlib.decompress(content))
    return FoundMentions([Mention(*mention) for mention in mentions], [FoundName(*name) for name in names])


def joined(blocks: Iterable[Block]) -> FoundMentions:
    """What was found in all blocks, as if the book had been read at once."""
    mentions: list[Mention] = []
    names: defaultdict[str, list[FoundName]] = defaultdict(list)
    for block in blocks:
        mentions.extend(
            mention._replace(start=mention.start + block.start, end=mention.end + block.start)
            for mention in block.found.mentions
        )
        for name in block.found.names:
            names[name_key(name.text)].append(name)
    return FoundMentions(mentions, [_as_one(same) for same in names.values()])


def weighed(found: FoundMentions, text: str, language: Language) -> FoundMentions:
    """The same with the confidence and the types that the whole book speaks for."""
    names = _in_chinese(found, text) if language == "zh" else _in_english(found, text)
    types = {name.text: name.type for name in names}
    mentions = [
        mention._replace(type=types.get(mention.text, mention.type))
        if mention.named and mention.known is None
        else mention
        for mention in found.mentions
    ]
    return FoundMentions(mentions, sorted(names, key=lambda name: (-name.confidence, -name.times, name.text)))


def _in_chinese(found: FoundMentions, text: str) -> list[FoundName]:
    around = companies(text, found.mentions)
    speakers = {
        name.text
        for name in found.names
        if (own := around.get(name.text)) is not None and own.begins_and_speaks >= _SPEAKER["zh"]
    }
    return [_judged_chinese(name, around.get(name.text), speakers) for name in found.names]


def _in_english(found: FoundMentions, text: str) -> list[FoundName]:
    speaking: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for mention in found.mentions:
        if mention.named and mention.known is None:
            times[mention.text] += 1
            speaking[mention.text] += (
                _SPEAKS.match(text, mention.end) is not None
                or _SPOKEN_BEFORE.search(text, mention.start - 12, mention.start) is not None
            )
    return [_judged_english(name, times[name.text], speaking[name.text]) for name in found.names]


def _as_one(same: Sequence[FoundName]) -> FoundName:
    """The same name from several blocks: as sure as on average, of the type of most mentions."""
    total = sum(name.times for name in same)
    types: Counter[str] = Counter()
    for name in same:
        types[name.type] += name.times
    sure = sum(name.confidence * name.times for name in same) / total
    best = max(same, key=lambda name: name.times)
    return best._replace(type=types.most_common(1)[0][0], times=total, confidence=min(0.99, sure))


def _judged_english(name: FoundName, times: int, speaking: int) -> FoundName:
    share = speaking / times if times else 0.0
    if times < _ENOUGH:
        return _believed(name, _RARE)
    if share > _ONLY_SPEECH:
        return _believed(name, _NOBODY)
    if share >= _SPEAKER["en"]:
        return name._replace(type="character")
    return name if name.type == "character" else _believed(name, _of_a_thing(name, times, "en"))


def _judged_chinese(name: FoundName, company: Company | None, speakers: AbstractSet[str]) -> FoundName:
    text = name.text
    if text[0] in _POINTED or text[-1] in _SAYING or _is_common(text) or is_position(text):
        return _believed(name, _DOUBTFUL)
    if company is None or company.times < _ENOUGH:
        return _believed(name, _RARE)
    if company.speaks > _ONLY_SPEECH:
        return _believed(name, _NOBODY)
    # 猪八戒 is whom 八戒 is, whatever things end like that.
    speaks = company.begins_and_speaks >= _SPEAKER["zh"] or (len(text) > 2 and text[1:] in speakers)
    name = name._replace(type="character" if speaks else other_type(text, name.type, company))
    if company.is_cut_right or (company.is_cut_left and name.type == "character"):
        return _believed(name, _DOUBTFUL)
    if name.type != "character":
        return _believed(name, _of_a_thing(name, company.times, "zh"))
    if company.is_manner:
        return _believed(name, _NOBODY)
    does_nothing = company.is_silent or (company.is_passive and name.confidence < _CERTAIN)
    is_doubted = does_nothing and (not _is_full(text) or is_doubled(text))
    return _believed(name, _DOUBTFUL) if is_doubted else name


def _believed(name: FoundName, share: float) -> FoundName:
    return name._replace(confidence=name.confidence * share)


def _is_full(text: str) -> bool:
    """Whether a name has a surname and two characters or more behind it: such are named and seldom speak."""
    return len(text) > 2 and text[0] in SURNAMES and text[1:] not in _COMMON_PEOPLE


def _is_common(text: str) -> bool:
    return (
        text in _COMMON_PEOPLE or (text[0] in _DEGREES and text[1:] in _COMMON_PEOPLE) or is_one_of_many(text)
    )


def _of_a_thing(name: FoundName, times: int, language: Language) -> float:
    """How far a name of a place, a group or a thing is believed: short ones are often no names."""
    if language == "zh" and (name.text[-1] in _POSITIONS or len(name.text) < 3 or name.type == "concept"):
        return _DOUBTFUL
    return 1.0 if times >= _OFTEN else _RARE
