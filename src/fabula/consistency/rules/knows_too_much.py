"""Somebody speaks of a private fact that they do not know at that moment."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.reading import PEOPLE
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.consistency.rules.shown import waive
from fabula.consistency.speeches import SpokenWords, speeches_in
from fabula.context.point_of_view import PointOfView, eyes_of
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity
from fabula.model.fact import FactKind, FactRef

_MESSAGE: FindingMessage = {
    "zh": "“{name}”此时并不知道“{fact}”，这里却说了出来。",
    "en": "“{name}” speaks of “{fact}”, which they do not know at this moment.",
}


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    view = text.view
    # What one person does not know is nothing to tell another, nor a model that must not know who knows what.
    if view.pov is not None or not view.index.known.rows(view.reader).private_count:
        return
    people = {slot: one for slot, one in text.people.items() if one.type == PEOPLE}
    named = {view.index.roster.ids[slot]: text.places(slot) for slot in people}
    by_id = {one.id: one for one in people.values()}
    for speech in speeches_in(text.text, named, text.language):
        speaker = by_id.get(speech.who)
        if speaker is None or not view.may_be_told(view.index.roster.slot_of[speaker.id]):
            continue
        eyes = eyes_of(view.reader, view.index, speaker.id, view.instant)
        yield from _told(text, speaker, eyes, speech)


def _told(
    text: CheckedText, speaker: Entity, eyes: PointOfView, speech: SpokenWords
) -> Iterator[Discrepancy]:
    view, seen = text.view, set()
    for slot, entity in text.people.items():
        if slot not in eyes.hidden_slots or entity.id == speaker.id or not view.may_be_told(slot):
            continue
        for place in text.places(slot):
            if speech.start <= place.start and place.end <= speech.end and slot not in seen:
                seen.add(slot)
                there = EstablishedThere(kind="entity", id=entity.id, quotation=entity.name)
                yield _said(text, speaker, place.start, place.end, entity.name, there, f"entity:{entity.id}")
    if not text.is_for_author:
        return
    for entry in view.index.entries(view.reader, list(text.found.entries)):
        if entry.id not in eyes.hidden_entries:
            continue
        title = entry.display_name or entry.entry_key
        for place in text.found.entries[entry.id]:
            if speech.start <= place.start and place.end <= speech.end:
                there = EstablishedThere(kind="entry", id=entry.id, quotation=title)
                yield _said(text, speaker, place.start, place.end, title, there, f"entry:{entry.id}")
                break
    yield from _quoted(text, speaker, eyes, speech)


def _quoted(
    text: CheckedText, speaker: Entity, eyes: PointOfView, speech: SpokenWords
) -> Iterator[Discrepancy]:
    """The words that show a private fact, said by somebody who does not know it."""
    view = text.view

    def is_hidden(owner: object) -> bool:
        return isinstance(owner, FactRef) and eyes.hides(owner)

    words = text.text[speech.start : speech.end]
    for match in view.index.known.quotations(view.reader).outermost(words, is_hidden, None):
        fact = next(term.owner for term in match.terms if is_hidden(term.owner))
        assert isinstance(fact, FactRef)
        start, end = speech.start + match.start, speech.start + match.end
        kind = fact.kind.value if fact.kind is not FactKind.EVENT else "entity"
        there = EstablishedThere.model_validate(
            {"kind": kind, "id": fact.id, "quotation": text.text[start:end]}
        )
        yield _said(text, speaker, start, end, text.text[start:end], there, f"{kind}:{fact.id}")


def _said(
    text: CheckedText,
    speaker: Entity,
    start: int,
    end: int,
    fact: str,
    there: EstablishedThere,
    key: str,
) -> Discrepancy:
    return text.discrepancy(
        _MESSAGE,
        start,
        end,
        speaker,
        there=there,
        confidence=0.8,
        fixes=(waive(text),),
        facts=(f"entity:{speaker.id}", key),
        words={"fact": fact},
    )


KNOWS_TOO_MUCH = ConsistencyRule(
    "knows-too-much", "warning", {"zh": "说出了不知道的事", "en": "Somebody knows too much"}, _find
)
