"""Ranks and titles that a text gives somebody, and how they come by new ones.

`other` of such an assertion is `CHANGED` if the text tells that somebody has it from now on; the value is
empty if it does not say what they are from then on. Ranks that somebody once had or hopes for are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.ranks import LADDERS, ladder_of, pattern, plain_rank
from fabula.consistency.readers.sentences import MarkedClause, Telling
from fabula.consistency.reading import Assertion, KnownPeople

CHANGED = "changed"
_MARK = re.compile(f"[{NAMES}]")


def _en(group: str) -> str:
    return rf"(?:(?:lieutenant|major|vice|rear|brigadier|field)-)?(?P<{group}>{pattern('en')})\b"


def _zh(group: str) -> str:
    return f"(?P<{group}>{pattern('zh')})"


_END = (
    r"(?=\s*[.,;:!?—–”\"]|\s+(?:in|of|and|who|at|for|by|under|when|then|now|with|from|on|but|since|"
    r"that|should|here|"
    r"there|again|after)\b)"
)
_A = r"(?:an?|the)\s+(?:(?!good|true|perfect|sort|kind|future|retired|former|late|mere)[a-z-]+\s+){0,2}?"
# Captain Brown; Dr. Brown; Captain John Brown
_BEFORE_EN = re.compile(
    rf"(?<!Mrs\.\s)(?<!Mrs\s)(?<!Madame\s)(?<!Miss\s)(?<!Lady\s)\b(?:(?:Lieutenant|Major|Vice|Rear|"
    rf"Brigadier|Field)[-\s])?"
    rf"(?P<v>{pattern('en', capital=True)})\b\.?\s+(?:[A-Z][\w’'-]+\s+)?(?P<p>[{NAMES}])"
)
_OWN_EN = re.compile(rf"(?P<v>{pattern('en', capital=True)})\b\.?\s+\w")
_TOLD_EN = re.compile(
    rf"(?P<p>[{NAMES}]),?\s+(?:(?:who\s+)?(?:was|is)|being)\s+(?:after\s+all\s+|only\s+|just\s+|"
    rf"still\s+)?{_A}{_en('v')}{_END}|"
    rf"(?P<q>[{NAMES}])\s+ha[ds]\s+(?:long\s+|always\s+)?been\s+{_A}{_en('w')}\s+(?:for|since)\b|"
    rf"(?P<r>[{NAMES}]),\s+{_A}{_en('x')}(?=\s*[,.;])|"
    rf"\b[Tt]he\s+{_en('y')}(?:\s+(?P<s>[{NAMES}])|,\s+(?P<t>[{NAMES}]),(?!\s+(?:and|the|an?)\b))|"
    rf"\b[Aa]s\s+an?\s+{_en('z')},\s+(?P<u>[{NAMES}])|"
    rf"(?P<k>[{NAMES}])(?:['’]s\s+[a-z]+|"
    rf"\s+[a-z]+(?:\s+[a-z]+){{0,3}}?)\s+as\s+(?:only\s+)?an?\s+{_en('a')}"
    rf"(?=\s*[.,;]|\s+(?:should|was|in|of|can|could)\b)|"
    rf"\b(?:better|finer|braver|worse|greater)\s+{_en('b')}\s+than\s+(?P<l>[{NAMES}])|"
    # Ilse was the Duchess of Harrow; everybody addressed Dorian as Bishop
    rf"(?P<n>[{NAMES}])(?:,|,?\s+(?:who\s+)?(?:was|is))\s+(?:the|"
    rf"an?)\s+(?P<d>{pattern('en', capital=True)})\s+of\s+[A-Z]|"
    rf"\b(?:addressed|called|styled|titled|"
    rf"saluted)\s+(?P<o>[{NAMES}])\s+(?:as\s+)?(?:the\s+)?(?P<e>{pattern('en', capital=True)})(?=\s*[.,;!])|"
    rf""
    rf""
    rf"(?P<m>[{NAMES}])\s+(?:held|had|bore|kept)\s+the\s+(?:rank|title)\s+of\s+(?:an?\s+)?{_en('c')}"
)
_CHANGED_EN = re.compile(
    rf"(?P<p>[{NAMES}])\s+(?:(?:was|is|had\s+been|has\s+been|got)\s+(?:(?:soon|then|now|at\s+last)\s+)?"
    r"(?:promoted|made|raised|appointed|created|named|gazetted|commissioned|elected|elevated|ordained|"
    r"consecrated|"
    r"crowned|reduced|demoted|degraded)|(?:had\s+|has\s+)?(?:since\s+)?bec[oa]mes?)\s+"
    rf"(?:to\s+)?(?:be\s+)?(?:the\s+(?:rank|post|title)\s+of\s+)?(?:an?\s+|"
    rf"the\s+)?(?:[a-z-]+\s+)?{_en('v')}|"
    rf"\b(?:made|makes?|appointed|promoted|created|raised|dubbed|named|elected|crowned|"
    rf"proclaimed)\s+(?P<q>[{NAMES}])\s+"
    rf"(?:to\s+)?(?:be\s+)?(?:an?\s+|the\s+)?(?:(?:rank|post|title)\s+of\s+)?(?:an?\s+)?{_en('w')}|"
    rf"(?P<r>[{NAMES}])(?:,\s+who)?\s+(?:was|is)\s+(?:now|already|by\s+then|by\s+now)\s+{_A}{_en('x')}|"
    rf"(?P<s>[{NAMES}])(?:,\s+who)?\s+(?:was|is)\s+{_A}{_en('y')},?\s+(?:now|by\s+(?:then|now|"
    rf"that\s+time))\b"
)
_PROMOTED_EN = re.compile(
    rf"(?P<p>[{NAMES}])\s+(?:was|had\s+been|has\s+been|got)\s+(?:promoted|demoted|knighted|ennobled|"
    rf"cashiered)\b|"
    rf"(?P<q>[{NAMES}])['’]s\s+(?:promotion|demotion|elevation|appointment|commission)\b|"
    rf"(?P<r>[{NAMES}])\s+(?:got|gained|won|received|obtained)\s+(?:his|her|a)\s+(?:promotion|"
    rf"commission|knighthood|title)\b"
)
_PAST_EN = re.compile(
    r"\b(?:[Ww]hen|[Ww]hile|[Bb]efore|[Ll]ong\s+ago|[Oo]nce|[Ff]ormerly|[Ii]f|ago|[Ii]n\s+those\s+days|"
    r"[Ii]n\s+(?:his|her)\s+youth|"
    r"[Aa]s\s+(?:though|if)|[Ww]hether|[Ii]magined?|[Dd]reamt?|[Pp]retend(?:ed|ing)?)\b"
)

_CLOSE = "(?=[，。；！？、：…”\\s]|$|已|多年|出身)"
_FILL = "(?:了)?(?:一?[名位个]|[^，。！？；：“”的了是不非假前副故]{0,4})"
_BEFORE_ZH = re.compile(
    rf"(?<![告诉禀报知启请劝问副原前故假])(?:大)?{_zh('v')}(?P<p>[{NAMES}])(?!的?(?:{pattern('zh')}))"
)
_AFTER_ZH = re.compile(
    rf"(?P<p>[{NAMES}])(?:大|老)?{_zh('v')}(?![府印之衙夫家职位令帐营处们身]|大印|"
    rf"大人们)"
)
_OWN_ZH = re.compile(rf"(?P<v>{pattern('zh')})$")
_TOLD_ZH = re.compile(
    rf"(?P<p>[{NAMES}])(?:，)?(?:身为|身居|官居|现为|现任|时任|贵为|不愧是|不愧为|到底是|毕竟是|终究是|"
    rf"乃是|就是|正是|原是|便是|乃|是|做|当|任)"
    rf"{_FILL}{_zh('v')}{_CLOSE}|"
    rf"(?:身为|贵为|作为){_zh('w')}(?:的|，)(?P<q>[{NAMES}])|"
    rf"[那这][名位个]?{_zh('x')}(?:，)?(?:正|便|就|乃)是(?P<r>[{NAMES}])|"
    rf"(?P<s>[{NAMES}])(?:这|那)(?:一)?[个名位]{_zh('y')}|"
    rf"(?P<u>[{NAMES}])的(?:军衔|官职|官衔|职位|职务|头衔|爵位|封号)(?:是|为|"
    rf"乃)[^，。！？；：“”了不]{{0,4}}?{_zh('a')}{_CLOSE}|"
    rf"(?P<k>[{NAMES}])在[^，。！？；：“”{NAMES}]{{1,8}}(?:当|任|做)(?:着|个|一名)?{_zh('b')}{_CLOSE}|"
    rf"(?:请|找|召|唤|宣|见过|拜见|参见)(?P<l>[{NAMES}]){_zh('c')}{_CLOSE}|"
    rf"尊(?P<m>[{NAMES}])为{_zh('d')}|"
    rf"(?P<t>[{NAMES}])以{_zh('z')}(?:的|之)?(?:身份|身分|名义|尊)"
)
_CHANGED_ZH = re.compile(
    rf"(?P<p>[{NAMES}])(?:[已又遂便被乃即就也后来因功如今现在终于这时此时已经从此]{{0,6}})"
    r"(?:升任|升为|升作|升了|升|晋升为?|晋为?|擢升?为?|拜为?|封为|封了|封|授为?|授予|加封为?|加|迁|"
    r"任命为|任命|委任为|做了|当了|当上了?|做上了?|"
    r"受封|受封为|册封为|获封|成了|成为|做到|降为|贬为|继任|接任|就任|升到|出任|改任|调任|充任)"
    rf"(?:[^，。！？；：“”{NAMES}]{{0,6}}?){_zh('v')}|"
    rf"(?:封|拜|升|命|任命|委任|加封|加|表|举|荐|保举|保奏|擢|擢升|以|令|使|着|立|改任|授|诏|尊|推举|推|"
    rf"提拔|提升)(?P<q>[{NAMES}])"
    rf"(?:[^，。！？；：“”{NAMES}]{{0,6}}?){_zh('w')}|"
    rf"(?P<r>[{NAMES}])(?:如今|现在|已经|已|眼下|这时|此时){{1,2}}(?:也)?(?:是|做|当|任|"
    rf"为){_FILL}{_zh('x')}"
)
_PROMOTED_ZH = re.compile(
    rf"(?P<p>[{NAMES}])[^，。！？；：“”{NAMES}]{{0,4}}(?:升了?官|升迁|升职|晋升|加官|罢官|革职|免职|"
    rf"被贬|贬官|辞官|丢了官|撤职|降职)"
)
_PAST_ZH = re.compile(
    "当年|从前|昔日|以前|曾经|曾|当过|做过|时候|那时|若|如果|假如|倘|要是|装作|冒充|假扮|扮作|"
    "想[做当]|要[做当]"
)


def ranks(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield the ranks and titles that a text gives somebody, and their promotions."""
    read = _chinese if cast.language == "zh" else _english
    for one in read(text, Telling(text)):
        yield from one


