"""Turns a model's answer into drafts: known fields only, within bounds, nothing the text does not contain."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from fabula.errors import InvalidInput
from fabula.extraction.prompts import MAX_FOUND
from fabula.extraction.quotation import MAX_QUOTATION
from fabula.extraction.sloppy_json import NoJson, parse
from fabula.extraction.spans import QuotationFinder
from fabula.extraction.wordlist import word_set
from fabula.model.fiction import FICTION
from fabula.model.names import name_key
from fabula.model.proposal import UNKNOWN_TYPE, Draft, ProposalKind
from fabula.model.story_ontology import Ontology
from fabula.model.wire import visible_text

LEAST = 0.5
_UNSAID = 0.7
_NOT_QUOTED, _NAME_NOT_THERE = 0.9, 0.8
_MAX_NAME, _MAX_WORD, _MAX_TEXT = 128, 64, 2_000
_MAX_ITEMS, _MAX_KEYS, _MAX_DEPTH = 24, 40, 3

_PRONOUNS = word_set("""
    我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 对方 那人 此人 有人 众人 大家 某人 谁
    i me you he him she her it we us they them himself herself someone somebody everyone everybody nobody
""")
_TYPE_WORDS = {
    "character": "人物 角色 人 people protagonist figure",
    "location": "地点 地方 场所 建筑 setting building region",
    "item": "物品 道具 武器 法宝 object weapon artifact artefact",
    "faction": "势力 组织 门派 家族 organization organisation org group family",
    "concept": "概念 功法 境界 阵法 skill term rule magic",
    "event": "事件",
}
_TYPES = {word: kind for kind, words in _TYPE_WORDS.items() for word in words.split()}
# Fields that control rows rather than describe the story; a model must not set them.
_NOT_ATTRIBUTES = word_set("""
    id entityid projectid storyid aicontextlevel version relations aliases confidence
""")
_MARKUP = re.compile(r"[<>{}\[\]|\n\r\t]")


class ParsedAnswer(NamedTuple):
    """The drafts of one answer, and whether the answer was truncated."""

    drafts: list[Draft]
    is_cut: bool


def drafts_of(answer: str, passage: str, ontology: Ontology = FICTION) -> ParsedAnswer:
    """The drafts in an answer about a passage, with offsets into it; NoJson if it cannot be parsed."""
    parsed = parse(answer)
    entities, events = _lists(parsed.value)
    places = QuotationFinder(passage)
    found: list[Draft] = []
    for item in entities[:MAX_FOUND]:
        found.extend(_entity(item, places, passage, ontology))
    for item in events[:MAX_FOUND]:
        found.extend(_event(item, places, passage))
    return ParsedAnswer(found, parsed.is_cut)


def _lists(value: Any) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The entities and the events, in whatever structure the model wrapped them."""
    for _ in range(2):
        if isinstance(value, Mapping) and not (value.keys() & {"entities", "events"}):
            inner = [item for item in value.values() if isinstance(item, list | Mapping)]
            if len(inner) == 1 and not _name_of(value):
                value = inner[0]
    if isinstance(value, list):
        return [item for item in value if isinstance(item, Mapping)], []
    if not isinstance(value, Mapping):
        raise NoJson("The answer is neither an object nor a list.")
    if not (value.keys() & {"entities", "events"}):
        if value and not _name_of(value):
            raise NoJson('The answer has neither "entities" nor "events".')
        return ([value] if value else []), []
    return _mappings(value.get("entities")), _mappings(value.get("events"))


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        # {"林逸": {"entityType": …}}: the names as keys.
        value = [{"entityName": name, **item} for name, item in value.items() if isinstance(item, Mapping)]
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _entity(
    item: Mapping[str, Any], places: QuotationFinder, passage: str, ontology: Ontology
) -> Iterator[Draft]:
    name = _name(_name_of(item))
    kind = _type(_first(item, "entityType", "type", "category"), ontology)
    confidence = _confidence(item.get("confidence"))
    said = (_name(alias) for alias in _texts(item.get("aliases")))
    aliases = tuple(dict.fromkeys(alias for alias in said if alias and places.has(alias)))[:_MAX_ITEMS]
    source = _Source.of(item, places, passage)
    if name is None:
        return
    confidence *= source.weight
    if not aliases and not places.has(name):
        if source.start is None:
            return  # neither the name nor the quotation is in the text: made up
        confidence *= _NAME_NOT_THERE
    if confidence < LEAST:
        return
    same_as = _name(_first(item, "sameAs", "same_as"))
    yield Draft(
        kind=ProposalKind.ENTITY,
        entity_name=name,
        entity_type=kind,
        attributes=_attributes(_first(item, "attributes", "attributesJson", "profile", "properties")),
        aliases=tuple(alias for alias in aliases if name_key(alias) != name_key(name)),
        source_text=source.text,
        source_start=source.start,
        source_end=source.end,
        confidence=round(confidence, 3),
        same_as=same_as,
    )
    relations = _first(item, "relations", "relationships")
    if relations is None and isinstance(item.get("attributes"), Mapping):
        relations = item["attributes"].get("relations")
    for target, word, description in _relations(relations):
        if name_key(target) != name_key(name) and places.has(target):
            yield Draft(
                kind=ProposalKind.RELATION,
                entity_name=name,
                entity_type=kind,
                attributes={"target": target, "type": word, "description": description},
                source_text=source.text,
                source_start=source.start,
                source_end=source.end,
                confidence=round(confidence, 3),
            )


