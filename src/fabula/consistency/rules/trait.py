"""A trait that differs from what is established: eyes, hair, beard, face, hand, height, build."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabula.consistency.readers.traits import plain_trait
from fabula.consistency.reading import Assertion
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.consistency.rules.shown import add_state, change_text, correct_fact, entity_of, waive
from fabula.context.entity_texts import states_holding
from fabula.extraction.facts.stated_fact import TRAITS
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity
from fabula.model.relation import Language

_MESSAGE: FindingMessage = {
    "zh": "这里写“{name}”的{trait}是“{term}”，此前是“{known}”。",
    "en": "Here the {trait} of “{name}” is “{term}”; before, it is “{known}”.",
}
WORDS: dict[str, dict[Language, str]] = {
    **TRAITS,
    "face": {"zh": "脸色", "en": "face"},
    "hand": {"zh": "惯用手", "en": "hand"},
    "build": {"zh": "身形", "en": "build"},
}
TOPICS = ("eyes", "hair", "beard", "face", "hand", "height", "build")
# Values that may be said of the same: what looks dark may be black or brown; hair turns grey.
_ALIKE = (
    {"dark", "black"}, {"dark", "brown"}, {"dark", "grey"}, {"grey", "white"},
    {"dark", "green"}, {"白", "灰"}, {"青", "黑"}, {"红", "紫"}, {"青", "绿"}, {"青", "蓝"}, {"brown", "red"},
)  # fmt: skip
_AGEING = {"grey", "white", "白", "灰"}


class _Known(NamedTuple):
    """An established value and where it is established."""

    value: str
    said: str
    there: EstablishedThere


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    for one in text.reading.assertions:
        if one.topic not in TOPICS:
            continue
        if not _is_theirs(text, one):
            continue
        entity = entity_of(text, one.who)
        known = None if entity is None else _established(text, entity, one)
        if entity is None or known is None or _fit(one.topic, known.value, one.value):
            continue
        key = WORDS[one.topic][text.language]
        said = text.text[one.start : one.end]
        yield text.discrepancy(
            _MESSAGE,
            one.start,
            one.end,
            entity,
            there=known.there,
            confidence=0.9,
            fixes=(
                change_text(text, known.said),
                add_state(text, key, said),
                correct_fact(text, key, said),
                waive(text),
            ),
            words={"trait": key, "known": known.said},
        )


def _is_theirs(text: CheckedText, one: Assertion) -> bool:
    """Whether the pronoun that a trait is said with fits the one it was taken for."""
    sex = text.established.sex(one.who) if one.other else ""
    return not sex or sex == one.other


def _established(text: CheckedText, entity: Entity, one: Assertion) -> _Known | None:
    """What holds at this moment: a state, else what the author says, else what was written first."""
    keys = set(WORDS[one.topic].values()) | {one.topic}
    for state in reversed(states_holding(text.view, entity)):
        for key, value in state.attributes.items():
            if key in keys:
                return _fact("state", state.id, key, value, text.language)
    said_before = text.established.before(entity.id, one.topic, text.view.instant)
    earlier = [said for said in said_before if _is_theirs(text, said.assertion)]
    if earlier:
        first = earlier[0]
        said = first.scene.text[first.assertion.start : first.assertion.end]
        return _Known(first.assertion.value, said, first.there)
    for key, value in entity.attributes.items():
        if key in keys:
            return _fact("entity", entity.id, key, value, text.language)
    return None


def _fact(kind: str, fact_id: str, key: str, value: object, language: Language) -> _Known:
    there = EstablishedThere(
        kind="state" if kind == "state" else "entity", id=fact_id, quotation=f"{key}: {value}"
    )
    return _Known(plain_trait(str(value), language), str(value), there)


def _fit(topic: str, known: str, said: str) -> bool:
    if known == said or not known or {known, said} in _ALIKE:
        return True
    return topic in ("hair", "beard") and said in _AGEING


TRAIT = ConsistencyRule("trait", "warning", {"zh": "特征前后不一", "en": "A trait that differs"}, _find)
