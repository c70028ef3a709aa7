"""Short forms of full names: given names, surnames, a surname with a title."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HAN = re.compile(r"[\u3400-\u9fff]+")
_SPACED = re.compile(r"[^\W\d_][\w'’.-]*")
_LEAST = 3

# Words that accompany a name and are not names themselves.
_TITLE_WORDS = """
    mr mrs ms miss mister madam madame mademoiselle monsieur sir lady lord dame master mistress dr doctor
    prof professor prince princess king queen emperor empress count countess duke duchess baron baroness
    earl marquis marquess viscount captain colonel general major lieutenant sergeant corporal admiral
    commander private saint st father mother brother sister aunt uncle widow old young little big the
    reverend rev deacon judge president senator governor minister chancellor bishop archbishop cardinal pope
    abbot jr sr junior senior grandma grandpa cousin brer don doña donna señor señora signor signora herr
    frau fräulein
"""
_TITLES = frozenset(_TITLE_WORDS.split())
_LINK_WORDS = "the de la le von van der den du di da del and y e al el ibn bin"
_LINKS = frozenset(_LINK_WORDS.split())
# Words that ask or open a sentence, where a capital says nothing about a name. What can be a name (Will, May)
# is not among them.
_OPENING_WORDS = """
    a about after all also although an and any are as at be because been before both but by can could did
    do does during each every for from had has have he her here his how i if in into is it its might must
    my no not now of on only or other our over please she should since so some such tell than that their
    them then there these they this those through to under until upon was we were what when where which
    while who whom whose why with would yes you your
"""
_OPENERS = frozenset(_OPENING_WORDS.split())

_SURNAMES = frozenset(
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤"
    "花方俞任袁柳酆鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米"
    "贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯"
    "昝管卢莫经房裘缪干解应宗丁宣贲邓郁单杭洪包诸左石崔吉钮龚程嵇邢滑裴陆荣翁荀羊甄曲家封芮羿储靳汲邴糜松井段富巫乌"
    "焦巴弓牧隗山谷车侯宓蓬全郗班仰秋仲伊宫宁仇栾暴甘钭厉戎祖武符刘景詹束龙叶幸司韶郜黎蓟薄印宿白怀蒲邰从鄂索咸籍赖"
    "卓蔺屠蒙池乔阴胥能苍双闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍却璩桑桂濮牛寿通边扈燕冀郏浦尚农温别庄晏柴瞿阎充慕连茹习"
    "宦艾鱼容向古易慎戈廖庾终暨居衡步都耿满弘匡国文寇广禄阙东欧殳沃利蔚越夔隆师巩厍聂晁勾敖融冷訾辛阚那简饶空曾毋沙"
    "乜养鞠须丰巢关蒯相查后荆红游竺权逯盖益桓公肖付闫岳楚帅缑亢况有琴归海晋墨佟"
)
_COMPOUND_WORDS = """
    欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 独孤 南宫 西门 夏侯 轩辕 端木 百里 长孙 宇文 司徒 司空
    公冶 濮阳 淳于 单于 太史 申屠 仲孙 钟离 鲜于 闾丘 完颜 耶律 拓跋 呼延 东郭 北堂 第五 澹台 赫连 万俟 闻人
"""
_COMPOUND = frozenset(_COMPOUND_WORDS.split())
_AFTER_NAME_WORDS = """
    先生 小姐 姑娘 公子 夫人 太太 老爷 少爷 师兄 师弟 师姐 师妹 师父 师傅 师叔 师伯 师尊 长老 掌门 大人 将军
    大哥 大姐 大叔 大娘 大爷 大嫂 老师 医生 大夫 队长 局长 总管 管家 道长 真人 前辈 姨妈 姨娘 嬷嬷 妈妈 王爷
    元帅 员外 掌柜 婆婆 公公 太医 教头 丞相 菩萨 大帝 大仙 公主 娘娘 行者 星君 道人 祖师 太子 上人 仙子 魔王
    大王 老祖 尊者 天王 和尚 上仙 圣女 家主 帝君 仙尊 魔尊 剑圣 国王 皇帝 皇后 殿下 陛下
"""
_AFTER_NAME = frozenset(_AFTER_NAME_WORDS.split())


def implied_names(name: str, aliases: Iterable[str] = ()) -> tuple[str, ...]:
    """The short forms of a name and its aliases that are not already among them, longest first."""
    known = {name, *aliases}
    parts = dict.fromkeys(part for one in known for part in _parts(one))
    return tuple(sorted((part for part in parts if part not in known), key=lambda part: (-len(part), part)))


def is_title(word: str) -> bool:
    """Whether a word is a title that accompanies a name."""
    return word.rstrip(".").casefold() in _TITLES


def is_opener(word: str) -> bool:
    """Whether a word asks or opens a sentence, so that it is no short form of a name."""
    return word.casefold() in _OPENERS


def _parts(name: str) -> Iterable[str]:
    if _HAN.fullmatch(name.replace("·", "")):
        return _parts_of_han(name)
    return _parts_of_spaced(name)


def _parts_of_han(name: str) -> Iterable[str]:
    if "·" in name:
        yield from (part for part in name.split("·") if len(part) > 1)
        return
    for title in sorted(_AFTER_NAME):
        if name.endswith(title) and len(name) - len(title) > 1:
            yield name.removesuffix(title)
    surname = surname_of(name)
    given = name[len(surname) :]
    if surname and len(given) == 2 and given not in _AFTER_NAME:
        yield given


def surname_of(name: str) -> str:
    """The surname of a Chinese name; empty if it does not look like surname and given name."""
    if len(name) in (3, 4) and name[:2] in _COMPOUND:
        return name[:2]
    if len(name) in (2, 3) and name[:1] in _SURNAMES:
        return name[:1]
    return ""


def _parts_of_spaced(name: str) -> Iterable[str]:
    head = name.split(" of ")[0].split(",")[0].split("(")[0].strip()
    if head != name and not is_opener(head):
        yield head
    title, runs = _runs(head)
    for own in runs:
        for first in range(len(own)):
            for last in range(first + 1, len(own) + 1):
                if last - first > 1 or len(own[first]) >= _LEAST:
                    yield " ".join(own[first:last])
        if len(own) > 2:
            yield f"{own[0]} {own[-1]}"
        if title:
            yield f"{title} {own[-1]}"
            yield f"{title} {own[0]}"


def _runs(name: str) -> tuple[str, list[list[str]]]:
    """The title before a name, and the runs of name words in it, separated by titles and link words."""
    title = ""
    runs: list[list[str]] = [[]]
    for token in _SPACED.findall(name):
        if is_title(token) and not runs[0]:
            title = token
        elif is_title(token) or is_opener(token) or token.casefold() in _LINKS or not token[:1].isupper():
            runs.append([])
        else:
            runs[-1].append(token)
    return title, [run for run in runs if run]
