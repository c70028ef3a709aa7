"""What a text says people are to one another: Levin's brother Sergey, 贾琏的妻子凤姐."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText, is_mark
from fabula.consistency.readers.sentences import MarkedClause, Telling, people_in
from fabula.consistency.reading import Assertion, KnownPeople
from fabula.model.relation import Language

# Words that mean the same are one value.
_WORDS: dict[Language, str] = {
    "en": """
        father:father,papa mother:mother,mamma,mama son:son daughter:daughter
        brother:brother,half-brother,twin-brother sister:sister,half-sister,twin-sister
        husband:husband wife:wife uncle:uncle aunt:aunt nephew:nephew niece:niece cousin:cousin
        grandfather:grandfather grandmother:grandmother grandson:grandson granddaughter:granddaughter
        brother-in-law:brother-in-law sister-in-law:sister-in-law father-in-law:father-in-law
        mother-in-law:mother-in-law son-in-law:son-in-law daughter-in-law:daughter-in-law
        godfather:godfather godmother:godmother stepfather:stepfather stepmother:stepmother
    """,
    "zh": """
        父亲:父亲,爸爸,爹爹,爹,生父,父,亲爹 母亲:母亲,妈妈,娘亲,娘,生母,母,亲娘
        儿子:儿子,长子,次子,幼子,三子,独子,子,大儿子,小儿子,二儿子,公子
        女儿:女儿,长女,次女,幼女,独女,女,闺女,千金
        哥哥:哥哥,兄长,大哥,二哥,胞兄,兄,长兄,亲哥哥
        弟弟:弟弟,胞弟,弟,亲弟弟 姐姐:姐姐,大姐,二姐,胞姐,胞姊,姊,姐,亲姐姐,姐儿
        妹妹:妹妹,胞妹,妹,妹子,亲妹妹,亲妹子 丈夫:丈夫,夫君,老公,夫婿,夫
        妻子:妻子,浑家,老婆,发妻,正妻,妻,媳妇,元配,嫡妻 妾:小妾,爱妾,侍妾,妾,姨娘
        叔叔:叔叔,叔父 伯父:伯父,伯伯 舅舅:舅舅,娘舅,母舅,舅父 姑姑:姑姑,姑母,姑妈 姨妈:姨妈,姨母
        侄子:侄子,侄儿,侄 侄女:侄女 外甥:外甥,甥 外甥女:外甥女 祖父:祖父,爷爷 祖母:祖母,奶奶
        外祖父:外祖父,外公 外祖母:外祖母,外婆 孙子:孙子,孙儿,孙 孙女:孙女 外孙:外孙 外孙女:外孙女
        岳父:岳父,丈人,岳丈 岳母:岳母 女婿:女婿,婿 儿媳:儿媳,儿媳妇,媳
        师父:师父,师傅,师尊,恩师 徒弟:徒弟,弟子,徒儿,徒,大徒弟,二徒弟 师兄:师兄,大师兄,二师兄 师弟:师弟
        表哥:表哥,表兄 表弟:表弟 表姐:表姐 表妹:表妹 堂兄:堂兄,堂哥 堂弟:堂弟
        嫂子:嫂子,嫂嫂,大嫂 弟媳:弟媳,弟妹 姐夫:姐夫 妹夫:妹夫
        小姑:小姑,小姑子 小叔:小叔子
    """,
}  # fmt: skip
PLAIN: dict[Language, dict[str, str]] = {
    language: {
        word: group.partition(":")[0] for group in text.split() for word in group.partition(":")[2].split(",")
    }
    for language, text in _WORDS.items()
}
# What the other one is in return: of whoever is my brother I am the brother or the sister.
_BACK = """
    father:son,daughter mother:son,daughter son:father,mother daughter:father,mother brother:brother,sister
    sister:brother,sister husband:wife wife:husband uncle:nephew,niece aunt:nephew,niece nephew:uncle,aunt
    niece:uncle,aunt cousin:cousin grandfather:grandson,granddaughter grandmother:grandson,granddaughter
    grandson:grandfather,grandmother granddaughter:grandfather,grandmother
    brother-in-law:brother-in-law,sister-in-law sister-in-law:brother-in-law,sister-in-law
    father-in-law:son-in-law,daughter-in-law mother-in-law:son-in-law,daughter-in-law
    son-in-law:father-in-law,mother-in-law daughter-in-law:father-in-law,mother-in-law
    父亲:儿子,女儿 母亲:儿子,女儿 儿子:父亲,母亲 女儿:父亲,母亲 哥哥:弟弟,妹妹 弟弟:哥哥,姐姐 姐姐:弟弟,妹妹
    妹妹:哥哥,姐姐
    丈夫:妻子,妾 妻子:丈夫 妾:丈夫 叔叔:侄子,侄女 伯父:侄子,侄女 舅舅:外甥,外甥女 姑姑:侄子,侄女
    姨妈:外甥,外甥女
    侄子:叔叔,伯父,姑姑 侄女:叔叔,伯父,姑姑 外甥:舅舅,姨妈 外甥女:舅舅,姨妈 祖父:孙子,孙女 祖母:孙子,孙女
    孙子:祖父,祖母 孙女:祖父,祖母 外祖父:外孙,外孙女 外祖母:外孙,外孙女 外孙:外祖父,外祖母
    外孙女:外祖父,外祖母
    岳父:女婿 岳母:女婿 女婿:岳父,岳母 师父:徒弟 徒弟:师父 师兄:师弟 师弟:师兄
    表哥:表弟,表妹 表弟:表哥,表姐 表姐:表弟,表妹 表妹:表哥,表姐 堂兄:堂弟 堂弟:堂兄
    嫂子:小姑,小叔,弟弟,妹妹 小姑:嫂子 小叔:嫂子