def _event(item: Mapping[str, Any], places: QuotationFinder, passage: str) -> Iterator[Draft]:
    title = _name(_first(item, "event", "entityName", "title", "name"))
    summary = _text(_first(item, "summary", "description"))
    source = _Source.of(item, places, passage)
    confidence = _confidence(item.get("confidence")) * source.weight
    if title is None or confidence < LEAST:
        return
    roles = [
        role for role in _roles(_first(item, "roles", "role", "participants")) if places.has(role["name"])
    ]
    if source.start is None and not roles:
        return
    spots = [
        spot for spot in map(_name, _texts(item.get("location"))) if spot is not None and places.has(spot)
    ]
    fields: dict[str, Any] = {
        "summary": summary,
        "event": title,
        "roles": roles[:_MAX_ITEMS],
        "location": spots[:_MAX_ITEMS],
        "timeAnchor": _text(_first(item, "timeAnchor", "time_anchor", "time"), 200),
        "causality": _text(item.get("causality")),
        "logic": [tag for tag in (_text(tag, _MAX_WORD) for tag in _texts(item.get("logic"))) if tag][
            :_MAX_ITEMS
        ],
    }
    yield Draft(
        kind=ProposalKind.EVENT,
        entity_name=title,
        entity_type="event",
        attributes={key: value for key, value in fields.items() if value},
        source_text=source.text,
        source_start=source.start,
        source_end=source.end,
        confidence=round(confidence, 3),
    )


class _Source(NamedTuple):
    """The quotation of a draft: the text's own words if found there, else what the model wrote."""

    text: str
    start: int | None
    end: int | None

    @classmethod
    def of(cls, item: Mapping[str, Any], places: QuotationFinder, passage: str) -> _Source:
        said = _text(_first(item, "sourceText", "source_text", "source", "quote", "evidence"))
        place = places.find(said)
        if place is None:
            return cls(said[:MAX_QUOTATION], None, None)
        start, end = place[0], min(place[1], place[0] + MAX_QUOTATION)
        return cls(passage[start:end], start, end)

    @property
    def weight(self) -> float:
        return 1.0 if self.start is not None else _NOT_QUOTED


def _name_of(item: Mapping[str, Any]) -> Any:
    return _first(item, "entityName", "entity_name", "name", "entity")


def _first(item: Mapping[str, Any], *keys: str) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def _name(value: Any) -> str | None:
    """The value as a plausible name; None for pronouns, markup and whole sentences."""
    if not isinstance(value, str) or len(value) > 4 * _MAX_NAME:
        return None
    try:
        name = visible_text(value)
    except ValueError:
        return None
    if len(name) > _MAX_NAME or _MARKUP.search(name) or name_key(name) in _PRONOUNS:
        return None
    return name


def _text(value: Any, longest: int = _MAX_TEXT) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(c for c in value[:longest] if c in "\n\t" or (c.isprintable() or c == "\u3000")).strip()


def _texts(value: Any) -> list[Any]:
    if isinstance(value, str):
        return re.split(r"[,，、;；/|]", value)
    return list(value) if isinstance(value, list | tuple) else []


def _type(value: Any, ontology: Ontology) -> str:
    if not isinstance(value, str):
        return UNKNOWN_TYPE
    for known in (ontology, FICTION):
        with suppress(InvalidInput):
            return known.entity_type(value)
    return _TYPES.get(name_key(value), UNKNOWN_TYPE)


def _confidence(value: Any) -> float:
    """The intended number from 0 to 1; anything that is no number counts as unstated."""
    if isinstance(value, str):
        try:
            value = float(value.strip().rstrip("%"))
        except ValueError:
            return _UNSAID
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return _UNSAID
    if 1 < value <= 100:
        value /= 100
    return float(value) if 0 <= value <= 1 else LEAST


def _attributes(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        value = {
            item.get("key") or item.get("name"): item.get("value")
            for item in value
            if isinstance(item, Mapping)
        }
    if not isinstance(value, Mapping):
        return {}
    kept: dict[str, Any] = {}
    for key, item in value.items():
        word = _text(key, _MAX_WORD)
        if word and name_key(word) not in _NOT_ATTRIBUTES and (plain := _plain(item, _MAX_DEPTH)) is not None:
            kept[word] = plain
        if len(kept) == _MAX_KEYS:
            break
    return kept


def _plain(value: Any, depth: int) -> Any:
    """The value within bounds; None if it is empty."""
    if isinstance(value, str):
        return _text(value) or None
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if math.isfinite(value) and abs(value) < 10**15 else None
    if depth and isinstance(value, Mapping):
        items = {_text(k, _MAX_WORD): _plain(v, depth - 1) for k, v in list(value.items())[:_MAX_ITEMS]}
        return {key: item for key, item in items.items() if key and item is not None} or None
    if depth and isinstance(value, list | tuple):
        return [
            item for item in (_plain(v, depth - 1) for v in value[:_MAX_ITEMS]) if item is not None
        ] or None
    return None


def _relations(value: Any) -> Iterator[tuple[str, str, str]]:
    """The target, type and description of each relation, from an array or an object keyed by target."""
    if isinstance(value, Mapping):
        value = [
            {"target": name, **(item if isinstance(item, Mapping) else {"type": item})}
            for name, item in value.items()
        ]
    for item in value[:_MAX_ITEMS] if isinstance(value, list) else ():
        if isinstance(item, Mapping):
            target = _name(_first(item, "target", "targetName", "name"))
            word = _name(_first(item, "type", "relationType", "relation"))
            if target is not None and word is not None and len(word) <= _MAX_WORD:
                yield target, word, _text(item.get("description"))


def _roles(value: Any) -> list[dict[str, str]]:
    roles = []
    for item in value if isinstance(value, list | tuple) else ():
        said: Sequence[Any] = (
            (item.get("name"), item.get("role")) if isinstance(item, Mapping) else (item, "")
        )
        name = _name(said[0])
        if name is not None:
            roles.append({"name": name, "role": _text(said[1], 256)})
    return roles
