"""A clock time or a number that differs from what a fact, or nearly the same sentence, says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabula.assembly.prose import sentences
from fabula.consistency.amounts import CLOCK, DEATH, Amount, amounts_in
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.consistency.rules.shown import change_text, waive
from fabula.context.edition_cache import recalled
from fabula.context.entity_texts import entity_text
from fabula.extraction.wordlist import words
from fabula.index.stems import stem
from fabula.index.story_index import StoryIndex
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity
from fabula.model.relation import Language
from fabula.store.reader import Reader

_MESSAGE: FindingMessage = {
    "zh": "这里是“{term}”，而此前写的是“{known}”。",
    "en": "Here it is “{term}”; what is established says “{known}”.",
}
# Of the words around two amounts, how many must be shared, and which share of the shorter sentence.
_LEAST_SHARED = {"en": 3, "zh": 4}
_LEAST_SHARE = {"en": 0.5, "zh": 0.5}
# A thing that is counted is a word of its own; for others, every word of the shorter sentence must be shared.
_LEAST_SHARE_OF_WITNESS = 0.6
_LEAST_SHARE_OF_TIME = 0.75
_LEAST_LETTERS = 3
_EMPTY = frozenset(
    "的了在是被他她它们我你您这那个都就也还有和与于里上下中说着过到从把将给让得地之其所及而但只才很又共约时点"
)
# What a report of a death is about beside the time.
_REPORTS = {DEATH} | set(
    map(
        stem,
        words(
            """autopsy coroner doctor estimated examination finding findings found put puts record report
            result says shows states time victim"""
        ),
    )
)
_TIME_OF_DEATH = "死亡"
# Two sentences of the manuscript must be nearly the same, the longer one included.
_LEAST_SHARE_OF_LONGER = 0.6


class _Stated(NamedTuple):
    """An amount in the text about an entity or of an entry, with its sentence."""

    amount: Amount
    kind: str
    id: str
    words: str
    sentence: str


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    # What somebody believes instead of a fact is not compared.
    if text.view.pov is not None:
        return
    here = text.reading.amounts
    if not here:
        return
    known = _stated(text.view.reader, text.view.index, text.language)
    for amount in here:
        near = [
            one for one in known.get(amount.unit, ()) if _is_about_the_same(amount, one.amount, text.language)
        ]
        # If any fact says the same, the others are about something else.
        if any(not amount.differs(one.amount) for one in near):
            continue
        found = next((one for one in near if _may_be_told(text, one)), None)
        if found is None:
            yield from () if near else _against_scenes(text, amount)
            continue
        there = EstablishedThere.model_validate(
            {"kind": found.kind, "id": found.id, "quotation": found.sentence}
        )
        yield _told(text, amount, there, found.words, f"{found.kind}:{found.id}", 0.7)


def _against_scenes(text: CheckedText, amount: Amount) -> Iterator[Discrepancy]:
    """What an earlier scene says in nearly the same words, unless one says the same."""
    if amount.is_vague:
        return
    said = [
        one
        for one in text.established.amounts_before(amount.unit, text.view.instant)
        if one.scene.id != text.scene_id
        and not one.amount.is_vague
        and _is_nearly_the_same(amount, one.amount, text.language)
    ]
    if not said or any(not amount.differs(one.amount) for one in said):
        return
    first = said[0]
    words = first.scene.text[first.amount.start : first.amount.end]
    yield _told(text, amount, first.there, words, f"scene:{first.scene.id}", 0.6)


def _told(
    text: CheckedText, amount: Amount, there: EstablishedThere, known: str, fact: str, confidence: float
) -> Discrepancy:
    return text.discrepancy(
        _MESSAGE,
        amount.start,
        amount.end,
        None,
        there=there,
        confidence=confidence,
        fixes=(change_text(text, known), waive(text)),
        facts=(fact,),
        words={"known": known},
    )


def _is_about_the_same(one: Amount, other: Amount, language: Language) -> bool:
    """Whether a sentence tells of what a fact says; a witness uses other words for the same."""
    shared = len(one.about & other.about)
    shorter = min(len(one.about), len(other.about))
    least = _LEAST_SHARED[language]
    if shared >= least and shared >= _LEAST_SHARE[language] * shorter:
        return True
    if one.unit == CLOCK and DEATH in one.about & other.about:
        return _REPORTS.issuperset(other.about) or _TIME_OF_DEATH in other.about
    if language == "zh":
        letters, others = (
            {*"".join(own.about - {DEATH}), *((own.unit,) if own.is_thing else ())} - _EMPTY
            for own in (one, other)
        )
        shared, shorter = len(letters & others), min(len(letters), len(others))
        least = _LEAST_LETTERS if one.is_thing else _LEAST_LETTERS - 1
        share = _LEAST_SHARE_OF_WITNESS if one.is_thing else _LEAST_SHARE_OF_TIME
        return shared >= least and shared >= share * shorter
    # A fact may be short: "Time of death: 4 p.m."
    return shared >= least - 1 and shared >= (_LEAST_SHARE_OF_WITNESS if one.is_thing else 1) * shorter


def _is_nearly_the_same(one: Amount, other: Amount, language: Language) -> bool:
    """Whether two sentences of a story differ in little but the amount; numbers change as a story goes on."""
    shared = len(one.about & other.about)
    longer = max(len(one.about), len(other.about))
    return shared >= _LEAST_SHARED[language] + 1 and shared >= _LEAST_SHARE_OF_LONGER * longer


def _stated(reader: Reader, index: StoryIndex, language: Language) -> dict[str, list[_Stated]]:
    """The amounts of all facts by unit, read once per edition of the story."""

    def read() -> dict[str, list[_Stated]]:
        found: dict[str, list[_Stated]] = {}
        slots = [slot for slot, key in enumerate(index.roster.ids) if index.roster.slot_of.get(key) == slot]
        for entity in index.entities(reader, slots):
            for one in _of(entity, language):
                found.setdefault(one.amount.unit, []).append(one)
        custom = [key for key, owner in index.lorebook(reader).entity_of.items() if owner is None]
        for entry in index.entries(reader, custom):
            for amount, sentence in _amounts(entry.content, language):
                words = entry.content[amount.start : amount.end]
                found.setdefault(amount.unit, []).append(_Stated(amount, "entry", entry.id, words, sentence))
        return found

    return recalled(index, "amounts", read)


def _of(entity: Entity, language: Language) -> Iterator[_Stated]:
    facts = (f"{entity.name}: {key}: {value}" for key, value in entity.attributes.items())
    for text in (entity.description, *facts):
        for amount, sentence in _amounts(text, language):
            yield _Stated(amount, "entity", entity.id, text[amount.start : amount.end], sentence)


def _amounts(text: str, language: Language) -> Iterator[tuple[Amount, str]]:
    spans = list(sentences(text))
    for amount in amounts_in(text, language):
        first, last = next(span for span in spans if span[0] <= amount.start < span[1])
        yield amount, text[first:last].strip()


def _may_be_told(text: CheckedText, one: _Stated) -> bool:
    """Whether the audience may be told what is established, in these words."""
    view = text.view
    if one.kind == "entry":
        (entry,) = view.index.entries(view.reader, [one.id])
        return view.may_be_read(entry) and one.sentence in view.redaction_of(entry).prose(entry.content)
    slot = view.index.roster.slot_of[one.id]
    if not view.may_be_told(slot):
        return False
    if text.is_for_author:
        return True
    (entity,) = view.index.entities(view.reader, [slot])
    return one.sentence in entity_text(view, entity).text


NUMBER = ConsistencyRule(
    "number", "warning", {"zh": "时刻或数目不符", "en": "A time or number that differs"}, _find
)
