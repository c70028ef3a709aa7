"""Entities: the characters, places and things of a story."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from fabula.errors import AttributeKeysExceeded
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.relation import Period
from fabula.model.wire import Id, Name, Value
from fabula.model.world_time import WorldTime

MAX_ALIASES = 256
MAX_NAMES = 64


class EntityName(Period):
    """A name that an entity bears for a period; only those in `knownTo` know it, if there is such a list."""

    name: Name
    known_to: tuple[Id, ...] | None = None


class Entity(Value):
    """A character, place, thing, event or idea of a story."""

    id: str
    project_id: str
    type: str
    name: str
    description: str
    attributes: dict[str, Any]
    aliases: tuple[str, ...]
    names: tuple[EntityName, ...]
    ai_context_level: AiContextLevel
    secrecy: Secrecy = Secrecy.PUBLIC
    significance: float
    layout_x: float | None
    layout_y: float | None
    prompt_text: str
    since: Moment | None
    until: Moment | None
    valid_from: WorldTime | None
    valid_to: WorldTime | None
    told: Moment | None
    version: int
    created_at: str
    updated_at: str

    @property
    def every_other_name(self) -> tuple[str, ...]:
        """All aliases and names with moments, without the name itself."""
        return aliases_beside(self.name, (*self.aliases, *(one.name for one in self.names)))


class EntityState(Value):
    """What is true of an entity for a period: prose added to its own, attributes that override its own."""

    id: str
    project_id: str
    entity_id: str
    description: str
    attributes: dict[str, Any]
    secrecy: Secrecy = Secrecy.PUBLIC
    since: Moment | None
    until: Moment | None
    valid_from: WorldTime | None
    valid_to: WorldTime | None
    told: Moment | None
    version: int
    created_at: str
    updated_at: str


def distinct_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order, without repetitions of the same name."""
    seen: dict[str, str] = {}
    for name in names:
        seen.setdefault(name_key(name), name)
    return tuple(seen.values())


def aliases_beside(name: str, aliases: Iterable[str]) -> tuple[str, ...]:
    """The distinct aliases that differ from the name itself."""
    return tuple(alias for alias in distinct_names(aliases) if name_key(alias) != name_key(name))


Aliases = Annotated[
    tuple[Name, ...], Field(max_length=MAX_ALIASES), AfterValidator(lambda names: distinct_names(names))
]
EntityNames = Annotated[tuple[EntityName, ...], Field(max_length=MAX_NAMES)]
Significance = Annotated[float, Field(ge=0, le=1, strict=True)]
Coordinate = Annotated[float, Field(ge=-1e9, le=1e9, strict=True)]


def check_attribute_count(attributes: dict[str, Any], limit: int) -> None:
    """Refuse more attributes than an entity may have."""
    if len(attributes) > limit:
        raise AttributeKeysExceeded(
            f"An entity may have {limit} attributes; this one would have {len(attributes)}.",
            details={"limit": limit, "count": len(attributes)},
        )
