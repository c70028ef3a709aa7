"""What a text states: ties between people, places and things, and who each person is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fabula.extraction.chinese.book_evidence import is_one_of_many
from fabula.extraction.chinese.nouns import PEOPLE
from fabula.extraction.chinese.relations import stated_in_chinese
from fabula.extraction.english.relations import stated_in_english
from fabula.extraction.english.sexes import sexes_of
from fabula.extraction.facts.address import forms_of_address
from fabula.extraction.facts.composed import PlacedFact, facts_of_people, placed_facts
from fabula.extraction.facts.english import OF_NARRATOR
from fabula.extraction.facts.fates import Survivors
from fabula.extraction.facts.names_in_use import NamesInUse
from fabula.extraction.facts.telling import TellingSentences
from fabula.extraction.facts.titles import facts_of_titles
from fabula.extraction.identity.turns import NARRATOR, turns_of
from fabula.extraction.mentions import FoundMention
from fabula.extraction.stated_relation import StatedRelation
from fabula.extraction.ties.drafts import FoundTie, Somebody, found_ties, named_by
from fabula.extraction.ties.passages import Passages
from fabula.extraction.together import acquaintances
from fabula.model.proposal import ReadFact
from fabula.model.relation import Language

_STATED = {"zh": stated_in_chinese, "en": stated_in_english}
_HAN, _LATIN = re.compile("[\u3400-\u9fff]"), re.compile("[A-Za-z]")
_SAMPLE = 20_000
# A text that says "said I" as often as this has a narrator who takes part.
_TOLD_BY_SOMEBODY = 5
# A Chinese text may be full of Latin names, and an English one quote some Chinese.
_LETTERS_A_CHARACTER = {"zh": 12, "en": 3}
# 那怪, 众僧, 小妖: whoever is meant changes from page to page.
_POINTED = frozenset("那这這众眾两兩几幾诸諸各每某此")


class Stated(NamedTuple):
    """The ties of a text, and the facts about each of its people by their main names."""

    ties: list[FoundTie]
    facts: dict[str, tuple[ReadFact, ...]]


def stated(
    text: str,
    mentions: Sequence[FoundMention],
    who: Mapping[str, Somebody],
    language: Language,
    threshold: float,
    *,
    is_book: bool,
) -> Stated:
    """The ties and facts that a text states; `who` maps its names to those they mean.

    In a book, who appears with whom is seen from its scenes; in a short text, it is proposed.
    """
    meant = {name: one for name, one in who.items() if one.type != "character" or not _is_anybody(name)}
    named = named_by(mentions, meant)
    spoken = _language_of(text, language)
    passages = Passages(text, named, spoken, sexes_of(text, named) if spoken == "en" else {})
    relations: list[StatedRelation] = []
    facts: list[PlacedFact] = []
    telling = TellingSentences(meant, spoken)
    for sentence in passages:
        relations.extend(_STATED[spoken](sentence))
        facts.extend(placed_facts(sentence, meant, spoken))
        telling.note(sentence)
    called = NamesInUse(named, meant)
    turns = turns_of(text, named, spoken)
    if sum(turn.speaker == NARRATOR for turn in turns) < _TOLD_BY_SOMEBODY:
        facts = [fact for fact in facts if not fact.text.startswith(OF_NARRATOR)]
    survivors = Survivors(turns, meant)
    facts = [
        *survivors.without_deaths(facts),
        *telling.facts(text),
        *facts_of_titles(named, meant, spoken),
    ]
    facts += [
        PlacedFact(one.about, one.kind, one.text, "", one.start, one.end)
        for one in forms_of_address(text, turns, meant, spoken)
    ]
    ties = found_ties(survivors.without_killings(relations), passages.exchanges, meant, spoken)
    if not is_book:
        tied = {frozenset((tie.source.name, tie.target.name)) for tie in ties if tie.confidence >= threshold}
        ties += [
            tie
            for tie in acquaintances(text, named, meant, language)
            if frozenset((tie.source.name, tie.target.name)) not in tied
        ]
    return Stated(ties, facts_of_people(text, facts, ties, spoken, threshold, called, passages.sexes))


def _is_anybody(name: str) -> bool:
    return name[0] in _POINTED or name in PEOPLE or is_one_of_many(name)


def _language_of(text: str, language: Language) -> Language:
    """The language a text is written in, which may differ from the story's."""
    sample = text[:_SAMPLE]
    han, latin = len(_HAN.findall(sample)), len(_LATIN.findall(sample))
    if not han or not latin:
        return "zh" if han else "en" if latin else language
    return "zh" if _LETTERS_A_CHARACTER[language] * han > latin else "en"
