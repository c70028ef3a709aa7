"""Recognises short forms of full Chinese names."""

from __future__ import annotations

from fabula.extraction.chinese.lexicon import lexicon
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.suffixes import TITLES
from fabula.extraction.chinese.surnames import COMPOUND_SURNAMES, SURNAMES

# 小, 老 and numbers distinguish people; 假 says that it is not the same one.
_ADDED = frozenset("小老大女男假真前后後新那这這众眾诸諸各一二三四五六七八九十")
# 熊精, 龙王: kinds, not individuals.
_KINDS = frozenset("王怪精妖魔仙公神君帝后爷婆人者子")
_GIVEN_ALONE, _PET_NAME, _FAMILIAR_SURNAME, _WITH_TITLE = 0.85, 0.7, 0.5, 0.5


def family_and_given(name: str) -> tuple[str, str] | None:
    """The family name and given name of a full name; None if it is not one."""
    for size in (2, 1):
        family, given = name[:size], name[size:]
        if 1 <= len(given) <= 2 and (family in COMPOUND_SURNAMES if size == 2 else family in SURNAMES):
            return family, given
    return None


def likeness(short: str, full: str) -> float:
    """The confidence that the short name means the person with the full name; zero without evidence."""
    if short == full + "儿" and len(full) > 1:
        return _GIVEN_ALONE  # 凤姐儿
    if _is_by_name(short, full):
        return _PET_NAME
    parts = family_and_given(full)
    if parts is None or short == full or (len(full) < 3 and lexicon().is_common(full)):
        return 0.0  # 高兴 is nobody, but 孙悟空 is famous enough to be in word lists
    family, given = parts
    if given in TITLES or given in PEOPLE:
        return 0.0  # 薛姨妈 is no 姨妈 by name
    if len(given) == 2 and short == given:
        return _GIVEN_ALONE
    if len(short) == 2 and short[0] in "小阿" and short[1] in given:
        return _PET_NAME
    if len(short) == 2 and short[1] == "儿" and short[0] in given:
        return _PET_NAME
    if len(short) == 2 and short[0] in "小老" and short[1] == family:
        return _FAMILIAR_SURNAME
    if short.startswith(family) and short[len(family) :] in TITLES:
        return _WITH_TITLE
    return 0.0


def _is_by_name(longer: str, name: str) -> bool:
    """Whether it is the name preceded by a character that is no family name: 猪八戒."""
    if len(longer) != 3 or longer[1:] != name or longer[0] in SURNAMES or longer[0] in _ADDED:
        return False
    return name not in TITLES and name not in PEOPLE and name[-1] not in _KINDS


def without_title(name: str) -> str | None:
    """The name without its title; None if it has no title or nothing else is left."""
    for size in (4, 3, 2):
        if name[-size:] in TITLES and len(name) - size >= 2:
            return name[:-size]
    return None
