"""Ranks and titles, and which of them nobody has at the same time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from fabula.extraction.wordlist import word_set, words
from fabula.model.relation import Language

# Of one ladder somebody has one rank at a time, unless two are alike.
_LADDERS: dict[Language, dict[str, tuple[str, ...]]] = {
    "en": {
        "rank:military": words("""private corporal sergeant ensign cornet midshipman lieutenant captain major
            commander colonel brigadier commodore general admiral marshal"""),
        "rank:police": words("constable inspector superintendent commissioner"),
        "rank:office": words("mayor governor senator president"),
        "title:nobility": words("""sir knight baronet lord baron viscount earl count marquis duke prince king
            emperor"""),
        "title:peeress": words("""dame lady baroness viscountess countess marchioness duchess princess queen
            empress"""),
        "title:church": words("curate vicar rector bishop archbishop cardinal pope"),
        "title:learned": words("doctor professor"),
    },
    "zh": {
        "rank:military": words("少尉 中尉 上尉 大尉 少校 中校 上校 大校 少将 中将 上将"),
        "rank:camp": words("什长 伍长 百夫长 千夫长 万夫长 把总 千总 守备 都司 游击 参将 副将"),
        "rank:police": words("捕快 捕头 总捕头 警员 警长 探长 督察 总督察"),
        "rank:sect": words("掌门 长老 堂主 舵主 香主 坛主 帮主 教主 护法"),
        "rank:troop": words("班长 排长 连长 营长 团长 旅长 师长 军长 司令"),
        "rank:office": words("""丞相 宰相 太师 太尉 司徒 司空 尚书 侍郎 御史 太守 刺史 州牧 知府 知州 知县
            县令 县尉 县丞 总督 巡抚 提督 总兵 都督 将军 元帅 校尉 都尉 节度使 指挥使 统制 提辖 都头"""),
        "rank:government": words("局长 处长 科长 厅长 部长 市长 县长 省长 镇长 村长"),
        "rank:business": words("经理 董事长 总裁"),
        "title:nobility": words("公爵 侯爵 伯爵 子爵 男爵"),
        "title:princess": words("公主 郡主 县主"),
        "title:prince": words("太子 亲王 郡王"),
        "title:learned": words("医生 教授"),
    },
}
_SAME: dict[str, str] = {
    "dr": "doctor", "prof": "professor", "capt": "captain", "col": "colonel", "gen": "general",
    "lt": "lieutenant", "lieut": "lieutenant", "sgt": "sergeant", "maj": "major", "cpl": "corporal",
    "adm": "admiral", "marquess": "marquis", "tsar": "emperor", "czar": "emperor", "kaiser": "emperor",
    "tsarina": "empress", "宰相": "丞相",
    "门主": "掌门", "总舵主": "帮主", "县令": "知县", "知府": "太守", "州牧": "刺史",
}  # fmt: skip
# What each may be called as well: every peer is a lord, and who leads an army is a general.
_ALSO: dict[str, frozenset[str]] = {
    "lord": word_set("knight baron viscount earl count marquis duke prince king emperor"),
    "lady": word_set("dame baroness viscountess countess marchioness duchess princess queen empress"),
    "knight": word_set("sir baronet baron viscount earl count marquis duke prince king"),
    "sir": word_set("baronet"),
    "earl": word_set("count"),
    "prince": word_set("king emperor"),
    "king": word_set("emperor"),
    "princess": word_set("queen empress"),
    "queen": word_set("empress"),
    "captain": word_set("commander commodore"),
    "general": word_set("brigadier marshal"),
    "ensign": word_set("cornet"),
    "admiral": word_set("commander"),
    "长老": word_set("护法 堂主"),
    "护法": word_set("堂主 香主"),
    "堂主": word_set("香主"),
    "太子": word_set("亲王"),
    **dict.fromkeys(
        words("将军 元帅 都督"),
        word_set("将军 元帅 都督 校尉 都尉 提督 总兵 统制 太守 刺史 太尉 节度使 指挥使 提辖 都头 总督"),
    ),
}
# What a ladder's ranks are called, and the attributes of an entity that may say one.
_KINDS: dict[str, dict[Language, str]] = {
    "rank": {"zh": "职衔", "en": "rank"},
    "title": {"zh": "头衔", "en": "title"},
}
KEYS = word_set("rank title office post position 职衔 头衔 军衔 官职 官衔 职务 职位 爵位 身份")
_LADDER_OF: dict[str, str] = {
    word: ladder for ladders in _LADDERS.values() for ladder, ranks in ladders.items() for word in ranks
}
_WORDS: dict[Language, list[str]] = {
    language: sorted(
        {
            *(word for ranks in ladders.values() for word in ranks),
            *(short for short in _SAME if short.isascii() == (language == "en")),
        },
        key=lambda word: (-len(word), word),
    )
    for language, ladders in _LADDERS.items()
}
LADDERS: frozenset[str] = frozenset(_LADDER_OF.values())


@cache
def pattern(language: Language, *, capital: bool = False) -> str:
    """Return what finds the words for ranks and titles in a text, small or with a capital."""
    return "|".join(word.capitalize() if capital else word for word in _WORDS[language])


def plain_rank(word: str) -> str:
    """Return the word for a rank that stands for all that mean it."""
    plain = word.lower().rstrip(".")
    return _SAME.get(plain, plain)


def ladder_of(rank: str) -> str:
    """Return the ladder that a plain rank is on."""
    return _LADDER_OF[rank]


def ranks_in(words: str, language: Language) -> Iterator[str]:
    """Yield the plain ranks that an author's words name."""
    bounds = r"\b(?:{})\b" if language == "en" else "(?:{})"
    for found in re.finditer(bounds.format(pattern(language)), words.lower()):
        yield plain_rank(found[0])


def are_alike(one: str, other: str) -> bool:
    """Whether somebody may have two ranks of a ladder at the same time."""
    return one == other or other in _ALSO.get(one, ()) or one in _ALSO.get(other, ())


def called(ladder: str, language: Language) -> str:
    """Return what the ranks of a ladder are called."""
    return _KINDS[ladder.partition(":")[0]][language]
