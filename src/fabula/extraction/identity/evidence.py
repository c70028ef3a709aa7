"""Who is who in a text: all evidence that names mean one person, and all that they do not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from fabula.extraction.english.aliases import parts_of
from fabula.extraction.english.book_evidence import learnt_titles
from fabula.extraction.english.sexes import sexes_of
from fabula.extraction.found import FoundName
from fabula.extraction.identity.chinese_forms import (
    are_several,
    numbers_differ,
    related_forms,
    sexes,
)
from fabula.extraction.identity.chinese_nouns import nouns_for_people
from fabula.extraction.identity.chinese_statements import bynames, names_given_by_others, stated_names
from fabula.extraction.identity.chinese_titles import names_with_titles
from fabula.extraction.identity.company import Company
from fabula.extraction.identity.english_forms import are_other_people, related_english_forms
from fabula.extraction.identity.english_statements import stated_english_names
from fabula.extraction.identity.joining import Joined, joined_names
from fabula.extraction.identity.own_words import said_of_themselves
from fabula.extraction.identity.turns import NARRATOR
from fabula.extraction.mentions import FoundMention
from fabula.extraction.sameness import JoinReason, Sameness
from fabula.model.relation import Language

# A reading may take one speaker for another; people who talk do it more than once.
_ADDRESSED, _ADDRESSED_SHARE, _TALKED, _TALKED_SHARE, _MET, _MET_SHARE = 2, 0.015, 5, 0.7, 4, 0.25
_ANSWERS, _ANSWER_SHARE, _MANY_ANSWERS, _MANY_SHARE = 3, 0.6, 8, 0.75
_LIKELY_ANSWER, _SURE_ANSWER = 0.7, 0.88
_OFTEN, _SURE_NAME = 10, 0.8
_ROUNDS, _SELDOM = 3, 3


class _Alternation(NamedTuple):
    """How often two names must share a passage, and how seldom a sentence, to be one person's."""

    spoken: int
    together: int
    many: int
    share: float
    met: float
    confidence: float


# In English, with its longer passages, it only adds to other evidence.
_ALTERNATING: dict[Language, _Alternation] = {
    "zh": _Alternation(3, 15, 100, 0.6, 0.06, 0.7),
    "en": _Alternation(0, 10, 100, 0.45, 0.05, 0.55),
}


def identities(
    text: str,
    mentions: Sequence[FoundMention],
    people: Sequence[FoundName],
    language: Language,
    owners: Mapping[str, str] = MappingProxyType({}),
) -> Joined:
    """The names of a text joined to people; `owners` maps names the story has to its entities.

    Two entities of the story are never joined.
    """
    company = Company(text, mentions, language)
    known = [Sameness(name, owner, 1.0, JoinReason.KNOWN) for name, owner in owners.items() if name != owner]
    evidence = [*known, *_evidence(text, mentions, people, company, language)]
    partings = _Partings(company, sexes_of(text, mentions) if language == "en" else {}, owners, language)
    partings.said = {frozenset((same.name, same.other)) for same in evidence if same.is_outright}
    loose = _given_names_alone(people) if language == "en" else frozenset()
    joined = Joined([], [], [])
    for _ in range(_ROUNDS):
        own = {name: group for group in joined.groups for name in group}

        def group(name: str, own: Mapping[str, frozenset[str]] = own) -> Collection[str]:
            return own.get(name, (name,))

        if language == "en":
            forms = list(related_english_forms(people, company, partings.between, group))
        else:
            forms = [
                *related_forms(people, company, partings.between, group),
                *nouns_for_people(text, mentions, people, company, group),
            ]
        found = [*evidence, *forms]
        before, joined = joined, joined_names(found, partings.between_groups, company.times, loose)
        if before.groups == joined.groups:
            break
    return joined


def _given_names_alone(people: Sequence[FoundName]) -> frozenset[str]:
    """English given names that hardly ever stand alone: they may be anybody's who has them."""
    first = {words[0] for name in people if len(words := parts_of(name.text)[1]) > 1}
    return frozenset(name.text for name in people if name.times < _SELDOM and name.text in first)


