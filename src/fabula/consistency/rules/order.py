"""Times that contradict each other: three days later on the next day, an event before one that it follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.rules.shown import entity_of, waive
from fabula.consistency.ties import Tie, circles, clash, ties_of
from fabula.context.audience import ModelView
from fabula.extraction.time_phrases import SURE, TimePhrase, time_phrase
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.manuscript import Scene
from fabula.model.moment import first_instant, instant_of

_GAP: FindingMessage = {
    "zh": "这里写“{term}”，而按世界时间，这一场在上一场（{before}）之后 {gap} 天（{now}）。",
    "en": "Here it says “{term}”, but this scene plays on {now}, {gap} days after the one before ({before}).",
}
_EVENTS: FindingMessage = {
    "zh": "这里说“{first}”先于“{second}”，而按设定，前者在后者之后。",
    "en": "Here “{first}” comes before “{second}”, but it happens after it.",
}
_TIES: FindingMessage = {
    "zh": "先后与世界时间不符：{here}。",
    "en": "This order contradicts the world times: {here}.",
}
_CIRCLE: FindingMessage = {
    "zh": "先后成了循环：{here}；{there}。",
    "en": "These come before each other in a circle: {here}; {there}.",
}
# The relation from the earlier event to the later one.
BEFORE = "follows"

_BETWEEN_EN = re.compile(
    r"\s*(?:(?:had\s+)?(?:happened|took\s+place|taken\s+place|came|began|ended|broke\s+out|occurred|was|were)\s+)?"
    r"(?:[a-z]+\s+){0,3}?(?P<side>before|after)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_BETWEEN_ZH = re.compile(r"(?:发生|是|就|早)?在")
_AFTER_ZH = re.compile(r"(?:之|以)?(?P<side>前|后)")


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    yield from _phrase(text)
    yield from _events(text)


def _phrase(text: CheckedText) -> Iterator[Discrepancy]:
    """A phrase at the head of a scene that does not fit the days of this scene and of those before it."""
    phrase = time_phrase(text.text) if text.world_time is not None else None
    before = _scenes_before(text) if phrase is not None else []
    if phrase is None or text.world_time is None or not before or before[-1].world_time is None:
        return
    last = before[-1]
    ends = {last.world_time.last_day} if last.world_time else set()
    # After a flashback, the phrase may be counted from where the story was before.
    ends.add(max(one.world_time.last_day for one in before if one.world_time is not None))
    if any(_fits(phrase, text.world_time.day - end) for end in ends):
        return
    first, final = 0, min(len(last.text), 80)
    gap = text.world_time.day - (last.world_time.last_day if last.world_time else 0.0)
    shown = text.book.calendar.shown
    yield text.discrepancy(
        _GAP,
        phrase.start,
        phrase.end,
        None,
        there=EstablishedThere(
            kind="scene",
            id=last.id,
            chapter=last.chapter_index,
            scene=last.scene_index,
            start=first,
            end=final,
            quotation=last.text[first:final],
        ),
        confidence=0.9 if phrase.confidence >= SURE else 0.6,
        fixes=(waive(text),),
        facts=(f"scene:{text.scene_id}", f"scene:{last.id}"),
        words={
            "gap": f"{gap:g}",
            "now": shown(text.world_time.day, text.language),
            "before": shown(last.world_time.last_day if last.world_time else 0.0, text.language),
        },
    )


def _fits(phrase: TimePhrase, gap: float) -> bool:
    """Whether so many days fit a phrase: within a day or a sixth of it; a vague one within a factor."""
    if phrase.confidence < SURE:
        wanted = abs(phrase.days)
        return gap * phrase.days >= 0 and wanted / 6 - 1 <= abs(gap) <= wanted * 6 + 1
    return abs(gap - phrase.days) <= max(1.0, abs(phrase.days) / 6)


def _scenes_before(text: CheckedText) -> list[Scene]:
    now = text.view.instant
    return [
        scene
        for scene in text.established.scenes
        if now is not None and instant_of(scene.chapter_index, scene.scene_index) < now
    ]


def _events(text: CheckedText) -> Iterator[Discrepancy]:
    """Two events of which the text says which was first."""
    named = [
        (place.start, place.end, entity)
        for slot, entity in text.people.items()
        if entity.type == EVENT
        for place in text.places(slot)
        if place.kind != "keyword"
    ]
    places = sorted(named, key=lambda one: one[:2])
    for (start, end, one), (begin, stop, other) in pairwise(places):
        side = _side(text, end, begin, stop)
        if side is None or one.id == other.id:
            continue
        first, second = (one, other) if side == "before" else (other, one)
        if _is_later(text.view, first, second) and entity_of(text, first.id) and entity_of(text, second.id):
            yield text.discrepancy(
                _EVENTS,
                start,
                stop,
                first,
                there=_dated(text, first, second),
                confidence=0.8,
                fixes=(waive(text),),
                facts=(f"entity:{first.id}", f"entity:{second.id}"),
                words={"first": first.name, "second": second.name},
            )


def _side(text: CheckedText, end: int, begin: int, stop: int) -> str | None:
    between = text.text[end:begin]
    if text.language == "zh":
        found = _AFTER_ZH.match(text.text, stop) if _BETWEEN_ZH.fullmatch(between) else None
        return None if found is None else "before" if found["side"] == "前" else "after"
    said = _BETWEEN_EN.fullmatch(between)
    return None if said is None else said["side"].lower()


def _is_later(view: ModelView, first: Entity, second: Entity) -> bool:
    """Whether the first certainly happens after the second."""
    one, other = _day(view, first), _day(view, second)
    if one is not None and other is not None:
        return one > other
    slots = view.index.roster.slot_of
    graph = view.known_graph
    source, target = slots[second.id], slots[first.id]
    return any(
        peer == target and graph.types[link] == BEFORE and graph.sources[link] == source
        for peer, link in graph.steps(source, view.instant)
    )


def _day(view: ModelView, event: Entity) -> float | None:
    """The day of an event: its own, else that of the scene with which it begins."""
    if event.valid_from is not None:
        return event.valid_from.day
    clock, since = view.index.clock, first_instant(event.since)
    return clock.day_at(since) if event.since is not None and clock.is_used_at(since) else None


def _dated(text: CheckedText, first: Entity, second: Entity) -> EstablishedThere:
    shown, parts = text.book.calendar.shown, []
    for event in (second, first):
        day = _day(text.view, event)
        parts.append(event.name if day is None else f"{event.name}: {shown(day, text.language)}")
    return EstablishedThere(kind="entity", id=first.id, quotation=" → ".join(parts))


def _among_ties(facts: StoryFacts) -> Iterator[Discrepancy]:
    index, reader = facts.view.index, facts.view.reader
    above: dict[str, dict[str, Tie]] = {}
    for tie in ties_of(facts):
        if tie.type != BEFORE:
            continue
        above.setdefault(tie.target, {})[tie.source] = tie
        slots = [index.roster.slot_of[tie.source], index.roster.slot_of[tie.target]]
        earlier, later = (_day(facts.view, one) for one in index.entities(reader, slots))
        if earlier is not None and later is not None and earlier > later:
            yield clash(facts, _TIES, tie, tie)
    yield from circles(facts, _CIRCLE, above)


ORDER = ConsistencyRule(
    "order", "warning", {"zh": "先后与时间不符", "en": "Times that contradict"}, _find, _among_ties
)
