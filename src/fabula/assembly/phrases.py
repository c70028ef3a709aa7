"""Phrases for relations, in Chinese and in English."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from fabula.model.relation import Language

SYMMETRIC = frozenset({"ally", "enemy", "sibling", "rivals", "knows"})

Side = Literal["source", "either", "turned"]


class Phrase(NamedTuple):
    """The text between the subject's and the object's name, and the text in brackets after it.

    `side` says who may be the subject: only the source, either end with the same words, or also the target
    with the words in `turned`.
    """

    before: str
    after: str = ""
    bracket: str = ""
    side: Side = "source"
    turned: tuple[str, str] = ("", "")


_ZH = {
    "parent": Phrase("育有", side="turned", turned=("是", "的孩子")),
    "sibling": Phrase("与", "是兄弟姐妹", side="either"),
    "ally": Phrase("与", "是盟友", side="either"),
    "enemy": Phrase("与", "为敌", side="either"),
    "rivals": Phrase("与", "是对手", side="either"),
    "knows": Phrase("认识", side="either"),
    "mentors": Phrase("指导", side="turned", turned=("师从", "")),
    "belongs_to": Phrase("属于"),
    "located_at": Phrase("位于"),
    "located_in": Phrase("处在"),
    "owns": Phrase("拥有"),
    "participates_in": Phrase("参与"),
    "occurs_at": Phrase("发生于"),
    "follows": Phrase("发生在", "之前"),
}
_EN = {
    "parent": Phrase("is a parent of ", side="turned", turned=("is a child of ", "")),
    "sibling": Phrase("is a sibling of ", side="either"),
    "ally": Phrase("is allied with ", side="either"),
    "enemy": Phrase("is an enemy of ", side="either"),
    "rivals": Phrase("is a rival of ", side="either"),
    "knows": Phrase("knows ", side="either"),
    "mentors": Phrase("mentors ", side="turned", turned=("is a student of ", "")),
    "belongs_to": Phrase("belongs to "),
    "located_at": Phrase("is at "),
    "located_in": Phrase("is in "),
    "owns": Phrase("owns "),
    "participates_in": Phrase("takes part in "),
    "occurs_at": Phrase("takes place at "),
    "follows": Phrase("comes before "),
}

# The order of clauses in a sentence: kin, friends and foes, teachers, groups, places, things, events.
ORDER = {key: place for place, key in enumerate(_ZH)}

# Words for what two people are to each other, preceded by "与…是".
_TOGETHER_WORDS = """
    师徒 师生 师兄弟 师兄妹 师姐妹 师姐弟 同门 同门师兄弟 同门师兄妹 同学 同窗 同乡 同事
    同僚 同伴 同盟 盟友 朋友 好友 挚友 知己 旧识 故人 恋人 情侣 夫妻 夫妇 未婚夫妻
    兄弟 姐妹 兄妹 姐弟 手足 结拜兄弟 义兄弟 双胞胎 父子 父女 母子 母女 祖孙 叔侄 亲属
    亲戚 亲人 主仆 君臣 上下级 搭档 伙伴 战友 对手 宿敌 死敌 仇敌 仇人 敌人 情敌 邻居
"""
_TOGETHER = frozenset(_TOGETHER_WORDS.split())
# Words for what one person is to the other, used in "是…的".
_ONE_TO_OTHER_WORDS = """
    师父 师傅 师尊 老师 导师 徒弟 弟子 学生 师兄 师姐 师弟 师妹 父亲 母亲 养父 养母
    义父 义母 继父 继母 儿子 女儿 养子 养女 义子 义女 哥哥 姐姐 弟弟 妹妹 兄长 丈夫
    妻子 未婚夫 未婚妻 主人 仆人 侍女 护卫 上司 下属 部下 手下 主公 谋士 恩人 救命恩人
    祖父 祖母 爷爷 奶奶 外公 外婆 孙子 孙女 叔叔 舅舅 姑姑 侄子 侄女 监护人 崇拜者
"""
_ONE_TO_OTHER = frozenset(_ONE_TO_OTHER_WORDS.split())


@lru_cache(4_096)
def phrase(relation_type: str, label: str, word: str, language: Language) -> Phrase:
    """Return the phrase for a relation type; `word` is the story's own word for this relation, or empty."""
    known = (_ZH if language == "zh" else _EN).get(relation_type)
    if known is None:
        return _custom(word or label or relation_type.replace("_", " "), language)
    if not word:
        return known
    return (
        _worded_zh(known, relation_type, word) if language == "zh" else _worded_en(known, relation_type, word)
    )


def _worded_zh(known: Phrase, relation_type: str, word: str) -> Phrase:
    if word in _ONE_TO_OTHER or (relation_type == "belongs_to" and word not in _TOGETHER):
        return Phrase("是", f"的{word}")
    if relation_type in SYMMETRIC:
        return Phrase("与", f"是{word}", side="either")
    # The word alone would not say which of the two is the parent, teacher or owner.
    return known._replace(bracket=word)


def _worded_en(known: Phrase, relation_type: str, word: str) -> Phrase:
    if relation_type == "parent" and " " not in word:
        return Phrase(f"is the {word} of ")
    return known._replace(bracket=word)


def _custom(word: str, language: Language) -> Phrase:
    if language == "en":
        return Phrase("is connected with ", bracket=f'"{word}"')
    if word in _TOGETHER:
        return Phrase("与", f"是{word}", side="either")
    if word in _ONE_TO_OTHER:
        return Phrase("是", f"的{word}")
    return Phrase("与", f"的关系是“{word}”")
