"""Who somebody is: what a text states about them and their closest ties, the most telling first."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from fabula.extraction.facts.chinese import facts_in_chinese
from fabula.extraction.facts.english import facts_in_english
from fabula.extraction.facts.names_in_use import NamesInUse
from fabula.extraction.facts.stated_fact import TRAITS, StatedFact
from fabula.extraction.facts.tie_texts import tie_texts
from fabula.extraction.kin import CLASSICAL
from fabula.extraction.mentions import FoundMention
from fabula.extraction.quotation import quotation
from fabula.extraction.ties.drafts import FoundTie, Somebody
from fabula.extraction.ties.sentence import MarkedSentence
from fabula.model.proposal import ReadFact
from fabula.model.relation import Language

STATED_FACTS = {"zh": facts_in_chinese, "en": facts_in_english}
_MOST_FACTS = 12
# How many facts of a kind are told; the kinds stand in the order in which they tell who somebody is.
_MOST_OF_A_KIND = {
    "who": 4,
    "office": 3,
    "kin": 5,
    "home": 1,
    "title": 1,
    "called": 1,
    "self": 1,
    "fate": 1,
    "tie": 4,
    "age": 2,
    "height": 1,
    "eyes": 1,
    "hair": 1,
    "beard": 1,
    "looks": 2,
    "nature": 2,
    "rank": 1,
    "told": 1,
    "company": 2,
    "talk": 2,
}
_RANK = {kind: rank for rank, kind in enumerate(_MOST_OF_A_KIND)}
_TELLING = frozenset(_MOST_OF_A_KIND) - {"rank", "told", "company", "talk"}

# With whom somebody goes and speaks says little about who they are.
_COMPANY = {"knows": "talk", "companion": "company", "同伴": "company"}
_NO_KIN = frozenset(
    ("enemy", "rivals", "ally", "杀死", "killed", "loves", "owns", "located_at", "belongs_to")
)
_OLD = re.compile(f"之({'|'.join(sorted(CLASSICAL, key=len, reverse=True))})。")
_OF = re.compile(r"^(?:an? |the )?([a-z-]+(?: [a-z-]+)?) of ([^.]+)\.$")


class PlacedFact(NamedTuple):
    """A fact in words about somebody, with the span of the text that states it."""

    about: str
    kind: str
    text: str
    value: str
    start: int
    end: int


def placed_facts(
    sentence: MarkedSentence, who: Mapping[str, Somebody], language: Language
) -> Iterator[PlacedFact]:
    """The facts that a sentence states about people."""
    for fact in STATED_FACTS[language](sentence):
        somebody = who[fact.about.known or fact.about.text]
        if somebody.name not in fact.text:
            start, end = _span(sentence, fact.about)
            text = _sentence(fact, language)
            yield PlacedFact(somebody.name, fact.kind, text, fact.value, start, end)


def _span(sentence: MarkedSentence, about: FoundMention) -> tuple[int, int]:
    """The mention, or the beginning of the sentence if it is named before."""
    inside = sentence.start <= about.start < sentence.end
    return (about.start, about.end) if inside else (sentence.start, sentence.start + 1)


def _sentence(fact: StatedFact, language: Language) -> str:
    """A fact as a sentence of its own."""
    if language == "zh":
        said = fact.text.rstrip("，。；").removesuffix("了")
        return f"{said.removeprefix('方') if fact.kind == 'age' else said}。"
    traits = {"eyes": f"{fact.text} eyes", "hair": f"{fact.text} hair", "beard": f"a {fact.text} beard"}
    text = traits.get(fact.kind, fact.text)
    if fact.kind == "age":
        text = f"{text} years old"
    return f"{text[:1].upper()}{text[1:]}."


def facts_of_people(
    text: str,
    stated: Iterable[PlacedFact],
    ties: Sequence[FoundTie],
    language: Language,
    certain: float,
    called: NamesInUse,
    sexes: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, tuple[ReadFact, ...]]:
    """What a text says about each person, the most telling first, without repetitions and not too much."""
    found: defaultdict[str, list[PlacedFact]] = defaultdict(list)
    for fact in stated:
        found[fact.about].append(fact)
    for tie in ties:
        kind = _COMPANY.get(tie.type) or ("tie" if tie.type in _NO_KIN else "kin")
        # Whoever speaks to somebody once is not known to know them, but does speak to them.
        is_told = tie.confidence >= certain or kind == "talk"
        for about, said in tie_texts(tie, language, called, sexes) if is_told else ():
            found[about].append(PlacedFact(about, kind, said, "", tie.start, tie.end))
    return {about: tuple(_chosen(text, facts, language)) for about, facts in found.items()}


def _chosen(text: str, facts: Sequence[PlacedFact], language: Language) -> Iterator[ReadFact]:
    telling = [fact for fact in facts if fact.kind in _TELLING]
    if telling:
        # A whole sentence says less; with whom somebody goes and speaks, their relations tell.
        facts = [fact for fact in facts if fact.kind not in ("told", "company", "talk")]
    elif any(fact.kind in ("rank", "told") for fact in facts):
        facts = [fact for fact in facts if fact.kind != "talk"]
    counts: defaultdict[str, int] = defaultdict(int)
    said: list[str] = []
    for fact in sorted(facts, key=lambda one: (_RANK[one.kind], one.start)):
        core = _core(fact.text)
        if counts[fact.kind] >= _MOST_OF_A_KIND[fact.kind] or len(said) >= _MOST_FACTS:
            continue
        if any(core in earlier or earlier in core for earlier in said):
            continue
        counts[fact.kind] += 1
        said.append(core)
        start, end = quotation(text, fact.start, fact.end)
        trait = TRAITS.get(fact.kind)
        yield ReadFact(
            text=fact.text,
            attributes={trait[language]: fact.value} if trait and fact.value else {},
            source_text=text[start:end],
            source_start=start,
            source_end=end,
        )


def _core(text: str) -> str:
    """What a sentence says, without articles and punctuation, to tell whether it was said before."""
    said = _OLD.sub(lambda found: f"的{CLASSICAL[found[1]]}。", text.lower().replace("'", "’"))
    said = _OF.sub(r"\2’s \1", said)
    return re.sub(r"^(?:an?|the) |’s\b|[的之儿，。.\s]", "", said)
