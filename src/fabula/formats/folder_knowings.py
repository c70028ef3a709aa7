"""The knowings in a story folder, which stand in the file of their knower."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fabula.formats.folder_shapes import EntityFile, usual_id
from fabula.model.entity import Entity
from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import Knowing

Facts = Mapping[FactKind, Collection[str]]


def folder_knowings(
    told: Iterable[tuple[str, EntityFile, Entity]], facts: Facts, common: Mapping[str, Any]
) -> Iterator[tuple[str, Knowing | str]]:
    """Yield the path and the knowing, or what is wrong with it; `common` has the story and the times."""
    for path, shape, entity in told:
        for fact in shape.event.tells if shape.event is not None else ():
            if fact.id not in facts[fact.kind]:
                yield path, f"there is no {fact.kind} '{fact.id}' in this folder"
        for number, row in enumerate(shape.knowings):
            if row.fact not in facts[row.kind]:
                yield path, f"there is no {row.kind} '{row.fact}' in this folder"
                continue
            said = {
                name: getattr(row, name) for name in ("knows", "how", "belief", "source", "since", "until")
            }
            yield (
                path,
                Knowing.trusted(
                    id=row.id or usual_id("knowing", entity.id, number),
                    fact=FactRef.trusted(kind=row.kind, id=row.fact),
                    knower_id=entity.id,
                    **said,
                    **common,
                ),
            )
