"""A number of relatives that differs from what is established."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.numbers import chinese_number, english_number
from fabula.consistency.readers.counts import KINDS
from fabula.consistency.reading import Assertion
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage
from fabula.consistency.rules.shown import change_text, entity_of, waive
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity

_MESSAGE: FindingMessage = {
    "zh": "这里说“{name}”的{kind}是“{term}”，此前是“{known}”。",
    "en": "Here the number of {kind} of “{name}” is “{term}”; before, it is “{known}”.",
}
_MORE: FindingMessage = {
    "zh": "这里说“{name}”的{kind}是“{term}”，而故事里有 {known} 个。",
    "en": "Here the number of {kind} of “{name}” is “{term}”, but the story has {known}.",
}
# Which relations are of a kind, and whether the one who has them is the source.
_TIES = {
    "sibling": ("sibling", None),
    "兄弟姐妹": ("sibling", None),
    "child": ("parent", True),
    "孩子": ("parent", True),
}


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    for one in text.reading.assertions:
        kind = one.topic.partition(":")[2] if one.topic.startswith("count:") else ""
        entity = entity_of(text, one.who) if kind else None
        if entity is None:
            continue
        words = KINDS[text.language][kind]
        yield from _against_words(text, one, entity, words) or _against_ties(text, one, entity, kind, words)


def _against_words(
    text: CheckedText, one: Assertion, entity: Entity, words: tuple[str, ...]
) -> list[Discrepancy]:
    """What an attribute says, else what was written first."""
    for key in words:
        if key in entity.attributes:
            number, said = _number(entity.attributes[key]), str(entity.attributes[key])
            if number is not None and number != int(one.value):
                known = EstablishedThere(kind="entity", id=entity.id, quotation=f"{key}: {said}")
                return [_told(text, _MESSAGE, one, entity, words[0], said, known)]
            return []
    earlier = text.established.before(entity.id, one.topic, text.view.instant)
    # A family grows: fewer than before, or more of those who are not born later.
    if earlier and earlier[0].assertion.value != one.value:
        first = earlier[0]
        if any(said.assertion.value == one.value for said in earlier):
            return []
        found = _told(text, _MESSAGE, one, entity, words[0], first.words, first.there, fix=True)
        return [found]
    return []


def _against_ties(
    text: CheckedText, one: Assertion, entity: Entity, kind: str, words: tuple[str, ...]
) -> list[Discrepancy]:
    """More relations than the text says there are; for a model, only those it may be told of."""
    type_and_end = _TIES.get(kind)
    view = text.view
    slot = view.index.roster.slot_of.get(entity.id)
    if type_and_end is None or slot is None:
        return []
    word, is_source = type_and_end
    graph = view.known_graph
    peers = {
        peer
        for peer, link in graph.steps(slot, view.instant)
        if graph.types[link] == word
        and (is_source is None or (graph.sources[link] == slot) is is_source)
        and (text.is_for_author or view.may_be_told(peer))
    }
    if len(peers) <= int(one.value):
        return []
    names = sorted(each.name for each in view.index.entities(view.reader, sorted(peers)))
    known = EstablishedThere(kind="entity", id=entity.id, quotation=f"{words[0]}: {', '.join(names)}")
    return [_told(text, _MORE, one, entity, words[0], str(len(peers)), known)]


def _told(
    text: CheckedText,
    message: FindingMessage,
    one: Assertion,
    entity: Entity,
    kind: str,
    known: str,
    there: EstablishedThere,
    *,
    fix: bool = False,
) -> Discrepancy:
    return text.discrepancy(
        message,
        one.start,
        one.end,
        entity,
        there=there,
        confidence=0.8,
        fixes=((change_text(text, known),) if fix else ()) + (waive(text),),
        words={"kind": kind, "known": known},
    )


def _number(value: object) -> int | None:
    """The number that an attribute says, by itself or as a list of all of them."""
    if isinstance(value, list | tuple):
        return len(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return None
    return english_number(value.strip()) if value.isascii() else chinese_number(value.strip("个位 "))


COUNT = ConsistencyRule("count", "warning", {"zh": "人数前后不一", "en": "A number that differs"}, _find)
