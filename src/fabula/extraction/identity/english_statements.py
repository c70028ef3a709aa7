"""Statements in English that somebody has another name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from fabula.extraction.mentions import FoundMention
from fabula.extraction.sameness import JoinReason, Sameness

_HOW = r"(?:commonly|usually|generally|always|better|otherwise|familiarly|formerly|now|also|sometimes)"
# Whoever is called a name has it; whoever calls somebody has not: Chauvelin called Sergeant Hebert.
_CALLED = re.compile(
    rf"(?:,\s+(?:who\s+(?:was|is)\s+)?|\s+(?:who\s+)?(?:was|is)\s+)(?:{_HOW}\s+)?"
    r"(?:called|dubbed|christened|nicknamed)\s+(?:the\s+)?[“\"‘']?\Z|"
    rf",?\s+(?:who\s+(?:was|is)\s+|was\s+|is\s+)?(?:{_HOW}\s+)?"
    r"(?:known\s+as|known\s+by\s+the\s+name\s+of|surnamed|alias)\s+(?:the\s+)?[“\"‘']?\Z"
)
_NO_OTHER = re.compile(
    r",?\s+(?:is|was|were)\s+(?:no\s+other|none\s+other|no\s+one\s+else|nobody\s+else)\s+(?:than|but)\s+\Z"
)
_THAT_IS = re.compile(
    r",?\s+(?:--|—)?\s*(?:that\s+is\s+to\s+say|or\s+rather),?\s+(?:(?:of|to|by)\s+)?(?:the\s+real\s+)?\Z"
)
_IS = re.compile(r"\s+(?:is|was)\s+(?:really\s+|in\s+reality\s+|then\s+)?\Z")
_ENDS = re.compile(r"[.!?,;”\"]")
_ASIDE = re.compile(r"\s*(?:—|--|,|\()\s*\Z")
_AS_CALLED = re.compile(
    r",?\s+as\s+(?:he|she|they|everyone|everybody|people|we)\s+(?:was|were|is|are|always|all|had\s+been)?\s*(?:\w+ly\s+)?called"
)
_BRACKET = re.compile(r"\s+\(\Z")
_SURE, _LIKELY = 0.92, 0.68
# Whoever has been two people for so many mentions is revealed to be one: earlier chapters must not tell it.
_TWO_FOR_LONG = 5


def stated_english_names(
    text: str, mentions: Sequence[FoundMention], people: Container[str]
) -> Iterator[Sameness]:
    """The names that a text says belong to one person."""
    before: Counter[str] = Counter()
    for one, other in pairwise(mentions):
        before[one.text] += 1
        if other.start - one.end > 60 or one.text not in people or other.text not in people:
            continue
        between = text[one.end : other.start]
        if (
            _CALLED.fullmatch(between)
            or (_ASIDE.fullmatch(between) and _AS_CALLED.match(text, other.end))
            or (_BRACKET.fullmatch(between) and text.startswith(")", other.end))
        ):
            yield Sameness(other.text, one.text, _SURE, JoinReason.STATED, one.start, other.end)
        elif _NO_OTHER.fullmatch(between) or _THAT_IS.fullmatch(between):
            is_reveal = min(before[one.text], before[other.text]) >= _TWO_FOR_LONG
            sure = _LIKELY if is_reveal else _SURE
            yield Sameness(other.text, one.text, sure, JoinReason.STATED, one.start, other.end, True)
        elif _IS.fullmatch(between) and _ENDS.match(text, other.end):
            yield Sameness(other.text, one.text, _LIKELY, JoinReason.STATED, one.start, other.end)