class _Partings:
    """What tells two names apart: one list, a conversation, a meeting, or that they are a man and a woman."""

    def __init__(
        self, company: Company, sexes_: Mapping[str, str], owners: Mapping[str, str], language: Language
    ) -> None:
        self._company, self._sexes, self._owners, self._language = company, sexes_, owners, language
        self._learnt = learnt_titles(company.times) if language == "en" else frozenset()
        self.said: set[frozenset[str]] = set()

    def between(self, one: str, other: str) -> bool:
        """Whether two names mean two people."""
        return self._are_two(one, other) or self._meet([(one, other)])

    def between_groups(self, ones: frozenset[str], others: frozenset[str]) -> bool:
        """Whether two groups of names mean two people; one rare name that meets the other does not decide."""
        pairs = [(one, other) for one in ones for other in others]
        if any(frozenset(pair) in self.said for pair in pairs):
            return any(self._are_owned_apart(one, other) for one, other in pairs)
        return any(self._are_two(one, other) for one, other in pairs) or self._meet(pairs)

    def _are_two(self, one: str, other: str) -> bool:
        if one in self._owners and other in self._owners:
            return self._are_owned_apart(one, other)
        if self._are_unlike(one, other) or self._company.listed(one, other):
            return True
        company = self._company
        fewest = min(company.times[one], company.times[other])
        if company.addressed(one, other) >= max(_ADDRESSED, _ADDRESSED_SHARE * fewest):
            return True
        spoken = min(company.spoken[one], company.spoken[other])
        return company.talked(one, other) >= max(_TALKED, _TALKED_SHARE * spoken)

    def _are_owned_apart(self, one: str, other: str) -> bool:
        owner, another = self._owners.get(one), self._owners.get(other)
        return owner is not None and another is not None and owner != another

    def _are_unlike(self, one: str, other: str) -> bool:
        if self._language == "en":
            return are_other_people(one, other, self._learnt) or {
                self._sexes.get(one),
                self._sexes.get(other),
            } == {
                "m",
                "f",
            }
        if are_several(one) != are_several(other):
            return True
        return numbers_differ(one, other) or {sexes(one), sexes(other)} == {"m", "f"}

    def _meet(self, pairs: Sequence[tuple[str, str]]) -> bool:
        met = sum(self._company.met(one, other) for one, other in pairs)
        together = sum(self._company.together(one, other) for one, other in pairs)
        return met >= max(_MET, _MET_SHARE * together)


def _evidence(
    text: str,
    mentions: Sequence[FoundMention],
    people: Sequence[FoundName],
    company: Company,
    language: Language,
) -> Iterator[Sameness]:
    names = {name.text for name in people}
    if language == "en":
        yield from stated_english_names(text, mentions, names)
    else:
        stated = [
            *stated_names(text, mentions, names),
            *names_given_by_others(text, mentions, company.turns, names),
        ]
        yield from stated
        yield from bynames(text, mentions, names, {same.name for same in stated})
        yield from names_with_titles(text, mentions, people)
    yield from said_of_themselves(text, mentions, company, names, language)
    yield from _answering(names, company)
    yield from _narrating(names, company)
    yield from _alternating(people, company, language)


def _answering(names: set[str], company: Company) -> Iterator[Sameness]:
    """Whoever answers when a name is called: “呆子，过来。”八戒道."""
    for called, heard in company.answered.items():
        if called not in names:
            continue
        answers = {name: count for name, count in heard.items() if name in names}
        total = sum(answers.values())
        for name, count in answers.items():
            if name == called or count < _ANSWERS or count < _ANSWER_SHARE * total:
                continue
            sure = count >= _MANY_ANSWERS and count >= _MANY_SHARE * total
            start, end = company.answer_places[called, name]
            confidence = _SURE_ANSWER if sure else _LIKELY_ANSWER
            yield Sameness(called, name, confidence, JoinReason.ANSWERS, start, end)


def _narrating(names: set[str], company: Company) -> Iterator[Sameness]:
    """The names to which the one who tells the story answers."""
    mine = [
        called
        for called, heard in company.answered.items()
        if called in names and heard[NARRATOR] >= max(_ANSWERS, _ANSWER_SHARE * heard.total())
    ]
    main, *others = sorted(mine, key=lambda name: (-company.times[name], name)) or [""]
    for other in others:
        start, end = company.answer_places[other, NARRATOR]
        yield Sameness(other, main, _LIKELY_ANSWER, JoinReason.ANSWERS, start, end)


def _alternating(people: Sequence[FoundName], company: Company, language: Language) -> Iterator[Sameness]:
    """Names that stand in the same passages again and again, and hardly ever in one sentence."""
    rule = _ALTERNATING[language]
    often = [
        name.text
        for name in people
        if name.times >= _OFTEN and company.spoken[name.text] >= rule.spoken and name.confidence >= _SURE_NAME
    ]
    for one, other in combinations(often, 2):
        together = company.together(one, other)
        if together < rule.together:
            continue
        fewest = min(company.passages(one), company.passages(other))
        share, met = together / fewest, company.met(one, other) / together
        # Two frequent names need not share most passages, as each has many to itself.
        is_frequent = together >= rule.many and share >= rule.share / 2 and met <= rule.met - 0.01
        if (share >= rule.share and met <= rule.met) or is_frequent:
            yield Sameness(one, other, rule.confidence, JoinReason.ALTERNATES)
