"""Knowings go with their fact and their knower; a source that is gone is forgotten."""

from __future__ import annotations

from fabula.canon.consequences.gone_facts import gone_facts, gone_scenes
from fabula.canon.consequences.made import Made
from fabula.model.fact import FactKind, FactRef
from fabula.store.event_rows import facts_in
from fabula.store.writer import Writer


def forget_knowings(writer: Writer, made: Made) -> None:
    """Remove the knowings of what is gone, and let events tell no fact that is gone."""
    project_id, gone, scenes = writer.project_id, gone_facts(made, writer), gone_scenes(made)
    found = {
        one.id: one for kind, ids in gone.items() for one in writer.knowings.of_facts(project_id, kind, ids)
    }
    entities = gone.get(FactKind.ENTITY, set())
    if entities:
        found |= {one.id: one for one in writer.knowings.of_knowers(project_id, entities)}
    writer.remove(list(found.values()))
    if scenes or entities:
        for one in writer.knowings.learned_in(project_id, sorted(scenes), sorted(entities)):
            writer.replace([(one, one.model_copy(update={"source": None}))])
    if gone:
        _tell_no_more(
            writer, {FactRef.trusted(kind=kind, id=key) for kind, ids in gone.items() for key in ids}
        )


def _tell_no_more(writer: Writer, gone: set[FactRef]) -> None:
    for event_id, tells_json in writer.knowings.telling(writer.project_id).items():
        told = facts_in(tells_json)
        left = tuple(fact for fact in told if fact not in gone)
        event = writer.events.event(writer.project_id, event_id) if left != told else None
        if event is not None:
            writer.replace([(event, event.model_copy(update={"tells": left}))])
