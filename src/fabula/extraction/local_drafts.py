"""Turns the names and mentions found in a text into drafts for the review queue."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Any, NamedTuple

from fabula.extraction.chinese.aliases import likeness as likeness_in_chinese
from fabula.extraction.chinese.aliases import without_title
from fabula.extraction.chinese.relations import stated_in_chinese
from fabula.extraction.english.aliases import likeness as likeness_in_english
from fabula.extraction.english.relations import stated_in_english
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.identity.book import people_of_book
from fabula.extraction.known import KnownNames
from fabula.extraction.mentions import FoundMention
from fabula.extraction.people import LikelyAlias, NewAlias, NewEntity, grouped_names
from fabula.extraction.quotation import quotation
from fabula.extraction.sameness import Sameness
from fabula.extraction.together import MOST_PAIRS, pairs
from fabula.model.proposal import JOINS, TIMES, Draft, ProposalKind
from fabula.model.relation import Language

# A passage is a paragraph, or this many characters of a long one.
_PASSAGE = 400
_NEVER_CERTAIN = 0.95
_LONG = (30_000, 300_000)
# From this length on, a text is a book: it has enough of everybody to tell who is who.
BOOK = _LONG[0]
_TOGETHER: dict[Language, str] = {"zh": "在文中同时出现 {} 次", "en": "named together {} times"}


class _One(NamedTuple):
    """A proposed or known entity, under its main name."""

    name: str
    type: str
    confidence: float


def local_drafts(
    text: str, found: FoundMentions, known_names: KnownNames, language: Language, threshold: float
) -> list[Draft]:
    """Drafts of entities, of aliases of known ones, and of relations between proposed or known ones."""
    mentions = [mention for mention in found.mentions if mention.named]
    first: dict[str, FoundMention] = {}
    for mention in mentions:
        first.setdefault(mention.text, mention)
    often = _least_times(len(text))
    sure = [
        name
        for name in found.names
        if name.confidence >= threshold and name.times >= often and name.text in first
    ]
    titled: dict[str, str] = {}
    if len(text) > BOOK:
        names = people_of_book(text, found, known_names, language, threshold, often)
    else:
        titled = _titled(sure, known_names)
        plain = [name for name in sure if name.text not in titled]
        names = grouped_names(plain, known_names, likeness)
    aliases = [alias for alias in names.aliases if alias.confidence >= threshold]
    who = _whose(names.entities, aliases, known_names, titled)
    quoted = _Quoted(text, first)
    return [
        *(quoted.entity(entity) for entity in names.entities),
        *(quoted.alias(alias) for alias in aliases),
        *(quoted.likely(alias) for alias in names.likely if alias.same.confidence >= threshold),
        *_relations(text, mentions, who, language, threshold),
    ]


def _least_times(length: int) -> int:
    """How often a name must occur in a text of this length; minor figures of a long book are left out."""
    return sum(length > size for size in _LONG) + 1


def likeness(short: str, full: str) -> float:
    """The confidence that the short name means the person with the full name, in either language."""
    return likeness_in_chinese(short, full) or likeness_in_english(short, full)


def _titled(names: Sequence[FoundName], known_names: KnownNames) -> dict[str, str]:
    """Names that are another name followed by a title, mapped to it: 林逸师兄 to 林逸."""
    plain = {name.text for name in names}
    titled = {}
    for name in names:
        base = without_title(name.text) if name.type == "character" else None
        if base is not None and (base in plain or known_names.owner(base) is not None):
            titled[name.text] = base
    return titled


def _whose(
    entities: Iterable[NewEntity],
    aliases: Iterable[NewAlias],
    known_names: KnownNames,
    titled: dict[str, str],
) -> dict[str, _One]:
    """The entity for each name of the text that may take part in a relation."""
    known = {one.name: _One(one.name, one.type, 1.0) for one in known_names.everybody}
    who = dict(known)
    for entity in entities:
        one = _One(entity.name.text, entity.name.type, entity.confidence)
        who.update((name.text, one) for name in (entity.name, *entity.aliases))
    who.update((alias.name.text, known[alias.owner]) for alias in aliases)
    for name, base in titled.items():
        owner = known_names.owner(base)
        if owner is not None:
            who[name] = known[owner.name]
        elif base in who:
            who[name] = who[base]
    return who


class _Quoted:
    """Drafts of names, each with a quotation from the text."""

    def __init__(self, text: str, first: dict[str, FoundMention]) -> None:
        self._text, self._first = text, first

    def entity(self, entity: NewEntity) -> Draft:
        """The draft of an entity with its other names, and why they are its names."""
        attributes: dict[str, Any] = {}
        if len(self._text) > BOOK:
            attributes[TIMES] = entity.times
        if entity.joins:
            attributes[JOINS] = [self._join(same) for same in entity.joins]
        return Draft(
            kind=ProposalKind.ENTITY,
            entity_name=entity.name.text,
            entity_type=entity.name.type,
            attributes=attributes,
            aliases=tuple(alias.text for alias in entity.aliases),
            confidence=_rounded(entity.confidence),
            **self._source(entity.name.text),
        )

    def alias(self, alias: NewAlias) -> Draft:
        """The draft of a new name of an entity of the story."""
        return Draft(
            kind=ProposalKind.ALIAS,
            entity_name=alias.name.text,
            entity_type=alias.name.type,
            attributes={"aliasOf": alias.owner, **self._evidence(alias.same, alias.name.times)},
            confidence=_rounded(alias.confidence),
            same_as=alias.owner,
            **self._source(alias.name.text, alias.same),
        )

    def likely(self, alias: LikelyAlias) -> Draft:
        """The draft that says that one person is likely another."""
        return Draft(
            kind=ProposalKind.ALIAS,
            entity_name=alias.name.text,
            entity_type=alias.name.type,
            attributes={"aliasOf": alias.owner, **self._evidence(alias.same, alias.times)},
            confidence=_rounded(alias.same.confidence),
            **self._source(alias.name.text, alias.same),
        )

    def _evidence(self, same: Sameness | None, times: int) -> dict[str, Any]:
        return {} if same is None else {TIMES: times, JOINS: [self._join(same)]}

    def _join(self, same: Sameness) -> dict[str, Any]:
        source = self._source(same.name, same)
        told = {"name": same.name, "other": same.other, "reason": same.reason.value}
        return {**told, "quotation": source["source_text"], "start": source["source_start"]}

    def _source(self, name: str, same: Sameness | None = None) -> dict[str, Any]:
        """The quotation and its span: where the text shows it, else the first mention, else nowhere."""
        if same is not None and same.start is not None and same.end is not None:
            start, end = quotation(self._text, same.start, same.end)
        elif name in self._first:
            start, end = quotation(self._text, self._first[name].start, self._first[name].end)
        else:
            found = self._text.find(name)
            if found < 0:
                return {"source_text": "", "source_start": None, "source_end": None}
            start, end = quotation(self._text, found, found + len(name))
        return {"source_text": self._text[start:end], "source_start": start, "source_end": end}


class _Relation(NamedTuple):
    """A relation stated at one place of the text."""

    source: _One
    target: _One
    type: str
    description: str
    confidence: float
    start: int
    end: int


def _relations(
    text: str, mentions: list[FoundMention], who: dict[str, _One], language: Language, threshold: float
) -> Iterator[Draft]:
    """The relations stated in the text, each once, with a confidence that grows with repetition."""
    together: dict[tuple[str, str, str], list[_Relation]] = {}
    for relation in chain(_said(text, mentions, who), _acquainted(text, mentions, who, language)):
        if relation.source.name != relation.target.name:
            key = (relation.source.name, relation.target.name, relation.type)
            together.setdefault(key, []).append(relation)
    for same in together.values():
        doubt = 1.0
        for relation in same:
            doubt *= 1 - relation.confidence
        confidence = min(_NEVER_CERTAIN, 1 - doubt)
        if confidence >= threshold:
            yield _relation(text, same[0]._replace(confidence=confidence))


def _said(text: str, mentions: list[FoundMention], who: dict[str, _One]) -> Iterator[_Relation]:
    named = [
        mention._replace(type=one.type)
        for mention in mentions
        if (one := who.get(mention.known or mention.text)) is not None
    ]
    for said in chain(stated_in_chinese(text, named), stated_in_english(text, named)):
        source, target = (who[side.known or side.text] for side in (said.source, said.target))
        sure = said.weight * min(source.confidence, target.confidence)
        start = min(said.source.start, said.target.start)
        end = max(said.source.end, said.target.end)
        yield _Relation(source, target, said.type, said.word, sure, start, end)


def _acquainted(
    text: str, mentions: list[FoundMention], who: dict[str, _One], language: Language
) -> Iterator[_Relation]:
    people = {name: one.name for name, one in who.items() if one.type == "character"}
    lines = _Lines(text)
    passages = (
        list(group) for _, group in groupby(mentions, key=lambda mention: lines.passage(mention.start))
    )
    for pair in pairs(passages, people, MOST_PAIRS * _least_times(len(text))):
        one, other = (who[side.known or side.text] for side in (pair.one, pair.other))
        sure = pair.confidence * min(one.confidence, other.confidence)
        description = _TOGETHER[language].format(pair.times)
        start, end = sorted((pair.one, pair.other))[0].start, max(pair.one.end, pair.other.end)
        yield _Relation(one, other, "knows", description, sure, start, end)


class _Lines:
    """Maps offsets, given in ascending order, to passages."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 0
        self._start = 0
        self._end = 0

    def passage(self, place: int) -> tuple[int, int]:
        """The line number and the part of that line."""
        while place >= self._end:
            self._start = self._end
            end = self._text.find("\n", self._start)
            self._end = len(self._text) + 1 if end < 0 else end + 1
            self._line += 1
        return self._line, (place - self._start) // _PASSAGE


def _relation(text: str, relation: _Relation) -> Draft:
    start, end = quotation(text, relation.start, relation.end)
    return Draft(
        kind=ProposalKind.RELATION,
        entity_name=relation.source.name,
        entity_type=relation.source.type,
        attributes={
            "target": relation.target.name,
            "type": relation.type,
            "description": relation.description,
        },
        source_text=text[start:end],
        source_start=start,
        source_end=end,
        confidence=_rounded(relation.confidence),
    )


def _rounded(confidence: float) -> float:
    return round(confidence, 3)
