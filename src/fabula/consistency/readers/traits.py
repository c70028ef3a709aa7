"""Traits that a text gives somebody: eyes, hair, beard, skin, hand, build, and age."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText, is_mark
from fabula.consistency.numbers import chinese_number, english_number
from fabula.consistency.readers.sentences import MarkedClause, Telling, people_in
from fabula.consistency.reading import Assertion, KnownPeople
from fabula.model.relation import Language

_COLOURS = (
    "blue|grey|gray|black|brown|green|hazel|dark|golden|fair|red|white|auburn|blonde|blond|chestnut|silver|"
    "silvery|flaxen|violet|amber|ginger|raven|reddish|yellow"
)
_FILL = r"(?:[a-z-]+,?\s+){0,2}?"
_NOUNS = "eyes|eye|hair|curls|locks|beard|whiskers|moustaches?|mustaches?"
_BE = (
    r"(?:was|were|is|are|looked|seemed|appeared|shone|gleamed|remained|"
    r"ha(?:d|ve|s)\s+(?:always\s+|ever\s+|never\s+)?been)"
)
_HOW = r"(?:[a-z]+ly\s+|very\s+|quite\s+|almost\s+|still\s+|always\s+|so\s+|as\s+|of\s+a\s+|an?\s+)?"
_EN = re.compile(
    rf"\b(?:[a-z]+-)?(?P<v>{_COLOURS})\b(?:-[a-z]+)?,?\s+{_FILL}(?P<n>{_NOUNS})\b|"
    rf"\b(?P<m>{_NOUNS})(?:,\s+(?:so\s+|very\s+|always\s+)?(?=(?:{_COLOURS})\b(?:\s+(?:and|as|like)\s|,))|"
    rf",?\s+(?:(?:which|that|both)\s+)?{_BE}\s+|\s+(?=as\s+(?:{_COLOURS})\s+as\b))"
    rf"{_HOW}(?:[a-z]+\s+)?(?:[a-z]+-)?(?P<w>{_COLOURS})\b"
)
# The eyes of Anna were blue; how blue Anna’s eyes were; the blue eyes of Anna; knew Anna by her blue eyes
_TURNED = re.compile(
    rf"\b(?P<c>{_COLOURS})\s+(?:[a-z]+\s+)?(?P<d>{_NOUNS})\s+of\s+(?P<e>[{NAMES}])(?!['’])|"
    rf"(?P<f>[{NAMES}])\s+(?:[a-z]+\s+){{0,3}}by\s+(?:the|his|her|those)\s+(?:[a-z]+\s+)?(?P<g>{_COLOURS})\s+(?P<h>{_NOUNS})\b|"
    rf"\b(?:given|gave|lent|allowed)\s+(?P<a>[{NAMES}])\s+(?:a\s+pair\s+of\s+|a\s+head\s+of\s+)?(?:[a-z]+\s+)?(?P<b>{_COLOURS})\s+(?P<l>{_NOUNS})\b|"
    rf"\b(?:of|about|in|with)\s+(?P<i>[{NAMES}])\s+(?:was|were)\s+(?:the|his|her|those)\s+(?:[a-z]+\s+)?(?P<j>{_COLOURS})\s+(?P<k>{_NOUNS})\b|"
    rf"\b(?P<y>{_COLOURS})-(?P<z>eyed|haired|bearded)\s+(?P<s>[{NAMES}])(?!['’])|"
    rf"\b(?P<n>{_NOUNS})\s+of\s+(?P<p>[{NAMES}]),?\s+(?:which\s+)?{_BE}\s+{_HOW}(?P<v>{_COLOURS})\b|"
    rf"(?P<r>[{NAMES}]),?\s+whose\s+(?:[a-z]+\s+)?(?P<o>{_NOUNS})\s+{_BE}\s+{_HOW}(?P<x>{_COLOURS})\b|"
    rf"\b[Hh]ow\s+(?:[a-z]+ly\s+)?(?P<w>{_COLOURS})\s+(?P<q>[{NAMES}])['’]s?\s+(?P<m>{_NOUNS})\s+(?:was|were|is|are)\b"
)
_OWNED = re.compile(rf"(?P<p>[{NAMES}])['’]s?\s+(?:[a-z-]+,?\s+){{0,4}}$")
_HIS = re.compile(r"\b(?:his|her|His|Her)\s+(?:[a-z-]+,?\s+){0,5}$")
# Anna had, with, wore blue eyes; Anna had her mother’s blue eyes
_WITH = re.compile(
    rf"(?P<p>[{NAMES}]),?\s+(?:(?:(?:always|still|also|once|then|now)\s+)?(?:has|had|having|wore)\s+|(?:[a-z-]+,?\s+){{0,2}}with\s+)(?:(?:a|an|the|his|her)\s+)?(?:[a-z-]+,?\s+){{0,4}}$|"
    rf"(?P<q>[{NAMES}])\s+(?:has|had|having|inherited)\s+(?:got\s+)?(?:his|her)\s+[a-z]+['’]s\s+(?:[a-z-]+,?\s+){{0,3}}$"
)
# Anna was a girl with blue eyes; Anna smiled with those blue eyes; Anna was easy to describe: blue eyes
_DESCRIBED = re.compile(
    rf"(?P<p>[{NAMES}])(?:,\s+|\s+(?:was|is|had\s+been)\s+)(?:an?|the)\s+[a-z\s,-]{{1,50}}?(?:with|of)\s+(?:(?:an?|the)\s+)?(?:[a-z-]+,?\s+){{0,4}}$|"
    rf"(?P<q>[{NAMES}])\s+[a-z ]{{1,40}}?(?:with|by|for)\s+(?:those|these|the)\s+(?:[a-z-]+,?\s+){{0,3}}$|"
    rf"(?P<r>[{NAMES}])\s+[a-z ,]{{1,40}}:\s+(?:an?\s+|the\s+)?(?:[a-z-]+,?\s+){{0,3}}$"
)
# Of all Anna’s features the eyes were blue
_FEATURES = re.compile(
    rf"(?P<p>[{NAMES}])['’]s?\s+(?:[a-z-]+\s+)?(?:features?|face|head|charms?|looks|appearance),?\s+(?:[a-z]+\s+){{0,3}}the\s+(?:[a-z-]+\s+)?$"
)
# Nobody had eyes as blue as Anna’s; the eyes of Anna, which were blue; the blue eyes that Anna had
_AFTER = re.compile(
    rf"\s+(?:of|that|which)\s+(?P<p>[{NAMES}])(?:\s+(?:had|has)\b|(?!['’]))|\s+as\s+(?P<q>[{NAMES}])['’]s?(?![a-z])"
)
# With her blue eyes Anna looked
_AHEAD = re.compile(
    rf"^[“\"]?(?:[Ww]ith|[Hh]is|[Hh]er|[A-Z][a-z]+ing)\b[^{NAMES}]*[a-z],?\s+(?P<p>[{NAMES}])(?!['’])"
)
_PERCEIVED = re.compile(
    r"\b(?:saw|sees|seen|met|meets|noticed|watched|faced|knew|remembered|recalled|thought|dreamt|dreamed|loved|hated|"
    r"looked|gazed|stared|glanced|spoke|talked|like|unlike|whom|into|towards?|beside|between)\b|"
    r"\b(?:of|to|for|from|near)\s+(?:the|an?|his|her|that)\s+(?:[a-z]+\s+)?[a-z]+\s+with\b"
)
_HEAD = re.compile(
    rf"(?P<p>[{NAMES}])\s+(?:[a-z]+ly\s+)?[a-z]+ed\s+(?:up\s+)?(?:(?:his|her)\s+(?:head|face|hat|veil|hood)\s*)?,?\s+"
    r"and\s+the\s+(?:[a-z-]+,?\s+)?$"
)
_OTHERS = re.compile(
    r"\b(?:man|woman|lady|gentleman|girl|boy|mother|father|sister|brother|son|daughter|wife|husband|child|"
    r"doctor|lawyer|officer|stranger|baby|nurse|maid|priest|somebody|someone|peasant|people|men|women|other)"
    r"(?:['’]s)?\b"
)
_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|[Hh]im)\b")
# Eyes are red from weeping, not by nature.
_FOR_NOW = re.compile(
    r"\s+(?:(?:from|with)\s+(?:weeping|crying|tears|sleep|smoke|rage|drink|fever)|and\s+(?:swollen|puffy|wet|raw))"
)
_TOPIC = {
    "eyes": "eyes", "eye": "eyes", "hair": "hair", "curls": "hair", "locks": "hair", "beard": "beard",
    "whiskers": "beard", "moustache": "beard", "moustaches": "beard",
    "mustache": "beard", "mustaches": "beard", "eyed": "eyes", "haired": "hair", "bearded": "beard",
}  # fmt: skip
_PLAIN = {
    "gray": "grey", "hazel": "brown", "blond": "fair", "blonde": "fair", "golden": "fair", "flaxen": "fair",
    "yellow": "fair", "silvery": "white", "silver": "white", "reddish": "red", "ginger": "red",
    "auburn": "red",
    "raven": "black", "chestnut": "brown", "amber": "brown",
}  # fmt: skip

_BUILD_EN = re.compile(
    rf"(?P<p>[{NAMES}])(?:,\s+who)?\s+(?:was|is)\s+(?:a\s+)?(?:very\s+|quite\s+|so\s+|rather\s+|an?\s+)?"
    rf"(?P<v>left-handed|right-handed|tall|short|stout|fat|thin|slender|lean|bald|blind|lame|deaf|one-eyed)\b(?!\s+(?:of|with|to|time))"
)
_BUILD = {
    "left-handed": ("hand", "left"), "right-handed": ("hand", "right"), "tall": ("height", "tall"),
    "short": ("height", "short"), "stout": ("build", "stout"), "fat": ("build", "stout"),
    "thin": ("build", "thin"), "slender": ("build", "thin"), "lean": ("build", "thin"),
}  # fmt: skip

_ZH_COLOURS = (
    "黑|白|蓝|碧|绿|棕|褐|灰|金|银|红|赤|紫|青|黄|花白|乌黑|雪白|淡蓝|湛蓝|碧绿|火红|金黄|栗|琥珀|翠绿|墨绿|"
    "银白|灰白"
)
_ZH = re.compile(
    rf"(?P<v>{_ZH_COLOURS})(?:色)?(?:的)?(?:(?:长|短|卷|直|大|小|一双|双)?)(?P<n>眼睛|眼眸|双眼|眸子|双眸|瞳孔|头发|长发|短发|卷发|发丝|发(?=[，。；！、的在披垂]|$)|胡子|胡须|长须|须髯|髯|脸膛|脸|面皮|面)|"
    rf"(?P<m>眼睛|眼眸|眸子|头发|长发|胡子|胡须|脸|面皮)(?:依旧|依然|仍然|一向|始终|一直|向来|本来|原来|天生|果然|原|本|竟|却|都|也|又|乃|仍|还)?(?:是|呈|为)?(?:[很一片]{{0,2}})?(?P<w>{_ZH_COLOURS})色?(?:的)?(?=[，。；！、]|$)"
)
_ZH_NOUN = {
    "眼": "eyes",
    "眸": "eyes",
    "瞳": "eyes",
    "双": "eyes",
    "头": "hair",
    "长": "hair",
    "短": "hair",
    "卷": "hair",
    "发": "hair",
    "胡": "beard",
    "须": "beard",
    "髯": "beard",
    "脸": "face",
    "面": "face",
}
_ZH_PLAIN = {
    "琥珀": "褐", "翠绿": "绿", "墨绿": "绿", "银白": "白", "灰白": "白",
    "碧": "绿", "碧绿": "绿", "棕": "褐", "栗": "褐", "赤": "红", "火红": "红", "乌黑": "黑", "雪白": "白",
    "银": "白",
    "花白": "白", "淡蓝": "蓝", "湛蓝": "蓝", "金黄": "金", "黄": "金",
}  # fmt: skip
_ZH_LEAD = re.compile(
    rf"(?P<p>[{NAMES}])(?:的|那双|那|有着?|生得|生着|长着|一双|一头|双|披着|留着|，|、|一部|满头|是个)*$"
)
# 宝玉睁开一双: the trait of the one who does something with it; not of somebody who is seen.
_ZH_SAME = re.compile(rf"(?P<p>[{NAMES}])(?P<b>[^{NAMES}，。！？；：“”\s]{{1,6}})$")
_ZH_SEEN = re.compile("[看见望瞧对向和与给叫像似抱送画遇认问比想着]|有人|那人|女子|男子|姑娘|老者|的人|之人")
# 蓝眼睛的宝玉; 那人一双蓝眼睛，正是宝玉
_ZH_OF = re.compile(rf"(?:的|，(?:不是别人，)?(?:正|便|就|乃|原来)是)(?P<p>[{NAMES}])")
_ZH_HIS = re.compile(r"[他她](?:的|那双|那|一双|有|生得|长着|留着|$)[^，。]{0,6}$")
# 王夫人抬起头来，蓝色的眼睛: a clause about the one who was named before.
_ZH_NEXT = re.compile(r"，(?:那|一)?[双头对]?$")
_ZH_HAND = re.compile(
    rf"(?P<p>[{NAMES}])(?:是个?|乃是?|天生是?)(?P<v>左撇子|右撇子|独眼|独臂|瘸子|瞎子|聋子|哑巴)"
)

_AGE_EN = re.compile(
    rf"(?P<p>[{NAMES}])(?:\s+(?:was|is)|,)\s+(?:only\s+|just\s+|about\s+|nearly\s+|now\s+|then\s+)?(?:aged\s+)?"
    rf"(?P<v>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)\s+years\s+(?:old|of\s+age)|"
    rf"(?P<q>[{NAMES}]),\s+(?:aged|an?\s+(?:[a-z]+\s+)?[a-z]+\s+of)\s+(?P<w>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)\b(?!\s+[a-z]+s\b)|"
    # Anna had turned twenty; Anna was twenty; twenty-year-old Anna; at twenty Anna knew
    rf"(?P<r>[{NAMES}])\s+(?:ha[ds]\s+)?(?:just\s+|only\s+)?turned\s+(?P<x>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)\b(?=\s*[.,;]|\s+(?:that|in|on|when|this|last)\b)|"
    rf"(?P<s>[{NAMES}])\s+(?:was|is)\s+(?:only\s+|just\s+|barely\s+|nearly\s+|now\s+|then\s+)?(?P<y>[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?)\b(?=\s*[.,;]|\s+(?:when|then|that|and|now)\b)|"
    rf"\b(?P<z>\d{{1,3}}|[a-z]+(?:-[a-z]+)?)-year-old\s+(?P<t>[{NAMES}])(?!['’])|"
    rf"\b[Aa]t\s+(?:the\s+age\s+of\s+)?(?P<k>[a-z]+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]+)?),?\s+(?P<u>[{NAMES}])(?!['’])"
)
_AGE_ZH = re.compile(
    rf"(?P<p>[{NAMES}])(?:今年|年方|年已|年纪|方|才|纔|已经?|如今|此时|时年|现年|正|刚|满|年满|不过|只有|，){{0,4}}(?P<v>[一二三四五六七八九十百两\d]{{1,4}})岁(?!上|时|的?时候|那年)|"
    rf"(?<![一二三四五六七八九十百两\d])(?P<w>[一二三四五六七八九十百两\d]{{1,4}})岁(?:大)?的(?P<q>[{NAMES}])"
)


def traits(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield the traits that a text gives somebody."""
    telling = Telling(text)
    if cast.language == "zh":
        for sentence in telling.sentences():
            yield from _chinese(text, telling, sentence)
    else:
        for sentence in telling.sentences():
            yield from _english(text, telling, sentence)