def _english(text: MarkedText, telling: Telling) -> Iterator[Iterator[Assertion]]:
    for found in _BEFORE_EN.finditer(text.marked):
        yield _said(text, found, 0)
    yield _in_names(text, _OWN_EN)
    for sentence in filter(_names_somebody, telling.sentences()):
        changed = [found.span() for found in _CHANGED_EN.finditer(sentence.text)]
        for found in _CHANGED_EN.finditer(sentence.text):
            yield _said(text, found, sentence.start, CHANGED)
        for found in _PROMOTED_EN.finditer(sentence.text):
            yield _promoted(text, found, sentence.start)
        for found in _TOLD_EN.finditer(sentence.text):
            is_past = _PAST_EN.search(sentence.text[: found.end()])
            is_told = not is_past and not telling.is_spoken(sentence.start + found.start())
            if is_told and not _is_within(found, changed):
                yield _said(text, found, sentence.start)


def _chinese(text: MarkedText, telling: Telling) -> Iterator[Iterator[Assertion]]:
    yield _in_names(text, _OWN_ZH)
    for sentence in filter(_names_somebody, telling.sentences()):
        changed = [found.span() for found in _CHANGED_ZH.finditer(sentence.text)]
        for found in _CHANGED_ZH.finditer(sentence.text):
            yield _said(text, found, sentence.start, CHANGED)
        for found in _PROMOTED_ZH.finditer(sentence.text):
            yield _promoted(text, found, sentence.start)
        is_past = bool(_PAST_ZH.search(sentence.text))
        for found in _TOLD_ZH.finditer(sentence.text):
            if not is_past and not _is_within(found, changed):
                yield _said(text, found, sentence.start)
        for near in (_BEFORE_ZH, _AFTER_ZH):
            for found in near.finditer(sentence.text):
                if not _is_within(found, changed):
                    yield _said(text, found, sentence.start)


