"""Names that are another name with a title after it: 文殊菩萨 is 文殊, 惠岸行者 is 惠岸."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.suffixes import TITLES
from fabula.extraction.found import FoundName
from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.sameness import JoinReason, Sameness
from fabula.extraction.wordlist import word_set, words

_MORE_TITLES = words("""
    行者 大仙 佛祖 老佛 皇帝 大王 魔王 将军 元帅 天师 童子 使者 罗汉 尊者 金刚 神君 老君 国王 护法 沙弥
    散人 居士 头陀 书生 秀才 妖精 大明王 娘娘
""")
# A name before these is whose wife, child or servant it is, or only a polite word after it.
_OF_ANOTHER = word_set("""
    夫人 太太 奶奶 少奶奶 老太 婆婆 公子 小姐 太子 公主 世子 王妃 皇后 太后 贵妃 嫂子 大嫂 姑娘 丫头
    小子 少爷 妈妈 嬷嬷 姐姐 哥哥 妹妹 弟弟 兄弟 爸爸 爷爷 叔叔 伯伯 舅舅 姑姑 师父 师傅 师兄 师姐 师弟
    师妹 师叔 师伯 师祖 师尊 师娘 师哥 父 母 大人 先生 老爷
""")
_ALL_TITLES = {one for one in (*TITLES, *_MORE_TITLES) if len(one) > 1} - _OF_ANOTHER - KIN["zh"].keys()
_TITLE = re.compile("|".join(sorted(_ALL_TITLES, key=len, reverse=True)))
_SURE, _LIKELY = 0.9, 0.72
_AGAIN, _LEAST = 2, 2
_OFTEN, _SHARE = 10, 0.4
# 阎王 and 阎君, 玉帝 and 玉皇: one word for a ruler in the place of another.
_RULERS = frozenset("王君帝皇")


def names_with_titles(
    text: str, mentions: Sequence[FoundMention], people: Sequence[FoundName]
) -> Iterator[Sameness]:
    """Pairs of names of which one is the other with a title, or with another word for the same rank."""
    names = {name.text for name in people}
    plain = {name for name in names if _may_have_title(name)}
    yield from _followed(text, mentions, plain)
    for name in sorted(names):
        title = _title_of(name)
        if title and name.removesuffix(title) in plain:
            yield Sameness(name, name.removesuffix(title), _SURE, JoinReason.TITLE)
    yield from _shorter(names)
    yield from _words_with_titles(text, people)
    rulers = sorted(name for name in names if len(name) == 2 and name[1] in _RULERS)
    for place, one in enumerate(rulers):
        for other in rulers[place + 1 :]:
            if one[0] == other[0] and _is_unlike_words(one, other):
                yield Sameness(one, other, _LIKELY, JoinReason.TITLE)


def _followed(text: str, mentions: Sequence[FoundMention], plain: set[str]) -> Iterator[Sameness]:
    """The names that a title follows again and again."""
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[int, int]] = {}
    for mention in mentions:
        if mention.text not in plain:
            continue
        found = _TITLE.match(text, mention.end)
        if found is not None:
            pair = (mention.text + found[0], mention.text)
            times[pair] += 1
            first.setdefault(pair, (mention.start, found.end()))
    for (full, name), count in times.items():
        if count >= _AGAIN:
            yield Sameness(full, name, _SURE, JoinReason.TITLE, *first[full, name])


def _words_with_titles(text: str, people: Sequence[FoundName]) -> Iterator[Sameness]:
    """A word that is somebody's name because the title stands after it so often: 观音 of 观音菩萨."""
    names = {name.text for name in people}
    for name in people:
        stem = stem_of(name.text)
        if name.times < _OFTEN or not stem or stem in names or not lexicon().is_common(stem):
            continue
        alone = text.count(stem) - text.count(name.text)
        if name.times >= _SHARE * alone and alone >= _AGAIN:
            yield Sameness(stem, name.text, _SURE, JoinReason.TITLE)


def _shorter(names: set[str]) -> Iterator[Sameness]:
    """观音菩萨 of 观世音菩萨: the same title, and a name with a character less."""
    for name in sorted(names):
        title = _title_of(name)
        stem = name.removesuffix(title)
        if not title or len(title) < _LEAST or len(stem) <= _LEAST:
            continue
        for place in range(1, len(stem)):
            shorter = stem[:place] + stem[place + 1 :] + title
            if shorter in names:
                yield Sameness(shorter, name, _SURE, JoinReason.PART)


def stem_of(name: str) -> str:
    """The name without the title at its end; empty if it has none."""
    title = _title_of(name)
    return name.removesuffix(title) if title else ""


def _title_of(name: str) -> str:
    for size in range(min(3, len(name) - _LEAST), 0, -1):
        if _TITLE.fullmatch(name[-size:]):
            return name[-size:]
    return ""


def _may_have_title(name: str) -> bool:
    """Whether a name is more than a title itself."""
    return len(name) >= _LEAST and name not in TITLES and name not in PEOPLE and name not in _MORE_TITLES


def _is_unlike_words(one: str, other: str) -> bool:
    return not lexicon().is_common(one) and not lexicon().is_common(other)
