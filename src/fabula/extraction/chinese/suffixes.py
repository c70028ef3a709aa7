"""Endings that tell the type of a name."""

from __future__ import annotations

import re

from fabula.extraction.wordlist import words

# After a family name, a given name or a by-name: 玄清真人, 李长老, 苏姑娘, 赵局.
TITLES = words("""
    真人 真君 道人 道长 道友 上人 上仙 仙子 仙师 仙尊 圣女 圣子 圣人 魔尊 魔君 魔王 妖王 妖皇 天尊 天君 尊者
    老祖 祖师 法王 禅师 大师 和尚 方丈 长老 掌门 宗主 教主 帮主 盟主 门主 堂主 舵主 阁主 谷主 岛主 庄主 城主
    峰主 殿主 楼主 寨主 洞主 族长 家主 院长 护法 供奉 执事 师父 师傅 师兄 师姐 师弟 师妹 师叔 师伯 师祖 师尊
    师娘 师哥 大侠 女侠 少侠 前辈 兄弟 先生 小姐 女士 夫人 太太 姑娘 公子 少爷 老爷 大爷 老太 太爷 奶奶 爷爷
    婆婆 公公 大人 大哥 大姐 大嫂 大叔 大婶 大妈 大娘 阿姨 叔叔 伯伯 姐姐 哥哥 妹妹 弟弟 伯父 伯母 婶婶 姑姑
    姑妈 舅舅 舅妈 姨妈 嬷嬷 妈妈 爸爸 少奶奶 掌柜 员外 秀才 举人 状元 丫头 小子 嫂子 将军 元帅 都督 提督
    总督 巡抚 知府 知县 县令 县丞 太守 刺史 丞相 宰相 尚书 侍郎 御史 太傅 太师 太尉 校尉 都尉 千户 百户 总兵
    参将 统领 捕头 皇帝 皇后 贵妃 太后 太子 王爷 公主 郡主 殿下 陛下 世子 王妃 娘娘 国王 女王 王子 大公 公爵
    侯爵 伯爵 子爵 男爵 爵士 骑士 祭司 主教 神父 修女 老师 教授 博士 医生 大夫 护士 律师 警官 队长 局长 处长
    科长 所长 校长 主任 主席 总裁 总经理 经理 董事长 老板 老板娘 秘书 部长 厅长 市长 县长 镇长 村长 班长
    排长 连长 营长 团长 师长 军长 司令 司令员 政委 参谋 上校 中校 少校 上尉 中尉 少尉 上将 中将 少将 教练
    法师 巫师 团座 师座 教官 导师 菩萨 佛祖 古佛 大帝 帝君 星君 星官 天王 大仙 大王 元君 圣母 老母 居士 神君
    圣君 仙翁 太保 太公 押司 提辖 教头 都头 虞候 都监 制使 孔目 皇叔 使君 大官人 都指挥 节度使 判官
""")

PLACES = words("""
    大陆 大洋 群岛 半岛 山脉 山庄 山谷 山寨 高原 平原 草原 雪原 荒原 沙漠 森林 丛林 峡谷 秘境 禁地 圣地 遗迹
    古城 王城 皇城 王国 帝国 神国 联邦 大道 书院 道院 学院 学宫 道场 道观 神殿 大殿 宫殿 祭坛 广场 酒楼 客栈
    茶楼 镖局 当铺 药铺 医馆 武馆 会馆 府邸 公馆 别墅 庄园 公寓 小区 大厦 大楼 车站 机场 码头 港口 医院 监狱
    军营 基地 矿区 农场 牧场 公园 花园 胡同 小镇 小城 村落 城堡 要塞 关隘 星系 星域 空间 位面 世界
""")
PLACE_ENDINGS = (
    "山峰岭岗崖谷洞渊海湖江河溪泉潭湾岛洲原林城镇村庄寨堡关州郡县省市区路街巷桥门宫殿阁楼塔亭台院府观"
    "寺庙庵坊园轩斋堂界域国星屿港峡坡坪沟窟陵墓狱"
)

GROUPS = words("""
    剑宗 剑派 魔宗 魔教 圣教 道门 仙门 宗门 门派 商会 商行 商盟 公会 工会 行会 协会 学会 教会 骑士团 佣兵团
    军团 兵团 战队 小队 大队 卫队 禁军 家族 世家 一族 部落 联盟 同盟 组织 集团 公司 财团 银行 学院 大学 中学
    小学 高中 学府 学园 书院 研究所 俱乐部 议会 法庭
""")
GROUP_ENDINGS = "宗教派盟帮门堂族军队"

ITEMS = words("""
    神剑 宝剑 长剑 飞剑 仙剑 魔剑 神兵 法宝 法器 灵器 宝物 丹药 灵丹 仙丹 玉佩 玉简 令牌 戒指 项链 手镯 铠甲
    战甲 宝甲 披风 宝珠 灵珠 魔杖 法杖 权杖 卷轴 地图 宝鼎 铜镜 古镜 宝塔 葫芦 锦囊 宝典 秘籍 剑谱 古卷 圣杯
    王冠
""")
ITEM_ENDINGS = "剑刀枪戟斧锤鞭弓弩盾甲袍铠冠戒佩珠镜鼎炉钟印符幡旗扇伞琴笛箫丹丸杖棍针梭舟"

TERMS = words("""
    剑法 刀法 枪法 拳法 掌法 指法 腿法 身法 步法 心法 功法 阵法 剑阵 大阵 剑诀 法诀 口诀 神功 魔功 玄功 心经
    真经 剑意 剑气 神通 秘术 法术 禁术 魔法 血脉 体质 境界 九境 灵根 领域 真言 剑道 刀道 武道 大道 忍术 咒语
""")
TERM_ENDINGS = "诀功经法术阵拳掌咒境"


def _kinds() -> dict[str, tuple[str, float]]:
    """The type each ending indicates, and how strongly."""
    kinds: dict[str, tuple[str, float]] = {}
    for kind, longer, endings in (
        ("faction", GROUPS, GROUP_ENDINGS),
        ("location", PLACES, PLACE_ENDINGS),
        ("item", ITEMS, ITEM_ENDINGS),
        ("concept", TERMS, TERM_ENDINGS),
    ):
        for word in longer:
            kinds.setdefault(word, (kind, 2.5))
        for ending in endings:
            kinds.setdefault(ending, (kind, 1.0))
    return kinds


KINDS = _kinds()
ENDING = re.compile("|".join(sorted(KINDS, key=len, reverse=True)))


def has_ending(name: str, kind: str) -> bool:
    """Whether the name has an ending typical of this type."""
    found = KINDS.get(name[-2:]) or KINDS.get(name[-1:])
    return found is not None and found[0] == kind
