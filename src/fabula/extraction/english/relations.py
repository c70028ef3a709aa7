"""Relations that an English sentence states explicitly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fabula.extraction.english.supposed import is_supposed, is_thought
from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.stated_relation import StatedRelation, kinship
from fabula.extraction.ties.sentence import GROUP, NAMES, PERSON, PLACE, THING, MarkedSentence

_KIN = "|".join(sorted(KIN["en"], key=len, reverse=True))
_ADJECTIVE = (
    r"(?:(?:elder|older|younger|eldest|youngest|little|old|only|late|dear|poor|own|twin|best|oldest|"
    r"young|first|"
    r"second|former|future|beloved|faithful|good|great|intimate|eternal|sworn|bitter|maternal|paternal)"
    r"\s+){0,2}"
)
_KILLED = "killed|murdered|slew|slain|stabbed|shot dead|strangled|poisoned|assassinated|beheaded"
_PLURAL = {
    "brothers": "sibling", "sisters": "sibling", "brother and sister": "sibling", "twins": "sibling",
    "husband and wife": "spouse", "married": "spouse", "engaged": "betrothed", "betrothed": "betrothed",
    "friends": "knows", "enemies": "enemy", "rivals": "rivals", "cousins": "cousin", "lovers": "lover",
    "allies": "ally", "partners": "partner", "neighbours": "neighbour", "colleagues": "colleague",
    "comrades": "ally",
}  # fmt: skip
_TOGETHER = (
    "walked|rode|drove|danced|dined|sat|stood|travelled|traveled|came|went|arrived|left|set off|lived|"
    "played|worked|"
    "returned|remained|stayed|supped|hunted|walking|sitting|standing|riding|driving|dancing|alone|spent"
)
_MEETS = (
    "told|asked|answered|met|visited|kissed|embraced|thanked|invited|begged|called on|called upon|wrote "
    "to|spoke to|"
    "talked to|said to|turned to|bowed to|shook hands with|helped|saved|rescued|greeted|knew|recognized|"
    "recognised|"
    "introduced|addressed|advised|persuaded|assured|reminded|interrupted|received|welcomed|went to see|"
    "came to see|"
    "went up to|came up to|talked with|spoke with|was talking to|was talking with|listened to|promised|"
    "forgave|blessed"
)
# What must not be said of people because somebody asks or supposes it.
_GRAVE = frozenset(("killed", "spouse", "betrothed", "loves", "enemy", "parent", "serves"))
_BY_TITLE = frozenset(("uncle", "aunt", "cousin", "grandfather", "grandmother"))
_WIVES = frozenset(("Mrs", "Mme", "Madame", "Lady", "Princess", "Countess", "Baroness", "Duchess"))
_TITLE_OF_KIN = {
    "wife": ("Mrs.", "f"),
    "husband": ("Mr.", "m"),
    "mother": ("Mrs.", "f"),
    "father": ("Mr.", "m"),
}
_MARRIED = frozenset(("Mrs.", "Mr."))
# To be named side by side, or to speak once, says little; much if it is said again.
_SIDE_BY_SIDE, _CONTACT = 0.3, 0.35
_NEAR_PRONOUN, _FAR_PRONOUN = 0.72, 0.5
# Everybody may call an old man uncle once or twice.
_HEARD = 0.36
_CLAUSE = rf"[^{NAMES},.;:!?]"

_OF_KIN = re.compile(rf"{PERSON}['’]s?\s+(?:\w+\s+)?(?:{_KIN})(?:\s+and|,|\s+with)\s+\Z")

_States = Callable[[MarkedSentence, "re.Match[str]"], Iterator[StatedRelation]]


def stated_in_english(sentence: MarkedSentence) -> Iterator[StatedRelation]:
    """The relations that a sentence states."""
    if not _TRIGGER.search(sentence.marked):
        return
    for pattern, states in _PATTERNS:
        for found in pattern.finditer(sentence.marked):
            yield from states(sentence, found)


def _is_mark(said: str) -> bool:
    return "\ue000" <= said[0] <= "\uefff"


def _whom(sentence: MarkedSentence, found: re.Match[str], group: str) -> FoundMention | None:
    """The person whom a mark or a pronoun means."""
    who = found[group]
    if _is_mark(who):
        return sentence.mention(who)
    if who.lower() in ("my", "our"):
        return sentence.speaker
    if who.lower() == "your":
        return sentence.hearer
    if sentence.is_speech:
        return None
    sex = "f" if who.lower() == "her" else "m"
    near = sentence.one_before(found.start(group), sex)
    return (
        sentence.topics.get(sex) if near is None and not _may_be(sentence, found.start(group), sex) else near
    )


def _may_be(sentence: MarkedSentence, place: int, sex: str) -> bool:
    """Whether a pronoun may mean somebody whom the sentence names before it."""
    return any(sentence.sexes.get(name, sex) == sex for name in sentence.people_before(place))


def _kin(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    owner, other = _whom(sentence, found, "a"), _whom(sentence, found, "b")
    if owner is None or other is None or _disagrees(sentence, owner, found):
        return
    # Mrs. Strickland's sister and her husband, the colonel: whose husband he is, is not said.
    if _OF_KIN.search(sentence.marked[: found.start("a")]) and not _is_mark(found["a"]):
        return
    # "My stepfather, Bryce, is no fool" may be said to Bryce.
    is_address = (
        sentence.is_speech and found.groupdict().get("c") and sentence.marked[found.end() :][:1] == ","
    )
    if not is_address:
        yield kinship(owner, other, found["w"], "en", _certainty(sentence, found))


def _disagrees(sentence: MarkedSentence, owner: FoundMention, found: re.Match[str]) -> bool:
    """Whether the pronoun after an owner's name is of the other sex: between Anna and his sister Dolly."""
    said = found.groupdict().get("o")
    if not said or said == "their":
        return False
    return sentence.sexes.get(owner.text, "") == ("m" if said == "her" else "f")


