"""Facts about people that an English sentence states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fabula.extraction.facts.stated_fact import StatedFact
from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.sentence import NAMES, PERSON, Sentence
from fabula.extraction.wordlist import word_set

_PEOPLE = word_set("""
    man woman gentleman lady girl boy child youth person fellow creature old-man widow widower orphan
    bachelor spinster peasant servant maid footman valet butler coachman cook nurse governess tutor teacher
    professor student scholar pupil doctor physician surgeon lawyer judge notary clerk secretary officer
    soldier captain colonel general major lieutenant sergeant commander admiral sailor cadet hussar
    guardsman priest bishop monk nun abbess sister curate vicar pastor deacon king queen prince princess
    duke duchess count countess baron baroness marquis earl lord emperor empress knight squire merchant
    banker shopkeeper innkeeper farmer landowner steward bailiff gardener miller smith carpenter mason
    painter artist musician singer actor actress dancer poet writer author journalist editor philosopher
    scientist engineer convict thief robber murderer bandit beggar vagabond gamin prisoner spy policeman
    inspector detective minister ambassador diplomat senator deputy mayor governor president chairman member
    official magistrate councillor councilor friend companion comrade enemy rival neighbour neighbor
    relation relative cousin uncle aunt nephew niece guest stranger foreigner native hero heroine leader
    chief master mistress pupil apprentice disciple follower favourite favorite beauty belle coquette flirt
    wit rogue scoundrel rascal genius saint sinner fool drunkard gambler sportsman hunter wife husband
    mother father son daughter brother sister grandmother grandfather fiancé fiancée lover bride bridegroom
    heir heiress guardian ward partner colleague agent porter portress waiter driver guide messenger courier
    page baby infant grandson granddaughter stepmother stepson specimen type figure personage gentlewoman
    nobleman aristocrat revolutionist royalist bonapartist democrat grisette workman workwoman laundress
    seamstress grave-digger gravedigger bourgeois usher ragpicker peer inspector jailer gendarme
    quartermaster ensign cornet horse mare dog
""")  # fmt: skip
_ENDINGS = (
    "man",
    "woman",
    "maker",
    "keeper",
    "dealer",
    "seller",
    "owner",
    "holder",
    "worker",
    "smith",
    "monger",
)
_TRADES = word_set("""
    footman valet butler coachman cook nurse governess tutor professor student doctor lawyer clerk secretary
    officer captain colonel general lieutenant sergeant priest bishop monk painter singer actress poet
    writer innkeeper bailiff gardener steward landowner merchant peasant servant maid housekeeper porter
    gendarme inspector jockey trainer waiter convict notary abbé curé banker deputy senator minister
    ambassador journalist
