"""What a text says about people who are known, so that two versions of it can be compared."""

from __future__ import annotations

from typing import Any, NamedTuple

from fabula.extraction.known import KnownNames
from fabula.extraction.local import DEFAULT_THRESHOLD
from fabula.extraction.mentions import FoundMention, without_overlaps
from fabula.extraction.quotation import quotation
from fabula.extraction.stated import stated
from fabula.extraction.ties.drafts import Somebody
from fabula.model.ontology import relation_type
from fabula.model.relation import Language


class SaidOf(NamedTuple):
    """Something a text says: a word of somebody's description, an attribute, or a tie.

    `about` are the main names of those it is about; `key` is empty for words of a description.
    """

    about: frozenset[str]
    key: str
    value: Any


class WhereSaid(NamedTuple):
    """The quotation that says something, and where it begins."""

    quotation: str
    start: int


def tie_said(one: str, other: str, kind: str) -> SaidOf:
    """A tie between two, whichever way it is told."""
    return SaidOf(frozenset((one, other)), "tie", relation_type(kind))


def said_with_cast(text: str, known: KnownNames, language: Language) -> dict[SaidOf, WhereSaid]:
    """What a text says about the entities that are known, each with its quotation."""
    who: dict[str, Somebody] = {}
    mentions: list[FoundMention] = []
    for hit, owner in known.places(text):
        word = text[hit.start : hit.end]
        who[word] = Somebody(owner.name, owner.type, 1.0)
        mentions.append(FoundMention(hit.start, hit.end, word, owner.type, 1.0))
    found = stated(text, without_overlaps(mentions), who, language, DEFAULT_THRESHOLD, is_book=False)
    said: dict[SaidOf, WhereSaid] = {}
    for tie in found.ties:
        if tie.confidence >= DEFAULT_THRESHOLD:
            start, end = quotation(text, tie.start, tie.end)
            said.setdefault(
                tie_said(tie.source.name, tie.target.name, tie.type), WhereSaid(text[start:end], start)
            )
    for name, facts in found.facts.items():
        about = frozenset((name,))
        for fact in facts:
            where = WhereSaid(fact.source_text, fact.source_start or 0)
            said.setdefault(SaidOf(about, "", fact.text), where)
            for key, value in fact.attributes.items():
                said.setdefault(SaidOf(about, key, str(value)), where)
    return said


def names_with_cast(text: str, known: KnownNames) -> frozenset[str]:
    """The main names of the known entities that a text names."""
    return frozenset(owner.name for _, owner in known.places(text))
