"""Events: what happened, who took part, and the text a model reads about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from pydantic import Field

from fabula.errors import InvalidInput
from fabula.model.edge_fields import CHAPTER, SCENE, place_in
from fabula.model.fact import FactRef
from fabula.model.moment import Moment, first_instant
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Language
from fabula.model.wire import Value

EVENT = "event"
# Attributes of an event that are kept in fields of their own: where it is told, and when it happens.
TIMELINE = "timelinePosition"
TIMES = (CHAPTER, SCENE, TIMELINE)
LONGEST_ANCHOR = 1024
# The most facts that one event tells.
MAX_TOLD = 256

LinkKind = Literal["role", "place"]


class Event(Value):
    """The fields an event has beyond those of every entity, under the entity's id.

    Its summary, significance and moment are the entity's `description`, `significance` and `since`.
    `place` orders the events of one scene, and `tells` are the facts that those taking part learn.
    """

    id: str
    project_id: str
    event: str
    time_anchor: str
    logic: tuple[str, ...]
    causality: str
    level: int
    place: int = 0
    tells: tuple[FactRef, ...] = ()


class EventRole(Value):
    """A participant or place of an event; only a name as long as no entity has that name.

    With a `since` of its own it holds only from then on: somebody joins later, or it is revealed later.
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
    """A relation whose target does not exist yet; it is created once an entity has that name."""

    id: str
    project_id: str
    source_entity_id: str
    target_name: str
    relation_type: str
    description: str
    since: Moment | None
    until: Moment | None


class Part(NamedTuple):
    """A participant or place of an event under its current name, with its role and when it joins."""

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


class SeparatedTimes(NamedTuple):
    """An event's own attributes, and the moment and time anchor that were found among them."""

    attributes: dict[str, Any]
    moment: Moment | None
    anchor: str


def separate_times(attributes: dict[str, Any]) -> SeparatedTimes:
    """Separate an event's attributes from its times; InvalidInput if a time is malformed."""
    anchor = attributes.get(TIMELINE) or ""
    if not isinstance(anchor, str) or len(anchor) > LONGEST_ANCHOR:
        raise InvalidInput(
            f"{TIMELINE} must be a text of at most {LONGEST_ANCHOR:,} characters.",
            details={"field": f"attributes.{TIMELINE}"},
        )
    own = {key: value for key, value in attributes.items() if key not in TIMES}
    return SeparatedTimes(own, place_in(attributes), anchor.strip())


def blank_event(project_id: str, event_id: str) -> Event:
    """An event with no fields beyond its entity's."""
    return Event.trusted(
        id=event_id,
        project_id=project_id,
        event="",
        time_anchor="",
        logic=(),
        causality="",
        level=0,
        place=0,
        tells=(),
    )


def event_text(
    name: str,
    summary: str,
    attributes: dict[str, Any],
    event: Event,
    parts: Iterable[Part],
    language: Language,
) -> str:
    """The text a model reads about an event: title, time, place, participants, summary, cause, attributes.

    Every fact and every person is on a line of its own, so that withholding one line removes nothing else.
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


def present_at_start(parts: Iterable[Part], beginning: Moment | None) -> list[Part]:
    """The participants and places present when the event begins, without those that join later."""
    return [part for part in parts if first_instant(part.since) <= first_instant(beginning)]


def outcome_of(role: EventRole) -> str:
    """How the event ended for this participant; empty if nothing is said."""
    outcome = role.properties.get("outcome")
    return " ".join(outcome.split()) if isinstance(outcome, str) else ""


def _part(part: Part, words: dict[str, str]) -> str:
    return words["and"].join(said for said in (part.role.strip(), part.outcome) if said)


def _aside(text: str, words: dict[str, str]) -> str:
    return words["aside"].format(text.strip()) if text.strip() else ""
