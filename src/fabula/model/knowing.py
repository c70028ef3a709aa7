"""Knowings: who knows a fact of the story, since when, and how."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from fabula.model.fact import FactRef
from fabula.model.moment import Moment
from fabula.model.wire import Description, Id, Value

LONGEST_BELIEF = 4_000
# Types of the default ontology that know nothing; those that a story adds may be people.
KNOW_NOTHING = frozenset({"location", "item", "event", "concept"})


class HowKnown(StrEnum):
    """How somebody came to know a fact."""

    WITNESSED = "witnessed"
    TOLD = "told"
    READ = "read"
    DEDUCED = "deduced"
    BELIEVES = "believes"


class KnowingSource(Value):
    """Where somebody learned a fact: in a scene, with the words that show it, or in an event."""

    scene_id: Id | None = None
    quotation: Description = ""
    event_id: Id | None = None


class Knowing(Value):
    """A character or faction knows a fact from a moment on, until it is forgotten.

    With a `belief`, they hold that true instead. With `knows` false, they do not know it although they took
    part in it.
    """

    id: str
    project_id: str
    fact: FactRef
    knower_id: str
    knows: bool
    since: Moment | None
    until: Moment | None
    how: HowKnown
    belief: str
    source: KnowingSource | None = Field(default=None)
    version: int
    created_at: str
    updated_at: str
