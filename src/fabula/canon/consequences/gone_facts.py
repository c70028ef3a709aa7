"""The facts and scenes that a step has removed."""

from __future__ import annotations

from fabula.canon.consequences.made import Made
from fabula.model.fact import FactKind
from fabula.store.writer import Writer

_KINDS = {
    "entity": FactKind.ENTITY,
    "entry": FactKind.ENTRY,
    "state": FactKind.STATE,
    "relation": FactKind.RELATION,
    "event_role": FactKind.RELATION,
    "pending_relation": FactKind.RELATION,
    "thread": FactKind.THREAD,
}


def gone_facts(made: Made, writer: Writer) -> dict[FactKind, set[str]]:
    """Return the ids of the facts that are gone, by kind."""
    gone: dict[FactKind, set[str]] = {}
    for name, kind in _KINDS.items():
        ids = {key for key, turn in made.turns(name).items() if turn.after is None}
        if ids:
            gone.setdefault(kind, set()).update(ids)
    if FactKind.RELATION in gone:
        # A relation that waits becomes a relation, and a role may become one, with the same id.
        ids = gone[FactKind.RELATION]
        ids -= writer.relations(writer.project_id, ids).keys()
        ids -= {one.id for one in writer.events.pending(writer.project_id, ids)}
    return {kind: ids for kind, ids in gone.items() if ids}


def gone_scenes(made: Made) -> set[str]:
    """Return the ids of the scenes that are gone."""
    return {key for key, turn in made.turns("scene").items() if turn.after is None}
