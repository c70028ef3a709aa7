"""Which names of a book are forms of another: a part of it, a family name with a title, a pet name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from fabula.extraction.chinese.aliases import family_and_given
from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import COMMON_PEOPLE, PEOPLE
from fabula.extraction.chinese.suffixes import TITLES
from fabula.extraction.chinese.surnames import SURNAMES
from fabula.extraction.found import FoundName
from fabula.extraction.identity.company import Company
from fabula.extraction.sameness import AreApart, JoinReason, NamesOf, Sameness
from fabula.extraction.wordlist import word_set

# After a family name, or after one character of a given name: 林妹妹, 凤姐, 宝二爷, 兰哥儿.
MALE = word_set("""
    爷 大爷 二爷 三爷 四爷 老爷 少爷 公子 兄 兄弟 哥 哥儿 哥哥 大哥 二哥 三哥 弟 叔 二叔 大叔 叔叔 伯 公
    郎 大郎 二郎 三郎 先生 将军 官人 员外 大官人 太守 贤弟 贤侄 和尚 皇叔 丞相 都督 太公 押司 提辖 教头
    都头 御弟 圣僧 僧 王 皇帝
""")
FEMALE = word_set("""
    姐 姐儿 姐姐 大姐 妹 妹妹 丫头 姑娘 氏 妃 嫂 嫂子 嫂嫂 夫人 奶奶 太太 娘 娘子 婆 婆婆 妈 妈妈 姨娘
    姨妈 姑 小姐 公主 娘娘 贵妃 嬷嬷 女士 女侠