"""
BACK: dict[str, frozenset[str]] = {
    one.partition(":")[0]: frozenset(one.partition(":")[2].split(",")) for one in _BACK.split()
}

_EN_KIN = "|".join(sorted(PLAIN["en"], key=len, reverse=True))
_EN = (
    # Levin's brother, Sergey
    re.compile(rf"(?P<p>[{NAMES}])['’]s?\s+(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN}),?\s+(?P<q>[{NAMES}])"),
    # Sergey, Levin's brother; Sergey (Levin's brother); Sergey, who was Levin's brother
    re.compile(
        rf"(?P<q>[{NAMES}])(?:,|\s*[—–(-]+)\s*(?:who\s+(?:was|is)\s+|as\s+|"
        rf"being\s+)?(?P<p>[{NAMES}])['’]s?\s+(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN})\b(?!['’])"
    ),
    # the brother of Levin, Sergey
    re.compile(
        rf"\b[Tt]he\s+(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN})\s+of\s+(?P<p>[{NAMES}]),?\s+(?:[a-z]+\s+)?(?P<q>[{NAMES}])(?!['’])"
    ),
    # being the brother of Levin, Sergey
    re.compile(
        rf"\b(?:[Bb]eing|[Aa]s)\s+(?:the|an?)?\s*(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN})\s+(?:of|"
        rf"to)\s+(?P<p>[{NAMES}]),\s+(?P<q>[{NAMES}])(?!['’])"
    ),
    # Levin's brother was called Sergey
    re.compile(
        rf"(?P<p>[{NAMES}])['’]s?\s+(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN})(?:['’]s\s+name)?,?\s+(?:(?:who|"
        rf"which)\s+)?(?:was|is)\s+(?:called\s+|named\s+|"
        rf"none\s+other\s+than\s+)?(?P<q>[{NAMES}])(?!['’])"
    ),
    # Sergey was the brother of Levin
    re.compile(
        rf"(?P<q>[{NAMES}])(?:,|\s+(?:was|is)(?:,[^,.]{{1,30}},)?)\s+(?:the|"
        rf"an?)\s+(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN})\s+of\s+(?P<p>[{NAMES}])"
    ),
    # “Sergey is my brother,” said Levin
    re.compile(
        rf"(?P<q>[{NAMES}])\s+(?:was|"
        rf"is)\s+my\s+(?:[a-z]+\s+)?(?P<k>{_EN_KIN})\b[^“”{NAMES}]{{0,20}}[”\"]\s+[a-z]+\s+(?P<p>[{NAMES}])"
    ),
    # Levin had a brother, Sergey
    re.compile(
        rf"(?P<p>[{NAMES}])\s+had\s+an?\s+(?:[a-z]+\s+)?(?P<k>{_EN_KIN}),?\s+(?:called\s+|"
        rf"named\s+)?(?P<q>[{NAMES}])"
    ),
    # Sergey was Levin's brother
    re.compile(
        rf"(?P<q>[{NAMES}])\s+(?:was|is|"
        rf"being)(?:,[^,.]{{1,30}},)?\s+(?P<p>[{NAMES}])['’]s?\s+(?:[a-z]+\s+){{0,2}}(?P<k>{_EN_KIN})\b(?!['’])"
    ),
)
_EN_HIS = re.compile(
    rf"\b(?:his|her|His|Her)\s+(?:[a-z]+\s+){{0,2}}?(?P<k>{_EN_KIN}),?\s+(?P<q>[{NAMES}])(?!['’])"
)
# Levin embraced Sergey, his brother
_EN_HIS_AFTER = re.compile(
    rf"(?P<q>[{NAMES}]),\s+(?:who\s+was\s+)?(?:his|"
    rf"her)\s+(?:[a-z]+\s+){{0,2}}?(?P<k>{_EN_KIN})\b(?!['’]|\s+[{NAMES}]|,\s+[{NAMES}])"
)
_ZH_KIN = "|".join(sorted((one for one in PLAIN["zh"] if len(one) > 1), key=len, reverse=True))
_ZH_OLD = "|".join(one for one in PLAIN["zh"] if len(one) == 1)
_ZH = (
    # 贾琏的妻子凤姐; 贾琏之妻凤姐
    re.compile(
        rf"(?P<p>[{NAMES}])(?:家)?(?:的|之|那)?(?:那[位个])?(?:亲|嫡|大|小)?(?P<k>{_ZH_KIN})(?:名叫|，"
        rf"?名唤|叫做?|名|，名|，?也?就是|，?便是|，?乃是|，?即|是|乃|，)?(?P<q>[{NAMES}])"
    ),
    re.compile(rf"(?P<p>[{NAMES}])之(?P<k>{_ZH_OLD})(?P<q>[{NAMES}])"),
    # 贾琏带着妻子凤姐
    re.compile(
        rf"(?P<p>[{NAMES}])[^{NAMES}，。！？；：“”\s]{{0,4}}(?:[带领拉拖扶牵唤叫请派命令劝救送找寻见望对向同与和跟替为给亲吻抱搂哄打骂瞪][着来了去过到上]?(?:[亲吻抱搂])?)(?:自己的?|"
        rf""
        rf"他的?|她的?|其)?(?P<k>{_ZH_KIN})(?P<q>[{NAMES}])"
    ),
    # 贾琏道：“凤姐是我妻子。”
    re.compile(
        rf"(?P<p>[{NAMES}])[^{NAMES}，。！？；：“”\s]{{0,6}}[道说问答]：“[^{NAMES}”]{{0,6}}(?P<q>[{NAMES}])(?:是|"
        rf""
        rf"乃|乃是|便是|就是)我的?(?P<k>{_ZH_KIN})"
    ),
    # 贾琏有个妻子，名叫凤姐
    re.compile(
        rf"(?P<p>[{NAMES}])有(?:一?[个位名])?(?:亲|嫡|大|小)?(?P<k>{_ZH_KIN})，?(?:名字?|名?[叫唤]做?|"
        rf"便是|就是|乃是?|是)?(?P<q>[{NAMES}])"
    ),
    # 凤姐，贾琏的妻子，
    re.compile(rf"(?P<q>[{NAMES}])，(?P<p>[{NAMES}])(?:的|之)(?:亲|嫡|大|小)?(?P<k>{_ZH_KIN})(?=[，。])"),
    # 凤姐是贾琏的妻子
    re.compile(
        rf"(?P<q>[{NAMES}])，?(?:本|原|乃|便|就|也|正|即|既)?(?:是|乃|系|乃是|身为|"
        rf"作为)(?P<p>[{NAMES}])(?:唯一|亲生)?(?:的|之)(?:亲|嫡|大|小)?(?P<k>{_ZH_KIN}|"
        rf"{_ZH_OLD})(?=[，。；！？]|$)"
    ),
)
# Anna married Boris; 苏晚嫁给了林远; Anna and Boris were twins
_BOTH: dict[Language, tuple[tuple[str, re.Pattern[str]], ...]] = {
    "en": (
        ("spouse", re.compile(
            rf"(?<!That )(?P<p>[{NAMES}])\s+(?:had\s+|has\s+)?(?:then\s+|at\s+last\s+|"
            rf"finally\s+)?(?P<k>married|wed|wedded)\s+(?P<q>[{NAMES}])(?!['’]|\s+to\b|"
            rf"\s+and\s+[{NAMES}])"
        )),
        ("spouse", re.compile(rf"(?P<p>[{NAMES}])\s+and\s+(?P<q>[{NAMES}])\s+were\s+(?P<k>married|"
                              rf"husband\s+and\s+wife|man\s+and\s+wife)\b")),
        ("twin", re.compile(rf"(?P<p>[{NAMES}])\s+and\s+(?P<q>[{NAMES}])\s+(?:were|"
                            rf"are)\s+(?:identical\s+)?(?P<k>twins|siblings|brother\s+and\s+sister)\b")),
    ),
    "zh": (
        ("夫妻", re.compile(rf"(?P<p>[{NAMES}])(?:后来|终于|便|就|又|已|早已){{0,2}}(?P<k>娶了|嫁给了?|"
                          rf"迎娶了?|下嫁)(?P<q>[{NAMES}])(?!的|之|家)")),
        ("夫妻", re.compile(rf"(?P<p>[{NAMES}])[和与](?P<q>[{NAMES}])(?:是|乃|便是|成了|做了|"
                          rf"结为)(?:一对|结发|恩爱)?(?P<k>夫妻|夫妇)")),
        ("双胞胎", re.compile(rf"(?P<p>[{NAMES}])[和与](?P<q>[{NAMES}])(?:是|乃|本是|"
                           rf"原是)(?:一对)?(?P<k>双胞胎|孪生[兄弟姐妹]*|龙凤胎|亲兄妹|亲姐弟|亲兄弟|"
                           rf"亲姐妹|兄妹|姐弟)")),
    ),
}  # fmt: skip
# Anna had two daughters, Mara and Petra; 苏晚有两个女儿，小北和小南
_SEVERAL: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"(?P<p>[{NAMES}])\s+(?:had|has)\s+(?:[a-z]+\s+)?(?:[a-z]+\s+)?(?P<k>sons|daughters|brothers|"
        rf"sisters|nephews|nieces|cousins),\s+(?:called\s+|"
        rf"named\s+)?(?P<all>[{NAMES}](?:,\s+[{NAMES}])*,?\s+and\s+[{NAMES}])(?!['’])"
    ),
    "zh": re.compile(
        rf"(?P<p>[{NAMES}])(?:膝下)?有[一二两三四五六七几]个(?P<k>儿子|女儿|哥哥|弟弟|姐姐|妹妹|侄子|"
        rf"侄女|徒弟)，?(?:分别)?(?:是|叫|叫做|名叫)?(?P<all>[{NAMES}](?:、"
        rf"[{NAMES}])*[和与、][{NAMES}])"
    ),
}
_ONE_OF = {
    **{f"{one}s": one for one in ["son", "daughter", "brother", "sister", "nephew", "niece", "cousin"]},
    **{one: one for one in ["儿子", "女儿", "哥哥", "弟弟", "姐姐", "妹妹", "侄子", "侄女", "徒弟"]},
}
# What is said of both at once, and what each may be called in the other's place.
WIDER: dict[str, frozenset[str]] = {
    "spouse": frozenset(("husband", "wife")),
    "twin": frozenset(("brother", "sister")),
    "夫妻": frozenset(("丈夫", "妻子", "妾")),
    "双胞胎": frozenset(("哥哥", "弟弟", "姐姐", "妹妹")),
}
# 韩铁山管白景行叫爷爷; Wendel called Tomas uncle
_CALLS = {
    "en": re.compile(
        rf"(?P<p>[{NAMES}])\s+(?:always\s+)?called\s+(?P<q>[{NAMES}])\s+(?:his\s+|her\s+|"
        rf"[“\"‘']?)(?P<k>{_EN_KIN})\b"
    ),
    "zh": re.compile(
        rf"(?P<p>[{NAMES}])(?:管|称|唤|叫)(?P<q>[{NAMES}])(?:叫|为|作|"
        rf"一声)“?(?P<k>{_ZH_KIN})"
    ),
}
_ZH_HIS = re.compile(rf"[他她](?:的)?(?:亲|嫡)?(?P<k>{_ZH_KIN})(?P<q>[{NAMES}])")


_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|[Hh]im)\b|[他她]")


def ties(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield what somebody (`other`) is to somebody (`who`), as `kin`."""
    telling = Telling(text)
    plain = PLAIN[cast.language]
    explicit, his = (_ZH, _ZH_HIS) if cast.language == "zh" else (_EN, _EN_HIS)
    for sentence in telling.sentences():
        if not telling.is_spoken(sentence.start):
            yield from _twins_and_spouses(text, sentence, cast.language)
        seen: set[int] = set()
        for pattern in (*explicit, _CALLS[cast.language]):
            for found in pattern.finditer(sentence.text):
                if found["p"] != found["q"] and found.start("k") not in seen:
                    seen.add(found.start("k"))
                    yield _said(text, sentence, found, text.who(found["p"]), plain)
        later = _EN_HIS_AFTER.finditer(sentence.text) if cast.language == "en" else iter(())
        for found in (*his.finditer(sentence.text), *later):
            if found.start("k") in seen or telling.is_spoken(sentence.start + found.start()):
                continue
            owner = _owner(text, sentence, found.start())
            if owner is not None and owner != text.who(found["q"]):
                yield _said(text, sentence, found, owner, plain)


