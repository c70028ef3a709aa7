"""How somebody is built: height, build, the hand they use, baldness, and on which side they are hurt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.readers.sentences import MarkedClause, Telling, people_in
from fabula.consistency.reading import Assertion, KnownPeople

_P = f"(?P<p>[{NAMES}])"
_SOMEBODY = (
    "man|woman|lady|gentleman|girl|boy|lad|fellow|person|figure|youth|creature|soldier|officer|peasant"
)
_SIZES = "tall|short|tiny|diminutive|stout|fat|plump|obese|thin|slender|slim|lean|skinny"
_BUILT_EN = re.compile(
    rf"{_P}(?:,\s+who)?\s+(?:was|is|had\s+(?:always\s+)?been)\s+(?:an?\s+)?(?:very\s+|quite\s+|so\s+|"
    rf"rather\s+)?"
    rf"(?P<a>left-handed|right-handed|{_SIZES}|bald|blind|lame|deaf|one-eyed)\b(?!\s+(?:of|with|to|time|"
    rf"in\s+the\s+purse))|"
    # Anna was a short woman; Anna, a tall girl
    rf"(?P<q>[{NAMES}])(?:,|\s+(?:was|is))\s+an?\s+(?:very\s+|rather\s+)?(?:[a-z]+,?\s+)?(?P<b>{_SIZES}|"
    rf"left-handed|right-handed|bald)"
    rf"(?:,?\s+[a-z]+)?\s+(?:{_SOMEBODY})\b|"
    # Anna was the tallest girl; tall Anna
    rf"(?P<r>[{NAMES}])\s+(?:was|is)\s+(?:by\s+far\s+)?the\s+(?P<c>tallest|shortest|fattest|thinnest)\b|"
    rf"\b(?P<d>[Tt]all|[Ss]hort|[Ll]eft-handed|[Rr]ight-handed|[Bb]ald)\s+(?P<s>[{NAMES}])(?!['’])|"
    rf"(?P<u>[{NAMES}]),\s+(?P<f>tall|short|stout|thin)\s+as\s+(?:he|she)\s+was\b|"
    # Anna barely reached the latch, towered over everybody, stood six foot four
    rf"(?P<t>[{NAMES}])\s+(?P<e>towered\s+(?:over|above)|stooped\s+under\s+the\s+lintel|"
    rf"stood\s+(?:over\s+)?(?:six|seven)\s+(?:foot|feet)|"
    rf"was\s+(?:over\s+)?(?:six|seven)\s+(?:foot|feet)|was\s+a\s+(?:giant|dwarf)|stood\s+(?:under\s+|"
    rf"barely\s+)?five\s+(?:foot|feet)|was\s+(?:under|barely)\s+five\s+(?:foot|feet))"
)
# Whoever has hair to comb is not bald.
_HAIRY_EN = re.compile(
    rf"{_P}\s+[a-z]+\s+(?:[a-z]+\s+){{0,4}}(?:his|her)\s+(?P<v>(?:(?:thick|long|short|unruly|tangled|"
    rf"curly|wavy|wet)\s+)+(?:hair|curls|locks|braids?))\b"
)
_SIZE = {
    "tallest": "tall", "tiny": "short", "diminutive": "short", "shortest": "short", "fat": "stout",
    "plump": "stout",
    "obese": "stout", "fattest": "stout", "slender": "thin", "slim": "thin", "lean": "thin", "skinny": "thin",
    "thinnest": "thin",
}  # fmt: skip
_SIDE = "(?P<v>left|right)"
_PARTS = "arm|hand|leg|eye|foot|ear"
# What is hurt, and on which side: a lame leg, an arm that is gone, an eye that is blind, a scar on a cheek.
_HURT_EN = tuple(
    (topic, re.compile(pattern))
    for topic, pattern in (
        ("lame", rf"\b(?:lame|limp|crippled|wooden|bad|game|stiff)\s+{_SIDE}\s+(?P<n>leg|foot|knee)\b"),
        ("lame", rf"\b{_SIDE}\s+(?P<n>leg|foot|knee)\s+(?:(?:had\s+)?never\s+healed|was\s+(?:lame|"
                 rf"crippled|stiff|wooden))"),
        ("lame", rf"\b(?:limp\w*|lame|dragg\w+)\s+(?:on|in|of)?\s*(?:his|her|the|"
                 rf"one)\s+{_SIDE}\s+(?P<n>leg|foot)\b"),
        ("gone", rf"\b(?:lost|missing|without)\s+(?:his|her|the|an?)\s+{_SIDE}\s+(?P<n>{_PARTS})\b"),
        ("gone", rf"\bempty\s+{_SIDE}\s+(?P<n>sleeve|trouser)\b"),
        ("gone", rf"\b{_SIDE}\s+(?P<n>{_PARTS})\s+(?:was\s+(?:missing|gone)|had\s+been\s+(?:cut\s+off|"
                 rf"amputated|taken\s+off|shot\s+away))"),
        ("blind", rf"\b(?:blind\s+in|glass|blind|patch\s+over|patch\s+on)\s+(?:his\s+|her\s+|"
                  rf"the\s+)?{_SIDE}\s+(?P<n>eye)\b"),
        ("scar", rf"\b(?:scar|birthmark|gash|mole|tattoo)\b[^.;,]{{0,30}}?\b{_SIDE}\s+(?P<n>cheek|"
                 rf"temple|brow|eyebrow|hand|arm|shoulder|wrist|forearm|eye)\b"),
        ("scar", rf"\b{_SIDE}\s+(?P<n>cheek|temple|brow|hand|arm|shoulder|wrist|forearm)\s+(?:bore|"
                 rf"was\s+marked\s+by|was\s+scarred|had)\s+(?:an?\s+)?(?:[a-z]+\s+)?(?:scar|birthmark|"
                 rf"tattoo)?"),
    )
)  # fmt: skip
_HANDED_EN = re.compile(r"\b(?:being|is|was|born)\s+(?P<v>left|right)-handed\b")
_PART = {"sleeve": "arm", "foot": "leg", "knee": "leg", "trouser": "leg", "eyebrow": "brow", "forearm": "arm"}
_OTHERS_EN = re.compile(
    r"\b(?:man|woman|lady|gentleman|mother|father|sister|brother|son|daughter|wife|husband|child|"
    r"stranger|somebody|horse|dog)(?:['’]s)?\b"
)

_SIZED_ZH = {
    "height": {
        "tall": "大个子|个[头子]高|高大|魁梧|高挑|颀长|修长|高个子?|大个子|人高马大|牛高马大|"
        "又高又[大瘦]|身长[八九]尺|身高[八九]尺|高出一头|身高一米[八九]|身长丈",
        "short": "个[头子]矮|身量不高|矮小|瘦小|矮个子?|小个子|五短|不到五尺|不满五尺|身高五尺|矮胖|"
        "很矮|身高一米[四五]",
    },
    "hand": {"left": "左撇子|惯用左手|惯使左手|使左手", "right": "右撇子|惯用右手|惯使右手"},
}
_BODY_ZH = re.compile(rf"{_P}(?:是个?|乃是?|天生是?)(?P<v>独眼|独臂|瘸子|瞎子|聋子|哑巴)")
_BUILT_ZH = {
    topic: re.compile(
        rf"{_P}(?:的)?(?:[^{NAMES}，。！？；：“”不没]{{0,7}}(?:，[他她]?是?个?)?)?(?:"
        + "|".join(f"(?P<{value}>{words})" for value, words in values.items())
        + ")(?!的(?:人|汉|男|女|身影|影|姑|少年))"
    )
    for topic, values in _SIZED_ZH.items()
}
_TALLEST_ZH = re.compile(rf"{_P}(?:是|算是)[^，。；{NAMES}]{{0,8}}最(?P<v>[高矮])的")
_BALD_ZH = re.compile(
    rf"{_P}(?P<b>[^{NAMES}，。！？；：“”]{{0,8}})(?:(?P<v>秃了?顶|秃了?头|光头|光秃秃的?头顶)|"
    rf"(?P<h>[浓茂]密的(?:头|长)发|满头(?:青丝|黑发)))"
)
_SIDE_ZH = tuple(
    (topic, re.compile(pattern))
    for topic, pattern in (
        ("lame", "(?:瘸了?的?|跛了?的?|拐了?的?)(?P<v>[左右])(?P<n>[腿脚膝])|(?:僵硬|受伤|"
                 "残废)的(?P<w>[左右])(?P<m>[腿脚膝])"),
        ("lame", "(?P<v>[左右])(?P<n>[腿脚膝])(?:盖)?(?:一直|始终|至今|还|总是?)?(?:僵|瘸|跛|拐|残|"
                 "不便|落下残疾)"),
        ("gone", "(?:丢|断|失|没|少)(?:了|去|掉)+(?P<v>[左右])(?P<n>[臂手腿脚眼耳])"),
        ("gone", "(?:空荡荡的?|空空的?)(?P<v>[左右])(?P<n>袖|裤)"),
        ("gone", "(?P<v>[左右])(?P<n>[臂手腿脚])(?:已断|断了|被砍|被斩|没了|齐肩而断)"),
        ("blind", "(?P<v>[左右])(?P<n>眼)(?:已?瞎|失明|看不见|蒙着|戴着眼罩)"),
        ("scar", "(?:疤|刀痕|疤痕|胎记)[^，。；左右]{0,10}(?P<v>[左右])(?P<n>脸颊?|颊|额角?|眉|手|臂|"
                 "肩|腕|眼角)"),
        ("scar", "(?P<v>[左右])(?P<n>脸颊?|颊|额角?|眉|手|臂|肩|腕|眼角)(?:上|下)?(?:有|留着|带着|"
                 "横着|爬着)?[^，。；]{0,6}?(?:的)?(?:伤?疤|刀痕|疤痕|胎记|黑痣|刺青)"),
    )
)  # fmt: skip
_PART_ZH = {
    "袖": "手",
    "裤": "腿",
    "臂": "手",
    "脚": "腿",
    "膝": "腿",
    "颊": "脸",
    "脸颊": "脸",
    "额角": "额",
}
_SEEN_ZH = re.compile("[看见望瞧对向和与给叫像似抱认问比]|有人|那人")


def bodies(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield how a text says that somebody is built, and where they are hurt."""
    read = _chinese if cast.language == "zh" else _english
    telling = Telling(text)
    for sentence in telling.sentences():
        for topic, who, value, span in read(text, sentence):
            if not telling.is_spoken(sentence.start + span[0]):
                start, end = (text.origin(sentence.start + place) for place in span)
                yield Assertion(topic, who, value, start, end)