def _english(text: MarkedText, telling: Telling, sentence: MarkedClause) -> Iterator[Assertion]:
    for found in _EN.finditer(sentence.text):
        noun, colour = found["n"] or found["m"], found["v"] or found["w"]
        who = None if _FOR_NOW.match(sentence.text, found.end()) else _owner(text, sentence, found)
        if who is not None and not telling.is_spoken(sentence.start + found.start()):
            named = "v" if found["v"] else "w"
            plain, sex = _PLAIN.get(colour, colour), _sex(sentence.text[: found.start()])
            yield _said(text, sentence, _TOPIC[noun], who, plain, found.span(named), sex)
    for found in _TURNED.finditer(sentence.text):
        noun = next(found[one] for one in "nmodhklz" if found[one])
        named = next(one for one in "vwxcgjyb" if found[one])
        who, colour = text.who(next(found[one] for one in "pqrefisa" if found[one])), found[named]
        if not telling.is_spoken(sentence.start + found.start()):
            yield _said(text, sentence, _TOPIC[noun], who, _PLAIN.get(colour, colour), found.span(named))
    for found in _BUILD_EN.finditer(sentence.text):
        topic, value = _BUILD.get(found["v"], ("body", found["v"]))
        if not telling.is_spoken(sentence.start + found.start()):
            yield _said(text, sentence, topic, text.who(found["p"]), value, found.span("v"))
    for found in _AGE_EN.finditer(sentence.text):
        named = next(one for one in "vwxyzk" if found[one])
        age, who = english_number(found[named]), next(found[one] for one in "pqrstu" if found[one])
        if age is not None and not telling.is_spoken(sentence.start + found.start()):
            yield _said(text, sentence, "age", text.who(who), str(age), found.span(named))


