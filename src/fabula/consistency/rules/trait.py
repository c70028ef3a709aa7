"""A trait that differs from what is established: eyes, hair, beard, face, hand, height, build, rank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from fabula.consistency.ranks import KEYS, LADDERS, are_alike, called, ladder_of, ranks_in
from fabula.consistency.readers.ranks import CHANGED
from fabula.consistency.readers.traits import plain_trait
from fabula.consistency.reading import Assertion
from fabula.consistency.rule import (
    ASPECT,
    CheckedText,
    ConsistencyRule,
    Discrepancy,
    FindingMessage,
)
from fabula.consistency.rules.shown import add_state, change_text, correct_fact, entity_of, waive
from fabula.context.entity_texts import states_holding
from fabula.extraction.facts.stated_fact import TRAITS
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity
from fabula.model.manuscript import Scene
from fabula.model.moment import instant_of
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
    "bald": {"zh": "头发", "en": "hair"},
}
TOPICS = ("eyes", "hair", "beard", "face", "hand", "height", "build", "bald")
# What is hurt on one side, as the first word of a topic; the second is the part of the body.
_HURTS: dict[str, dict[Language, str]] = {
    "lame": {"zh": "跛的", "en": "lame "},
    "gone": {"zh": "断的", "en": "missing "},
    "blind": {"zh": "瞎的", "en": "blind "},
    "scar": {"zh": "有疤的", "en": "scarred "},
}
# Values that may be said of the same: what looks dark may be black or brown; hair turns grey.
_ALIKE = (
    {"dark", "black"}, {"dark", "brown"}, {"dark", "grey"}, {"grey", "white"},
    {"dark", "green"}, {"白", "灰"}, {"青", "黑"}, {"红", "紫"}, {"青", "绿"}, {"青", "蓝"}, {"brown", "red"},
)  # fmt: skip
_AGEING = {"grey", "white", "白", "灰"}
# A rank that so many later scenes give somebody is a new one, not a slip.
_KEPT = 2


class _Known(NamedTuple):
    """An established value and where it is established."""

    value: str
    said: str
    there: EstablishedThere


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    for one in text.reading.assertions:
        if one.topic in LADDERS:
            entity = entity_of(text, one.who)
            known = None if entity is None or one.other == CHANGED else _other_rank(text, entity, one)
            if entity is not None and known is not None and not _is_kept(text, one):
                yield _differs(text, entity, one, known, called(one.topic, text.language))
        elif (one.topic in TOPICS or _hurt(one.topic)) and _is_theirs(text, one):
            entity = entity_of(text, one.who)
            known = None if entity is None else _established(text, entity, one)
            if entity is not None and known is not None and not _fit(one.topic, known.value, one.value):
                yield _differs(text, entity, one, known, _called(one.topic, text.language))


def _hurt(topic: str) -> str:
    """What is hurt, if the topic is on which side; else empty."""
    hurt, _, part = topic.partition(" ")
    return part if hurt in _HURTS else ""


def _called(topic: str, language: Language) -> str:
    part = _hurt(topic)
    return _HURTS[topic.partition(" ")[0]][language] + part if part else WORDS[topic][language]


def _differs(text: CheckedText, entity: Entity, one: Assertion, known: _Known, key: str) -> Discrepancy:
    said = text.text[one.start : one.end]
    return text.discrepancy(
        _MESSAGE,
        one.start,
        one.end,
        entity,
        there=known.there,
        confidence=0.9,
        facts=(f"entity:{entity.id}", f"{ASPECT}{one.topic}"),
        fixes=(
            change_text(text, known.said),
            add_state(text, key, said),
            correct_fact(text, key, said),
            waive(text),
        ),
        words={"trait": key, "known": known.said},
    )


def _other_rank(text: CheckedText, entity: Entity, one: Assertion) -> _Known | None:
    """The rank that somebody has at this moment, if it is none that goes with the one written here.

    Ranks change: a state dates one; without a state every one counts that was said since the last promotion.
    """
    known: list[_Known] = []
    since = 0
    for state in states_holding(text.view, entity):
        own = _ranks_of("state", state.id, state.attributes, one.topic, text.language)
        if own:
            known, since = (
                own,
                0 if state.since is None else instant_of(state.since.chapter, state.since.scene or 0),
            )
    is_dated = bool(known)
    if not is_dated:
        facts = {**entity.attributes, **{name: name for name in (entity.name, *entity.every_other_name)}}
        known = _ranks_of("entity", entity.id, facts, one.topic, text.language)
    for said in text.established.before(entity.id, one.topic, text.view.instant):
        is_change = said.assertion.other == CHANGED and said.instant >= since
        if is_change and not said.assertion.value:
            known = []
        elif is_change or not (is_dated or _plays_later(said.scene, text)):
            known.append(_Known(said.assertion.value, said.words, said.there))
    changes = (
        said.value
        for said in text.reading.by_topic[entity.id, one.topic]
        if said.other == CHANGED and said.start < one.start
    )
    if any(not value or are_alike(value, one.value) for value in changes):
        return None
    return None if any(are_alike(own.value, one.value) for own in known) else next(reversed(known), None)


def _ranks_of(
    kind: Literal["state", "entity"],
    fact_id: str,
    facts: Mapping[str, object],
    ladder: str,
    language: Language,
) -> list[_Known]:
    """The ranks of a ladder that attributes or names give; the names are their own keys."""
    made: list[_Known] = []
    for key, value in facts.items():
        if key == value or key.lower() in KEYS:
            quotation = str(value) if key == value else f"{key}: {value}"
            there = EstablishedThere(kind=kind, id=fact_id, quotation=quotation)
            made += [
                _Known(rank, rank if key == value else str(value), there)
                for rank in ranks_in(str(value), language)
                if ladder_of(rank) == ladder
            ]
    return made


def _plays_later(scene: Scene, text: CheckedText) -> bool:
    """Whether a scene that is told before this text plays after it."""
    then, now = scene.world_time, text.world_time
    return then is not None and now is not None and then.day > now.day


def _is_kept(text: CheckedText, one: Assertion) -> bool:
    """Whether later scenes keep to a new rank, so that it is no slip."""
    if text.view.instant is None:
        return False
    later = text.established.after(one.who, one.topic, text.view.instant + 1)
    return len({said.scene.id for said in later if said.assertion.value == one.value}) >= _KEPT


def _is_theirs(text: CheckedText, one: Assertion) -> bool:
    """Whether the pronoun that a trait is said with fits the one it was taken for."""
    sex = text.established.sex(one.who) if one.other else ""
    return not sex or sex == one.other


def _established(text: CheckedText, entity: Entity, one: Assertion) -> _Known | None:
    """What holds at this moment: a state, else what the author says, else what was written first."""
    keys = {_called(one.topic, "zh"), _called(one.topic, "en"), one.topic}
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
