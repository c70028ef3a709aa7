"""Evidence about a Chinese name from its neighbouring characters throughout a book."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from typing import NamedTuple

from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.suffixes import PLACE_ENDINGS, TITLES
from fabula.extraction.chinese.surnames import SURNAMES
from fabula.extraction.chinese.verbs import AFTER_PERSON, BEFORE_PERSON, BEFORE_PLACE
from fabula.extraction.mentions import FoundMention
from fabula.extraction.wordlist import word_set

# 袭人笑道, 宝玉听了，忙问道：, 凤姐儿说
_SPEAKS = re.compile(r"[^，。！？“”：:；\n]{0,4}[道说說曰问問喊骂罵答](?:道|着|：|:|“|「|，)|[:：]“")
_CLAUSE = frozenset("，。！？“”‘’「」『』：:；、…—\n \u3000《》（）()?!,.;")
# 那, 这: a demonstrative may precede a speaker.
_POINTING = frozenset("那这這")
# Prepositions and verbs before people; things seldom follow these.
_WITH = frozenset("与與和同对對向跟被叫请請问問随隨等")
# Before a common noun: 一个, 那, 众.
INDEFINITE = frozenset("个個那这這此众眾位名几幾各诸諸某些两兩一")
_HANDLED = frozenset("掣执執持举舉轮輪抡掄使拿取挥揮拔握挺提捧掿拽")
_ADVERBS = frozenset("即便就又且忙急遂却再各不俱皆齐都才也径竟方已")
# 周瑞家的 is the wife of 周瑞.
_HOUSE = frozenset("家")
_INSIDE = frozenset("口嘴心手眼屋家房门門园園城村府营營洞路街楼樓地天山水身")
_POSITIONS = frozenset("上下里裡边邊间間旁沿处處前后後内內外中头頭口畔")
_DEGREES, _NUMBERS = frozenset("小老大女男"), frozenset("一二三四五六七八九十百千两兩")
# 老僧, 女尼, 二魔: kinds, distinguished only by a degree or a number.
_KINDS_OF_PEOPLE = frozenset("僧尼妪嫗翁叟军軍母道汉漢怪魔妖婆公爷爺童仆僕鬼人者丐兵妇婦")
_COUNTED = frozenset("魔怪妖老王僧鬼将將圣聖神童")
# 黑汉, 神僧: kinds, distinguished by a quality.
_QUALITIES = frozenset("黑白胖瘦丑美贤凡神恶野疯贼穷富")
_FAMILY_OF_SAYINGS = word_set("俗语 俗話 俗话 常言 古语 古人 古诗 成语 谚语 俗語 古語")

# A string that occurs this often beside the same character is part of a longer word: 按落云头, 倒换关文.
_PART_OF_A_WORD = 0.6
_AGAIN, _SEVERAL, _ENOUGH = 2, 3, 6
_SELDOM = 0.1
# What is done: 拜谢, 参见; and what is over: 礼毕, 斋罢.
_DEEDS = frozenset("拜谢見见参叩请請告辞别問问求访訪迎送蒙奉听聽看望救拿捉打骂杀")
_BEFORE_PRONOUN = re.compile("([\u4e00-\u9fff])(?=[我你他她咱])")
_OVER = frozenset("毕畢罢罷讫訖完")
# 国王教, 掣铁棒: somebody and what he does, and what is done with a thing.
_BIDS, _LIFTS = frozenset("教命令道奏"), frozenset("掣举舉抡掄挥揮握挺捧掿拽")
_PRONOUNS = frozenset("我你您他她它咱俺")
# 倪家母女, 他夫妻: more than one.
_SEVERAL_PEOPLE = (
    "母女",
    "母子",
    "父子",
    "父女",
    "夫妻",
    "夫妇",
    "兄弟",
    "姐妹",
    "姊妹",
    "二人",
    "三人",
    "两人",
    "等人",
)


class NameEvidence(NamedTuple):
    """How often a name occurs in the book, and the shares of occurrences with certain neighbours."""

    times: int
    speaks: float
    begins_and_speaks: float
    is_with: float
    is_indefinite: float
    is_one_of_several: float
    is_gone_to: float
    is_handled: float
    is_done: float
    is_cut_left: bool
    is_cut_right: bool

    @property
    def is_manner(self) -> bool:
        """Whether it describes how others speak: 行者合掌道."""
        said = self.speaks * self.times
        return said >= _ENOUGH and self.speaks >= 0.1 and 3 * self.begins_and_speaks < self.speaks

    @property
    def is_verb(self) -> bool:
        """Whether it is what others do: 行者即驾云. An adverb stands after a name, seldom before it."""
        return self.is_done >= 0.25 and self.is_done > 2 * self.is_with and self.begins_and_speaks < 0.05

    @property
    def is_silent(self) -> bool:
        """Whether it hardly ever speaks."""
        return self.speaks < 0.05

    @property
    def is_treated_as_somebody(self) -> bool:
        """Whether others talk to it and act with it, and nobody calls it one of many: 秋菱, who is silent."""
        return self.is_with >= 0.045 and self.is_indefinite <= 0.1

    @property
    def acts_as_somebody(self) -> bool:
        """Whether it begins speeches or others act with it more than once, and it is never one of several."""
        begins, is_with = self.begins_and_speaks * self.times, self.is_with * self.times
        return max(self.is_one_of_several, self.is_indefinite - 2 * _SELDOM) < _SELDOM and (
            (begins >= _AGAIN and self.begins_and_speaks >= _SELDOM)
            or (is_with >= _SEVERAL and self.is_with >= 2 * _SELDOM and self.is_gone_to < 2 * _SELDOM)
        )

    @property
    def is_treated_as_nothing(self) -> bool:
        """Whether nobody ever talks to it or acts with it: 胡涂, 横竖."""
        return self.is_with < 0.015 or self.is_indefinite > 0.3

    @property
    def is_passive(self) -> bool:
        """Whether it hardly ever starts a speech or follows a preposition for people."""
        return self.begins_and_speaks + self.is_with < 0.06


class _Neighbours:
    """The running counts for one name."""

    def __init__(self) -> None:
        self.times = 0
        self.speaks = 0
        self.begins = 0
        self.left: Counter[str] = Counter()
        self.right: Counter[str] = Counter()

    def evidence(self) -> NameEvidence:
        return NameEvidence(
            self.times,
            self.speaks / self.times,
            self.begins / self.times,
            self._share(_WITH),
            self._share(INDEFINITE),
            self._share(INDEFINITE - _POINTING),
            self._share(BEFORE_PLACE),
            self._share(_HANDLED),
            self._share(_ADVERBS),
            _is_steady(self.left, self.times, _CLAUSE | _POINTING | BEFORE_PERSON | BEFORE_PLACE),
            _is_steady(self.right, self.times, _CLAUSE | AFTER_PERSON | _POSITIONS | _HOUSE),
        )

    def _share(self, characters: frozenset[str]) -> float:
        return sum(self.left[one] for one in characters) / self.times


def name_evidence(text: str, mentions: Iterable[FoundMention]) -> dict[str, NameEvidence]:
    """The evidence for each new name in the book."""
    neighbours: defaultdict[str, _Neighbours] = defaultdict(_Neighbours)
    for mention in mentions:
        if not mention.named or mention.known is not None:
            continue
        before = text[mention.start - 1] if mention.start else "\n"
        after = text[mention.end] if mention.end < len(text) else "\n"
        one = neighbours[mention.text]
        one.times += 1
        one.left[before] += 1
        one.right[after] += 1
        if _SPEAKS.match(text, mention.end) is not None:
            one.speaks += 1
            one.begins += before in _CLAUSE or before in _POINTING
    return {name: one.evidence() for name, one in neighbours.items()}


def is_one_of_many(name: str) -> bool:
    """Whether it is a common noun rather than a name: 老僧, 二魔, 三王子, 太尉, 俗语."""
    if name in TITLES or name in _FAMILY_OF_SAYINGS:
        return True
    first, rest = name[0], name[1:]
    if first in _NUMBERS and (rest in _COUNTED or rest in TITLES):
        return True
    if first in _QUALITIES and rest in _KINDS_OF_PEOPLE:
        return True
    return first in _DEGREES and (rest in _KINDS_OF_PEOPLE or rest in TITLES)


def deeds(text: str, mentions: Iterable[FoundMention]) -> frozenset[str]:
    """Characters that stand before several people and pronouns as verbs do: 蒙菩萨, 蒙大圣, 蒙他."""
    after: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mention in mentions:
        if mention.named and mention.type == "character" and mention.text not in TITLES:
            after[text[mention.start - 1 : mention.start]][mention.text] += 1
    pronouns = Counter(found[1] for found in _BEFORE_PRONOUN.finditer(text))
    return frozenset(
        one
        for one, names in after.items()
        if pronouns[one] >= _ENOUGH and sum(count >= _AGAIN for count in names.values()) >= _SEVERAL
    )


def is_doing_something(name: str, done: Container[str]) -> bool:
    """Whether it is a verb and somebody's title rather than a family name with one: 蒙菩萨."""
    return len(name) > 2 and name[0] in done and name[1:] in TITLES


