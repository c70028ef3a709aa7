"""Facts: the things a story holds true, and a reference to one of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator

from fabula.model.wire import Id, Value


class FactKind(StrEnum):
    """The kinds of facts. An event is an entity: both kinds name the same fact."""

    ENTITY = "entity"
    ENTRY = "entry"
    RELATION = "relation"
    STATE = "state"
    EVENT = "event"
    THREAD = "thread"


def row_kind(kind: FactKind) -> FactKind:
    """The kind under which a fact is kept: an event is kept as an entity."""
    return FactKind.ENTITY if kind is FactKind.EVENT else kind


KeptKind = Annotated[FactKind, AfterValidator(row_kind)]


class FactRef(Value):
    """A reference to a fact; one to an event is the same as one to its entity."""

    kind: KeptKind
    id: Id


class Secrecy(StrEnum):
    """Who in the story's world may know a fact: everybody, or only those who are said to."""

    PUBLIC = "public"
    PRIVATE = "private"


def more_private(one: Secrecy, other: Secrecy) -> Secrecy:
    """The stricter of two secrecies."""
    return Secrecy.PRIVATE if Secrecy.PRIVATE in (one, other) else Secrecy.PUBLIC
