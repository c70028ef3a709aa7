"""Reads the values the index needs from stored rows: levels, periods, rules, names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.matching import Term
from fabula.matching.implied import implied_names
from fabula.model.activation import ActivationRules
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import first_instant, last_instant
from fabula.store.rowkind import moment_of

CALLED_FOR_SHORT = ("character", "unknown")

LEVELS = {level.value: level for level in AiContextLevel}
PRIVATE = Secrecy.PRIVATE.value
_DEFAULT_RULES = ActivationRules()
_DEFAULT_RULES_TEXT = _DEFAULT_RULES.model_dump_json()


def rules_of(text: str) -> ActivationRules:
    """The activation rules of a row; entries with default rules share one value."""
    if text == _DEFAULT_RULES_TEXT:
        return _DEFAULT_RULES
    return ActivationRules.model_validate_json(text)


def instants(
    since: int | None, since_scene: int | None, until: int | None, until_scene: int | None
) -> tuple[int, int]:
    """The first and the last instant of a period."""
    return first_instant(moment_of(since, since_scene)), last_instant(moment_of(until, until_scene))


def instants_of(image: Mapping[str, Any]) -> tuple[int, int]:
    """The same for a row as the change log stores it."""
    names = ("since_chapter", "since_scene", "until_chapter", "until_scene")
    return instants(*(image.get(name) for name in names))


def notes_of(description: str, properties_json: str) -> tuple[str, ...]:
    """The author's words about a relation besides its type: a finer word for it, and its description."""
    own = orjson.loads(properties_json).get("relationshipType") if properties_json != "{}" else None
    return tuple(word for word in (own if isinstance(own, str) else "", description) if word)


def name_terms(entity_id: str, name: str, aliases: list[str]) -> list[Term]:
    """The name and aliases of an entity as terms."""
    return [Term(name, entity_id, "name"), *(Term(alias, entity_id, "alias") for alias in aliases)]


def short_terms(entity_id: str, kind: str, name: str, aliases: list[str]) -> list[Term]:
    """The short forms of a person's names as terms; other types have none."""
    if kind not in CALLED_FOR_SHORT:
        return []
    return [Term(part, entity_id, "implied") for part in implied_names(name, aliases)]
