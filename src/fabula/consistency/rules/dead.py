"""The text names an entity that is dead according to the story."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.rule import CheckedText, ConsistencyRule, Finding, FindingMessage
from fabula.consistency.rules.out_of_time import absence
from fabula.context.audience import ModelView
from fabula.context.entity_texts import states_holding
from fabula.model.entity import Entity
from fabula.model.status import status_said

_MESSAGE: FindingMessage = {
    "zh": "设定写明“{name}”已死；若是回忆或转述则无妨。",
    "en": "The story says that “{name}” is dead; a memory or a report of them is no mistake.",
}


def _find(text: CheckedText) -> Iterator[Finding]:
    for slot, entity in text.people.items():
        if absence(entity, text.view.instant) is None and _is_dead(text.view, entity):
            yield from text.findings_of("dead", _MESSAGE, entity, text.found.entities[slot])


def _is_dead(view: ModelView, entity: Entity) -> bool:
    """Whether an attribute says so, or a state that holds at this moment."""
    said = dict(entity.attributes)
    for state in states_holding(view, entity):
        said.update(state.attributes)
    return any(status_said(key, value) == "deceased" for key, value in said.items())


DEAD = ConsistencyRule("dead", _find)