_Read = Iterator[tuple[str, str, str, tuple[int, int]]]


def _english(text: MarkedText, sentence: MarkedClause) -> _Read:
    for found in _BUILT_EN.finditer(sentence.text):
        named, said = (next(one for one in groups if found[one]) for groups in ("pqrstu", "abcdef"))
        topic, value = built(found[said])
        yield topic, text.who(found[named]), value, found.span(said)
    for found in _HAIRY_EN.finditer(sentence.text):
        yield "bald", text.who(found["p"]), "hair", found.span("v")
    handed = _HANDED_EN.search(sentence.text)
    if handed is not None and not _OTHERS_EN.search(sentence.text):
        only = _only(text, sentence)
        if only:
            yield "hand", only, handed["v"], handed.span("v")
    if " left " not in sentence.text and " right " not in sentence.text:
        return
    who = None if _OTHERS_EN.search(sentence.text) else _only(text, sentence)
    for topic, pattern in _HURT_EN if who else ():
        for found in pattern.finditer(sentence.text):
            yield f"{topic} {_PART.get(found['n'], found['n'])}", who or "", found["v"], found.span("v")


def built(words: str) -> tuple[str, str]:
    """Return the topic and the plain value of words such as tall, bald and left-handed."""
    word = words.lower()
    if word.endswith("-handed"):
        return "hand", word.removesuffix("-handed")
    if word == "bald":
        return "bald", word
    if " " in word:
        return "height", "short" if "five" in word or "dwarf" in word else "tall"
    plain = _SIZE.get(word, word)
    topic = "height" if plain in ("tall", "short") else "build" if plain in ("stout", "thin") else "body"
    return topic, plain


