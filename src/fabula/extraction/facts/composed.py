"""Who somebody is: what a text states about them and their closest ties, in its order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fabula.extraction.facts.chinese import facts_in_chinese
from fabula.extraction.facts.english import facts_in_english
from fabula.extraction.facts.stated_fact import TRAITS, StatedFact
from fabula.extraction.facts.tie_texts import tie_texts
from fabula.extraction.mentions import FoundMention
from fabula.extraction.quotation import quotation
from fabula.extraction.ties.drafts import FoundTie, Somebody
from fabula.extraction.ties.sentence import Sentence
from fabula.model.proposal import ReadFact
from fabula.model.relation import Language

STATED_FACTS = {"zh": facts_in_chinese, "en": facts_in_english}
# Whoever has more facts than this is described by the first of each kind.
_MOST_FACTS = 16
_BESIDE = 200
_FIRST_SEEN: dict[Language, str] = {"zh": "初次出场时与{}一同出现。", "en": "First seen with {}."}
_AND: dict[Language, str] = {"zh": "、", "en": " and "}
_MOST_OF_A_KIND = {
    "who": 6,
    "looks": 2,
    "fate": 1,
    "tie": 6,
    "company": 3,
    "talk": 2,
    "age": 3,
    "office": 3,
    "home": 1,
}


# With whom somebody goes and speaks says little about who they are.
_COMPANY = {"knows": "talk", "companion": "company", "同伴": "company"}


class PlacedFact(NamedTuple):
    """A fact in words about somebody, with the span of the text that states it."""

    about: str
    kind: str
    text: str
    value: str
    start: int
    end: int


def placed_facts(sentence: Sentence, who: Mapping[str, Somebody], language: Language) -> Iterator[PlacedFact]:
    """The facts that a sentence states about people."""
    for fact in STATED_FACTS[language](sentence):
        somebody = who[fact.about.known or fact.about.text]
        if somebody.name not in fact.text:
            start, end = _span(sentence, fact.about)
            text = _sentence(fact, language)
            yield PlacedFact(somebody.name, fact.kind, text, fact.value, start, end)


def _span(sentence: Sentence, about: FoundMention) -> tuple[int, int]:
    """The mention, or the beginning of the sentence if it is named before."""
    inside = sentence.start <= about.start < sentence.end
    return (about.start, about.end) if inside else (sentence.start, sentence.start + 1)


def _sentence(fact: StatedFact, language: Language) -> str:
    """A fact as a sentence of its own."""
    if language == "zh":
        return f"{fact.text.rstrip('，。；')}。"
    said = {"eyes": f"{fact.text} eyes", "hair": f"{fact.text} hair", "beard": f"a {fact.text} beard"}
    text = said.get(fact.kind, fact.text)
    if fact.kind == "age":
        text = f"{text} years old"
    return f"{text[:1].upper()}{text[1:]}."


def facts_of_people(
    text: str,
    stated: Iterable[PlacedFact],
    ties: Sequence[FoundTie],
    language: Language,
    certain: float,
) -> dict[str, tuple[ReadFact, ...]]:
    """What a text says about each person, in order, without repetitions and not too much of one kind."""
    found: defaultdict[str, list[PlacedFact]] = defaultdict(list)
    for fact in stated:
        found[fact.about].append(fact)
    for tie in ties:
        kind = _COMPANY.get(tie.type, "tie")
        for about, said in tie_texts(tie, language) if tie.confidence >= certain else ():
            found[about].append(PlacedFact(about, kind, said, "", tie.start, tie.end))
    return {about: tuple(_chosen(text, facts, language)) for about, facts in found.items()}


def _chosen(text: str, facts: Iterable[PlacedFact], language: Language) -> Iterator[ReadFact]:
    facts = list(facts)
    if any(fact.kind not in ("talk", "first") for fact in facts):
        facts = [fact for fact in facts if fact.kind != "talk"]
    elif all(fact.kind == "first" for fact in facts):
        # The sentence that names them says more.
        return
    counts: defaultdict[str, int] = defaultdict(int)
    said: list[str] = []
    for fact in sorted(facts, key=lambda one: one.start):
        core = _core(fact.text)
        counts[fact.kind] += 1
        if counts[fact.kind] > _MOST_OF_A_KIND.get(fact.kind, 1) or len(said) >= _MOST_FACTS:
            continue
        if any(core in earlier or earlier in core for earlier in said):
            counts[fact.kind] -= 1
            continue
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


def first_seen(
    mentions: Sequence[FoundMention], who: Mapping[str, Somebody], language: Language
) -> Iterator[PlacedFact]:
    """Beside whom each person is named first."""
    seen: set[str] = set()
    people = [(who[one.known or one.text].name, one) for one in mentions if one.type == "character"]
    for place, (name, mention) in enumerate(people):
        if name in seen:
            continue
        seen.add(name)
        around = people[max(0, place - 3) : place + 4]
        company = dict.fromkeys(
            other for other, beside in around if other != name and abs(beside.start - mention.start) < _BESIDE
        )
        if company:
            said = _FIRST_SEEN[language].format(_AND[language].join(list(company)[:2]))
            yield PlacedFact(name, "first", said, "", mention.start, mention.end)


def _core(text: str) -> str:
    """What a sentence says, without articles and punctuation, to tell whether it was said before."""
    return re.sub(r"^(?:an?|the) |[的之，。.\s]", "", text.lower())
