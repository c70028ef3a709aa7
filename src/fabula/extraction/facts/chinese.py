"""Facts about people that a Chinese sentence states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fabula.extraction.facts.stated_fact import StatedFact
from fabula.extraction.kin import CLASSICAL, KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.sentence import NAMES, PERSON, MarkedSentence
from fabula.extraction.wordlist import words

# What one is or does: a description of somebody ends with such a word.
_ROLES = "|".join(
    sorted(
        words("""
    丫鬟 丫头 丫环 小厮 书童 奴才 仆人 家人 管家 总管 乳母 奶妈 嬷嬷 婆子 陪房 侍女 侍卫 护卫 太监 宫女 和尚
    尼姑 道士 道人 真人 长老 住持 方丈 僧人 禅师 法师 菩萨 罗汉 星君 天师 天王 龙王 大王 魔王 妖王 妖怪 妖精
    精怪 魔头 将军 元帅 都督 统制 提辖 都头 教头 指挥使 节度使 太守 知府 知县 县令 刺史 丞相 宰相 尚书 侍郎
    御史 大学士 学士 翰林 状元 榜眼 探花 进士 举人 秀才 员外 财主 商人 客商 掌柜 伙计 大夫 郎中 医生 太医
    大臣 国王 皇帝 皇后 王后 公主 太子 王子 驸马 王爷 侯爷 国公 皇子 皇妃 贵妃 娘娘 公子 小姐 千金 少爷 老爷
    太太 夫人 姑娘 媳妇 寡妇 老妇 老者 老翁 老人 少年 青年 女子 男子 汉子 大汉 壮士 好汉 英雄 侠客 剑客 高手
    弟子 徒弟 师父 掌门 宗主 教主 帮主 寨主 头领 首领 先锋 军师 谋士 猎户 樵夫 渔夫 农夫 庄主 土地 山神 判官
    阎王 神仙 仙人 仙女 仙童 童子 老祖 祖师 天尊 帝君 真君 元君 学生 老师 教师 先生 教授 校长 院长 队长 警察
    律师 记者 作家 诗人 画家 歌手 演员 老板 经理 总裁 董事长 秘书 助理 司机 工人 农民 士兵 军官 船长 船夫
    厨子 厨师 裁缝 铁匠 木匠 工匠 门子 门客 清客 幕僚 师爷 衙役 捕快 强盗 土匪 山贼 刺客 杀手 孤儿 遗孤 后人
    后裔 传人 亲戚 邻居 同窗 同乡 朋友 好友 仇人 恩人 人氏 神将 护法 门神 使者 行者 居士 花匠 戏子 旦角 优伶
    妓女 名妓 花魁 美人 才子 佳人 才女 书生 寒士 儒生 塾师 西席 贵人 世子 郡主 县主 郡王 亲王 国师 祭酒 盐政
    巡抚 总督 提督 守备 千总 把总 校尉 都尉 裨将 偏将 副将 主簿 典史 长史 参军 主事 员外郎 郎官 寺卿