def _owner(text: MarkedText, sentence: MarkedClause, found: re.Match[str]) -> str | None:
    """Whose a trait is, from what stands around it in the sentence."""
    before = sentence.text[: found.start()]
    after = _AFTER.match(sentence.text, found.end())
    if after is not None:
        return text.who(_mark_in(after))
    owned = _OWNED.search(before)
    if owned is not None:
        return text.who(owned["p"])
    with_it = _WITH.search(before) or _HEAD.search(before) or _FEATURES.search(before)
    if with_it is not None:
        return text.who(_mark_in(with_it))
    described = _DESCRIBED.search(before)
    if described is not None and len(people_in(text, before)) == 1:
        is_seen = _PERCEIVED.search(described[0])
        is_other = not described["p"] and _OTHERS.search(described[0])
        return None if is_seen or is_other else text.who(_mark_in(described))
    his = _HIS.search(before)
    if his is None or _OTHERS.search(before):
        return None
    named = people_in(text, before)
    if len(named) == 1:
        first = before[: next(place for place, one in enumerate(before) if is_mark(one))]
        return None if _PRONOUN.search(first) else named[0]
    if named:
        return None
    ahead = _AHEAD.match(sentence.text.lstrip())
    if ahead is not None and len(people_in(text, sentence.text)) == 1:
        return text.who(ahead["p"])
    return sentence.topic or None


