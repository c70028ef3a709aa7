"""Nouns that a book uses for one person: 老太太 is the head of the house, 长老 the one who travels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.found import FoundName
from fabula.extraction.identity.company import Company
from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.sameness import JoinReason, NamesOf, Sameness
from fabula.extraction.wordlist import word_set

# What somebody is to the speaker, or calls himself, says nothing about who it is.
_RELATIVE = word_set("""
    兄弟 姐妹 兄妹 孩子 小孩 贫僧 贫道 奴才 奴婢 小人 晚生 臣妾 徒儿 朋友 家人 亲人 亲戚 敌人 客人 主人
    前辈 师父 徒弟 小弟 小妹 嫂子 嫂嫂 媳妇 老婆 相公 娘子 同学 美人 家伙 小子
""")
_POINTED = frozenset("个個那这這此众眾位名几幾各诸諸某些两兩一我你他她的咱是有")
_OFTEN, _TOGETHER, _SHARE, _MET, _MORE, _POINTED_AT = 40, 30, 0.4, 0.05, 1.25, 0.15
_LIKELY = 0.7


def nouns_for_people(
    text: str,
    mentions: Sequence[FoundMention],
    people: Sequence[FoundName],
    company: Company,
    group: NamesOf,
) -> Iterator[Sameness]:
    """Nouns that stand in the passages of one person, never beside that person's name."""
    places: dict[str, Counter[str]] = {}
    for mention in mentions:
        if not mention.named and mention.text in PEOPLE:
            before = places.setdefault(mention.text, Counter())
            before[text[mention.start - 1 : mention.start]] += 1
    persons = {frozenset(group(one.text)) for one in people if one.times >= _OFTEN}
    for noun, before in places.items():
        total = before.total()
        pointed = sum(before[one] for one in _POINTED)
        if total < _OFTEN or noun in _RELATIVE or noun in KIN["zh"] or pointed > _POINTED_AT * total:
            continue
        near = sorted(((company.affinity(noun, names), sorted(names)) for names in persons), reverse=True)
        if not near or (len(near) > 1 and near[0][0] < _MORE * near[1][0]):
            continue
        names = near[0][1]
        together = company.together_with(noun, names)
        met = sum(company.met(noun, name) for name in names)
        if together >= max(_TOGETHER, _SHARE * company.passages(noun)) and met <= _MET * together:
            name = max(names, key=lambda one: (company.times[one], one))
            yield Sameness(noun, name, _LIKELY, JoinReason.ALTERNATES)
