"""Who is who in a text: all evidence that names mean one person, and all that they do not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from types import MappingProxyType

from fabula.extraction.identity.chinese_forms import numbers_differ, related_forms, sexes
from fabula.extraction.identity.chinese_nouns import nouns_for_people
from fabula.extraction.identity.chinese_statements import bynames, stated_names
from fabula.extraction.found import FoundName
from fabula.extraction.identity.company import Company
from fabula.extraction.identity.joining import Joined, joined_names
from fabula.extraction.sameness import Reason, Sameness
from fabula.extraction.mentions import FoundMention
from fabula.model.relation import Language

_ANSWERS, _ANSWER_SHARE, _MANY_ANSWERS, _MANY_SHARE = 3, 0.6, 8, 0.75
_LIKELY_ANSWER, _SURE_ANSWER = 0.7, 0.88
_ALTERNATES = 0.7
_ROUNDS = 3


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

    def apart(one: str, other: str) -> bool:
        if one in owners and other in owners:
            return owners[one] != owners[other]
        return is_apart(company, one, other)

    known = [Sameness(name, owner, 1.0, Reason.KNOWN) for name, owner in owners.items() if name != owner]
    evidence = [*known, *_evidence(text, mentions, people, company)]
    joined = Joined([], [], [])
    for _ in range(_ROUNDS):
        own = {name: group for group in joined.groups for name in group}

        def group(name: str, own: Mapping[str, frozenset[str]] = own) -> Collection[str]:
            return own.get(name, (name,))

        forms = [
            *related_forms(people, company, apart, group),
            *nouns_for_people(text, mentions, people, company, group),
        ]
        before, joined = joined, joined_names([*evidence, *forms], apart, company.times)
        if before.groups == joined.groups:
            break
    return joined


def is_apart(company: Company, one: str, other: str) -> bool:
    """Whether two names mean two people: they stand in one list, talk to each other, or meet."""
    if company.listed(one, other) or {sexes(one), sexes(other)} == {"m", "f"} or numbers_differ(one, other):
        return True
    fewest = min(company.times[one], company.times[other])
    addressed = company.addressed(one, other)
    if addressed >= 2 and addressed >= 0.015 * fewest:
        return True
    spoken = min(company.spoken[one], company.spoken[other])
    if company.talked(one, other) >= max(5, 0.7 * spoken):
        return True
    met, together = company.met(one, other), company.together(one, other)
    return met >= 4 and met >= 0.25 * together


def _evidence(
    text: str, mentions: Sequence[FoundMention], people: Sequence[FoundName], company: Company
) -> Iterator[Sameness]:
    names = {name.text for name in people}
    stated = list(stated_names(text, mentions, names))
    yield from stated
    yield from bynames(text, mentions, names, {same.name for same in stated})
    yield from _answering(names, company)
    yield from _alternating(people, company)


def _answering(names: set[str], company: Company) -> Iterator[Sameness]:
    for called, heard in company.answered.items():
        if called not in names:
            continue
        answers = {name: count for name, count in heard.items() if name in names}
        total = sum(answers.values())
        for name, count in answers.items():
            if name == called or count < _ANSWERS or count < _ANSWER_SHARE * total:
                continue
            sure = count >= _MANY_ANSWERS and count >= _MANY_SHARE * total
            yield Sameness(called, name, _SURE_ANSWER if sure else _LIKELY_ANSWER, Reason.ANSWERS)


def _alternating(people: Sequence[FoundName], company: Company) -> Iterator[Sameness]:
    often = [
        name.text
        for name in people
        if name.times >= 10 and company.spoken[name.text] >= 3 and name.confidence >= 0.8
    ]
    for index, one in enumerate(often):
        for other in often[index + 1 :]:
            together = company.together(one, other)
            if together < 15:
                continue
            fewest = min(company.passages(one), company.passages(other))
            share, met = together / fewest, company.met(one, other) / together
            if (share >= 0.6 and met <= 0.06) or (together >= 100 and share >= 0.25 and met <= 0.05):
                yield Sameness(one, other, _ALTERNATES, Reason.ALTERNATES)
