"""Paths from one entity to another, as they are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from fabula.context.audience import ModelView
from fabula.context.edition_cache import names_of
from fabula.model.wire import Value
from fabula.retrieval.reasons import HopStep


class Hop(Value):
    """One step of a path between two entities; `answers` is how well it fits the query.

    `kind` is the type of a relation, `mention` where one text names the other, `together` for shared
    events, `bridge` where both texts have the same name, which need not be an entity's; `words` are the
    words of the query that match it, or that name.
    """

    source: str
    target: str
    way: Literal["relation", "mention", "together", "bridge"]
    kind: str
    outward: bool
    answers: float
    words: tuple[str, ...]


def names_on(
    view: ModelView, paths: Iterable[Iterable[HopStep]], others: Iterable[int] = ()
) -> dict[int, str]:
    """Return the names of all entities on some paths, and of others."""
    steps = [step for path in paths for step in path]
    slots = {*others, *(step.source for step in steps), *(step.target for step in steps)}
    return called(view, slots)


def called(view: ModelView, slots: Collection[int]) -> dict[int, str]:
    """Return the names of some entities, by slot: where they have names with moments, the one in use."""
    names = names_of(view.reader, view.index, slots)
    ids, dated = view.index.roster.ids, view.index.identities.names
    special = [slot for slot in slots if ids[slot] in dated or ids[slot] in view.identity.leaders]
    for slot, entity in zip(special, view.index.entities(view.reader, special), strict=True):
        names[slot] = view.as_named(entity).name
    return names


def has_open_name(view: ModelView, slot: int) -> bool:
    """Whether an entity's name reveals no secret."""
    (entity,) = view.index.entities(view.reader, [slot])
    return bool(view.own_names(entity))


def path_of(path: Iterable[HopStep], names: dict[int, str]) -> tuple[Hop, ...]:
    """Return a path as it is shown."""
    return tuple(
        Hop.trusted(
            source=names[step.source],
            target=names[step.target],
            way=step.way,
            kind=step.kind,
            outward=step.outward,
            answers=round(step.answer, 3),
            words=step.asked,
        )
        for step in path
    )