def _owner(text: MarkedText, sentence: MarkedClause, place: int) -> str | None:
    """Whose kin is meant by his or her: the one person named before."""
    before = sentence.text[:place]
    named = people_in(text, before)
    return (
        named[0] if len(named) == 1 and not _PRONOUN.search(before.partition(_mark_of(before))[0]) else None
    )


def _mark_of(text: str) -> str:
    return next(filter(is_mark, text))


def _twins_and_spouses(text: MarkedText, sentence: MarkedClause, language: Language) -> Iterator[Assertion]:
    """Those who are married or twins, whichever way round, and several children of somebody at once."""
    for value, pattern in _BOTH[language]:
        for found in pattern.finditer(sentence.text):
            if found["p"] != found["q"]:
                yield _both(text, sentence, found, value)
    for found in _SEVERAL[language].finditer(sentence.text):
        start, end = (text.origin(sentence.start + place) for place in found.span("k"))
        for mark in filter(is_mark, found["all"]):
            value = _ONE_OF[found["k"]]
            yield Assertion("kin", text.who(found["p"]), value, start, end, text.who(mark))


def _both(text: MarkedText, sentence: MarkedClause, found: re.Match[str], value: str) -> Assertion:
    start, end = (text.origin(sentence.start + place) for place in found.span("k"))
    return Assertion("kin", text.who(found["p"]), value, start, end, text.who(found["q"]))


def _said(
    text: MarkedText, sentence: MarkedClause, found: re.Match[str], owner: str, plain: dict[str, str]
) -> Assertion:
    start, end = (text.origin(sentence.start + place) for place in found.span("k"))
    return Assertion("kin", owner, plain[found["k"]], start, end, text.who(found["q"]))