def _names_somebody(sentence: MarkedClause) -> bool:
    return _MARK.search(sentence.text) is not None


def _is_within(found: re.Match[str], spans: list[tuple[int, int]]) -> bool:
    return any(start < found.end() and found.start() < end for start, end in spans)


def _groups(found: re.Match[str]) -> tuple[str, str]:
    """The groups of a pattern that found a person and a rank; they are alternatives."""
    named = [key for key, value in found.groupdict().items() if value]
    person = next(key for key in named if "\ue000" <= found[key] <= "\uf7ff")
    return person, next(key for key in named if key != person)


def _said(text: MarkedText, found: re.Match[str], shift: int, other: str = "") -> Iterator[Assertion]:
    person, rank = _groups(found)
    start, end = (text.origin(shift + place) for place in found.span(rank))
    value = plain_rank(found[rank])
    yield Assertion(ladder_of(value), text.who(found[person]), value, start, end, other)


def _promoted(text: MarkedText, found: re.Match[str], shift: int) -> Iterator[Assertion]:
    person = next(one for one in found.groups() if one)
    start, end = (text.origin(shift + place) for place in found.span())
    for ladder in LADDERS:
        yield Assertion(ladder, text.who(person), "", start, end, CHANGED)


def _in_names(text: MarkedText, own: re.Pattern[str]) -> Iterator[Assertion]:
    """The ranks that are part of a name as it stands in the text."""
    for found in _MARK.finditer(text.marked):
        name = text.plain(found.start(), found.end())
        rank = own.search(name)
        if rank is not None:
            value, first = plain_rank(rank["v"]), text.origin(found.start())
            start, end = (first + place for place in rank.span("v"))
            yield Assertion(ladder_of(value), text.who(found[0]), value, start, end)
