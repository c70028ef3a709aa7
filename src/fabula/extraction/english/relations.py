"""Relations that an English sentence states explicitly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fabula.extraction.kin import KIN
from fabula.extraction.mentions import FoundMention
from fabula.extraction.stated_relation import StatedRelation, kinship
from fabula.extraction.ties.sentence import GROUP, NAMES, PERSON, PLACE, THING, Sentence

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
# To be named side by side, or to speak once, says little; much if it is said again.
_SIDE_BY_SIDE, _CONTACT = 0.3, 0.35
_NEAR_PRONOUN, _FAR_PRONOUN = 0.72, 0.5
_CLAUSE = rf"[^{NAMES},.;:!?]"

_States = Callable[[Sentence, "re.Match[str]"], Iterator[StatedRelation]]


def stated_in_english(sentence: Sentence) -> Iterator[StatedRelation]:
    """The relations that a sentence states."""
    if not _TRIGGER.search(sentence.marked):
        return
    for pattern, states in _PATTERNS:
        for found in pattern.finditer(sentence.marked):
            yield from states(sentence, found)


def _whom(sentence: Sentence, found: re.Match[str], group: str) -> FoundMention | None:
    """The person whom a mark or a pronoun means."""
    who = found[group]
    if "\ue000" <= who[0] <= "\uefff":
        return sentence.mention(who)
    if who.lower() == "my":
        return sentence.speaker
    if sentence.is_speech:
        return None
    sex = "f" if who.lower() == "her" else "m"
    near = sentence.one_before(found.start(group), sex)
    return (
        sentence.topics.get(sex) if near is None and not sentence.people_before(found.start(group)) else near
    )


def _kin(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    owner, other = _whom(sentence, found, "a"), _whom(sentence, found, "b")
    if owner is not None and other is not None:
        yield kinship(owner, other, found["w"], "en", _certainty(sentence, found))


def _certainty(sentence: Sentence, found: re.Match[str]) -> float:
    """How certain it is whom the owner's mark or pronoun means."""
    if "\ue000" <= found["a"][0] <= "\uefff":
        return 0.85
    is_far = found["a"].lower() != "my" and not sentence.people_before(found.start("a"))
    return _FAR_PRONOUN if is_far else _NEAR_PRONOUN


def _tie(type_: str, weight: float, source: str = "a", target: str = "b") -> _States:
    def states(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        one, other = _whom(sentence, found, source), _whom(sentence, found, target)
        if one is not None and other is not None:
            yield StatedRelation(one, other, type_, "", weight)

    return states


def _narrated(states: _States) -> _States:
    """The same, but only where the narrator says it: people lie, threaten and wish."""

    def narrated(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedRelation]:
        if not sentence.is_speech:
            yield from states(sentence, found)

    return narrated


def _two(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    one, other = sentence.mention(found["a"]), sentence.mention(found["b"])
    yield StatedRelation(one, other, _PLURAL[found["w"]], "", 0.8)


def _member(sentence: Sentence, found: re.Match[str]) -> Iterator[StatedRelation]:
    one, group = sentence.mention(found["a"]), sentence.mention(found["b"])
    yield StatedRelation(one, group, "belongs_to", found["w"] or "", 0.75)


_A, _B, _W = f"(?P<a>{PERSON})", f"(?P<b>{PERSON})", f"(?P<w>{_KIN})"
_S = r"\s?['’]s?\s+"
_MAYBE = r"(?:had\s+|has\s+|was\s+|then\s+|himself\s+|once\s+)?"

_PATTERNS: tuple[tuple[re.Pattern[str], _States], ...] = tuple(
    (re.compile(pattern), states)
    for pattern, states in (
        (rf"{_A}{_S}{_ADJECTIVE}{_W}(?:(?P<c>,)\s+|\s+){_B}(?(c)(?=[,.;:!?—]))", _kin),
        (rf"{_A}(?:,|\s+and|\s+with)\s+(?:his|her|their)\s+{_ADJECTIVE}{_W},?\s+{_B}", _kin),
        (rf"{_B}(?:,|\s+is|\s+was)\s+(?:the\s+|a\s+|an\s+)?{_ADJECTIVE}{_W}\s+(?:of|to)\s+{_A}", _kin),
        (rf"{_B}(?:,|\s+is|\s+was)\s+{_A}{_S}{_ADJECTIVE}{_W}\b", _kin),
        (rf"\b(?P<a>[Hh]is|[Hh]er|[Mm]y)\s+{_ADJECTIVE}{_W}(?:(?P<c>,)\s+|\s+){_B}(?(c)(?=[,.;:!?—]))", _kin),
        (rf"{_B},\s+(?P<a>his|her)\s+{_ADJECTIVE}{_W}\b(?=[,.;])", _kin),
        (rf"\b(?:the|a)\s+{_ADJECTIVE}{_W}\s+of\s+{_A},?\s+{_B}", _kin),
        (rf"{_B},?\s+who\s+(?:was|is|had been)\s+(?:the\s+|a\s+)?{_ADJECTIVE}{_W}\s+(?:of|to)\s+{_A}", _kin),
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
        (rf"{_A}\s+{_MAYBE}(?:loved|adored|worshipped)\s+{_B}(?!{_S})", _narrated(_tie("loves", 0.7))),
        (rf"{_A}\s+{_MAYBE}(?:{_KILLED})\s+{_B}(?!{_S})", _narrated(_tie("killed", 0.8))),
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
    rf"together|arm in|{_MEETS}|to|with|beside|my|"
    rf"lived|lives|dwelt|resided|living|settled|born|of)\b|[{NAMES}]\s+(?:and|with|followed)\s+[{NAMES}]|"
    rf"{THING}"
)
