"""What the text of a scene recalls: events of the entities it names, and passages of earlier scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from fabula.assembly.prose import sentences
from fabula.assembly.recollections import RecalledCandidate
from fabula.context.audience import ModelView
from fabula.context.detection import Detected
from fabula.context.edition_cache import names_of, recalled
from fabula.context.quotations import quotations
from fabula.context.story_world import StoryWorld
from fabula.model.audience import OpenText, Withheld
from fabula.model.manuscript import Snapshot
from fabula.model.moment import Moment
from fabula.model.relation import Language
from fabula.projections.meaning import Meaning
from fabula.retrieval.reasons import Recalled, Retrieved
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules

# Who is present spans some paragraphs; what is being discussed is in the last few sentences.
LAST_CHARACTERS: dict[Language, int] = {"zh": 240, "en": 600}
LAST_OF_ALL: dict[Language, int] = {"zh": 160, "en": 400}
TAILS_KEPT = 64
MOST_EVENTS = 12
MOST_PASSAGES = 8

# A scene names many entities, so a narrower search finds as much, fast enough while somebody is typing.
RULES = Rules(anchors=8, peers=12, beam=6, events=MOST_EVENTS)

_COLON: dict[Language, str] = {"zh": "：", "en": ": "}


def last_words(text: str, length: int) -> str:
    """Return the last complete sentences of a text, which change per sentence and not per key press."""
    tail = text[-2 * length :]
    return _last_words(tail, length, is_all=len(tail) == len(text))


@lru_cache(TAILS_KEPT)
def _last_words(tail: str, length: int, *, is_all: bool) -> str:
    whole = [span for span in sentences(tail) if tail[slice(*span)].strip()]
    if len(whole) > 1 and not _is_ended(tail[slice(*whole[-1])]):
        whole.pop()
    if len(whole) > 1 and not is_all:
        whole.pop(0)
    if not whole:
        return ""
    # Measured from the end of the last complete sentence, so that typing after it does not move the start.
    end = whole[-1][1]
    start = next((first for first, _ in whole if first >= end - length), end - length)
    return tail[start:end].strip()


def _is_ended(sentence: str) -> bool:
    return sentence.rstrip("」』”’）】》〉)]\"' ")[-1:] in "。！？…!?.\n" or sentence.endswith("\n")


def topic_of(text: str, language: Language, snapshots: Iterable[Snapshot]) -> str:
    """Return the query text: the last words of the scene or, if it is empty, the last summary."""
    said = last_words(text, LAST_CHARACTERS[language])
    if said:
        return said
    return next((snapshot.summary for snapshot in snapshots if snapshot.summary.strip()), "")


def questions_of(topic: str, language: Language) -> tuple[str, str]:
    """Return the query for events and the query for passages."""
    return topic, last_words(topic, LAST_OF_ALL[language])


def recalled_candidates(
    on: ModelView, topic: str, now: int, language: Language, detected: Detected, meaning: Meaning
) -> list[RecalledCandidate]:
    """Return candidate events and passages, except for named entities, which are lore candidates already."""
    if not topic:
        return []
    question = ("recollection", on.key, topic, meaning.edition(on.reader, on.index))
    found = recalled(on.index, question, lambda: list(_recollect(on, topic, now, language, meaning)))
    named = {on.index.roster.ids[slot] for slot in detected.entities}
    return [candidate for candidate in found if candidate.id not in named]


def _recollect(
    on: ModelView, topic: str, now: int, language: Language, meaning: Meaning
) -> Iterator[RecalledCandidate]:
    about, ending = questions_of(topic, language)
    yield from _events(on, about, language, meaning)
    for quotation in quotations(
        on, ending, meaning, until=now - 1, limit=MOST_PASSAGES, only_outstanding=True
    ):
        yield RecalledCandidate(
            kind="passage",
            id=quotation.id,
            label=OpenText(f"{quotation.chapter}.{quotation.scene}"),
            text=quotation.told,
            at=Moment(chapter=quotation.chapter, scene=quotation.scene),
            withheld=Withheld.of(sentences=quotation.told != quotation.text),
            matches=quotation.words,
            score=quotation.score,
        )


def _events(on: ModelView, topic: str, language: Language, meaning: Meaning) -> Iterator[RecalledCandidate]:
    """Yield the events around the entities that the text is about."""
    if not len(on.index.chronicle(on.reader)):
        return
    world = StoryWorld(on, meaning)
    found = GraphRetriever(world, RULES).retrieve(topic, world.allowed)
    entities = on.index.entities(on.reader, [event.slot for event in found.events])
    for event, entity in zip(found.events, entities, strict=True):
        names = on.own_names(entity)
        if not names:
            continue
        name, summary = on.redaction.together(names[0], entity.description.strip())
        if not name:
            continue
        text = summary if summary.startswith(name) else f"{name}{_COLON[language]}{summary}"
        yield RecalledCandidate(
            kind="event",
            id=entity.id,
            label=name,
            text=OpenText(text),
            at=entity.since,
            withheld=Withheld.of(sentences=summary != entity.description.strip()),
            hop_path=_way_to(on, found, event),
            score=event.score,
        )


def _way_to(on: ModelView, found: Retrieved, event: Recalled) -> tuple[str, ...]:
    """Return the names on the path from an entity in the text to the one through which an event was found."""
    target = next(target for target in found.targets if target.slot in event.through)
    slots = [target.slot]
    if target.path:
        slots = [target.path[0].source, *(step.target for step in target.path)]
    names = names_of(on.reader, on.index, slots)
    return tuple(names[slot] for slot in slots)