"""),
        key=len,
        reverse=True,
    )
)
# What a sentence that says who somebody is has in it: what one is or does, or is to somebody.
PEOPLE_OF_A_KIND = f"{_ROLES}|{'|'.join(sorted(KIN['zh'], key=len, reverse=True))}"
_KIN = "|".join(sorted(KIN["zh"], key=len, reverse=True))
_OLD = "|".join(sorted(CLASSICAL, key=len, reverse=True))
_CALLINGS = (
    "丫鬟|丫头|丫环|小厮|书童|奴才|家人|管家|总管|乳母|奶妈|嬷嬷|陪房|侍女|侍卫|护卫|太监|宫女|和尚|尼姑|"
    "道士|道人|将军|元帅|"
    "都督|统制|提辖|都头|教头|太守|知府|知县|县令|刺史|丞相|宰相|尚书|侍郎|御史|大学士|状元|榜眼|探花|"
    "秀才|员外|天师|掌柜|大夫|"
    "太医|门客|清客|师爷|大将|先锋|军师|判官|国师|掌门|宗主|教主|帮主|寨主|猎户|樵夫|妖王|魔王|大王|徒弟|"
    "弟子|师父|老师|教授|"
    "校长|院长|队长|警察|律师|记者|老板|经理|总裁|秘书|助理|司机|医生|护士|士兵|军官|船长|公子|歌女|名妓"
)
_OFFICES = (
    "将军|元帅|都督|统制|提辖|都头|教头|指挥使|节度使|太守|知府|知县|县令|刺史|丞相|宰相|尚书|侍郎|御史|"
    "大学士|学士|巡抚|总督|"
    "提督|守备|都尉|总兵|总管|寨主|帮主|掌门|教主|宗主|国王|太子|公主|员外|大王|长老|住持|方丈"
)
_NUMBER = "[零〇一二三四五六七八九十百两几数\\d]"
_C = rf"[^{NAMES}，。！？；：、“”‘’\s]"
# What stands before an office is part of it; 拜单福为军师 is what somebody does.
_RANK = rf"[^{NAMES}，。！？；：、“”‘’\s拜封斩杀命令遣请为与使见]"
_ANY = r"[^，。！？；：“”‘’\s]"
_P = f"(?P<p>{PERSON})"
_HEAD = rf"(?:{_ROLES}|(?:的|之)?(?:{_KIN})|[的之{NAMES}](?:{_OLD})也?|(?:的|之)(?:人|徒|辈)|一人|者)"
_END = r"(?=[，。！？；]|\Z)"
_DIES = (
    "身亡|去世|病故|亡故|气绝|圆寂|自尽|毙命|仙逝|殁了|咽了气|断了气|一命呜呼|自刎|阵亡|战死|归天|夭亡|"
    "病死|辞世|病逝|"
    "逝世|坐化|自缢|一命归阴|(?<=[\ue000-\ue3ff已便就竟也])死了(?=[，。；！])"
)
_NEVER = re.compile(
    "[的他她它们母娘父兄等气吓羞打急笑恨爱闷烦累热冷该不未没莫勿休若如倘假怕恐险几差将欲要想说道装诈]|"
    "以为|只当|难道"
)
_STARTS = re.compile(
    "^(?:我乃|我是|我就是|他是|他乃|他本是|他原是|此乃|原来|只见|却说|且说|话说|只因|因|这|那|有|又有|一个|一位|一员|一名|一尊|个|位|尊|员|等|些|是|乃是|乃|系|本是|"
    "原是|也是|便是|就是|可是|俱是|皆是|都是|都|俱|皆|其|此人|即|正是|亦|又)+"
)
_BAD = re.compile("[我你您他她它咱俺吾汝谁何]|什么|怎|这样|那样|如此|为何|不知|不是|没有")
# What is asked, supposed or dreamt is no fact.
_SUPPOSED = re.compile("难道|岂|莫非|莫不|倘|假如|若是|若|梦|好似|犹如|如同|疑|打量|只当|以为|装作|假作|否？")
_OPINION = re.compile("(?:的|之)(?:人|徒|辈)$|人$")

_FEARED = re.compile("把|将|怕|恐|思|欲|要|想|盼|咒|等|倘|若|打量|疑|替|为|见|险|谁|教|叫|待")

# 先找着凤姐的一个丫头: what precedes the description is what somebody does with them.
_DONE = re.compile(f"^.*[着了见有叫请下命](?=一个|个|{PERSON})")

_States = Callable[[MarkedSentence, "re.Match[str]"], Iterator[StatedFact]]


def facts_in_chinese(sentence: MarkedSentence) -> Iterator[StatedFact]:
    """The facts about people that a sentence states."""
    if not _TRIGGER.search(sentence.marked):
        return
    for pattern, states in _PATTERNS:
        for found in pattern.finditer(sentence.marked):
            yield from states(sentence, found)


def _whom(sentence: MarkedSentence, found: re.Match[str]) -> FoundMention | None:
    if "\ue000" <= found["p"][0] <= "\uefff":
        return sentence.mention(found["p"])
    if found["p"][0] in "他她此这其那":
        return sentence.topic_before(found.start("p"))
    return sentence.speaker


def _is(kind: str, *, longest: int = 26, narrated: bool = False) -> _States:
    """A description of somebody, if it describes anything."""

    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
        said = _STARTS.sub("", sentence.plain(_DONE.sub("", found["d"])))
        about = _whom(sentence, found)
        if about is None or is_supposed(sentence, found.start()):
            return
        if (
            said in KIN["zh"]
            or not 2 <= len(said) <= longest
            or _BAD.search(said)
            or (narrated and sentence.is_speech)
        ):
            return
        value = said if kind in ("office", "home", "age", "height") else ""
        # 多心的人 tells what somebody is like, not who they are.
        is_nature = (
            kind == "who" and _OPINION.search(said) and not said.endswith(("夫人", "道人", "真人", "仙人"))
        )
        yield StatedFact(about, "nature" if is_nature else kind, said, value)

    return states


def is_supposed(sentence: MarkedSentence, place: int) -> bool:
    """Whether what a sentence says at a place is asked or supposed rather than stated."""
    marked = sentence.marked
    return (
        marked.endswith(("？", "?")) or _SUPPOSED.search(marked, max(0, place - 12), place + 12) is not None
    )


def _trait(kind: str) -> _States:
    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
        if not sentence.is_speech:
            yield StatedFact(sentence.mention(found["p"]), kind, found["d"], found["d"])

    return states


def _died(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    if not sentence.is_speech and not _NEVER.search(found["m"]) and not _is_feared(sentence, found):
        died = "去世" if found["d"] == "死了" else found["d"].removesuffix("了")
        yield StatedFact(sentence.mention(found["p"]), "fate", died, died)


def _is_feared(sentence: MarkedSentence, found: re.Match[str]) -> bool:
    """Whether a death is only feared, wished or thought of: 再真把宝玉死了; 正思自尽."""
    before = sentence.marked[max(0, found.start() - 8) : found.start()]
    return is_supposed(sentence, found.start()) or _FEARED.search(before + found["m"]) is not None


def _killed(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    if not sentence.is_speech and not _NEVER.search(found["m"]):
        said = f"被{sentence.mention(found['k']).text}杀死"
        yield StatedFact(sentence.mention(found["p"]), "fate", said, said)


_PATTERNS: tuple[tuple[re.Pattern[str], _States], ...] = tuple(
    (re.compile(pattern), states)
    for pattern, states in (
        # 林如海乃是前科的探花; 雪雁是黛玉的丫头
        (
            rf"{_P}(?:此人|这人|原来|本来|本|原|乃|便|就|也|正|即|却|亦|实|向|不过)?(?:是|乃|系|乃是)(?P<d>{_ANY}{{0,22"
            rf"}}?{_HEAD}){_END}",
            _is("who"),
        ),
        (
            rf"(?:\A|[，。；])(?P<p>他|她|此人|这人|其人|那人)(?:原来|本来|本|原|乃|便|就|也|正|即)"
            rf"?(?:是|乃|系|乃是)(?P<d>{_ANY}{{1,22}}?{_HEAD}){_END}",
            _is("who", narrated=True),
        ),
        (rf"{_P}，(?:原|本|乃|即|系|便)?(?:是|乃|系)(?P<d>{_ANY}{{0,22}}?{_HEAD}){_END}", _is("who")),
        (rf"{_P}，(?P<d>{_ANY}{{0,16}}?(?:的|之)(?:{_ROLES}|{_KIN}|{_OLD})){_END}", _is("who")),
        # “我是高太公的家人”
        (
            rf"(?:\A|[，。：；])(?P<p>我|吾|俺|咱|某|贫僧|老身|小可|在下|小人|小的)(?:本|乃|就|原|便|正)"
            rf"?(?:是|乃|系)"
            rf"(?P<d>{_ANY}{{1,22}}?{_HEAD}){_END}",
            _is("who"),
        ),
        # 薛蟠为人心直口快
        (
            rf"{_P}(?P<d>(?:为人|生性|天性|性情|秉性|素性|生平){_C}{{2,12}}){_END}",
            _is("nature", narrated=True),
        ),
        # 丫鬟雪雁; 贾母的丫头鸳鸯; 青州兵马统制秦明
        (
            rf"(?P<d>{PERSON}(?:的|之|家的|房里的|屋里的|身边的)(?:一个|大|小|老|心腹|贴身|亲|胞|长|次|"
            rf"通房)*(?:{_ROLES}|{_KIN}|{_OLD})){_P}(?!的)",
            _is("who"),
        ),
        (rf"(?<![众各些两几{NAMES}的之])(?P<d>(?:大|小|老)?(?:{_CALLINGS})){_P}(?!的)", _is("who")),
        (rf"(?:\A|[，。；：、])(?P<d>{_RANK}{{2,12}}(?:{_OFFICES})){_P}(?!的)", _is("who")),
        # 一个丫头名唤雪雁
        (
            rf"(?:\A|[，。；：、])(?P<d>{_ANY}{{1,18}}?{_HEAD})，?(?:名唤|名叫|唤名|唤做|唤作|叫做|叫作|"
            rf"名为|乳名|小名|姓{_C}{{1,2}}名|名|唤名){_P}",
            _is("who"),
        ),
        # 他是牛魔王的妻，红孩儿的母，名唤罗刹女
        (
            rf"(?P<d>{PERSON}[的之]?(?:{_KIN}|{_OLD}))，{_ANY}{{1,10}}，(?:名唤|名叫|唤名|唤做|唤作|叫做|叫作){_P}",
            _is("who"),
        ),
        (
            rf"{_P}{_C}{{0,6}}(?:官拜|升任|升为|升了|升授|现任|补授|拜为|加封|封为|敕封|出任|就任|担任|"
            rf"点了|选了|授了|官居)(?P<d>{_C}{{2,12}}){_END}",
            _is("office", narrated=True),
        ),
        (
            rf"{_P}[^{NAMES}。！？；“]{{0,16}}?(?:家住|祖籍|原籍|本贯|世居|籍贯|乃|是|系)(?P<d>{_C}{{2,8"
            rf"}}(?:人氏|人也)){_END}",
            _is("home"),
        ),
        (
            rf"(?<![比与和同似如]){_P}(?![^。！？；]{{0,12}}(?:余者|瞧|看|见|比|只见))[^{NAMES}。！？；“]{{0,12}}?(?P<d>(?:年方|年约|年已|年纪|年近|年仅|今年|现年|才|方|约)"
            rf"?(?<![大小长])[一二三四五六七八九十百\d]{{1,4}}[来余多]?岁)",
            _is("age", longest=12, narrated=True),
        ),
        (
            rf"(?<![比与和同似如]){_P}[^{NAMES}。！？；“，见看比他她的]{{0,8}}?(?P<d>(?:生得|长得|(?:生的|长的)"
            rf"(?={_C}{{0,5}}[好俊美白眉面风清标模黑高俏丑]))[^{NAMES}。！？；“”，]{{2,16}}(?:，[^{NAMES}"
            rf"。！？；“”，我你他]{{2,10}})?)",
            _is("looks", longest=40, narrated=True),
        ),
        (
            rf"{_P}[^{NAMES}。！？；“]{{0,16}}?(?P<d>身(?:长|高){_C}{{0,2}}{_NUMBER}+[尺丈米]{_C}{{0,3}})",
            _is("height", longest=14),
        ),
        (
            rf"{_P}[^{NAMES}。！？；“]{{0,18}}?(?P<d>[白黑金红银灰紫青碧蓝绿褐棕花]{{1,2}}(?:色的?)"
            rf"?(?:头发|长发|短发|发丝|须发))",
            _trait("hair"),
        ),
        (
            rf"{_P}[^{NAMES}。！？；“]{{0,18}}?(?P<d>[黑金红银灰紫碧蓝绿褐棕]色?的?(?:眼睛|双眼|眼眸|"
            rf"眸子|双眸|瞳孔|瞳))",
            _trait("eyes"),
        ),
        (rf"{_P}(?P<m>[^{NAMES}。！？；“，]{{0,4}}?)(?P<d>{_DIES})(?!的|人)", _died),
        (
            rf"{_P}(?P<m>{_C}{{0,2}}?)(?:被|死于|死在)(?P<k>{PERSON}){_C}{{0,6}}?(?:杀死|杀了|打死|害死|"
            rf"刺死|斩了|所杀|之手|射死|毒死|砍死)",
            _killed,
        ),
    )
)  # fmt: skip
_TRIGGER = re.compile(
    f"[{NAMES}](?:此人|这人|，)?{_C}{{0,2}}(?:是|乃|系)|{_ROLES}|{_KIN}|之(?:{_OLD})|名唤|名叫|"
    f"唤[名做作]|叫[做作]|名为|官拜|升[任为了授]"
    f"|现任|封为|敕封|授|人氏|人也|岁|[生长][得的]|为人|[生天秉素]性|性情|生平|身[长高]|[发眼眸瞳]|"
    f"{_DIES}|被|死[于在]"
)
