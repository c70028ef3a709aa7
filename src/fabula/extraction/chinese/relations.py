"""Relations that a Chinese sentence states explicitly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabula.extraction.chinese.suffixes import PLACE_ENDINGS
from fabula.extraction.kin import CLASSICAL, KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.stated_relation import StatedRelation, kinship
from fabula.extraction.ties.sentence import GROUP, NAMES, PERSON, PLACE, THING, MarkedSentence
from fabula.extraction.wordlist import words

_KIN_WORDS = tuple(sorted(KIN["zh"], key=len, reverse=True))
_KIN = "|".join(_KIN_WORDS)
_OLD = "|".join(sorted(CLASSICAL, key=len, reverse=True))
_RANKS = "|".join(
    words("""
    大弟子 外门弟子 内门弟子 弟子 太上长老 大长老 长老 掌门 宗主 教主 帮主 盟主
    门主 堂主 护法 圣女 圣子 少主 族长 家主 队长 院长 校长 学生 成员
""")
)
_KILLS = (
    "杀了|杀死|打死|刺死|砍死|斩了|射死|斩于马下|打杀|害死|毒死|勒死|捅死|刺杀|击毙|斩首|药死|砍了|"
    "结果了|劈死|毙于"
)
# Whoever is spoken of: a name; in speech the speaker and the hearer; the one person named so far.
_PRONOUNS = frozenset("我俺吾咱你您他她其")
_WHO = f"(?:{PERSON}|(?<![{NAMES}])[我俺吾咱你您他她])"
_BY_PRONOUN, _LISTED = 0.1, 0.05
# “雷公是我孙子！” is no statement about a family.
_INSULTS = frozenset(
    ("孙子", "孙儿", "儿子", "孩儿", "爷爷", "老子", "外公", "祖父", "爹", "爹爹", "祖宗", "奴才")
)
# To be named side by side, or to be sent, says little once and much if it is said again.
_SIDE_BY_SIDE, _SENT, _CONTACT = 0.3, 0.4, 0.35
_MEETS = (
    "对|向|问|劝|骂|谢|辞别|辞了|拜见|拜别|参见|迎着|迎接|送|送走|救|救了|请|邀|约|找|寻|告诉|回复|答应|"
    "安慰|埋怨|喝住|"
    "拉住|拉着|扯住|扶起|推|笑着对|笑向|悄向|忙向|望着|看着|见过|会见|遇见|遇着|撞见|访|央|求|央求|责备|"
    "吩咐|嘱咐"
)
_STOP = rf"(?=[，。！？、；：…”’\s]|\Z|[{NAMES}]|也|了|么|呢|吗|啊)"
_OTHER = rf"[^{NAMES}。！？；]"
_CLAUSE = rf"[^{NAMES}，。！？；：]"
_BE = (
    "(?:就|便|也|正|乃|竟|原|本|即|却|不过|可|不就|原来|本来|其实|自然)?(?:是|乃|系|为|乃是|本是|原系)"
    "(?:那|这|个|一个)?"
)
_NAMED = "(?:就是|便是|乃是|正是|是|乃|即|，?(?:名叫|名唤|唤作|唤做|叫做|叫作|叫|名为|名|乳名|小名))?"
_COUNT = "(?:第?[一二三四五六七八九十两几大小亲的个名位])*"


class _Pattern(NamedTuple):
    """A pattern and what it states; the groups are passed to `states`."""

    regex: re.Pattern[str]
    states: Callable[[MarkedSentence, re.Match[str]], Iterator[StatedRelation]]


def stated_in_chinese(sentence: MarkedSentence) -> Iterator[StatedRelation]:
    """The relations that a sentence states."""
    if not _TRIGGER.search(sentence.marked):
        return
    for pattern in _PATTERNS:
        for found in pattern.regex.finditer(sentence.marked):
            yield from pattern.states(sentence, found)


def _whom(sentence: MarkedSentence, found: re.Match[str], group: str) -> FoundMention | None:
    """The person whom a mark or a pronoun means."""
    who = found[group]
    if "\ue000" <= who <= "\uefff":
        return sentence.mention(who)
    if who in "他她其":
        return sentence.topic_before(found.start(group))
    if not sentence.is_speech:
        return None
    return sentence.hearer if who in "你您" else sentence.speaker


def _kin(owner: str, word: str, other: str, weight: float = 0.85) -> Callable[..., Iterator[StatedRelation]]:
    """What "owner's word other" states, by the names of the groups."""

    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        whose, whom = _whom(sentence, found, owner), _whom(sentence, found, other)
        if whose is None or whom is None:
            return
        said = CLASSICAL.get(found[word], found[word])
        if said in _INSULTS and found[owner] in _PRONOUNS and sentence.is_speech:
            return
        sure = weight - (_BY_PRONOUN if {found[owner], found[other]} & _PRONOUNS else 0)
        yield kinship(whose, whom, said, "zh", sure)
        for mark in re.findall(PERSON, found.groupdict().get("more") or ""):
            yield kinship(whose, sentence.mention(mark), said, "zh", sure - _LISTED)

    return states


def _tie(
    type_: str, weight: float, source: str = "a", target: str = "b"
) -> Callable[..., Iterator[StatedRelation]]:
    """A tie of one type between the people of two groups."""

    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        one, other = _whom(sentence, found, source), _whom(sentence, found, target)
        if one is not None and other is not None:
            yield StatedRelation(one, other, type_, "", weight)

    return states


def _ranked(member: str, group: str) -> Callable[..., Iterator[StatedRelation]]:
    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        yield StatedRelation(
            sentence.mention(found[member]), sentence.mention(found[group]), "belongs_to", found["w"], 0.85
        )

    return states


def _of_place(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    """翠云山铁扇公主: a place before a name is where somebody is from, if it is a place beyond doubt."""
    place = sentence.mention(found["b"])
    if place.text[-1] in PLACE_ENDINGS and len(place.text) > 2:
        yield StatedRelation(sentence.mention(found["a"]), place, "located_at", "", 0.7)


def _narrated(states: Callable[..., Iterator[StatedRelation]]) -> Callable[..., Iterator[StatedRelation]]:
    """The same, but only where the narrator says it: people lie, threaten and wish."""

    def narrated(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        if not sentence.is_speech:
            yield from states(sentence, found)

    return narrated


def _p(pattern: str, states: Callable[..., Iterator[StatedRelation]]) -> _Pattern:
    return _Pattern(re.compile(pattern), states)


_A, _B = f"(?P<a>{PERSON})", f"(?P<b>{PERSON})"
_WA, _WB = f"(?P<a>{_WHO})", f"(?P<b>{_WHO})"
_W, _OLD_W = f"(?P<w>{_KIN})", f"(?P<w>{_OLD})"
_MORE = f"(?!的)(?P<more>(?:[、和与并及合]?{PERSON}(?!的))*)"
_NOT = "(?<![不非没若假])"

_PATTERNS = (
    # 贾政的妻子王夫人; 敖闰之子小白龙; 我师父唐僧
    _p(f"{_WA}的{_COUNT}{_W}{_NAMED}{_B}{_MORE}", _kin("a", "w", "b")),
    _p(f"{_A}之{_COUNT}{_OLD_W}{_NAMED}{_B}{_MORE}", _kin("a", "w", "b")),
    _p(f"(?P<a>[我俺吾咱你您他她其])(?:那|这|家|们|的)?{_COUNT}{_W}{_NAMED}{_B}{_MORE}", _kin("a", "w", "b")),
    _p(f"(?P<a>其){_COUNT}{_OLD_W}{_NAMED}{_B}{_MORE}", _kin("a", "w", "b")),
    # 王夫人是贾政的妻子; 小白龙乃敖闰之子; 我是孙行者的兄弟
    _p(f"{_WB}{_BE}{_CLAUSE}{{0,4}}{_NOT}{_WA}(?:的|家的|家)?{_COUNT}{_W}{_STOP}", _kin("a", "w", "b")),
    _p(f"{_WB}{_BE}{_CLAUSE}{{0,4}}{_WA}之{_COUNT}{_OLD_W}{_STOP}", _kin("a", "w", "b")),
    _p(
        f"(?:\\A|[。，：；])(?:这|那|原来|只有|惟有)?{_B}，{_A}(?:的|之){_COUNT}{_W}(?=[，。！？；])",
        _kin("a", "w", "b", 0.75),
    ),
    # 贾代善娶的是史侯的小姐, 生了两个儿子: 长子贾赦
    _p(
        f"{_A}(?:只|又|共|便|就|单|曾|也)?(?:生|养|育|产)(?:了|有|下|得)"
        f"?(?:[一二两三四五个子女儿男名，大的叫唤做作乳取长次小位公姐千金孩胎哥])+{_B}",
        _tie("parent", 0.8),
    ),
    _p(
        f"(?:长子|次子|三子|长女|次女|幼子|幼女|一子|一女)(?:名|叫|唤|名唤|名叫|唤做|唤作|乳名|是|，)"
        f"*{_B}，?{_BE}{_A}所(?:生|出)",
        _tie("parent", 0.8),
    ),
    _p(f"{_B}(?:乃|是|系){_A}所(?:生|出)", _tie("parent", 0.8)),
    # marriage
    _p(
        f"{_A}(?:便|就|已|曾|要|又|原)?(?:娶|续娶|聘娶|迎娶)(?:了|得|的|下|过|的是|的便是)?{_CLAUSE}{{0,5"
        f"}}{_B}",
        _tie("丈夫", 0.8),
    ),
    _p(f"(?:把|将){_B}{_CLAUSE}{{0,3}}(?:许配|许|嫁|配)(?:了|给|与|为)*{_A}", _tie("丈夫", 0.8)),
    _p(f"{_B}(?:便|就|已|早|又|后来|原)?(?:嫁|改嫁|许配|许)(?:了|给|与|到|过)*{_A}(?!家)", _tie("丈夫", 0.8)),
    _p(
        f"{_A}(?:与|和|同|、){_B}{_CLAUSE}{{0,4}}(?:成亲|成婚|拜堂|完婚|结为夫妇|结为夫妻|做了夫妻|夫妻|"
        f"夫妇|两口)",
        _tie("夫妻", 0.75),
    ),
    # master and pupil
    _p(
        f"{_WA}{_CLAUSE}{{0,4}}拜(?:了|在|投|于)?{_WB}(?:为|作|做|门下|为了)(?:师|老师|先生|师父|业师)?",
        _tie("mentors", 0.85, "b", "a"),
    ),
    _p(
        f"{_WA}{_CLAUSE}{{0,4}}收(?:了|下|得)?{_WB}{_CLAUSE}{{0,3}}(?:为|做|作)(?:个)?(?:徒|弟子|学生|"
        f"门生)",
        _tie("mentors", 0.85),
    ),
    # sworn brothers
    _p(
        f"{_WA}(?:与|和|同|、|曾与|曾同){_WB}{_CLAUSE}{{0,8}}(?:结拜|结义|结为(?:了)?(?:兄弟|姐妹|姊妹)|"
        f"八拜|拜为兄弟|义结金兰|拜了把子|认了兄弟|认为兄弟)",
        _tie("结拜", 0.85),
    ),
    # lord and follower
    _p(
        f"{_WA}(?:手下|麾下|帐下|部下|座下|门下|驾下|(?:房里|屋里|房中|身边|跟前|贴身)的)(?:有|的|大|小|"
        f"一|两|二|三|四|五|员|个|名|将|位|头|号|内|贴|身)*(?:{_KIN}|大将|上将|先锋|小妖|童子|头领|官|"
        f"使者|太监|婆子|媳妇)?{_NAMED}{_B}(?!的)",
        _tie("手下", 0.75, "b", "a"),
    ),
    _p(f"{_B}{_BE}{_WA}(?:手下|麾下|帐下|部下|座下|门下|房里|屋里|身边|跟前)", _tie("手下", 0.8, "b", "a")),
    _p(
        f"{_B}{_CLAUSE}{{0,4}}(?:投靠|投奔|归顺|归降|效忠|臣服于|投降)(?:了|于)?{_A}",
        _narrated(_tie("手下", 0.75, "b", "a")),
    ),
    # killer and killed
    _p(f"(?<![等若要使叫令让]){_A}{_CLAUSE}{{0,6}}(?:{_KILLS}){_B}(?!的)", _narrated(_tie("杀死", 0.8))),
    _p(f"{_A}{_OTHER}{{0,12}}(?:把|将){_B}{_CLAUSE}{{0,6}}(?:{_KILLS})(?!的)", _narrated(_tie("杀死", 0.8))),
    _p(
        f"{_B}{_CLAUSE}{{0,3}}(?:被|死于|死在){_WA}{_CLAUSE}{{0,6}}(?:{_KILLS}|所杀|之手|手里|手下|杀害)",
        _tie("杀死", 0.8),
    ),
    # enemies
    _p(
        f"{_A}(?:与|和|同){_B}{_CLAUSE}{{0,8}}(?:有仇|为敌|结仇|结怨|不共戴天|势不两立|仇人|对头|冤家|"
        f"积怨|不睦|不和)",
        _tie("enemy", 0.8),
    ),
    _p(
        f"{_A}{_CLAUSE}{{0,6}}(?:与|和|同|来战|敌住|迎住|接住|战住|直取|来斗|抵住|架住){_B}{_OTHER}{{0,14"
        f"}}(?:大战|交战|交锋|厮杀|赌斗|相持|恶战|鏖战|战[了到经]?[一二三四五六七八九十百数两几]{{1,4}}余"
        f"?[合回]|斗[了到经]?[一二三四五六七八九十百数两几]{{1,4}}余?[合回])",
        _narrated(_tie("enemy", 0.75)),
    ),
    # companions
    _p(
        f"{_A}(?:便|就|又|也|只|遂|即|忙)?(?:带着|带了|领着|引着|同着|跟着|陪着|跟随|伴着|携着|携了|带领|"
        f"引领|扶着|搀着|保着|随着){_B}(?!的)",
        _narrated(_tie("同伴", 0.75)),
    ),
    _p(
        f"{_A}(?:与|和|同|、){_B}{_CLAUSE}{{0,6}}(?:一同|一起|一齐|一道|同行|同去|同来|同往|同走|结伴|"
        f"作伴|并肩|同住|同坐|同路)",
        _narrated(_tie("同伴", 0.7)),
    ),
    _p(f"{_A}[、和与同并及合]?(?={_B}(?!的))", _narrated(_tie("同伴", _SIDE_BY_SIDE))),
    # who sends whom
    _p(
        f"{_A}(?:便|就|又|忙|即|遂|只得|因|已|早|方)?(?:命|令|差|遣|派|着|打发|差遣|吩咐|分付|传令|传谕)"
        f"{_B}",
        _narrated(_tie("手下", _SENT, "b", "a")),
    ),
    _p(
        f"{_A}(?:便|就|又|忙|即|遂|只得|因|已|早|方|正|也|都|才|笑|只|却)?(?:{_MEETS}){_B}(?!的)",
        _narrated(_tie("knows", _CONTACT)),
    ),
    # groups and things
    _p(f"(?P<g>{GROUP})的?(?P<w>{_RANKS}){_B}", _ranked("b", "g")),
    _p(f"{_B}(?:{_BE}|，)(?P<g>{GROUP})\\s*的\\s*(?P<w>{_RANKS})", _ranked("b", "g")),
    _p(
        f"{_A}(?:手中|手里|手上|腰间|背后|怀里|怀中|身上)?的(?:那[柄把枚只件块])?(?P<b>{THING})",
        _tie("owns", 0.7),
    ),
    _p(
        f"{_A}{_CLAUSE}{{0,4}}(?:拔出|抽出|祭出|取出|拿出|掏出|握着|握住|握紧|举起|挥动|挥舞|提着|背着|"
        f"佩着|戴着|捧着|收起|擦拭|掣|执|持|使|轮|抡|拿|举|挺|绰|取)(?:了|着|起|开|出|动)?(?:自己的|"
        f"手中的|腰间的|背后的|怀里的|那[柄把枚只件块]|一[柄把枚只件块根条]|那|他的)?(?P<b>{THING})",
        _tie("owns", 0.7),
    ),
    # homes
    _p(
        f"{_WA}{_CLAUSE}{{0,4}}(?:住在|家住|住于|居住在|隐居在|居于|在)(?P<b>{PLACE})(?:居住|修行|修炼|"
        f"为生|为王|落草|隐居|安身|出家|为神|住|开|教书|做官|为官|{_STOP})",
        _tie("located_at", 0.7),
    ),
    _p(f"(?:\\A|[，。：、是乃系])(?P<b>{PLACE})(?:{PLACE})?{_A}", _of_place),
)  # fmt: skip
_TRIGGER = re.compile(
    f"{_KIN}|{_MEETS}|之(?:{_OLD})|{_KILLS}|"
    f"[生养育娶嫁配聘拜收投降战斗住居带领引同跟陪随扶携保执持掣举轮使拿提握]|成亲|结|手下|[他她其]|"
    f"[命令差遣派着]|打发|吩咐|分付|传"
    f"|麾|帐下|座下|门下|房里|屋里|身边|跟前|所[生出杀]|仇|敌|对头|的[{NAMES}]|{_RANKS}|"
    f"[{NAMES}][、和与同并及合]?[{NAMES}]|夫[妻妇]|{THING}"
)