""")
# 林奶奶 may be the wife of the man with that family name.
_WIVES = word_set("夫人 奶奶 太太 大娘 大妈 大婶 大嫂 嫂子 嫂嫂 娘子 婶子 婶娘 妈妈 嬷嬷 婆婆 婆 娘")
_EITHER = word_set("儿 仙 君 老 老师 大夫 太医 判官 长老 师父 师傅 大人 指挥 大王")
_AFTER_ONE = MALE | FEMALE | _EITHER
# 周瑞家的 is his wife; 假, 小 and numbers tell people apart.
_OTHER_PERSON = frozenset("家的之妻妃母父子女妹弟假真小老大二三四五六七八九十前后後新众诸各媳妇婦夫们們")
_NUMBERS = frozenset("大二三四五六七八九十小老")
# 好姐姐, 亲哥哥: what somebody is like, not who it is.
_QUALITIES = frozenset("好亲傻憨痴贤乖阿旧恶贱美丑胖瘦黑白穷富")
_SHORTENED_BY = frozenset("王帝君僧公妃圣聖母后祖尊仙佛")
_MOSTLY, _PARTLY, _MORE, _BY_FAR = 0.6, 0.15, 1.3, 5.0
_PART, _ONE_OF_FAMILY, _NEAREST = 0.9, 0.86, 0.72
_SUBSEQUENCE, _WITH_CHILD = 0.86, 0.93
_SEVERAL, _WELL_KNOWN, _MOSTLY_WITH, _ONE_OR_TWO = 3, 10, 0.3, 2
_GIVEN_SIZE, _SURE_NAME = 2, 0.75
_HOUSE, _FAMILIES = frozenset("家府"), frozenset("氏家")
_ALL_OF_THEM, _TOGETHER, _WITH_TWO_FAMILIES = frozenset("众眾诸諸群"), frozenset("二两兩"), 3


def related_forms(
    names: Sequence[FoundName], company: Company, apart: AreApart, group: NamesOf
) -> Iterator[Sameness]:
    """Pairs of names of which one is a form of the other, where only one person fits.

    `group` gives the names already known to be the same person's.
    """
    forms = _Forms(names, company, apart, group)
    for name in names:
        if name.times >= _SEVERAL or name.text.endswith("儿"):
            yield from forms.of(name.text)


class _Forms:
    """The names of one book, indexed by their parts."""

    def __init__(self, names: Sequence[FoundName], company: Company, apart: AreApart, group: NamesOf) -> None:
        self._times = {name.text: name.times for name in names}
        self._sure = {name.text: name.confidence for name in names}
        self._company, self._apart, self._group = company, apart, group
        self._ending: defaultdict[str, list[str]] = defaultdict(list)
        self._beginning: defaultdict[str, list[str]] = defaultdict(list)
        self._family: defaultdict[str, list[str]] = defaultdict(list)
        self._given: defaultdict[str, list[str]] = defaultdict(list)
        self._ends: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for name in self._times:
            self._index(name)

    def _index(self, name: str) -> None:
        parts = family_and_given(name)
        if self._times[name] < _SEVERAL:
            # 夏金桂, once, is still the full name of 金桂.
            if parts is not None and self._times.get(parts[1], 0) >= _WELL_KNOWN:
                self._ending[parts[1]].append(name)
            return
        for size in range(2, len(name)):
            if not set(name[:-size]) <= _OTHER_PERSON:
                self._ending[name[-size:]].append(name)
            if not set(name[size:]) <= _OTHER_PERSON:
                self._beginning[name[:size]].append(name)
        if 3 <= len(name) <= 4:
            self._ends[name[0], name[-1]].append(name)
        if parts is not None and not _is_title(parts[1]) and name[-1] not in _HOUSE:
            self._family[parts[0]].append(name)
        for one in _given_characters(name, parts):
            self._given[one].append(name)

    def of(self, name: str) -> Iterator[Sameness]:
        """The forms that a name is of others."""
        if name.endswith("儿") and name[:-1] in self._times and len(name) > 2:
            yield Sameness(name, name[:-1], _WITH_CHILD, JoinReason.PET_NAME)
            return
        if name.endswith("女") and name[:-1] in self._times and len(name) > 2:
            # 罗刹女 may be 罗刹, and 王氏女 is the daughter of 王氏.
            sure = _SUBSEQUENCE if self._stand_for_each_other(name, name[:-1]) else _NEAREST
            yield Sameness(name, name[:-1], sure, JoinReason.PART)
        if lexicon().is_common(name) and self._company.spoken[name] < _SEVERAL:
            return
        yield from self._part(name, self._ending[name])
        yield from self._part(name, self._beginning[name])
        yield from self._shortened(name)
        yield from self._titled(name)
        yield from self._pet_name(name)

    def _stand_for_each_other(self, name: str, other: str) -> bool:
        """Whether two names share passages and never a sentence."""
        company = self._company
        together = company.together(name, other)
        fewest = min(company.passages(name), company.passages(other))
        is_family = other[-1] in _FAMILIES
        return not is_family and together >= max(2, _MOSTLY_WITH * fewest) and not company.met(name, other)

    def _part(self, name: str, longer: list[str]) -> Iterator[Sameness]:
        """黛玉 of 林黛玉, 大圣 of 孙大圣: the longer names must be one, or one far ahead."""
        fits = sorted(self._fitting(name, longer), key=self._by_times)
        if _is_title(name) or name in COMMON_PEOPLE or len(fits) > _SEVERAL:
            yield from self._nearest(name, fits, JoinReason.PART, _NEAREST)
            return
        total = sum(self._times[one] for one in fits)
        for number, one in enumerate(fits):
            share = self._times[one] / total
            if number == 0 and share >= _MOSTLY:
                yield Sameness(name, one, _PART, JoinReason.PART)
            elif share >= _PARTLY and self._times[one] >= _SEVERAL:
                yield Sameness(name, one, _NEAREST, JoinReason.PART)

    def _fitting(self, name: str, others: Collection[str]) -> list[str]:
        """Those who may be the same person: no name of theirs is known to be somebody else's."""
        return [
            one
            for one in others
            if one != name and not any(self._apart(name, own) for own in self._group(one) if own != name)
        ]

    def _by_times(self, name: str) -> tuple[int, str]:
        return -self._times[name], name

    def _shortened(self, name: str) -> Iterator[Sameness]:
        """玉帝 of 玉皇大帝, 牛王 of 牛魔王."""
        if len(name) != 2 or name[1] not in _SHORTENED_BY or _is_title(name):
            return
        fits = self._fitting(name, self._ends[name[0], name[1]])
        if len(fits) == 1:
            yield Sameness(name, fits[0], _SUBSEQUENCE, JoinReason.PART)

    def _titled(self, name: str) -> Iterator[Sameness]:
        """林姑娘 of 林黛玉, 老孙 of 孙悟空: a family name with a title or a familiar word."""
        family, title = self._family_and_title(name)
        if not _is_title(title) and len(self._people(self._family.get(family, ()))) > _ONE_OR_TWO:
            # 林如海 and 林黛玉: in a large family, what follows is a given name.
            return
        if title in _WIVES:
            # 林奶奶 has another family name of her own; the man who has this one is her husband.
            return
        # 王夫人, a thousand times, is not the man named thirty times.
        fits = [
            one
            for one in self._fitting(name, self._family.get(family, ()))
            if 2 * self._group_times(one) >= self._times[name]
        ]
        # 孙大圣 and 孙悟空: what follows the family name is a name by itself in both.
        is_plain = _is_title(title) and title != "氏"
        yield from self._nearest(name, fits, JoinReason.TITLE, _ONE_OF_FAMILY if is_plain else _NEAREST)

    def _people(self, names: Collection[str]) -> set[frozenset[str]]:
        return {frozenset(self._group(name)) for name in names}

    def _group_times(self, name: str) -> int:
        return sum(self._company.times[one] for one in self._group(name))

    def _family_and_title(self, name: str) -> tuple[str, str]:
        if len(name) == 2 and name[0] in "老小" and name[1] in SURNAMES:
            return name[1], "老"
        for size in (2, 1):
            family, title = name[:size], name[size:]
            if family in self._family and (_is_title(title) or title in self._times):
                return family, title
        return "", ""

    def _pet_name(self, name: str) -> Iterator[Sameness]:
        """凤丫头 of 王熙凤, 兰哥儿 of 贾兰."""
        if name[1:] not in _AFTER_ONE or name[0] in _OTHER_PERSON or _is_title(name):
            return
        fits = self._fitting(name, self._given[name[0]])
        own = self._of_its_family(name, fits)
        if own is not None:
            yield Sameness(name, own, _ONE_OF_FAMILY, JoinReason.PET_NAME)
        elif self._is_only_one(name, fits):
            yield Sameness(name, fits[0], _ONE_OF_FAMILY, JoinReason.PET_NAME)
        else:
            yield from self._nearest(name, fits, JoinReason.PET_NAME, _ONE_OF_FAMILY)

    def _of_its_family(self, name: str, fits: Collection[str]) -> str | None:
        """王熙凤 for 凤姐, who is 王凤姐 too: the one full name with the same family and character."""
        families = {
            parts[0]
            for one in self._group(name)
            if (parts := family_and_given(one)) is not None and parts[1].startswith(name[0]) and one != name
        }
        full = [
            one
            for one in fits
            if not one.endswith(name)
            and (parts := family_and_given(one)) is not None
            and parts[0] in families
            and len(parts[1]) == _GIVEN_SIZE
        ]
        return full[0] if len(full) == 1 else None

    def _is_only_one(self, name: str, fits: Sequence[str]) -> bool:
        """Whether a character is in one person's name only, who is named more than by it: 琏二爷, 贾琏."""
        if name[0] in self._family or name[0] in _QUALITIES or self._sure.get(name, 0.0) < _SURE_NAME:
            return False
        people = self._people(fits)
        return len(people) == 1 and self._group_times(fits[0]) >= _WELL_KNOWN + self._times[name]

    def _nearest(
        self, name: str, fits: Collection[str], reason: JoinReason, most: float
    ) -> Iterator[Sameness]:
        """The person who fits, or the one whose passages the name shares far more than anybody else's."""
        people: dict[frozenset[str], str] = {}
        for one in sorted(fits, key=self._by_times):
            people.setdefault(frozenset(self._group(one)) - {name}, one)
        near = sorted(
            ((self._company.affinity(name, names), one) for names, one in people.items()), reverse=True
        )
        if not near:
            return
        best, one = near[0]
        second = near[1][0] if len(near) > 1 else 0.0
        together = self._company.together_with(name, set(self._group(one)) - {name})
        if together < 2 or best < _MORE * second:
            return
        fewest = min(self._company.passages(name), max(map(self._company.passages, self._group(one))))
        is_sure = best >= _BY_FAR * second and together >= _MOSTLY_WITH * fewest
        yield Sameness(name, one, most if is_sure else _NEAREST, reason)