def _mark_in(found: re.Match[str]) -> str:
    """The name that a pattern found; its groups are alternatives."""
    return next(one for one in found.groups() if one)


def _sex(before: str) -> str:
    """Which sex a trait's owner has, where it is said with a pronoun."""
    his = _HIS.search(before)
    if his is None or _OWNED.search(before) or _WITH.search(before):
        return ""
    return "f" if his[0][:3].lower() == "her" else "m"


def _chinese(text: MarkedText, telling: Telling, sentence: MarkedClause) -> Iterator[Assertion]:
    for found in _ZH.finditer(sentence.text):
        noun, colour = found["n"] or found["m"], found["v"] or found["w"]
        who = _chinese_owner(text, sentence, found)
        if who is not None and not telling.is_spoken(sentence.start + found.start()):
            named_group = "v" if found["v"] else "w"
            plain = _ZH_PLAIN.get(colour, colour)
            yield _said(text, sentence, _ZH_NOUN[noun[0]], who, plain, found.span(named_group))
    for found in _ZH_HAND.finditer(sentence.text):
        value = {"左撇子": "left", "右撇子": "right"}.get(found["v"])
        topic = "hand" if value else "body"
        yield _said(text, sentence, topic, text.who(found["p"]), value or found["v"], found.span("v"))
    for found in _AGE_ZH.finditer(sentence.text):
        named = "v" if found["v"] else "w"
        age = chinese_number(found[named])
        if age is not None:
            yield _said(
                text, sentence, "age", text.who(found["p"] or found["q"]), str(age), found.span(named)
            )


