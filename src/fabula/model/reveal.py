"""Reveals: two entities that turn out to be one."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from fabula.model.moment import Moment
from fabula.model.patch import Patch
from fabula.model.wire import Id, Value

MAX_KNOWN_TO = 256

KnownTo = Annotated[tuple[Id, ...], Field(max_length=MAX_KNOWN_TO), AfterValidator(lambda ids: _once(ids))]


class Reveal(Value):
    """Two entities that are one, told as two before the moment `at`.

    `knownTo` are those who learn it then; everybody does if there is no such list.
    """

    id: str
    project_id: str
    entity_ids: tuple[str, str]
    at: Moment
    known_to: tuple[str, ...] | None
    version: int
    created_at: str
    updated_at: str


def _two(ids: tuple[str, str]) -> tuple[str, str]:
    if ids[0] == ids[1]:
        raise ValueError("must be two different entities")
    return ids


TwoIds = Annotated[tuple[Id, Id], AfterValidator(_two)]


class RevealFields(Value):
    """The fields of a new reveal; the first of the two entities is the one that both are told as."""

    entity_ids: TwoIds
    at: Moment
    known_to: KnownTo | None = None


class RevealPatch(Patch):
    """The fields of a reveal to change; `knownTo` is replaced as a whole."""

    nullable = frozenset({"known_to"})

    entity_ids: TwoIds | None = None
    at: Moment | None = None
    known_to: KnownTo | None = None


def _once(ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
