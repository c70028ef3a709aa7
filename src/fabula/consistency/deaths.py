"""Facts that say somebody is dead."""

from __future__ import annotations

from fabula.context.audience import ModelView
from fabula.context.entity_texts import states_holding
from fabula.model.check import EstablishedThere
from fabula.model.entity import Entity, EntityState
from fabula.model.status import status_said


def fact_of_death(view: ModelView, entity: Entity) -> EstablishedThere | None:
    """Return the attribute, or the state that holds at this moment, that says somebody is dead."""
    said: dict[str, tuple[object, Entity | EntityState]] = {
        key: (value, entity) for key, value in entity.attributes.items()
    }
    for state in states_holding(view, entity):
        said.update({key: (value, state) for key, value in state.attributes.items()})
    for key, (value, source) in said.items():
        if status_said(key, value) == "deceased":
            since = source.since if isinstance(source, EntityState) else None
            return EstablishedThere(
                kind="state" if isinstance(source, EntityState) else "entity",
                id=source.id,
                chapter=None if since is None else since.chapter,
                scene=None if since is None else since.scene,
                quotation=f"{entity.name}: {key} = {value}",
            )
    return None
