"""What the rows of a story say to those who compile it: levels, periods, rules, names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.matching import Term
from fabula.matching.implied import implied_names
from fabula.model.activation import ActivationRules
from fabula.model.level import AiContextLevel
from fabula.model.moment import first_instant, last_instant
from fabula.store.rowkind import moment_of

CALLED_FOR_SHORT = ("character", "unknown")

LEVELS = {level.value: level for level in AiContextLevel}
_DEFAULT_RULES = ActivationRules()
_DEFAULT_RULES_TEXT = _DEFAULT_RULES.model_dump_json()


def rules_of(text: str) -> ActivationRules:
    """The rules that a row holds; those of most entries are the same value."""
    if text == _DEFAULT_RULES_TEXT:
        return _DEFAULT_RULES
    return ActivationRules.model_validate_json(text)


def instants(
    since: int | None, since_scene: int | None, until: int | None, until_scene: int | None
) -> tuple[int, int]:
    """From which instant to which something is true."""
    return first_instant(moment_of(since, since_scene)), last_instant(moment_of(until, until_scene))


def instants_of(image: Mapping[str, Any]) -> tuple[int, int]:
    """The same of a row as the log keeps it."""
    names = ("since_chapter", "since_scene", "until_chapter", "until_scene")
    return instants(*(image.get(name) for name in names))


def notes_of(description: str, properties_json: str) -> tuple[str, ...]:
    """What the author says of a relation beside its type: a word of their own, and a description."""
    own = orjson.loads(properties_json).get("relationshipType") if properties_json != "{}" else None
    return tuple(word for word in (own if isinstance(own, str) else "", description) if word)


def name_terms(entity_id: str, name: str, aliases: list[str]) -> list[Term]:
    """What an entity is called."""
    return [Term(name, entity_id, "name"), *(Term(alias, entity_id, "alias") for alias in aliases)]


def short_terms(entity_id: str, kind: str, name: str, aliases: list[str]) -> list[Term]:
    """What people are called for short; places and things are not."""
    if kind not in CALLED_FOR_SHORT:
        return []
    return [Term(part, entity_id, "implied") for part in implied_names(name, aliases)]
