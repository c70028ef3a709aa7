"""Events: what happened, who took part, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from pydantic import Field

from fabula.errors import InvalidInput
from fabula.model.edge_fields import CHAPTER, SCENE, place_in
from fabula.model.moment import Moment, first_instant
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Language
from fabula.model.wire import Value

EVENT = "event"
# What an event says among its attributes that is kept elsewhere: when it is told, and when it happens.
TIMELINE = "timelinePosition"
TIMES = (CHAPTER, SCENE, TIMELINE)
LONGEST_ANCHOR = 1024

LinkKind = Literal["role", "place"]


class Event(Value):
    """What is said of an event beside what is said of every entity, under the entity's id.

    Its summary is the entity's description, its significance the entity's, its moment the entity's `since`.
    """

    id: str
    project_id: str
    event: str
    time_anchor: str
    logic: tuple[str, ...]
    causality: str
    level: int


class EventRole(Value):
    """Somebody who takes part in an event, or a place of it; a name alone while nobody has that name.

    With a beginning of its own it is true from then on only: somebody joins, or it comes out.
    """

    id: str
    project_id: str
    event_id: str
    kind: LinkKind
    entity_id: str | None
    name: str
    role: str
    ordinal: int
    description: str = ""
    properties: dict[str, Any] = Field(default_factory=dict)
    since: Moment | None = None
    until: Moment | None = None


class PendingRelation(Value):
    """A relation whose target is not there yet: it waits for somebody of that name."""

    id: str
    project_id: str
    source_entity_id: str
    target_name: str
    relation_type: str
    description: str
    since: Moment | None
    until: Moment | None


class Part(NamedTuple):
    """Who or where, by the name of today, what they do in the event, and from when on."""

    kind: LinkKind
    name: str
    role: str
    outcome: str = ""
    since: Moment | None = None


_WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "time": "时间：",
        "place": "地点：",
        "who": "人物：",
        "why": "因果：",
        "aside": "（{}）",
        "and": "；",
    },
    "en": {
        "time": "Time: ",
        "place": "Place: ",
        "who": "Who:",
        "why": "Cause: ",
        "aside": " ({})",
        "and": "; ",
    },
}


class Timed(NamedTuple):
    """The attributes that are an event's own, and what stood among them of when it is told and happens."""

    attributes: dict[str, Any]
    moment: Moment | None
    anchor: str


def timed(attributes: dict[str, Any]) -> Timed:
    """Attributes and times of an event told apart; InvalidInput where a time is none."""
    anchor = attributes.get(TIMELINE) or ""
    if not isinstance(anchor, str) or len(anchor) > LONGEST_ANCHOR:
        raise InvalidInput(
            f"{TIMELINE} must be a text of at most {LONGEST_ANCHOR:,} characters.",
            details={"field": f"attributes.{TIMELINE}"},
        )
    own = {key: value for key, value in attributes.items() if key not in TIMES}
    return Timed(own, place_in(attributes), anchor.strip())


def blank_event(project_id: str, event_id: str) -> Event:
    """An event of which nothing is said but what its entity says."""
    return Event.trusted(
        id=event_id, project_id=project_id, event="", time_anchor="", logic=(), causality="", level=0
    )


def event_text(
    name: str,
    summary: str,
    attributes: dict[str, Any],
    event: Event,
    parts: Iterable[Part],
    language: Language,
) -> str:
    """What a model is told of an event: title, time, place, who, summary, cause, and the attributes.

    Every fact and every person has a line of their own, so that withholding one takes no other along.
    """
    words = _WORDS[language]
    lines = [name + _aside(event.event if event.event.strip() != name else "", words)]
    if event.time_anchor.strip():
        lines.append(words["time"] + event.time_anchor.strip())
    cast = list(parts)
    lines += [words["place"] + part.name for part in cast if part.kind == "place"]
    people = [f"- {part.name}{_aside(_part(part, words), words)}" for part in cast if part.kind == "role"]
    lines += [words["who"].rstrip(), *people] if people else []
    if summary.strip():
        lines.append(summary.strip())
    if event.causality.strip():
        lines.append(words["why"] + event.causality.strip())
    if attributes:
        lines.append(prompt_text("", attributes))
    return "\n".join(lines)


def there_from(parts: Iterable[Part], beginning: Moment | None) -> list[Part]:
    """Those who are there when an event begins: who joins later is told of when they have joined."""
    return [part for part in parts if first_instant(part.since) <= first_instant(beginning)]


def outcome_of(role: EventRole) -> str:
    """How an event ended for somebody, if that is said."""
    outcome = role.properties.get("outcome")
    return " ".join(outcome.split()) if isinstance(outcome, str) else ""


def _part(part: Part, words: dict[str, str]) -> str:
    return words["and"].join(said for said in (part.role.strip(), part.outcome) if said)


def _aside(text: str, words: dict[str, str]) -> str:
    return words["aside"].format(text.strip()) if text.strip() else ""
