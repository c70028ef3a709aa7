"""The entity types and relation types a story has unless its author changes them."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from fabula.model.names import name_key, relation_key

ENTITY_TYPES = ("character", "location", "event", "item", "faction", "concept", "unknown")

# Short and everyday words for types, used where the story has the type but no type of that word.
ENTITY_TYPE_ALIASES = {
    word: kind
    for kind, words in {
        "character": "char person 人物 角色",
        "location": "loc place 地点",
        "event": "事件",
        "item": "物品",
        "faction": "势力 组织",
        "concept": "概念",
        "unknown": "未知",
    }.items()
    for word in words.split()
}


def known_type(word: str, known: Container[str]) -> str | None:
    """The known type that a word stands for, in any spelling; None if there is none."""
    key = name_key(word)
    if key not in known:
        key = ENTITY_TYPE_ALIASES.get(key, key)
    return key if key in known else None


class RelationWordLabels(NamedTuple):
    """A relation type every story starts with."""

    key: str
    zh: str
    en: str
    builtin: bool


DEFAULT_RELATION_TYPES = (
    RelationWordLabels("ally", "盟友", "Ally", True),
    RelationWordLabels("enemy", "敌人", "Enemy", True),
    RelationWordLabels("parent", "父母", "Parent", True),
    RelationWordLabels("sibling", "兄弟姐妹", "Sibling", True),
    RelationWordLabels("belongs_to", "属于", "Belongs to", True),
    RelationWordLabels("owns", "拥有", "Owns", True),
    RelationWordLabels("located_at", "位于", "Located at", True),
    RelationWordLabels("participates_in", "参与", "Participates in", True),
    RelationWordLabels("knows", "认识", "Knows", False),
    RelationWordLabels("mentors", "指导", "Mentors", False),
    RelationWordLabels("rivals", "对手", "Rivals", False),
    RelationWordLabels("occurs_at", "发生于", "Occurs at", False),
    RelationWordLabels("follows", "先于", "Comes before", False),
    RelationWordLabels("located_in", "处在", "Located in", False),
)

# Types that, without a note, say no more than that two know each other.
ACQUAINTANCE = frozenset(("knows", "companion", "同伴"))

# A label means its type: 盟友 is the built-in ally, not a second word for it.
_RELATION_ALIASES = {"possesses": "owns"} | {
    relation_key(label): word.key for word in DEFAULT_RELATION_TYPES for label in (word.zh, word.en)
}


def relation_type(word: str) -> str:
    """The relation key a word stands for: normalised, synonyms resolved."""
    key = relation_key(word)
    return _RELATION_ALIASES.get(key, key)