""")
_ROLES = "|".join(sorted(_TRADES | {word for word in KIN["en"] if "-" not in word}, key=len, reverse=True))
_NO_HEAD = word_set(
    "moment day night morning evening time same other next first last latter former one thing way place "
    "house room minute"
    " hour week month year while rest whole matter fact word idea question same subject"
)
_NUMBER = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|ten|eleven|twelve|"
    r"thirteen|fourteen|"
    r"fifteen|sixteen|seventeen|eighteen|nineteen|five|six|seven|eight|nine|four|three|two)"
)
_COLOUR = (
    r"(?:(?:dark|light|bright|pale|deep|big|large|small|fine|beautiful|long|short|thick|thin|curly|"
    r"cropped|iron|clear|"
    r"shining|soft|kind|black|white|and)[\s-]+){0,2}(?:blue|grey|gray|black|brown|green|hazel|dark|"
    r"golden|fair|red|white|"
    r"auburn|blond|blonde|chestnut|silver|flaxen|curly)"
)
_CUT = re.compile(
    r"\b(?:of|with|who|whom|whose|in|from|at|to|by|for|on|and|that|which|about|between|as|so|too)\b|[,;]"
)
_BAD = re.compile(r"\b(?:only person|last|first|I|you|we|us|me|my|your|our)\b")
_P = f"(?P<p>{PERSON})"
_SAID = rf"[^{NAMES}.;:!?“”\"()—]"
_LONG = r"[^.;:!?“”\"()—]"
_NEVER = re.compile(r"\b(?:not|never|nearly|almost|if|would|might|could|should)\b")

_States = Callable[[Sentence, "re.Match[str]"], Iterator[StatedFact]]


def facts_in_english(sentence: Sentence) -> Iterator[StatedFact]:
    """The facts about people that a sentence states."""
    if not _TRIGGER.search(sentence.marked):
        return
    for pattern, states in _PATTERNS:
        for found in pattern.finditer(sentence.marked):
            yield from states(sentence, found)


def _is_person(said: str) -> bool:
    """Whether a description describes a person: its head is a word for one."""
    cut = _CUT.search(said)
    words = (said[: cut.start()] if cut else said).split()
    if not words or len(words) > 7:
        return False
    head = words[-1].strip("'’,").lower().removesuffix("’s")
    if head in _NO_HEAD:
        return False
    return head in _PEOPLE or head.removesuffix("s") in _PEOPLE or head.endswith(_ENDINGS)


def _is(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedFact]:
    said = " ".join(sentence.plain(found["d"]).split()).rstrip(",- ")
    about = _whom(sentence, found)
    if about is None:
        return
    core = _without_article(said)
    is_telling = " " in core or core in _TRADES
    if 4 <= len(said) <= 110 and is_telling and _is_person(core) and not _BAD.search(said):
        yield StatedFact(about, "who", said)


def _whom(sentence: Sentence, found: re.Match[str]) -> FoundMention | None:
    if "\ue000" <= found["p"][0] <= "\uefff":
        return sentence.mention(found["p"])
    if found["p"] == "I":
        return sentence.speaker
    return None if sentence.is_speech else sentence.topics.get("f" if found["p"] == "She" else "m")


def _without_article(said: str) -> str:
    return re.sub(r"^(?:an?|the|his|her|their)\s+", "", said, flags=re.IGNORECASE)


def _kin_of(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedFact]:
    yield StatedFact(sentence.mention(found["p"]), "who", " ".join(sentence.plain(found["d"]).split()))


def _value(kind: str) -> _States:
    def states(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedFact]:
        said = " ".join(sentence.plain(found["d"]).split())
        if said and not sentence.is_speech:
            yield StatedFact(sentence.mention(found["p"]), kind, said, said)

    return states


def _office(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedFact]:
    for fact in _value("office")(sentence, found):
        if _is_person(_without_article(fact.value)):
            yield fact


def _died(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedFact]:
    if not sentence.is_speech and not _NEVER.search(found["m"]):
        yield StatedFact(sentence.mention(found["p"]), "fate", "died", "died")


def _killed(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedFact]:
    said = f"killed by {sentence.mention(found['k']).text}"
    yield StatedFact(sentence.mention(found["p"]), "fate", said, said)


_PATTERNS: tuple[tuple[re.Pattern[str], _States], ...] = tuple(
    (re.compile(pattern), states)
    for pattern, states in (
        # Mr. Dick, a gentleman with grey hair,
        (
            rf"{_P},\s+(?P<d>(?:an?\s+|the\s+(?=[^,.;]{{0,40}}\b(?:of|who|whose)\b)){_LONG}{{3,100}}?)"
            rf"(?=,|\.|;|\Z|\s+(?:was|were|is|had|went|came|said|who)\b)",
            _is,
        ),
        (
            rf"(?:\A|[.;]\s*|,\s+and\s+)\s*(?P<p>He|She)\s+(?:was|had been)\s+(?P<d>an?\s+{_LONG}{{3,100"
            rf"}}?)(?=,|\.|;|\Z|\s+(?:and|but)\s)",
            _is,
        ),
        (
            rf"{_P},?\s+(?:was|is|had been|had become|became)\s+(?P<d>(?:an?|the)\s+{_LONG}{{3,100}}?)"
            rf"(?=,|\.|;|\Z|\s+(?:and|but)\s)",
            _is,
        ),
        (
            rf"\b(?P<d>(?:an?|the)\s+(?:[a-z-]+\s+){{0,3}}[a-z-]+)\s+(?:named|called|by the name of|"
            rf"whose name was)\s+{_P}",
            _is,
        ),
        (rf"\b(?P<p>I)\s+(?:am|was)\s+(?P<d>an?\s+{_LONG}{{3,60}}?)(?=,|\.|;|\Z|\s+(?:and|but)\s)", _is),
        (rf"\b(?P<d>(?:the|an?)\s+(?:[a-z-]+\s+){{0,2}}(?:{_ROLES}))\s+{_P}", _is),
        (rf"\b(?P<d>(?:old|young|little)\s+(?:{_ROLES})),?\s+{_P}", _is),
        (
            rf"(?P<d>{PERSON}['’]s\s+(?:[a-z-]+\s+){{0,2}}(?:{_ROLES}))(?P<c>,)?\s+{_P}(?(c)(?=[,.;]))",
            _kin_of,
        ),
        (rf"{_P},\s+(?P<d>{PERSON}['’]s\s+(?:[a-z-]+\s+){{0,2}}(?:{_ROLES}))\b", _kin_of),
        (
            rf"{_P}(?:\s+was|,|\s+is)\s+(?:only\s+|just\s+|about\s+|nearly\s+|now\s+)?(?:aged\s+)"
            rf"?(?P<d>{_NUMBER})\s+years\s+(?:old|of\s+age)",
            _value("age"),
        ),
        (
            rf"{_P},\s+(?:aged|a man of|a woman of|a girl of|a boy of|a lad of)\s+(?P<d>{_NUMBER})\b",
            _value("age"),
        ),
        (rf"{_P}['’]s\s+(?P<d>{_COLOUR})\s+eyes\b", _value("eyes")),
        (rf"{_P}['’]s\s+(?P<d>{_COLOUR})\s+hair\b", _value("hair")),
        (rf"{_P}['’]s\s+(?P<d>{_COLOUR})\s+(?:beard|whiskers)\b", _value("beard")),
        (
            rf"{_P}\s+(?:was|had been)\s+(?:appointed|elected|promoted|made)\s+(?:to\s+(?:be\s+)?)"
            rf"?(?P<d>(?:an?\s+|the\s+)?{_SAID}{{3,40}}?)(?=[,.;]|\Z)",
            _office,
        ),
        (
            rf"{_P}(?P<m>\s+(?:had\s+|suddenly\s+|then\s+)?)(?:died|is dead|was dead|was killed|was drowned|"
            rf"perished|expired|breathed (?:his|her) last|hanged himself|hanged herself|was buried)\b",
            _died,
        ),
        (
            rf"{_P}\s+(?:was|had been)\s+(?:killed|murdered|slain|stabbed|assassinated|poisoned)"
            rf"\s+by\s+(?P<k>{PERSON})",
            _killed,
        ),
    )
)  # fmt: skip
_TRIGGER = re.compile(
    rf"\b(?:He|She|I)\s+(?:am|was|had)\b|[{NAMES}],?\s+(?:an?|the|his|her|was|is|had|became|aged)\b|"
    rf"(?:{_ROLES}),?\s+[{NAMES}]|named|called|name\s|"
    rf"\b(?:years|eyes|hair|beard|whiskers|appointed|elected|promoted|died|dead|killed|drowned|perished|"
    rf"expired|buried)\b|"
    rf"['’]s\s+(?:[a-z-]+\s+){{0,2}}(?:{_ROLES})"
)
