"""Suggests the known word that is closest to an unknown one."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from fabula.model.names import name_key

_NEAR = 60
_LONGEST = 64

# Synonyms, which no comparison of letters would find.
_KINDS = tuple(
    frozenset(words.split())
    for words in (
        "person human people man woman character char figure role 人 人物 角色 人员",
        "location place site area region loc 地点 地方 场所 位置",
        "event incident happening occurrence 事件 事情",
        "item object thing artifact artefact prop 物品 东西 道具 物件",
        "faction group organisation organization org company institution guild team 势力 组织 机构 公司 团体",
        "concept idea term topic notion 概念 术语 观念",
        "document doc file page article paper text record 文档 文件 文章 资料",
        "references refers cites links mentions 引用 提到",
        "employed_by works_for works_at employee_of 受雇于 任职于",
        "knows acquainted_with met 认识",
        "owns has possesses holder_of 拥有",
        "located_at located_in lives_in at in 位于 处在",
        "ally friend friends friend_of allied_with 盟友 朋友",
        "enemy foe hates opposes 敌人",
        "parent father mother parent_of 父母 父亲 母亲",
        "sibling brother sister 兄弟姐妹",
        "mentors teaches teacher_of 指导",
        "rivals rival competes_with 对手",
        "belongs_to member_of part_of 属于",
    )
)


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice with the most similar spelling; None if none is similar."""
    found = process.extractOne(
        word[:_LONGEST], tuple(choices), scorer=fuzz.ratio, processor=_spelling, score_cutoff=_NEAR
    )
    return None if found is None else str(found[0])


def nearest_type(word: str, names: Iterable[str]) -> str | None:
    """The type with the most similar spelling, else a synonym; None if there is none."""
    known = tuple(names)
    near = nearest(word, known)
    if near is not None:
        return near
    folded = _spelling(word[:_LONGEST])
    alike = frozenset[str]().union(*(kind for kind in _KINDS if folded in kind))
    return next((name for name in known if _spelling(name) in alike), None)


def _spelling(word: str) -> str:
    return name_key(word).replace(" ", "_").replace("-", "_")
