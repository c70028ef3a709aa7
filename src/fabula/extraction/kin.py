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
        **_each(
            "父亲 母亲 爸爸 妈妈 爹爹 娘亲 爹 娘 养父 养母 义父 义母 生父 生母 父王 母后 父皇 亲爹 亲娘 老子"
            " 干爹 干娘 继父 继母 嫡母",
            "parent",
        ),
        **_each(
            "儿子 女儿 长子 次子 幼子 三子 长女 次女 幼女 独子 独女 养子 养女 义子 义女 孩儿 令郎 令爱 闺女"
            " 公子 千金 小儿 小女 庶子 嫡子 遗腹子 太子 世子 干儿子 干女儿 大儿子 小儿子 二儿子 大女儿 "
            "小女儿",
            "parent",
            True,
        ),
        **_each(
            "哥哥 弟弟 姐姐 妹妹 兄长 大哥 二哥 大姐 二姐 胞弟 胞妹 堂哥 堂弟 堂姐 堂妹 表哥 表弟 表姐 表妹"
            " 胞兄 胞姐 胞姊 亲哥哥 亲弟弟 亲姐姐 亲妹妹 亲兄弟 亲妹子 妹子 兄弟 长兄 长姐 令弟 令妹 令兄",
            "sibling",
        ),
        **_each("师父 师傅 师尊 老师 导师 恩师 业师 先生", "mentors"),
        **_each(
            "徒弟 弟子 徒儿 学生 大弟子 关门弟子 得意门生 门生 大徒弟 二徒弟 小徒弟 高徒 爱徒 徒孙 门徒",
            "mentors",
            True,
        ),
        **_each("盟友 伙伴 战友", "ally"),
        **_each("敌人 仇人 死敌 仇敌 宿敌 对头 冤家 仇家", "enemy"),
        **_each("对手 劲敌", "rivals"),
        **_each("朋友 好友 挚友 老友 故友 知己 故人 至交 相好", "knows"),
        **_each("妻子 浑家 老婆 妻室 发妻 正妻 元配 嫡妻 正室 媳妇", "妻子"),
        **_each("丈夫 夫君 相公 老公 夫婿", "丈夫"),
        **_each("小妾 爱妾 侍妾 姨娘 妾", "妾"),
        **_each("丫鬟 丫头 丫环 侍女 婢女 使女 侍儿 大丫头 小丫头 大丫鬟", "丫鬟"),
        **_each("小厮 书童 家人 奴才 仆人 家仆 家奴 老奴 心腹小厮 跟班 男仆 苍头", "仆人"),
        **_each("手下 部下 属下 部将 副将 心腹 亲信 爱将 偏将 裨将 先锋 军师 随从 家将 牙将 谋士", "手下"),
        **_each("奶妈 乳母 奶母 奶娘 嬷嬷 奶嬷嬷", "奶妈"),
        **_each("结义兄弟 结拜兄弟 义兄 义弟 把兄弟 义妹 义姐 拜把子兄弟", "结拜"),
        **_each("舅舅 娘舅 母舅 舅父 舅爷", "舅舅"),
        **_each("岳父 丈人 岳丈 泰山", "岳父"),
        **_each("女婿 贤婿 东床 娇客", "女婿"),
        **_each("表兄 表兄弟 姑表兄弟 姨表兄弟 两姨兄弟", "表亲"),
        **_own(
            "夫人 太太 未婚妻 未婚夫 祖父 祖母 爷爷 奶奶 外公 外婆 外祖母 外祖父 孙子 孙女 孙儿 外孙 外孙女"
            " 叔叔 叔父 伯父 伯伯 姑姑 姑母 姑妈 姨妈 姨母 舅母 婶婶 婶娘 侄子 侄儿 侄女 内侄 内侄女 外甥"
            " 外甥女 堂兄 师兄 师姐 师弟 师妹 师叔 师伯 师祖 岳母 儿媳 儿媳妇 嫂子 嫂嫂 姐夫 妹夫 族兄"
            " 陪房 坐骑 主人 侍从 护卫 管家 上司 亲家 同僚 同窗 门客 恩人 情人"
        ),
    },
    "en": {
        **_each(
            "father mother papa mamma stepfather stepmother step-father step-mother foster-father"
            " foster-mother",
            "parent",
        ),
        **_each("son daughter child stepson stepdaughter step-son step-daughter foster-son", "parent", True),
        **_each("brother sister twin half-brother half-sister step-brother step-sister", "sibling"),
        **_each("mentor teacher tutor schoolmaster", "mentors"),
        **_each("pupil student apprentice disciple", "mentors", True),
        **_each("ally comrade", "ally"),
        **_each("enemy foe nemesis", "enemy"),
        **_each("rival", "rivals"),
        **_each("friend companion", "knows"),
        **_own(
            "wife husband fiancé fiancée betrothed widow grandfather grandmother grandson granddaughter"
            " uncle aunt cousin nephew niece brother-in-law sister-in-law father-in-law mother-in-law"
            " son-in-law daughter-in-law godfather godmother godson goddaughter lover mistress"
            " servant maid nurse guardian ward steward squire governess valet coachman footman secretary"
            " housekeeper butler portress cook lieutenant follower colleague neighbour neighbor partner"
            " master employer assistant clerk gardener chauffeur lawyer solicitor physician agent landlord"
            " landlady lodger tenant accomplice confederate henchman heir great-uncle great-aunt kinsman"
            " schoolfellow suitor"
        ),
    },
}

# What follows 之: 敖闰之子, 贾政之妻.
_AFTER_ZHI = (
    "子:儿子 女:女儿 妻:妻子 妾:妾 父:父亲 母:母亲 兄:哥哥 弟:弟弟 姊:姐姐 姐:姐姐 妹:妹妹 孙:孙子 婿:女婿"
    " 徒:徒弟 婢:丫鬟 仆:仆人 夫:丈夫 侄:侄子 甥:外甥 友:朋友 师:师父 媳:儿媳 长子:长子 次子:次子 三子:三子"
    " 幼子:幼子 长女:长女 次女:次女 幼女:幼女"
)
CLASSICAL: dict[str, str] = dict(pair.split(":") for pair in _AFTER_ZHI.split(" "))
