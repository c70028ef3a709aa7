"""Who dies in a text, and who acts or speaks in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.readers.sentences import MarkedClause, Telling
from fabula.consistency.reading import Assertion, KnownPeople

_P = f"(?P<p>[{NAMES}])"
_DIES_EN = re.compile(
    rf"{_P}\s+(?:suddenly\s+|then\s+)?(?:died|is\s+dead|was\s+dead|was\s+killed|was\s+drowned|perished|expired|"
    rf"breathed\s+(?:his|her)\s+last|hanged\s+(?:himself|herself)|was\s+buried|was\s+(?:murdered|slain|executed|hanged|beheaded|guillotined|shot\s+dead)|"
    rf"(?:had\s+)?passed\s+away|(?:had\s+)?drowned|(?:lay|fell|dropped)\s+(?:down\s+)?dead|met\s+(?:his|her)\s+(?:death|end)|"
    rf"(?:bled|starved|froze|burned|burnt)\s+to\s+death|gave\s+up\s+the\s+ghost|succumbed|had\s+died|was\s+no\s+more|did\s+not\s+(?:survive|live\s+to\s+see)|"
    rf"never\s+(?:woke|awoke|recovered)|was\s+found\s+dead|had\s+(?:fallen\s+in\s+(?:battle|action|the\s+war)|been\s+(?:killed|slain|murdered|buried|hanged|shot\s+dead))|"
    rf"(?:lost|took|ended)\s+(?:his|her)\s+(?:own\s+)?(?:life|days)|lies\s+buried|lay\s+buried|departed\s+this\s+life|"
    rf"was\s+(?:struck|shot|found|discovered|picked\s+up)\s+dead|was\s+(?:stabbed|beaten|burned|burnt|crushed|trampled|tortured|put)\s+to\s+death|"
    rf"was\s+(?:laid\s+to\s+rest|(?:carried|borne|followed|taken)\s+to\s+(?:the|his|her)\s+(?:churchyard|cemetery|graveyard|grave))|"
    rf"(?:killed|shot|stabbed|poisoned|drowned)\s+(?:himself|herself)|went\s+to\s+(?:his|her)\s+(?:grave|rest))\b"
    rf"(?!\s+(?:of\s+(?:laughter|laughing|shame|boredom)|away|down|out|to\b|with\s+(?:laughter|shame)))|"
    rf"(?P<s>[{NAMES}])['’]s?\s+(?:funeral|burial|corpse|dead\s+body|remains|last\s+breath|heart\s+(?:had\s+)?(?:stopped|ceased)|(?:sudden\s+|untimely\s+)?death\s+(?:came|followed))\b|\b(?:the\s+)?death\s+of\s+(?P<q>[{NAMES}])|\b(?:buried|beheaded|murdered|mourned(?:\s+for)?|mourning\s+for|[Dd]eath\s+(?:had\s+)?(?:took|taken|claimed|overtook|overtaken|carried\s+off|came\s+(?:to|for)))\s+(?P<r>[{NAMES}])(?!['’{NAMES}])|"
    rf"\b(?:laid|lowered|put)\s+(?P<t>[{NAMES}])\s+(?:in|into|to\s+rest\s+in)\s+(?:the|his|her)\s+(?:grave|tomb|coffin|earth)\b"
)
_NOT_REALLY = re.compile(
    r"\b(?:if|nearly|almost|would|might|could|should|not|never|as\s+though|as\s+if|when)\b", re.I
)
_SPEAKS = (
    "said|asked|replied|answered|cried|shouted|whispered|murmured|exclaimed|added|repeated|observed|remarked|"
    "inquired|continued|muttered"
)
# Most verbs that end in -ed are deeds; these are also said of the dead.
_ED = (
    "(?!(?:died|lived|remained|belonged|seemed|appeared|deserved|existed|owned|loved|wanted|liked|used|named|called|buried|"
    "killed|murdered|married|perished|expired|succumbed|drowned|needed|hated|possessed|resembled|established|founded|"
    "composed|invented|ordered|promised|intended|meant|received|suffered|represented|figured|served|reigned|ruled|failed)"
    "\\b)[a-z]{2,}ed"
)
_ACTS_EN = re.compile(
    rf"(?:\b(?:{_SPEAKS})|(?<=[”\"]\s)[a-z]+|^\s+[a-z]{{3,}})\s+(?P<q>[{NAMES}])(?![{NAMES}'’])|"
    rf"{_P}\s+(?:[a-z]+ly\s+|then\s+|again\s+|now\s+|also\s+|only\s+)?(?P<v>{_SPEAKS}|went|came|walked|ran|sat|stood|smiled|laughed|"
    rf"looked|glanced|turned|took|gave|got|rose|opened|entered|drew|put|began|nodded|shook|threw|kissed|wept|wrote|"
    rf"drank|ate|rode|drove|led|held|caught|seized|stepped|stopped|listened|returned|sighed|bowed|jumped|flushed|blushed|frowned|approached|pushed|pulled|lifted|raised|"
    rf"lit|bent|leapt|crept|swore|spoke|knelt|fled|fought|struck|left|met|bit|read|sang|hid|flung|shut|stole|tore|woke|set|broke|made|told|kept|sent|bought|sought|crossed|wound|{_ED})\b"
)
_PAST = re.compile(
    r"\b(?:remember\w*|recall\w*|recollect\w*|dream\w*|ghost|memory|memories|portrait|grave|tomb|late|used\s+to|"
    r"years\s+(?:ago|before)|formerly|corpse|coffin|thought\s+of|imagin\w*|(?:letter|story|tale)\s+(?:of|from|that|in\s+which))\b",
    re.I,
)
# These frame what comes after them: “when Anna laughed” may be a memory, “Anna laughed when” is none.
_FRAMES = re.compile(r"\b(?:once|had|would|letter|if|as\s+though|when)\b", re.I)
_DIES_ZH = re.compile(
    rf"{_P}(?P<m>[^{NAMES}，。！？；：“”\s]{{0,6}}?)(?P<d>身亡|去世|病故|亡故|气绝|圆寂|自尽|毙命|仙逝|殁了|咽了气|断了气|一命呜呼|自刎|阵亡|战死|"
    rf"归天|夭亡|病死|辞世|病逝|逝世|坐化|自缢|一命归阴|撒手人寰|不在人世|与世长辞|溘然长逝|命丧黄泉|死去(?!活来)|逝去|而[亡逝死]|"
    rf"死了(?=[，。；！]))|(?:葬了|埋葬了|安葬了)(?P<q>[{NAMES}])|把(?P<r>[{NAMES}])(?:安葬|埋葬|葬|埋)(?:了|在)"
)
_NEVER_ZH = re.compile(
    "[的他她它们母娘父兄等气吓羞打急笑恨爱闷烦累热冷该不未没莫勿休若如倘假怕恐险几差将欲要想说道装诈听闻见为]|以为|只当|难道"
)
_SPEAKS_ZH = "道：|说：|笑道|说道|问道|答道|喝道|叫道|哭道|骂道|忙道|便道|叹道|冷笑道|又道|因道|应道|怒道"
# What people do with hands, feet and faces.
_HANDS = (
    "摆端皱拍打翻掀抬挥握抱拾捡拔抽撕点扶牵递抓挑挥扔踢踩推拖捧擦抹揉敲摸拎挽扯撩搂睁眨咬吐吞抿扬垂弯侧迈踱"
)
_ACTS_ZH = re.compile(
    rf"{_P}(?P<v>(?:又|便|忙|只|也|却|因|遂|方|才|就|一面|连忙|急忙|赶忙|听了|听说|见了|上前|微微|冷){{0,2}}"
    rf"(?:{_SPEAKS_ZH}|笑了|走(?:来|去|进|到|过|出|入|上)|坐(?:下|在|着)|站(?:起|在|着)|起身|点头|摇头|进来|出来|出去|进去|回头|转身|伸手|"
    rf"拉着|拿(?:起|着|了|出)|跑(?:来|去|进|到|出)|跳(?:起|下|上)|跪(?:下|在)|拜(?:了|下)|哭了|举起|喝了|接(?:过|了)|放下|推开|瞪|叹了|"
    rf"[^{NAMES}，。！？；：“”\s死]{{0,6}}(?:说|道|问|答|喊|叫)：?“|[{_HANDS}](?:了|起|着|开|出|过)))"
)
_PAST_ZH = re.compile(
    "梦|魂|想起|记得|当年|生前|从前|昔日|曾|鬼|灵|坟|说起|遗|原来|先时|昔|往日|那年|当日|当初|若|倘|假如|如果|似|好像|仿佛|托"
)


# What a picture shows is told in the sentences around it, too.
_PICTURE = re.compile(
    r"\b(?:drew|draws|drawn|drawings?|sketch\w*|portraits?|pictures?|paint(?:ed|ings?)|photographs?|photos?|engraving|statue)\b"
    r"|画(?!眉|舫|楼|戟|栋)|照片|相片|肖像|雕像|塑像"
)


def deeds(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield deaths as `died` and what people do or say as `acts`, outside of speech and memories."""
    telling = Telling(text)
    is_chinese = cast.language == "zh"
    dies, acts = (_DIES_ZH, _ACTS_ZH) if is_chinese else (_DIES_EN, _ACTS_EN)
    past = _PAST_ZH if is_chinese else _PAST
    for sentence in telling.sentences():
        if not any("\ue000" <= one <= "\uf7ff" for one in sentence.text):
            continue
        for found in dies.finditer(sentence.text):
            if telling.is_spoken(sentence.start + found.start()) or _is_not_dead(sentence, found, is_chinese):
                continue
            yield _said(text, sentence.start, "died", _who(found), found.span())
        is_past = past.search(sentence.text) is not None or _is_shown(text.marked, sentence)
        for found in () if is_past else acts.finditer(sentence.text):
            is_framed = not is_chinese and _FRAMES.search(sentence.text, 0, found.end()) is not None
            if not is_framed and not telling.is_spoken(sentence.start + found.start()):
                yield _said(text, sentence.start, "acts", _who(found), found.span())


def _who(found: re.Match[str]) -> str:
    """The mark of the one that a pattern is about."""
    return next(one for name, one in found.groupdict().items() if name in "pqrst" and one)


def _is_not_dead(sentence: MarkedClause, found: re.Match[str], is_chinese: bool) -> bool:
    """Whether somebody only nearly dies, or would."""
    if not is_chinese:
        return _NOT_REALLY.search(sentence.text[: found.start()]) is not None
    return found["m"] is not None and _NEVER_ZH.search(found["m"].replace("不久", "")) is not None


def _is_shown(text: str, sentence: MarkedClause) -> bool:
    """Whether the paragraph of a sentence tells of a picture."""
    start = text.rfind("\n", 0, sentence.start) + 1
    end = text.find("\n", sentence.start)
    return _PICTURE.search(text, start, len(text) if end < 0 else end) is not None


def _said(text: MarkedText, begin: int, topic: str, mark: str, span: tuple[int, int]) -> Assertion:
    start, end = (text.origin(begin + place) for place in span)
    # The name itself is one mark, which begins before its origin.
    return Assertion(topic, text.who(mark), text.plain(begin + span[0], begin + span[1]), start, end)
