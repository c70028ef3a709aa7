"""How many relatives of a kind somebody has: Levin had two brothers, 贾政的三个儿子."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.numbers import EN_NUMBER, ZH_NUMBER, chinese_number, english_number
from fabula.consistency.readers.sentences import Telling
from fabula.consistency.reading import Assertion, KnownPeople
from fabula.model.relation import Language

# Words that mean the same are one kind.
_GROUPS: dict[Language, str] = {
    "en": """
        brother:brothers,brother sister:sisters,sister sibling:siblings,sibling son:sons,son
        daughter:daughters,daughter child:children,child wife:wives husband:husbands
    """,
    "zh": """
        哥哥:哥哥 弟弟:弟弟 姐姐:姐姐 妹妹:妹妹 兄弟:兄弟 姐妹:姐妹,姊妹 兄弟姐妹:兄弟姐妹 孩子:孩子,子女,儿女
        儿子:儿子,独子,独生子 女儿:女儿,独女,独生女 妻子:妻子 徒弟:徒弟,弟子
    """,
}
KINDS: dict[Language, dict[str, tuple[str, ...]]] = {
    language: {one.partition(":")[0]: tuple(one.partition(":")[2].split(",")) for one in text.split()}
    for language, text in _GROUPS.items()
}
_WORDS = {
    language: {word: kind for kind, words in kinds.items() for word in words}
    for language, kinds in KINDS.items()
}
_EN_MANY = "brothers|sisters|siblings|sons|daughters|children|wives|husbands"
_EN_ONE = "brother|sister|sibling|son|daughter|child"
_EN = (
    # Levin had two brothers
    re.compile(
        rf"(?P<p>[{NAMES}])\s+(?:has|had)\s+(?:only\s+|exactly\s+|altogether\s+)?(?P<v>{EN_NUMBER})\s+"
        rf"(?:[a-z]+\s+)?(?P<n>{_EN_MANY})\b(?!-)"
    ),
    # Levin’s two brothers; not: one of Levin’s two elder brothers
    re.compile(rf"(?P<p>[{NAMES}])['’]s?\s+(?P<v>{EN_NUMBER})\s+(?P<n>{_EN_MANY})\b(?!-)"),
    # the father of three sons
    re.compile(
        rf"(?P<p>[{NAMES}])(?:,|\s+(?:was|is))\s+(?:the\s+|a\s+)?(?:father|mother|parent)\s+of\s+"
        rf"(?P<v>{EN_NUMBER})\s+(?P<n>sons|daughters|children)\b"
    ),
    # Levin’s only brother
    re.compile(rf"(?P<p>[{NAMES}])['’]s?\s+(?P<v>only)\s+(?P<n>{_EN_ONE})\b(?!-)"),
)
_ZH_MANY = "兄弟姐妹|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|姊妹|儿子|女儿|孩子|子女|儿女|妻子|徒弟|弟子"
_ZH = (
    re.compile(
        rf"(?P<p>[{NAMES}])(?:共|只|一共|总共|原|本)?(?:有|生了|育有|生有|收了)(?P<v>{ZH_NUMBER})[个位名]?(?P<n>{_ZH_MANY})"
    ),
    re.compile(rf"(?P<p>[{NAMES}])的(?P<v>{ZH_NUMBER})[个位名]?(?P<n>{_ZH_MANY})"),
    re.compile(rf"(?P<p>[{NAMES}])的?(?P<v>(?P<n>独生子|独生女|独子|独女))"),
)


def counts(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield how many of a kind somebody has, as `count:` with the kind, outside of speech."""
    telling = Telling(text)
    is_chinese = cast.language == "zh"
    plain = _WORDS[cast.language]
    for sentence in telling.sentences():
        for pattern in _ZH if is_chinese else _EN:
            for found in pattern.finditer(sentence.text):
                said = found["v"]
                number = 1 if said == "only" or said in plain else _number(said, is_chinese)
                if number is None or telling.is_spoken(sentence.start + found.start()):
                    continue
                start, end = (text.origin(sentence.start + place) for place in found.span("v"))
                yield Assertion(f"count:{plain[found['n']]}", text.who(found["p"]), str(number), start, end)


def _number(words: str, is_chinese: bool) -> int | None:
    return chinese_number(words) if is_chinese else english_number(words)
