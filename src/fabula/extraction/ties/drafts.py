"""The ties between the people, places and things of a text, each once, with the sentence that states it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from fabula.extraction.mentions import FoundMention
from fabula.extraction.quotation import MAX_QUOTATION, quotation
from fabula.extraction.stated_relation import StatedRelation, kinship
from fabula.extraction.ties.speech import Exchange
from fabula.extraction.wordlist import word_set
from fabula.model.proposal import Draft, ProposalKind
from fabula.model.relation import Language

# Both ends of these are the same to each other.
_MUTUAL = word_set(
    "同伴 enemy sibling 结拜 夫妻 knows ally rivals companion spouse betrothed cousin lover 表亲 colleague"
)
_NEVER_CERTAIN = 0.95
# From here on, what was hinted at counts as said.
_ENOUGH = 0.65
# Whoever answers somebody once may speak to the room; whoever does it again knows them.
# English seldom says who speaks, so that twice is as much as four times in Chinese.
_ANSWERED: dict[Language, float] = {"zh": 0.3, "en": 0.46}
# Words by which one is called in earnest; 哥哥 and 姐姐 are said to everybody.
_CALLED = word_set(
    "师父 师傅 师尊 恩师 徒弟 徒儿 父王 父亲 母亲 爹爹 父皇 母后 师兄 师弟 岳父 母舅 舅舅 孩儿"
    " father mother uncle aunt grandfather grandmother son daughter"
)
_CALLED_OFTEN: dict[Language, int] = {"zh": 5, "en": 2}
_CALLED_MOSTLY = 0.6
# An entity of this confidence is approved; below it, its ties are as doubtful as itself.
_APPROVED = 0.8


class Somebody(NamedTuple):
    """A proposed or known entity, under its main name."""

    name: str
    type: str
    confidence: float


class FoundTie(NamedTuple):
    """A tie between two entities, how certain it is, and the span that states it first."""

    source: Somebody
    target: Somebody
    type: str
    description: str
    confidence: float
    start: int
    end: int


def named_by(mentions: Iterable[FoundMention], who: Mapping[str, Somebody]) -> list[FoundMention]:
    """The mentions of those who may take part in a tie, with their types."""
    return [
        mention._replace(type=one.type)
        for mention in mentions
        if (one := who.get(mention.known or mention.text)) is not None
    ]


def found_ties(
    stated: Iterable[StatedRelation],
    exchanges: Sequence[Exchange],
    who: Mapping[str, Somebody],
    language: Language,
) -> list[FoundTie]:
    """The ties that a text states, each once, with a confidence that grows with repetition."""
    spoken = (StatedRelation(one.hearer, one.speaker, "knows", "", _ANSWERED[language]) for one in exchanges)
    together: dict[tuple[str, str, str], list[StatedRelation]] = {}
    for said in chain(stated, _called(exchanges, who, language), spoken):
        # A name that is put together, as in Mr. and Mrs. Pett, need not be anybody's.
        if any((side.known or side.text) not in who for side in (said.source, said.target)):
            continue
        source, target = (who[side.known or side.text].name for side in (said.source, said.target))
        if source == target:
            continue
        key = (source, target, said.type)
        if said.type in _MUTUAL and (target, source, said.type) in together:
            key = (target, source, said.type)
        together.setdefault(key, []).append(said)
    return _without_lesser([_tie(same, who) for same in together.values()])


def _tie(same: Sequence[StatedRelation], who: Mapping[str, Somebody]) -> FoundTie:
    """The tie that statements make up; it holds from where they are enough, not from the first."""
    doubt, first = 1.0, None
    for said in sorted(same, key=lambda one: max(one.source.start, one.target.start)):
        doubt *= 1 - said.weight
        if first is None and 1 - doubt >= _ENOUGH:
            first = said
    first = first or same[0]
    source, target = (who[side.known or side.text] for side in (first.source, first.target))
    certain = min(_APPROVED, source.confidence, target.confidence) / _APPROVED
    start, end = sorted((first.source, first.target))[0].start, max(first.source.end, first.target.end)
    if end - start > MAX_QUOTATION:
        start, end = max((first.source, first.target)).start, max((first.source, first.target)).end
    return FoundTie(
        source, target, first.type, first.word, certain * min(_NEVER_CERTAIN, 1 - doubt), start, end
    )


def _without_lesser(ties: Sequence[FoundTie]) -> list[FoundTie]:
    """Drop the weaker of two opposite ties, and acquaintance where the text says more."""
    best: dict[tuple[str, str, str], float] = {}
    closer: set[frozenset[str]] = set()
    for tie in ties:
        best[tie.source.name, tie.target.name, tie.type] = tie.confidence
        if tie.type != "knows" and tie.confidence > 0.5:
            closer.add(frozenset((tie.source.name, tie.target.name)))
    return [
        tie
        for tie in ties
        if best.get((tie.target.name, tie.source.name, tie.type), 0.0) < tie.confidence
        and not (tie.type == "knows" and frozenset((tie.source.name, tie.target.name)) in closer)
    ]


def _called(
    exchanges: Iterable[Exchange], who: Mapping[str, Somebody], language: Language
) -> Iterator[StatedRelation]:
    """What people are to each other by the words they call each other: 师父, 父王, papa."""
    times: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    first: dict[tuple[str, str, str], Exchange] = {}
    for one in exchanges:
        if one.word in _CALLED:
            speaker, hearer = (who[side.known or side.text].name for side in (one.speaker, one.hearer))
            times[speaker, one.word][hearer] += 1
            first.setdefault((speaker, one.word, hearer), one)
    for (speaker, word), heard in times.items():
        hearer, count = heard.most_common(1)[0]
        if count >= _CALLED_OFTEN[language] and count >= _CALLED_MOSTLY * heard.total():
            said = first[speaker, word, hearer]
            yield kinship(said.speaker, said.hearer, word, language, 0.75)


def tie_drafts(text: str, ties: Iterable[FoundTie], threshold: float) -> Iterator[Draft]:
    """The drafts of the ties that are certain enough."""
    for tie in ties:
        if tie.confidence >= threshold:
            start, end = quotation(text, tie.start, tie.end)
            yield Draft(
                kind=ProposalKind.RELATION,
                entity_name=tie.source.name,
                entity_type=tie.source.type,
                attributes={"target": tie.target.name, "type": tie.type, "description": tie.description},
                source_text=text[start:end],
                source_start=start,
                source_end=end,
                confidence=round(tie.confidence, 3),
            )