def _chinese(text: MarkedText, sentence: MarkedClause) -> _Read:
    for topic, pattern in _BUILT_ZH.items():
        for found in pattern.finditer(sentence.text):
            if not _SEEN_ZH.search(found[0]):
                value = next(one for one in _SIZED_ZH[topic] if found[one])
                yield topic, text.who(found["p"]), value, found.span(value)
    for found in _TALLEST_ZH.finditer(sentence.text):
        yield "height", text.who(found["p"]), {"高": "tall", "矮": "short"}[found["v"]], found.span("v")
    for found in _BODY_ZH.finditer(sentence.text):
        yield "body", text.who(found["p"]), found["v"], found.span("v")
    for found in _BALD_ZH.finditer(sentence.text):
        if not _SEEN_ZH.search(found["b"].replace("对镜", "")):
            yield (
                "bald",
                text.who(found["p"]),
                "bald" if found["v"] else "hair",
                found.span("v" if found["v"] else "h"),
            )
    if "左" in sentence.text or "右" in sentence.text:
        yield from _hurt_in_chinese(text, sentence)


def _hurt_in_chinese(text: MarkedText, sentence: MarkedClause) -> _Read:
    who = _only(text, sentence)
    for topic, pattern in _SIDE_ZH if who else ():
        for found in pattern.finditer(sentence.text):
            side, part = ("v", found["n"]) if found["v"] else ("w", found["m"])
            yield f"{topic} {_PART_ZH.get(part, part)}", who or "", found[side], found.span(side)


def _only(text: MarkedText, sentence: MarkedClause) -> str | None:
    """The only person of a sentence, or with a pronoun at its head the one whom the sentence before names."""
    named = people_in(text, sentence.text)
    if named:
        return named[0] if len(named) == 1 else None
    return (
        sentence.topic if re.match(r"[“\"\s]*(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|他|她)", sentence.text) else None
    )
