"""Lorebook entries: what is injected, where, and on which words."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from fabula.model.activation import ActivationRules
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.ontology import known_type
from fabula.model.wire import Value

DEFAULT_TOKEN_BUDGET = 500


class Category(StrEnum):
    """What an entry is about; all but `custom` are entities of that type."""

    CHARACTER = "character"
    LOCATION = "location"
    ITEM = "item"
    EVENT = "event"
    CONCEPT = "concept"
    FACTION = "faction"
    CUSTOM = "custom"

    @classmethod
    def _missing_(cls, value: object) -> Category | None:
        """The category that a word means, in whatever way it is written."""
        if not isinstance(value, str):
            return None
        meant = known_type(value, {category.value for category in cls})
        return None if meant is None else cls(meant)


class InsertionPosition(StrEnum):
    """Where an entry stands in a prompt."""

    SYSTEM_PROMPT = "system_prompt"
    BEFORE_SCENE = "before_scene"
    AFTER_SCENE = "after_scene"


class LoreEntry(Value):
    """An entry as it is kept: rules for injection beside an entity, or a text of its own.

    With an entity, `content`, `ai_context_level`, `since` and `until` are the entity's and empty here.
    """

    id: str
    project_id: str
    entity_id: str | None
    user_id: str
    entry_key: str
    display_name: str
    content: str
    keywords: tuple[str, ...]
    priority: int
    enabled: bool
    insertion_position: InsertionPosition
    token_budget: int
    ai_context_level: AiContextLevel
    rules: ActivationRules
    since: Moment | None
    until: Moment | None
    extensions: dict[str, Any]
    version: int
    created_at: str
    updated_at: str


_CATEGORIES = {category.value: category for category in Category}


def category_of(entity: Entity | None) -> Category:
    """The category of an entry with this entity; a type that is no category shows as custom."""
    return Category.CUSTOM if entity is None else _CATEGORIES.get(entity.type, Category.CUSTOM)