def is_no_name(name: str) -> bool:
    """Whether it is a deed, several people, or somebody of one's own: 拜谢, 多官, 我妈."""
    return (
        set(name) <= _DEEDS
        or name[-1] in _OVER
        or (name[-1] in _BIDS and (name[:-1] in TITLES or name[:-1] in PEOPLE))
        or (name[0] in _LIFTS and len(name) > 2)
        or name[0] in _PRONOUNS
        or (name[0] == "多" and len(name) == 2)
        or (len(name) > 2 and name.endswith(_SEVERAL_PEOPLE))
        or any(name[:size] in TITLES and name[size:] in TITLES for size in range(2, len(name) - 1))
    )


def is_position(name: str) -> bool:
    """Whether it is a noun with a position: 口里, 楼上."""
    return len(name) > 1 and name[-1] in _POSITIONS and name[-2] in _INSIDE


def other_type(name: str, kind: str, evidence: NameEvidence) -> str:
    """The corrected type of a name that does nothing people do; what is wielded is a thing: 金箍棒."""
    is_place = evidence.is_gone_to >= 0.3 and evidence.is_gone_to > 2 * evidence.is_with
    if kind == "faction":
        return "location" if is_place and name[-1] in PLACE_ENDINGS else kind
    if kind != "character" or len(name) < 3 or not (evidence.is_silent or evidence.is_passive):
        return kind
    if evidence.is_handled >= 0.1 and evidence.is_handled * evidence.times >= _SEVERAL:
        return "item"
    return "location" if is_place else kind


def is_doubled(name: str) -> bool:
    """Whether it is a reduplicated adjective: 白森森."""
    return len(name) == 3 and name[1] == name[2] and name[0] in SURNAMES


def _is_steady(neighbours: Counter[str], times: int, usual: frozenset[str]) -> bool:
    """Whether one character dominates there that is not among the usual neighbours of names."""
    ((character, count),) = neighbours.most_common(1)
    return times >= _ENOUGH and character not in usual and count >= _PART_OF_A_WORD * times
