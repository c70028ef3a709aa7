"""Turns the names and mentions found in a text into drafts for the review queue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabula.extraction.chinese.aliases import likeness as likeness_in_chinese
from fabula.extraction.chinese.aliases import without_title
from fabula.extraction.english.aliases import likeness as likeness_in_english
from fabula.extraction.found import FoundMentions, FoundName
from fabula.extraction.known import KnownNames
from fabula.extraction.mentions import FoundMention
from fabula.extraction.people import NewAlias, NewEntity, grouped_names
from fabula.extraction.quotation import quotation
from fabula.extraction.stated import stated
from fabula.extraction.ties.drafts import Somebody, tie_drafts
from fabula.model.proposal import Draft, ProposalKind, ReadFact
from fabula.model.relation import Language

_LONG = (30_000, 300_000)


def local_drafts(
    text: str,
    found: FoundMentions,
    known_names: KnownNames,
    language: Language,
    threshold: float,
    *,
    is_book: bool = False,
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
    titled = _titled(sure, known_names)
    plain = [name for name in sure if name.text not in titled]
    names = grouped_names(plain, known_names, likeness)
    aliases = [alias for alias in names.aliases if alias.confidence >= threshold]
    who = _whose(names.entities, aliases, known_names, titled)
    said = stated(text, mentions, who, language, threshold, is_book=is_book)
    return [
        *(
            _entity(text, entity, first[entity.name.text], said.facts.get(entity.name.text, ()))
            for entity in names.entities
        ),
        *(_alias(text, alias, first[alias.name.text]) for alias in aliases),
        *tie_drafts(text, said.ties, threshold),
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
) -> dict[str, Somebody]:
    """The entity for each name of the text that may take part in a relation."""
    known = {one.name: Somebody(one.name, one.type, 1.0) for one in known_names.everybody}
    who = dict(known)
    for entity in entities:
        one = Somebody(entity.name.text, entity.name.type, entity.confidence)
        who.update((name.text, one) for name in (entity.name, *entity.aliases))
    who.update((alias.name.text, known[alias.owner]) for alias in aliases)
    for name, base in titled.items():
        owner = known_names.owner(base)
        if owner is not None:
            who[name] = known[owner.name]
        elif base in who:
            who[name] = who[base]
    return who


def _entity(text: str, entity: NewEntity, mention: FoundMention, facts: tuple[ReadFact, ...]) -> Draft:
    start, end = quotation(text, mention.start, mention.end)
    return Draft(
        kind=ProposalKind.ENTITY,
        entity_name=entity.name.text,
        entity_type=entity.name.type,
        aliases=tuple(alias.text for alias in entity.aliases),
        source_text=text[start:end],
        source_start=start,
        source_end=end,
        confidence=_rounded(entity.confidence),
        facts=facts,
    )


def _alias(text: str, alias: NewAlias, mention: FoundMention) -> Draft:
    start, end = quotation(text, mention.start, mention.end)
    return Draft(
        kind=ProposalKind.ALIAS,
        entity_name=alias.name.text,
        entity_type=alias.name.type,
        attributes={"aliasOf": alias.owner},
        source_text=text[start:end],
        source_start=start,
        source_end=end,
        confidence=_rounded(alias.confidence),
        same_as=alias.owner,
    )


def _rounded(confidence: float) -> float:
    return round(confidence, 3)