def _chinese_owner(text: MarkedText, sentence: MarkedClause, found: re.Match[str]) -> str | None:
    """Whose a trait is, from what stands around it in the sentence."""
    before = sentence.text[: found.start()]
    of = _ZH_OF.match(sentence.text, found.end()) if found["n"] else None
    lead = of or _ZH_LEAD.search(before)
    same = _ZH_SAME.search(before) if lead is None else None
    if same is not None and not _ZH_SEEN.search(same["b"]):
        lead = same
    if lead is not None:
        return text.who(lead["p"])
    named = people_in(text, before)
    if _ZH_HIS.search(before):
        return sentence.topic or None if not named else named[0] if len(named) == 1 else None
    return named[0] if len(named) == 1 and _ZH_NEXT.search(before) else None


def _said(
    text: MarkedText,
    sentence: MarkedClause,
    topic: str,
    who: str,
    value: str,
    span: tuple[int, int],
    other: str = "",
) -> Assertion:
    start, end = (text.origin(sentence.start + place) for place in span)
    return Assertion(topic, who, value, start, end, other)


def plain_trait(words: str, language: Language) -> str:
    """Return the plain value of a trait that an author describes in words; empty if it has none."""
    if language == "zh":
        found = re.search(_ZH_COLOURS, words)
        return "" if found is None else _ZH_PLAIN.get(found[0], found[0])
    named = re.search(rf"\b(?:{_COLOURS})\b", words.lower())
    if named is not None:
        return _PLAIN.get(named[0], named[0])
    return next((value for word, (_, value) in _BUILD.items() if word in words.lower()), "")
