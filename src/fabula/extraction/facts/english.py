"""Facts about people that an English sentence states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fabula.extraction.english.supposed import is_supposed, is_thought
from fabula.extraction.facts.english_people import ENDINGS, WORDS_THAT_SAY_WHAT, is_person, says_what, sex_of
from fabula.extraction.facts.stated_fact import StatedFact
from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.sentence import NAMES, PERSON, PLACE, MarkedSentence
from fabula.extraction.wordlist import word_set

_TRADES = word_set("""
    waif tailor baker butcher grocer chemist barber blacksmith carpenter groom detective reporter editor
    mayor judge constable policeman sheriff sailor mate smuggler pirate soldier teacher schoolmaster
    footman valet butler coachman cook nurse governess tutor professor student doctor lawyer clerk
    secretary officer captain colonel general lieutenant sergeant priest bishop monk painter singer
    actress poet writer innkeeper bailiff gardener steward landowner merchant peasant servant maid
    housekeeper porter gendarme inspector jockey trainer waiter convict notary abbé curé banker deputy
    senator minister ambassador journalist
""")
_OF_A_HOUSE = word_set(
    "host hostess guide landlady landlord foreman partner lodger tenant captive prisoner guest"
)
_ROLES = "|".join(sorted(_TRADES | {word for word in KIN["en"] if "-" not in word}, key=len, reverse=True))
_NUMBER = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|ten|eleven|twelve|"
    r"thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|five|six|seven|eight|nine|four|three|two)"
)
_COLOUR = (
    r"(?:(?:dark|light|bright|pale|deep|big|large|small|fine|beautiful|long|short|thick|thin|curly|"
    r"cropped|iron|clear|shining|soft|kind|black|white|and)[\s-]+){0,2}(?:blue|grey|gray|black|brown|green|hazel|dark|"
    r"golden|fair|red|white|auburn|blond|blonde|chestnut|silver|flaxen|curly)"
)
_CUT = re.compile(
    r"\b(?:of|with|who|whom|whose|in|from|at|to|by|for|on|and|that|which|about|between|as|so|too|he|she|it|"
    r"they|would|had|was|were|is|did|when|while|where|like|without|under|over|after|before|but|than|not)\b|[,;]"
)
# a tall, thin, middle-aged man: words before the one that a comma does not follow.
_LISTED_FIRST = re.compile(r"^(?:[\w-]+,\s+)+")
_ONE_OF = re.compile(r"one\s+of\s+(?:the|his|her|their)\s+")
_BAD = re.compile(
    r"\b(?:only person|one (?:man|woman|girl|person)|whom (?:he|she|they)|(?:had|has) (?:never|not)|"
    r"last|first|I|you|we|us|me|my|your|our|him|them)\b|\band (?:his|her|their)\b|"
    r"\b(?:he|she|they|it)\Z"
)
_P = f"(?P<p>{PERSON})"
_SAID = rf"[^{NAMES}.;:!?“”\"()—]"
_LONG = r"[^.;:!?“”\"()—]"
OF_NARRATOR = "The narrator’s"
# The daughter of Mrs., where the name after the title is nobody's.
_CUT_OFF = re.compile(r"\s+(?:of|to|with|by|for)\s+(?:the\s+)?(?:Mrs?|Dr|M|Mme|Mlle|St|Sir|Lord|Lady)\Z")
# A girl of delicate and modest form: half of what she is of.
_HALF = re.compile(r"\s+(?:of|with|in)\s+(?:an?\s+)?[a-z-]+\Z")
# A shrewd woman who: what follows is cut off.
_DANGLING = re.compile(
    r"(?:\s+(?:who|whom|whose|that|which|and|but|of|with|in|as|when|where)\b)+\Z|\s+as\s+(?:he|she)\b.*\Z"
)
_PREPOSITION = "at|in|on|who|with|of|for|from|to|was|had|came|went|and|as|by|would|could|said"
_IS_SAID = re.compile(rf"(?:[{NAMES}],?|\bHe|\bShe|\bI)\s+(?:was|is|am|had|became)\b")
_OF_SOMETHING = re.compile(r"\s(?:of|to|in|at|from|with)\s")
_VAGUE = frozenset(("man", "woman", "person", "fellow", "gentleman", "guy", "chap", "lady", "friend"))
# An old friend, without a word whose.
_IS_OF_NOBODY = re.compile(
    rf"(?:[a-z-]+\s+){{0,3}}(?:friend|companion|comrade|relation|relative|enemy|rival|"
    rf"{'|'.join(word for word in KIN['en'] if word not in WORDS_THAT_SAY_WHAT and word not in _TRADES)})"
)
_CALLED = re.compile(r"\s+(?:named|called|(?:by|of) the name of|whose name was)\b")
_ADJECTIVES = (
    r"(?:young|old|tall|short|thin|lean|stout|fat|slender|handsome|beautiful|pretty|lovely|charming|"
    r"graceful|ugly|plain|pale|dark|fair|blond|blonde|rosy|rich|poor|blind|lame|deaf|dumb|brave|bold|"
    r"proud|timid|shy|gentle|kind|cruel|honest|clever|intelligent|stupid|learned|ignorant|pious|devout|severe|austere|melancholy|merry|gay|lively|"
    r"strong|weak|sickly|bald|gray|grey|freckled|elegant|shabby|noble|modest|vain|jealous|ambitious|generous|"
    r"avaricious|miserly|"
    r"taciturn|talkative|widowed|unmarried|middle-aged|elderly)"
)
_NEVER = re.compile(r"\b(?:not|never|nearly|almost|if|would|might|could|should)\b")

_OF_WHOM = re.compile(r"([\w-]+)\s+(?:of|to)\s+\Z")
# After these words a name before them is a subject of its own: the secretary Levin had seen.
_NO_VERB = (
    r"(?!['’]s|\s+(?:had|has|have|was|were|did|could|would|might|must|should|will|can|saw|felt|knew|went|came|"
    r"took|\w+ed)\b)"
)
_DOES = (
    r"(?:kept\s+(?:an?|the)\b|keeps|ran|runs|owned|owns|taught|teaches|commanded|commands|managed(?!\s+to)|"
    r"manages|lived|lives|"
    r"served|worked|works|came from|comes from|belonged to|practised|practiced|edited|edits|sold|sells|"
    r"dealt in|"
    r"presided over|had charge of|was in charge of|acted as|was employed)"
)
_HIRED = "|".join(sorted(_TRADES | _OF_A_HOUSE, key=len, reverse=True))
_MAKERS = "|".join(one for one in ENDINGS if one not in ("man", "woman", "master", "mistress"))
_OF_A_KIND = f"{'|'.join(sorted(WORDS_THAT_SAY_WHAT, key=len, reverse=True))}|[a-z]+(?:{_MAKERS})"
# A word of a description: the care of the huntsman is two of them.
_PLAIN = r"(?!(?:of|in|to|by|for|with|and|that|from|at|on|as|or|but|was|is|had)\b)[a-z’'-]+"
_HOW = (
    r"(?:also|still|now|then|once|only|merely|really|certainly|evidently|indeed|in fact|himself|herself|"
    r"by (?:profession|trade|birth)|at (?:that|this) time|formerly|already|of course|perhaps|quite|rather)"
)
_NEAR_KIN = "|".join(sorted((word for word in KIN["en"]), key=len, reverse=True))

_States = Callable[[MarkedSentence, "re.Match[str]"], Iterator[StatedFact]]


def facts_in_english(sentence: MarkedSentence) -> Iterator[StatedFact]:
    """The facts about people that a sentence states."""
    if not _TRIGGER.search(sentence.marked):
        return
    for pattern, states in _PATTERNS:
        for found in pattern.finditer(sentence.marked):
            yield from states(sentence, found)


def _head(said: str) -> str:
    """The word for a person that a description is built on; empty if there is none."""
    one_of = _ONE_OF.match(said)
    said = _LISTED_FIRST.sub("", said[one_of.end() :] if one_of else said)
    cut = _CUT.search(said)
    words = (said[: cut.start()] if cut else said).split()
    if not words or len(words) > 7:
        return ""
    head = words[-1].strip("'’,").removesuffix("’s")
    heads = (_one(head),) if one_of else (head, head.lower())
    return next((one for one in heads if is_person(one)), "")


def _one(plural: str) -> str:
    """One of those whom a word in the plural means: a housemaid, a workman."""
    return f"{plural[:-3]}man" if plural.endswith("men") else plural.removesuffix("s")


def _fits(sentence: MarkedSentence, about: FoundMention, head: str) -> bool:
    """Whether a description with this head may be of somebody: a man is no actress."""
    return {sex_of(head), sentence.sexes.get(about.text, "")} != {"m", "f"}


def _is(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    said = " ".join(sentence.plain(found["d"]).split()).rstrip(",- ")
    about = _whom(sentence, found)
    # What is supposed of Skinner, the butler, is not that he is one.
    is_open = _IS_SAID.search(found[0]) is not None and is_supposed(sentence, found.start())
    if about is None or is_open or _is_of_another(sentence, found):
        return
    said = _DANGLING.sub("", _CUT_OFF.sub("", said.partition("--")[0].rstrip()))
    if sentence.marked[found.end() :].startswith(" and "):
        said = _HALF.sub("", said)
    core = _without_article(said)
    is_telling = (
        (" " in core and not _IS_OF_NOBODY.fullmatch(core))
        or core in _TRADES | _OF_A_HOUSE
        or (said.lower() in (core.lower(), f"the {core.lower()}") and says_what(core.lower()))
        or (core not in _VAGUE and _CALLED.match(sentence.marked, found.end("d")) is not None)
    )
    head = _head(core)
    if (
        4 <= len(said) <= 110
        and is_telling
        and head
        and not _BAD.search(said)
        and _fits(sentence, about, head)
    ):
        # A weird figure, an odious man: what somebody is like, not who they are.
        tells = says_what(head.lower()) or head.lower() in KIN["en"] or _OF_SOMETHING.search(core)
        yield StatedFact(about, "who" if tells else "nature", said)


def _is_told(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    """The same where the narrator says it; in speech a name after a comma may be whom one speaks to."""
    if not sentence.is_speech:
        yield from _is(sentence, found)


def _is_of_another(sentence: MarkedSentence, found: re.Match[str]) -> bool:
    """Whether an apposition may be of whom the name is said: the husband of Princess Betsy, a fat man."""
    owned = _OF_WHOM.search(sentence.marked, 0, found.start("p"))
    return found.start("p") < found.start("d") and owned is not None and is_person(owned[1].lower())


def _does(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    """What somebody does for a living, in the words of the text: kept the inn at Montfermeil."""
    said = " ".join(sentence.plain(found["d"]).split()).rstrip(",- ")
    if not sentence.is_speech and len(said) <= 110 and not _BAD.search(said):
        yield StatedFact(sentence.mention(found["p"]), "who", said)


def _of_narrator(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    """My uncle Ebenezer, where the one who tells the story says it."""
    about = sentence.mention(found["p"])
    if not sentence.is_speech and _fits(sentence, about, found["w"].split()[-1]):
        yield StatedFact(about, "who", f"{OF_NARRATOR} {' '.join(found['w'].split())}")


def _whom(sentence: MarkedSentence, found: re.Match[str]) -> FoundMention | None:
    if "\ue000" <= found["p"][0] <= "\uefff":
        return sentence.mention(found["p"])
    if found["p"] == "I":
        return sentence.speaker
    return None if sentence.is_speech else sentence.topics.get("f" if found["p"] == "She" else "m")


def _looks(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    about = _whom(sentence, found)
    if about is not None and not sentence.is_speech:
        yield StatedFact(about, "looks", " ".join(found["d"].split()))


def _without_article(said: str) -> str:
    return re.sub(r"^(?:an?|the|his|her|their)\s+", "", said, flags=re.IGNORECASE)


def _kin_of(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    yield StatedFact(sentence.mention(found["p"]), "who", " ".join(sentence.plain(found["d"]).split()))


def _value(kind: str) -> _States:
    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
        said = " ".join(sentence.plain(found["d"]).split())
        if said and not sentence.is_speech:
            yield StatedFact(sentence.mention(found["p"]), kind, said, said)

    return states


def _of_place(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    """Mr. Cartwright of Wimpole Street, where it is his name that the place belongs to."""
    if not _is_of_another(sentence, found):
        yield from _value("home")(sentence, found)


def _office(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    for fact in _value("office")(sentence, found):
        if _head(_without_article(fact.value)):
            yield fact


def _died(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    is_told = (
        not sentence.is_speech and not _NEVER.search(found["m"]) and not is_supposed(sentence, found.start())
    )
    if is_told and not is_thought(sentence, found.start()):
        yield StatedFact(sentence.mention(found["p"]), "fate", "died", "died")


def _killed(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedFact]:
    said = f"killed by {sentence.mention(found['k']).text}"
    yield StatedFact(sentence.mention(found["p"]), "fate", said, said)


_PATTERNS: tuple[tuple[re.Pattern[str], _States], ...] = tuple(
    (re.compile(pattern), states)
    for pattern, states in (
        # Mr. Dick, a gentleman with grey hair,
        (
            rf"{_P}(?:\s+(?:himself|herself))?(?:,|\s?--|\s?—)\s*(?P<d>(?:an?|the|that|this)\s+{_LONG}{{3,100}}?)"
            rf"(?=,|\.|;|--|—|\Z|\s+(?:was|were|is|went|came|said|who)\b)",
            _is,
        ),
        # a tall, thin, middle-aged man
        (
            rf"{_P}(?:,|,?\s+(?:was|is|had been))\s+"
            rf"(?P<d>an?\s+(?:[\w-]+,\s+){{1,3}}(?:[\w-]+\s+){{0,3}}[\w-]+)"
            rf"(?=[,.;]|\Z|\s+(?:with|who|of|in)\b)",
            _is,
        ),
        # Celine Dumont, maid to Citizeness Candeille; Foucquet, late parish priest
        (
            rf"{_P},\s+(?P<d>(?:(?!\w+ing\b|an?\b|the\b)[a-z-]+\s+){{0,3}}(?:{_ROLES}|{_OF_A_KIND}|member|president|chief)"
            rf"\s+(?:of|to|in|at|for)\s+{_LONG}{{1,60}}?)"
            rf"(?=,|\.|;|\Z)",
            _is,
        ),
        (
            rf"{_P},\s+(?P<d>(?:late|former|formerly|once|parish|chief|head|private|assistant|retired)\s+"
            rf"(?:[a-z-]+\s+){{0,2}}(?:{_ROLES}))(?=,|\.|;|\Z)",
            _is,
        ),
        # the old horse, Goosey Gander; the cat was known as Maudie
        (
            rf"\b(?P<d>(?:[Hh]is|[Hh]er|[Tt]he|[Aa]n?)\s+(?:{_PLAIN}\s+){{0,4}}[a-z-]+)(?:,\s+|\s?--|\s?—){_P}"
            rf"(?=[.;]|--|—|,(?!\s+(?:and|or)\b))",
            _is_told,
        ),
        (
            rf"\b(?P<d>(?:[Tt]he|[Aa]n?)\s+(?:[a-z-]+\s+){{0,3}}[a-z-]+)\s+(?:was|is)\s+"
            rf"(?:known\s+as|called|named)\s+{_P}",
            _is,
        ),
        # her maid Fanchon; Mrs. Maclaren, our hostess
        (
            rf"\b(?:[Hh]is|[Hh]er|[Tt]heir|[Oo]ur)\s+(?P<d>(?:[a-z-]+\s+){{0,2}}(?:{_HIRED})),?\s+{_P}"
            rf"{_NO_VERB}",
            _is,
        ),
        (
            rf"{_P},\s+(?:our|their|his|her|my|your)\s+(?P<d>(?:[a-z-]+\s+){{0,2}}(?:{_HIRED}|{_OF_A_KIND}))(?=[,.;])",
            _is,
        ),
        (rf"{_P},?\s+who\s+(?P<d>{_DOES}\s+{_LONG}{{3,80}}?)(?=,|\.|;|\Z|\s+and\s)", _does),
        (rf"\b[Mm]y\s+(?P<w>(?:[a-z-]+\s+){{0,2}}(?:{_NEAR_KIN})),?\s+{_P}(?!['’]s)", _of_narrator),
        (rf"{_P},\s+my\s+(?P<w>(?:[a-z-]+\s+){{0,2}}(?:{_NEAR_KIN}))\b(?=[,.;])", _of_narrator),
        (
            rf"(?:\A|[.;]\s*|,\s+and\s+)\s*(?P<p>He|She)\s+(?:was|had been)\s+(?:{_HOW}\s+)?"
            rf"(?P<d>(?:an?|one of the|the (?:only\s+)?(?:{_ROLES})\s+(?:of|to|in|at))\s+{_LONG}{{3,100}}?)"
            rf"(?=,|\.|;|\Z|\s+(?:and|but)\s)",
            _is,
        ),
        (
            rf"{_P},?\s+(?:was|is|had been|had become|became)\s+(?:{_HOW}\s+)?"
            rf"(?P<d>(?:an?|the)\s+{_LONG}{{3,100}}?)"
            rf"(?=,|\.|;|\Z|\s+(?:and|but)\s)",
            _is,
        ),
        (
            rf"\b(?P<d>(?:an?|the)\s+(?:[a-z-]+\s+){{0,3}}[a-z-]+)\s+(?:named|called|(?:by|of) the name of|"
            rf"whose name was)\s+{_P}(?!['’]s|\s+(?:back|out|to|away|from|into)\b)",
            _is,
        ),
        (
            rf"{_P},?\s+who\s+(?:was|is|had been)\s+(?P<d>(?:an?|the|one of the)\s+{_LONG}{{3,80}}?)(?=,|"
            rf"\.|;|\Z)",
            _is,
        ),
        (
            rf"{_P},\s+(?:then|now|formerly|once|himself|herself|at that time)\s+(?P<d>an?\s+{_LONG}{{3,8"
            rf"0}}?)(?=,|\.|;|\Z)",
            _is,
        ),
        (rf"{_P},\s+(?P<d>one\s+of\s+the\s+{_LONG}{{3,80}}?)(?=,|\.|;|\Z)", _is),
        (
            rf"(?P<p>{PERSON}|\bHe|\bShe)\s+(?:was|is)\s+(?:very\s+|still\s+|rather\s+|extremely\s+)"
            rf"?(?P<d>{_ADJECTIVES}(?:(?:,|\s+and|,\s+and)\s+{_ADJECTIVES})*)(?=[,.;]|\Z)",
            _looks,
        ),
        (rf"\b(?P<p>I)\s+(?:am|was)\s+(?P<d>an?\s+{_LONG}{{3,60}}?)(?=,|\.|;|\Z|\s+(?:and|but)\s)", _is),
        (rf"\b(?P<d>(?:the|an?)\s+(?:[a-z-]+\s+){{0,2}}(?:{_ROLES}))\s+{_P}{_NO_VERB}", _is),
        (rf"\b(?P<d>(?:old|young|little)\s+(?:{_HIRED})),?\s+{_P}{_NO_VERB}", _is),
        # the church of which Mr. Bosaw was pastor; he was bailiff of the estate
        (
            rf"{_P}\s+(?:was|is|had been|became)\s+(?P<d>(?:{_OF_A_KIND}|president|captain|head)"
            rf"(?:\s+(?:of|to|at)\s+{_LONG}{{3,60}}?)?)(?=[,.;]|\Z)",
            _is,
        ),
        # the dog Aida, the boxer Brady; the man Betty had come to meet is nobody's description
        (rf"\b[Tt]he\s+(?P<d>(?:{_OF_A_KIND}))\s+{_P}{_NO_VERB}", _is),
        # Skinner the butler, and Long Otto, being a man of silent habit
        (rf"{_P}\s+the\s+(?P<d>(?:{_OF_A_KIND}))(?=[,.;!?]|\Z|\s+(?:{_PREPOSITION})\b)", _is),
        (rf"{_P},?\s+being\s+(?P<d>(?:an?|the)\s+{_LONG}{{3,80}}?)(?=,|\.|;|\Z)", _is_told),
        (rf"{_P},?\s+(?P<d>of\s+(?:the\s+)?{PLACE})(?=[,.;])", _of_place),
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
            rf"{_P}(?P<m>\s+(?:had\s+|suddenly\s+|then\s+)?)(?:died(?!\s+(?:down|away|out|with laugh))|"
            rf"is dead|was dead|was killed|was drowned|"
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
    rf"\b(?:He|She|I)\s+(?:am|was|is|had)\b|[{NAMES}],\s+(?:our|their|your)\b|[{NAMES}],?\s+(?:who|one|then|now|formerly|once|himself|"
    rf"herself|at)\b|[{NAMES}],?\s+(?:an?|the|that|this|his|her|my|was|is|had|became|aged|late|former|parish|"
    rf"chief|head|private)\b|[{NAMES}](?:\s?--|—)|[{NAMES}],?\s+(?:being|of)\s|(?:{_OF_A_KIND})\s+[{NAMES}]|[{NAMES}],\s+(?:[a-z-]+\s+){{0,3}}(?:{_ROLES}|{_OF_A_KIND}|member)\s|"
    rf"\b[Mm]y\b|[a-z](?:,\s+|\s?--|\s?—)[{NAMES}][.,;—-]|known\s+as|"
    rf"(?:{_ROLES}),?\s+[{NAMES}]|named|called|name\s|"
    rf"\b(?:years|eyes|hair|beard|whiskers|appointed|elected|promoted|died|dead|killed|drowned|perished|"
    rf"expired|buried)\b|"
    rf"['’]s\s+(?:[a-z-]+\s+){{0,2}}(?:{_ROLES})"
)