def _given_characters(name: str, parts: tuple[str, str] | None) -> set[str]:
    """The characters by which pet names are made: those of the given name, or of a name without a family."""
    if parts is not None:
        return set() if _is_title(parts[1]) or name[-1] in _HOUSE else set(parts[1])
    return set(name) - _OTHER_PERSON if len(name) == 2 and not _is_title(name) else set()


def sexes(name: str) -> str:
    """Whether a title or kin word at the end of a name is a man's (m) or a woman's (f); empty if neither."""
    for size in (3, 2, 1):
        if len(name) > size:
            if name[-size:] in FEMALE:
                return "f"
            if name[-size:] in MALE:
                return "m"
    return ""


def _is_title(text: str) -> bool:
    return text in TITLES or text in PEOPLE or text in _AFTER_ONE


def are_several(name: str) -> bool:
    """Whether it means more than one person: 众猴, 邢王二夫人."""
    return name[0] in _ALL_OF_THEM or (
        len(name) > _WITH_TWO_FAMILIES and set(name[:2]) <= SURNAMES.keys() and name[2] in _TOGETHER
    )


def numbers_differ(one: str, other: str) -> bool:
    """Whether two names differ in a number only: 尤二姐 and 尤三姐."""
    if len(one) != len(other):
        return False
    different = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(different) == 1 and set(different[0]) <= _NUMBERS
