"""Relations between two entities, and relation types."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from fabula.model.fact import Secrecy
from fabula.model.moment import Moment, first_instant, last_instant
from fabula.model.wire import Value
from fabula.model.world_time import WorldTime

Language = Literal["zh", "en"]


class Relation(Value):
    """A directed edge from one entity to another, true for a period of the story."""

    id: str
    project_id: str
    source_entity_id: str
    target_entity_id: str
    relation_type: str
    description: str
    properties: dict[str, Any]
    secrecy: Secrecy = Secrecy.PUBLIC
    since: Moment | None
    until: Moment | None
    valid_from: WorldTime | None
    valid_to: WorldTime | None
    told: Moment | None
    version: int
    created_at: str
    updated_at: str


class RelationType(Value):
    """A relation type of a story, with its labels."""

    id: str
    project_id: str
    key: str
    label: str
    labels: dict[Language, str]
    builtin: bool
    created_at: str


class Period(Value):
    """The period in which something is true; an open end is unbounded."""

    since: Moment | None = Field(default=None)
    until: Moment | None = Field(default=None)

    @model_validator(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if not self.is_forward(self.since, self.until):
            raise ValueError("until lies before since")
        return self

    @staticmethod
    def is_forward(since: Moment | None, until: Moment | None) -> bool:
        """Whether the end is not before the start."""
        return since is None or until is None or first_instant(since) <= last_instant(until)