def _certainty(sentence: MarkedSentence, found: re.Match[str]) -> float:
    """How certain it is whom the owner's mark or pronoun means."""
    if _is_mark(found["a"]):
        return 0.85
    said = found["a"].lower()
    is_far = said not in ("my", "our", "your") and not _may_be(
        sentence, found.start("a"), "f" if said == "her" else "m"
    )
    return _FAR_PRONOUN if is_far else _NEAR_PRONOUN


def _tie(type_: str, weight: float, source: str = "a", target: str = "b") -> _States:
    def states(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        one, other = _whom(sentence, found, source), _whom(sentence, found, target)
        if one is None or other is None:
            return
        is_doubted = type_ in _GRAVE and (
            is_supposed(sentence, found.start())
            or (type_ == "killed" and is_thought(sentence, found.start()))
        )
        if not is_doubted:
            yield StatedRelation(one, other, type_, "", weight)

    return states


def _perhaps(states: _States) -> _States:
    """The same, but with a doubt that only repetition removes."""

    def doubted(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        for said in states(sentence, found):
            yield said._replace(weight=min(said.weight, _FAR_PRONOUN))

    return doubted


def _narrated(states: _States) -> _States:
    """The same, but only where the narrator says it: people lie, threaten and wish."""

    def narrated(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        if not sentence.is_speech:
            yield from states(sentence, found)

    return narrated


def _two(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    if is_supposed(sentence, found.start()):
        return
    one, other = sentence.mention(found["a"]), sentence.mention(found["b"])
    yield StatedRelation(one, other, _PLURAL[found["w"]], "", 0.8)


def _called_by_speaker(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    """Uncle Peter, in the mouth of whoever calls him that; others may do so too, once."""
    other = sentence.mention(found["b"])
    word = (found["w"] or other.text.partition(" ")[0]).lower()
    if sentence.is_speech and sentence.speaker is not None and word in _BY_TITLE:
        yield kinship(sentence.speaker, other, word, "en", _HEARD)


def _couple(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    """Mr. and Mrs. Pett, who are one name with two titles."""
    wife = sentence.mention(found["b"])
    title, _, family = wife.text.partition(" ")
    if title.rstrip(".") in _WIVES and family:
        dot = "." if title.endswith(".") and found["a"] in ("Mr", "M") else ""
        husband = wife._replace(text=f"{found['a']}{dot} {family}", known=None)
        yield StatedRelation(husband, wife, "spouse", "", 0.85)


def _of_family(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    """Pett and his wife: Mrs. Pett, if the book has one; Randy Thompson's mother is Mrs. Thompson."""
    one, word = sentence.mention(found["a"]), found["w"]
    title, sex = _TITLE_OF_KIN[word]
    is_spouse = word in ("wife", "husband")
    if (is_spouse and sentence.sexes.get(one.text) == sex) or is_supposed(sentence, found.start()):
        return
    other = one._replace(text=f"{title} {one.text.split()[-1]}", known=None)
    if is_spouse:
        yield StatedRelation(one, other, "spouse", "", _NEAR_PRONOUN)
    elif " " in one.text and one.text.split()[0] not in _MARRIED:
        yield kinship(one, other, word, "en", _NEAR_PRONOUN)


def _member(sentence: MarkedSentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    one, group = sentence.mention(found["a"]), sentence.mention(found["b"])
    yield StatedRelation(one, group, "belongs_to", found["w"] or "", 0.75)


_A, _B, _W = f"(?P<a>{PERSON})", f"(?P<b>{PERSON})", f"(?P<w>{_KIN})"
_S = r"\s?['’]s?\s+"
# The one who is meant follows at once, or between commas; Kitty’s belongings are not Kitty.
_NEXT_B = rf"(?:(?P<c>,)\s+|\s+){_B}(?(c)(?=[,.;:!?—])|(?!{_S}))"
_MAYBE = r"(?:had\s+|has\s+|was\s+|then\s+|himself\s+|once\s+)?"

_PATTERNS: tuple[tuple[re.Pattern[str], _States], ...] = tuple(
    (re.compile(pattern), states)
    for pattern, states in (
        (rf"{_A}{_S}{_ADJECTIVE}{_W}{_NEXT_B}", _kin),
        (rf"{_A}(?:,|\s+and|\s+with)\s+(?P<o>his|her|their)\s+{_ADJECTIVE}{_W},?\s+{_B}", _kin),
        (rf"{_B}(?:,|\s+is|\s+was)\s+(?:the\s+|an?\s+)?{_ADJECTIVE}{_W}\s+(?:of|to)\s+{_A}(?!{_S})", _kin),
        (rf"{_B}(?:,|\s+is|\s+was)\s+{_A}{_S}{_ADJECTIVE}{_W}\b", _kin),
        (rf"\b(?P<a>[Hh]is|[Hh]er|[Mm]y|[Yy]our|[Oo]ur)\s+{_ADJECTIVE}{_W}{_NEXT_B}", _kin),
        (rf"{_B}\s+(?:is|was|had been)\s+(?P<a>his|her|my|your)\s+{_ADJECTIVE}{_W}(?=[,.;])", _perhaps(_kin)),
        (
            rf"\b(?P<w>[Uu]ncle|[Aa]unt|[Cc]ousin|[Gg]randfather|[Gg]randmother)\s+{_B}(?!{_S})",
            _called_by_speaker,
        ),
        (rf"(?P<w>){_B}(?!{_S})", _called_by_speaker),
        (
            rf"{_A}(?:,\s+who)?\s+(?:had|has)\s+(?:an?|one)\s+{_ADJECTIVE}{_W},?\s+(?:named\s+|called\s+)?{_B}",
            _kin,
        ),
        (rf"{_A},\s+whose\s+{_ADJECTIVE}{_W}(?:\s+was|\s+is|,)?\s+{_B}(?!{_S})", _kin),
        (rf"{_B}(?:,|\s+is|\s+was)\s+an?\s+{_ADJECTIVE}{_W}\s+of\s+{_A}['’]s\b", _kin),
        (rf"\b(?P<a>Mr|M|Monsieur|Lord|Sir|Prince|Count|Baron|Duke)\.?\s+and\s+{_B}", _couple),
        (
            rf"{_A}(?:(?:,|\s+and|\s+with)\s+(?:his|her)|['’]s?)\s+(?P<w>wife|husband|mother|father)\b(?!,?\s+{PERSON}|['’])",
            _of_family,
        ),
        (
            rf"{_B}\s+(?:the\s+)?(?P<w>son|daughter|brother|sister|wife|widow|father|mother)\s+of\s+{_A}(?!{_S})",
            _kin,
        ),
        (rf"{_B},\s+(?P<a>his|her)\s+{_ADJECTIVE}{_W}\b(?=[,.;])", _perhaps(_kin)),
        (rf"\b(?:the|a)\s+{_ADJECTIVE}{_W}\s+of\s+{_A}{_NEXT_B}", _kin),
        (
            rf"{_B},?\s+who\s+(?:was|is|had been)\s+(?:the\s+|a\s+)?{_ADJECTIVE}{_W}\s+(?:of|to)\s+"
            rf"{_A}(?!{_S})",
            _kin,
        ),
        (rf"{_B},?\s+who\s+(?:was|is|had been)\s+{_A}{_S}{_ADJECTIVE}{_W}\b", _kin),
        (
            rf"{_A}\s+and\s+{_B}\s+(?:were|are|had been|became)\s+(?:both\s+|old\s+|the best of\s+|"
            rf"great\s+|first\s+|sworn\s+)?(?P<w>{'|'.join(_PLURAL)})\b",
            _two,
        ),
        (rf"{_A}\s+{_MAYBE}(?:married|wedded)\s+{_B}", _tie("spouse", 0.8)),
        (rf"{_A}\s+(?:was|is|had been|got)\s+(?:to be\s+)?married\s+to\s+{_B}", _tie("spouse", 0.8)),
        (rf"{_A}{_S}(?:marriage|wedding)\s+(?:to|with)\s+{_B}", _tie("spouse", 0.75)),
        (
            rf"{_A}\s+(?:was|is|had been|became)\s+(?:engaged|betrothed|affianced)\s+to\s+{_B}",
            _tie("betrothed", 0.8),
        ),
        (
            rf"{_A}\s+(?:was|is|had been|fell|had fallen|has fallen)\s+(?:\w+\s+)?in\s+love\s+with\s+{_B}",
            _tie("loves", 0.8),
        ),
        (
            rf"{_A}\s+{_MAYBE}(?:proposed\s+to|was\s+courting|courted|wooed)\s+{_B}(?!{_S})",
            _narrated(_tie("loves", 0.7)),
        ),
        (rf"{_A}\s+{_MAYBE}(?:adopted)\s+{_B}(?!{_S})", _tie("parent", 0.75)),
        (
            rf"{_A}\s+(?:worked\s+for|works\s+for|(?:was|had\s+been)\s+(?:employed|hired)\s+by)\s+{_B}(?!{_S})",
            _tie("serves", 0.75),
        ),
        (rf"{_A}\s+{_MAYBE}(?:loved|adored|worshipped)\s+{_B}(?!{_S})", _narrated(_tie("loves", 0.7))),
        (rf"{_A}\s+(?:then\s+|himself\s+)?(?:{_KILLED})\s+{_B}(?!{_S})", _narrated(_tie("killed", 0.8))),
        # What had happened is often only what somebody takes for true.
        (rf"{_A}\s+(?:had|has)\s+(?:{_KILLED})\s+{_B}(?!{_S})", _narrated(_perhaps(_tie("killed", 0.8)))),
        (rf"{_B}\s+(?:was|had been|were)\s+(?:{_KILLED})\s+by\s+{_A}", _tie("killed", 0.85)),
        (
            rf"{_A}\s+{_MAYBE}(?:hated|detested|loathed|defied|fought|challenged)\s+(?:with\s+|"
            rf"against\s+)?{_B}(?!{_S})",
            _narrated(_tie("enemy", 0.7)),
        ),
        (
            rf"{_A}\s+{_MAYBE}(?:taught|trained|educated|instructed)\s+{_B}(?!{_S})",
            _narrated(_tie("mentors", 0.75)),
        ),
        (rf"{_A}{_CLAUSE}{{0,20}}\s+in\s+the\s+service\s+of\s+{_B}", _tie("serves", 0.8)),
        (rf"{_A}\s+{_MAYBE}(?:served|serves)\s+(?:under\s+)?{_B}(?!{_S})", _narrated(_tie("serves", 0.65))),
        (
            rf"{_A}\s+(?:and|with|accompanied by|together with|followed by|arm in arm with)"
            rf"\s+(?={_B}(?!{_S}))",
            _narrated(_tie("companion", _SIDE_BY_SIDE)),
        ),
        (
            rf"{_A}\s+(?:\w+\s+)?(?:{_TOGETHER})(?:\s+\w+){{0,4}}?\s+(?:with|beside)\s+{_B}(?!{_S})",
            _narrated(_tie("companion", 0.5)),
        ),
        (
            rf"{_A},?\s+(?:accompanied by|arm in arm with|together with)\s+{_B}(?!{_S})",
            _narrated(_tie("companion", 0.6)),
        ),
        (
            rf"{_A}\s+(?:had\s+|has\s+|at once\s+|\w+ly\s+)?(?:{_MEETS})\s+(?:to\s+)?{_B}(?!{_S})",
            _narrated(_tie("knows", _CONTACT)),
        ),
        (
            rf"\b(?:said|asked|answered|replied|cried|whispered)\s+{_A}(?:,?\s+(?:turning|speaking|"
            rf"bowing|going up))?\s+to\s+{_B}(?!{_S})",
            _narrated(_tie("knows", _CONTACT)),
        ),
        (
            rf"{_A}\s+(?:\w+\s+)?(?:lived|lives|dwelt|resided|was living|had settled|settled|was born)"
            rf"\s+(?:alone\s+)?(?:in|at|near)\s+(?:the\s+)?(?P<b>{PLACE})",
            _tie("located_at", 0.75),
        ),
        (
            rf"{_A}(?:,|\s+is|\s+was)?\s+(?:(?:the|a|an)\s+)?(?P<w>member|captain|leader|head|master|"
            rf"knight|soldier|officer|founder|chief|servant|agent)?\s*of\s+(?:the\s+)?(?P<b>{GROUP})",
            _member,
        ),
        (
            rf"{_A}(?:{_S}|\s+(?:drew|raised|held|carried|wielded|gripped|owned|wore|clutched)"
            rf"\s+(?:the\s+|his\s+|her\s+)?)(?P<b>{THING})",
            _tie("owns", 0.7),
        ),
    )
)  # fmt: skip
_TRIGGER = re.compile(
    rf"\b(?:{_KIN}|{'|'.join(_PLURAL)}|{_KILLED}|married|wedded|wedding|marriage|love|loved|adored|"
    rf"worshipped|hated|"
    rf"detested|loathed|defied|fought|challenged|taught|trained|educated|instructed|serv\w+|accompanied|"
    rf"together|arm in|adopted|courted|wooed|worked|works|employed|hired|and|your|our|whose|"
    rf"[Uu]ncle|[Aa]unt|[Cc]ousin|{_MEETS}|to|with|beside|my|"
    rf"lived|lives|dwelt|resided|living|settled|born|of)\b|[{NAMES}]\s+(?:and|with|followed)\s+[{NAMES}]|"
    rf"{THING}"
)
