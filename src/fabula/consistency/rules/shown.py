"""What the findings of several rules are made of: entities, and fixes in the story's language."""

from __future__ import annotations

from fabula.consistency.rule import WAIVE, CheckedText
from fabula.model.check import Fix
from fabula.model.entity import Entity
from fabula.model.relation import Language

_LABELS: dict[str, dict[Language, str]] = {
    "change_text": {"zh": "改为“{value}”", "en": "Change it to “{value}”"},
    "add_state": {"zh": "从这一场景起，{key}为“{value}”", "en": "From this scene on, {key} is “{value}”"},
    "correct_fact": {"zh": "把设定改为{key}“{value}”", "en": "Correct the fact: {key} is “{value}”"},
}


def entity_of(text: CheckedText, entity_id: str) -> Entity | None:
    """Return the entity with this id, if the audience may see it."""
    slot = text.view.index.roster.slot_of.get(entity_id)
    if slot is None or not (text.is_for_author or text.view.may_be_told(slot)):
        return None
    return text.view.index.entities(text.view.reader, [slot])[0]


def change_text(text: CheckedText, value: str) -> Fix:
    """Replace the marked words."""
    return Fix(kind="change_text", label=_label(text, "change_text", value=value), text=value)


def add_state(text: CheckedText, key: str, value: str) -> Fix:
    """Make what is written a state from this scene on."""
    label = _label(text, "add_state", key=key, value=value)
    return Fix(kind="add_state", label=label, key=key, value=value)


def correct_fact(text: CheckedText, key: str, value: str) -> Fix:
    """Make what is written the fact."""
    label = _label(text, "correct_fact", key=key, value=value)
    return Fix(kind="correct_fact", label=label, key=key, value=value)


def waive(text: CheckedText) -> Fix:
    """Say that it is intended."""
    return Fix(kind="waive", label=WAIVE[text.language])


def _label(text: CheckedText, kind: str, **words: str) -> str:
    return _LABELS[kind][text.language].format(**words)
