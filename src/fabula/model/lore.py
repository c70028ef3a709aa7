"""Lorebook entries: their text, where they are inserted, and the keywords that activate them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from fabula.model.activation import ActivationRules
from fabula.model.entity import Entity
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.ontology import known_type
from fabula.model.wire import Value
from fabula.model.world_time import WorldTime

DEFAULT_TOKEN_BUDGET = 500


class Category(StrEnum):
    """The category of an entry; every category but `custom` is an entity type."""

    CHARACTER = "character"
    LOCATION = "location"
    ITEM = "item"
    EVENT = "event"
    CONCEPT = "concept"
    FACTION = "faction"
    CUSTOM = "custom"

    @classmethod
    def _missing_(cls, value: object) -> Category | None:
        """The category a word stands for, in any spelling."""
        if not isinstance(value, str):
            return None
        meant = known_type(value, {category.value for category in cls})
        return None if meant is None else cls(meant)


class InsertionPosition(StrEnum):
    """Where in the prompt an entry is inserted."""

    SYSTEM_PROMPT = "system_prompt"
    BEFORE_SCENE = "before_scene"
    AFTER_SCENE = "after_scene"


class LoreEntry(Value):
    """A lorebook entry as stored: activation rules for an entity, or for a text of its own.

    If it has an entity, `content`, `ai_context_level`, `secrecy`, `since` and `until` are the entity's and
    empty here, and it stands in the story's own book. `place` is its place in the order of its book.
    """

    id: str
    project_id: str
    entity_id: str | None
    user_id: str
    book_id: str
    place: int
    entry_key: str
    display_name: str
    content: str
    keywords: tuple[str, ...]
    priority: int
    enabled: bool
    insertion_position: InsertionPosition
    token_budget: int
    ai_context_level: AiContextLevel
    secrecy: Secrecy = Secrecy.PUBLIC
    rules: ActivationRules
    since: Moment | None
    until: Moment | None
    valid_from: WorldTime | None
    valid_to: WorldTime | None
    told: Moment | None
    extensions: dict[str, Any]
    version: int
    created_at: str
    updated_at: str


def is_recallable(entry: LoreEntry) -> bool:
    """Whether an entry may be told when the text does not name it.

    An entry of another program's book may be only if it says so, as it was written for keywords.
    """
    origin = entry.extensions.get("sillytavern")
    return not isinstance(origin, dict) or origin.get("vectorized") is True


_CATEGORIES = {category.value: category for category in Category}


def category_of(entity: Entity | None) -> Category:
    """The category of an entry with this entity; `custom` if its type is no category."""
    return Category.CUSTOM if entity is None else _CATEGORIES.get(entity.type, Category.CUSTOM)
