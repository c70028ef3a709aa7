"""Words for relationships between people, and the relation types they stand for."""

from __future__ import annotations

from typing import NamedTuple

from fabula.model.relation import Language


class KinWord(NamedTuple):
    """The relation type from B to A in "A's <word> B"; from A to B if `from_owner`."""

    type: str
    from_owner: bool = False


def _each(words: str, type_: str, from_owner: bool = False) -> dict[str, KinWord]:
    return {word: KinWord(type_, from_owner) for word in words.split()}


def _own(words: str) -> dict[str, KinWord]:
    """Words without a relation type in the default ontology: each is its own type."""
    return {word: KinWord(word) for word in words.split()}


KIN: dict[Language, dict[str, KinWord]] = {
    "zh": {
        **_each("父亲 母亲 爸爸 妈妈 爹爹 娘亲 爹 娘 养父 养母 义父 义母 生父 生母", "parent"),
        **_each("儿子 女儿 长子 次子 幼子 长女 次女 幼女 独子 独女 养子 养女 义子 义女", "parent", True),
        **_each(
            "哥哥 弟弟 姐姐 妹妹 兄长 大哥 二哥 大姐 二姐 胞弟 胞妹 堂哥 堂弟 堂姐 堂妹 表哥 表弟 表姐 表妹",
            "sibling",
        ),
        **_each("师父 师傅 师尊 老师 导师 恩师", "mentors"),
        **_each("徒弟 弟子 徒儿 学生 大弟子 关门弟子 得意门生", "mentors", True),
        **_each("盟友 伙伴 战友", "ally"),
        **_each("敌人 仇人 死敌 仇敌 宿敌", "enemy"),
        **_each("对手 劲敌", "rivals"),
        **_each("朋友 好友 挚友 老友 故友 知己", "knows"),
        **_own(
            "妻子 丈夫 夫人 未婚妻 未婚夫 祖父 祖母 爷爷 奶奶 外公 外婆 孙子 孙女 叔叔 伯父 舅舅 姑姑 侄子"
            " 侄女 外甥 师兄 师姐 师弟 师妹"
            " 主人 仆人 侍女 护卫 管家 上司 部下 手下"
        ),
    },
    "en": {
        **_each("father mother papa mamma stepfather stepmother", "parent"),
        **_each("son daughter child stepson stepdaughter", "parent", True),
        **_each("brother sister twin half-brother half-sister", "sibling"),
        **_each("mentor teacher tutor master", "mentors"),
        **_each("pupil student apprentice disciple", "mentors", True),
        **_each("ally comrade", "ally"),
        **_each("enemy foe nemesis", "enemy"),
        **_each("rival", "rivals"),
        **_each("friend companion", "knows"),
        **_own(
            "wife husband fiancé fiancée betrothed widow grandfather grandmother grandson granddaughter"
            " uncle aunt cousin nephew niece"
            " servant maid nurse guardian ward steward squire"
        ),
    },
}
