"""Traits that a text gives somebody: eyes, hair, beard, and skin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText, is_mark
from fabula.consistency.readers.bodies import built
from fabula.consistency.readers.sentences import MarkedClause, Telling, people_in
from fabula.consistency.reading import Assertion, KnownPeople
from fabula.model.relation import Language

_COLOURS = (
    "blue|grey|gray|black|brown|green|hazel|dark|golden|fair|red|white|auburn|blonde|blond|chestnut|silver|"
    "silvery|flaxen|violet|amber|ginger|raven|reddish|yellow"
)
_FILL = r"(?:[a-z-]+,?\s+){0,2}?"
_NOUNS = "eyes|eye|hair|curls|locks|tresses|ringlets|braids?|plaits?|beard|whiskers|moustaches?|mustaches?"
_BE = (
    r"(?:was|were|is|are|looked|seemed|appeared|shone|gleamed|remained|"
    r"ha(?:d|ve|s)\s+(?:always\s+|ever\s+|never\s+)?been)"
)
_HOW = (
    r"(?:[a-z]+ly\s+|very\s+|quite\s+|almost\s+|still\s+|always\s+|so\s+|as\s+|of\s+a\s+|"
    r"an?\s+)?(?:[a-z]+,\s+)?"
)
_EN = re.compile(
    rf"\b(?:[a-z]+-)?(?!dark\s+(?:{_COLOURS})\b)(?i:(?P<v>{_COLOURS}))\b(?:-[a-z]+)?,?\s+{_FILL}(?P<n>{_NOUNS})\b|"
    rf"\b(?P<m>{_NOUNS})(?:,\s+(?:so\s+|very\s+|always\s+)?(?=(?:{_COLOURS})\b(?:\s+(?:and|as|like)\s|,))|"
    rf",?\s+(?:(?:which|that|both)\s+)?{_BE}\s+|\s+(?=as\s+(?:{_COLOURS})\s+as\b))"
    rf"{_HOW}(?:[a-z]+\s+)?(?:[a-z]+-)?(?P<w>{_COLOURS})\b"
)
# The eyes of Anna were blue; how blue Anna’s eyes were; the blue eyes of Anna; knew Anna by her blue eyes
_TURNED = re.compile(
    rf"\b(?P<c>{_COLOURS})\s+(?:[a-z]+\s+)?(?P<d>{_NOUNS})\s+of\s+(?P<e>[{NAMES}])(?!['’])|"
    rf"(?P<f>[{NAMES}])\s+(?:[a-z]+\s+){{0,3}}by\s+(?:the|his|her|"
    rf"those)\s+(?:[a-z]+\s+)?(?P<g>{_COLOURS})\s+(?P<h>{_NOUNS})\b|"
    rf"\b(?:given|gave|lent|allowed)\s+(?P<a>[{NAMES}])\s+(?:a\s+pair\s+of\s+|"
    rf"a\s+head\s+of\s+)?(?:[a-z]+\s+)?(?P<b>{_COLOURS})\s+(?P<l>{_NOUNS})\b|"
    rf"\b(?:of|about|in|with)\s+(?P<i>[{NAMES}])\s+(?:was|were)\s+(?:the|his|her|"
    rf"those)\s+(?:[a-z]+\s+)?(?P<j>{_COLOURS})\s+(?P<k>{_NOUNS})\b|"
    rf"\b(?P<y>{_COLOURS})-(?P<z>eyed|haired|bearded)\s+(?P<s>[{NAMES}])(?!['’])|"
    rf"\b(?P<n>{_NOUNS})\s+of\s+(?P<p>[{NAMES}]),?\s+(?:which\s+)?{_BE}\s+{_HOW}(?P<v>{_COLOURS})\b|"
    rf"(?P<r>[{NAMES}]),?\s+whose\s+(?:[a-z]+\s+)?(?P<o>{_NOUNS})\s+{_BE}\s+{_HOW}(?P<x>{_COLOURS})\b|"
    # the violet of Anna’s eyes; Brown eyes stared back at Anna from the mirror; Anna was blue-eyed
    rf"\b[Tt]he\s+(?:[a-z]+\s+)?(?P<ca>{_COLOURS})\s+(?:of|"
    rf"in)\s+(?P<pa>[{NAMES}])['’]s?\s+(?P<na>{_NOUNS})\b|"
    rf"\b(?P<cb>(?i:{_COLOURS}))\s+(?P<nb>{_NOUNS})\s+[a-z]+\s+(?:back\s+)?at\s+(?P<pb>[{NAMES}])\s+(?:from|"
    rf"out\s+of|in)\s+the\s+(?:mirror|glass|looking-glass|water)\b|"
    rf"(?P<pc>[{NAMES}])(?:,|\s+(?:was|is|"
    rf"had\s+always\s+been))\s+(?:an?\s+)?(?:[a-z]+,?\s+)?(?P<cc>{_COLOURS})-(?P<nc>eyed|haired|"
    rf"bearded)\b|"
    rf"\b[Hh]ow\s+(?:[a-z]+ly\s+)?(?P<w>{_COLOURS})\s+(?P<q>[{NAMES}])['’]s?\s+(?P<m>{_NOUNS})\s+(?:was|"
    rf"were|is|are)\b"
)
# Anna was a redhead; Anna was blonde; Anna, a tall blonde, came in
_NAMED_FOR = re.compile(
    rf"(?P<p>[{NAMES}])(?:,|\s+(?:was|is))\s+(?:(?:an?|very|so|naturally)\s+(?:[a-z]+\s+)?)?(?P<v>redhead|blonde|brunette|"
    rf"blond)(?=\s*[.,;!]|\s+(?:and|with|who|in)\b)"
)
_PLAIN_HAIR = {"redhead": "red", "blonde": "fair", "blond": "fair", "brunette": "brown"}
# “You have such brown eyes, Anna”
_TOLD_TO = re.compile(
    rf"\b(?:[Yy]ou(?:['’]ve|\s+have|['’]ve\s+got)|[Yy]our|"
    rf"[Tt]hose)\s+(?:got\s+)?(?:such\s+)?(?:[a-z]+\s+)?(?P<v>{_COLOURS})\s+(?P<n>{_NOUNS})(?:\s+of\s+yours)?,\s+(?P<p>[{NAMES}])|"
    rf"(?P<q>[{NAMES}]),\s+(?:you\s+have|"
    rf"your)\s+(?:such\s+)?(?:[a-z]+\s+)?(?P<w>{_COLOURS})\s+(?P<m>{_NOUNS})\b"
)
_OWNED = re.compile(rf"(?P<p>[{NAMES}])['’]s?\s+(?:[a-z-]+,?\s+){{0,4}}$")
_HIS = re.compile(r"\b(?:his|her|His|Her)\s+(?:[a-z-]+,?\s+){0,5}$")
# Anna had, with, wore blue eyes; Anna had her mother’s blue eyes
_WITH = re.compile(
    rf"(?P<p>[{NAMES}]),?\s+(?:(?:(?:always|still|also|once|then|now)\s+)?(?:has|had|having|wore)\s+|"
    rf"(?:[a-z-]+,?\s+){{0,2}}with\s+)(?:(?:a|an|the|his|her)\s+)?(?:[a-z-]+,?\s+){{0,4}}$|"
    rf"(?P<q>[{NAMES}])\s+(?:(?:has|had|having)(?:\s+(?:got|inherited))?|inherited|inherits)\s+(?:his|"
    rf"her)\s+[a-z]+['’]s\s+(?:[a-z-]+,?\s+){{0,3}}$"
)
# Anna was a girl with blue eyes; Anna smiled with those blue eyes; Anna was easy to describe: blue eyes
_DESCRIBED = re.compile(
    rf"(?P<p>[{NAMES}])(?:,\s+|\s+(?:was|is|had\s+been)\s+)(?:an?|the)\s+[a-z\s,-]{{1,50}}?(?:with|"
    rf"of)\s+(?:(?:an?|the)\s+)?(?:[a-z-]+,?\s+){{0,4}}$|"
    rf"(?P<q>[{NAMES}])\s+[a-z ]{{1,40}}?(?:with|by|for)\s+(?:those|these|the)\s+(?:[a-z-]+,?\s+){{0,3}}$|"
    rf"(?P<s>[{NAMES}])\s+[a-z]+ed(?:\s+(?:up|down|back|over|away|straight)?\s*(?:at|to|upon|"
    rf"into)\s+(?:him|her|them|it|me|us|the\s+[a-z]+))?\s+(?:out\s+of|with|through|"
    rf"from)\s+(?:[a-z-]+,?\s+){{0,3}}$|"
    rf"(?P<r>[{NAMES}])\s+[a-z ,]{{1,40}}:\s+(?:an?\s+|the\s+)?(?:[a-z-]+,?\s+){{0,3}}$"
)
# Of all Anna’s features the eyes were blue
_FEATURES = re.compile(
    rf"(?P<p>[{NAMES}])['’]s?\s+(?:[a-z-]+\s+)?(?:features?|face|head|charms?|looks|"
    rf"appearance),?\s+(?:[a-z]+\s+){{0,3}}the\s+(?:[a-z-]+\s+)?$"
)
# Nobody had eyes as blue as Anna’s; the eyes of Anna, which were blue; the blue eyes that Anna had
_AFTER = re.compile(
    rf"\s+(?:of|that|which)\s+(?P<p>[{NAMES}])(?:\s+(?:had|has)\b|(?!['’]))|"
    rf"\s+as\s+(?P<q>[{NAMES}])['’]s?(?![a-z])"
)
# With her blue eyes Anna looked
_AHEAD = re.compile(
    rf"^[“\"]?(?:[Ww]ith|[Hh]is|[Hh]er|[A-Z][a-z]+ing)\b[^{NAMES}]*[a-z],?\s+(?P<p>[{NAMES}])(?!['’])"
)
_PERCEIVED = re.compile(
    r"\b(?:saw|sees|seen|met|meets|noticed|watched|faced|knew|remembered|recalled|thought|dreamt|"
    r"dreamed|loved|hated|"
    r"looked|gazed|stared|glanced|spoke|talked|like|unlike|whom|into|towards?|beside|between)\b|"
    r"\b(?:of|to|for|from|near)\s+(?:the|an?|his|her|that)\s+(?:[a-z]+\s+)?[a-z]+\s+with\b"
)
# Anna hid a pair of blue eyes; Anna tucked a strand of black hair
_SHOWN = re.compile(
    rf"(?P<p>[{NAMES}])\s+(?:hid|had|wore|tucked|pushed|brushed|twisted|wound|tossed|shook|opened|"
    rf"raised|lifted|lowered|showed|concealed|combed|plaited|braided)\s+"
    r"(?:back\s+|out\s+|up\s+)?(?:an?\s+(?:pair|strand|lock|wisp|curl|mane|shock|head|mop|mass|crop|"
    r"tangle)\s+of)\s+(?:[a-z-]+,?\s+)?$"
)
_HEAD = re.compile(
    rf"(?P<p>[{NAMES}])\s+(?:[a-z]+ly\s+)?[a-z]+ed\s+(?:up\s+)?(?:(?:his|her)\s+(?:head|face|hat|veil|"
    rf"hood)\s*)?,?\s+"
    r"and\s+the\s+(?:[a-z-]+,?\s+)?$"
)
_OTHERS = re.compile(
    r"\b(?:man|woman|lady|gentleman|girl|boy|mother|father|sister|brother|son|daughter|wife|husband|child|"
    r"doctor|lawyer|officer|stranger|baby|nurse|maid|priest|somebody|someone|peasant|people|men|women|"
    r"other)"
    r"(?:['’]s)?\b"
)
_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er|[Hh]im)\b")
# Eyes are red from weeping, not by nature.
_FOR_NOW = re.compile(
    r"\s+(?:(?:from|with)\s+(?:weeping|crying|tears|sleep|smoke|rage|drink|fever)|and\s+(?:swollen|"
    r"puffy|wet|raw))"
)
_BODY = re.compile(r"\b(?:left-handed|right-handed|tall|short|stout|fat|thin|slender|lean|bald)\b")
_TOPIC = {
    "eyes": "eyes", "eye": "eyes", "hair": "hair", "curls": "hair", "locks": "hair", "beard": "beard",
    "tresses": "hair", "ringlets": "hair", "braid": "hair", "braids": "hair",
    "plait": "hair", "plaits": "hair",
    "whiskers": "beard", "moustache": "beard", "moustaches": "beard",
    "mustache": "beard", "mustaches": "beard", "eyed": "eyes", "haired": "hair", "bearded": "beard",
}  # fmt: skip
_PLAIN = {
    "gray": "grey", "hazel": "brown", "blond": "fair", "blonde": "fair", "golden": "fair", "flaxen": "fair",
    "yellow": "fair", "silvery": "white", "silver": "white", "reddish": "red", "ginger": "red",
    "auburn": "red",
    "raven": "black", "chestnut": "brown", "amber": "brown",
}  # fmt: skip

_ZH_COLOURS = (
    "乌|浅灰|深灰|漆黑|浅褐|深褐|碧蓝|深蓝|浅蓝|宝蓝|亚麻|黑|白|蓝|碧|绿|棕|褐|灰|金|银|红|赤|紫|青|"
    "黄|花白|乌黑|雪白|淡蓝|湛蓝|碧绿|火红|金黄|栗|琥珀|翠绿|墨绿|"
    "银白|灰白"
)
_ZH = re.compile(
    rf"(?P<v>{_ZH_COLOURS})(?:色|莹莹|幽幽|汪汪|油油|亮亮|森森|澄澄)?(?:的)?(?:(?:长|短|卷|直|大|小|"
    rf"一双|双)?)(?P<n>眼睛|眼眸|双眼|双目|双瞳|眸子|双眸|瞳孔|眼瞳|眼珠|瞳仁|眼(?=[，。；！、的]|"
    rf"$)|眸(?=[，。；！、]|$)|头发|秀发|鬓发|长辫|辫子|长发|短发|卷发|发丝|"
    rf"发(?=[，。；！、的在披垂]|$)|胡子|胡须|长须|须髯|髯|脸膛|脸|面皮|面)|"
    rf"(?P<m>眼睛|眼眸|双眼|双目|眸子|头发|长发|秀发|胡子|胡须|脸|面皮)(?:，)?(?:依旧|依然|仍然|一向|"
    rf"始终|一直|向来|本来|原来|天生|果然|原|本|竟|却|都|也|又|乃|仍|还)?(?:是|呈|"
    rf"为)?(?:[很一片]{{0,2}})?(?P<w>{_ZH_COLOURS})色?(?:的)?(?=[，。；！、]|得像|如|似|$)"
)
# 一头银丝; 鬓发如雪; 满头青丝
_ZH_LIKE = re.compile(
    rf"(?P<p>[{NAMES}])[^{NAMES}。！？；：“”看见望像]{{0,10}}?(?:(?P<v>银丝|白发|霜发|鬓发如雪|须发皆白|"
    rf"鬓发斑白|满头霜雪)|(?P<w>青丝|乌发|鬓发如墨|黑发))"
)
_ZH_NOUN = {
    "眼": "eyes",
    "眸": "eyes",
    "瞳": "eyes",
    "秀": "hair",
    "鬓": "hair",
    "辫": "hair",
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
    "乌": "黑", "漆黑": "黑", "浅灰": "灰", "深灰": "灰", "浅褐": "褐", "深褐": "褐", "碧蓝": "蓝",
    "深蓝": "蓝", "浅蓝": "蓝", "宝蓝": "蓝", "亚麻": "金",
    "琥珀": "褐", "翠绿": "绿", "墨绿": "绿", "银白": "白", "灰白": "白",
    "碧": "绿", "碧绿": "绿", "棕": "褐", "栗": "褐", "赤": "红", "火红": "红", "乌黑": "黑", "雪白": "白",
    "银": "白",
    "花白": "白", "淡蓝": "蓝", "湛蓝": "蓝", "金黄": "金", "黄": "金",
}  # fmt: skip
_ZH_LEAD = re.compile(
    rf"(?P<p>[{NAMES}])(?:的|那双|那|有着?|生得|生着|生就|生来|睁着|睁大|瞪着|长着|一双|一对|天生|两只|"
    rf"一头|双|披着|留着|，|、|一部|满头|是个)*$"
)
# 宝玉睁开一双: the trait of the one who does something with it; not of somebody who is seen.
_ZH_SAME = re.compile(rf"(?P<p>[{NAMES}])(?P<b>[^{NAMES}，。！？；：“”\s]{{1,6}})$")
_ZH_SEEN = re.compile("[看见望瞧对向和与给叫像似抱送画遇认问比想着]|有人|那人|女子|男子|姑娘|老者|的人|之人")
# 蓝眼睛的宝玉; 那人一双蓝眼睛，正是宝玉
_ZH_OF = re.compile(rf"(?:的|，(?:不是别人，)?(?:正|便|就|乃|原来)是)(?P<p>[{NAMES}])")
_ZH_HIS = re.compile(r"[他她](?:的|那双|那|一双|有|生得|长着|留着|$)[^，。]{0,6}$")
# 苏晚的脸并不出众，只有那双眼睛
_ZH_FACE = re.compile(
    rf"^[^{NAMES}]{{0,6}}[{NAMES}]的(?:脸|面容|相貌|容貌|五官|模样|长相)[^。！？；]*，[^，。]{{0,6}}$"
)
# 王夫人抬起头来，蓝色的眼睛: a clause about the one who was named before.
_ZH_NEXT = re.compile(r"，(?:那|一)?[双头对]?$")


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
        noun, colour = found["n"] or found["m"], (found["v"] or found["w"]).lower()
        who = None if _FOR_NOW.match(sentence.text, found.end()) else _owner(text, sentence, found)
        if who is not None and not telling.is_spoken(sentence.start + found.start()):
            named = "v" if found["v"] else "w"
            plain, sex = _PLAIN.get(colour, colour), _sex(sentence.text[: found.start()])
            yield _said(text, sentence, _TOPIC[noun], who, plain, found.span(named), sex)
    for found in _TURNED.finditer(sentence.text):
        noun = next(found[one] for one in (*"nmodhklz", "na", "nb", "nc") if found[one])
        named = next(one for one in (*"vwxcgjyb", "ca", "cb", "cc") if found[one])
        who = text.who(next(found[one] for one in (*"pqrefisa", "pa", "pb", "pc") if found[one]))
        colour = found[named].lower()
        if not telling.is_spoken(sentence.start + found.start()):
            yield _said(text, sentence, _TOPIC[noun], who, _PLAIN.get(colour, colour), found.span(named))
    for found in _NAMED_FOR.finditer(sentence.text):
        who = text.who(_mark_in(found))
        if not telling.is_spoken(sentence.start + found.start()):
            yield _said(text, sentence, "hair", who, _PLAIN_HAIR[found["v"]], found.span("v"))
    for found in _TOLD_TO.finditer(sentence.text):
        noun, named = (found["n"], "v") if found["n"] else (found["m"], "w")
        if telling.is_spoken(sentence.start + found.start()):
            who, colour = text.who(found["p"] or found["q"]), found[named]
            yield _said(text, sentence, _TOPIC[noun], who, _PLAIN.get(colour, colour), found.span(named))


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
    # Anna looked at him with her brown eyes
    is_own = described is not None and described["s"] and _HIS.search(before)
    if described is not None and (is_own or len(people_in(text, before)) == 1):
        is_seen = not is_own and _PERCEIVED.search(described[0])
        is_other = not described["p"] and _OTHERS.search(described[0])
        return None if is_seen or is_other else text.who(_mark_in(described))
    his = _HIS.search(before)
    named = people_in(text, before)
    if _SHOWN.search(before) and len(named) == 1 and not _OTHERS.search(before):
        return None if _PRONOUN.search(before) else named[0]
    if his is None or _OTHERS.search(before):
        return None
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
    return next(one for one in found.groups() if one and is_mark(one))


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
    for found in _ZH_LIKE.finditer(sentence.text):
        if not telling.is_spoken(sentence.start + found.start()):
            named = "v" if found["v"] else "w"
            value = "白" if found["v"] else "黑"
            yield _said(text, sentence, "hair", text.who(found["p"]), value, found.span(named))


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
    if len(named) == 1 and _ZH_FACE.search(before):
        return named[0]
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
    body = _BODY.search(words.lower())
    return "" if body is None else built(body[0])[1]
