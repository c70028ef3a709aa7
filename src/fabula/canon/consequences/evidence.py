"""Evidence goes with its fact and with its scene."""

from __future__ import annotations

from fabula.canon.consequences.made import Made
from fabula.model.evidence import FactKind
from fabula.store.writer import Writer

_KINDS = {
    "entity": FactKind.ENTITY,
    "entry": FactKind.ENTRY,
    "state": FactKind.STATE,
    "relation": FactKind.RELATION,
    "event_role": FactKind.RELATION,
    "pending_relation": FactKind.RELATION,
}


def forget_evidence(writer: Writer, made: Made) -> None:
    """Remove the evidence of facts and scenes that are gone."""
    project_id = writer.project_id
    gone: dict[FactKind, set[str]] = {}
    for name, kind in _KINDS.items():
        ids = {key for key, turn in made.turns(name).items() if turn.after is None}
        if ids:
            gone.setdefault(kind, set()).update(ids)
    if FactKind.RELATION in gone:
        # A relation that waits becomes a relation, and a role may become one, with the same id.
        ids = gone[FactKind.RELATION]
        ids -= writer.relations(project_id, ids).keys()
        ids -= {one.id for one in writer.events.pending(project_id, ids)}
    scenes = {key for key, turn in made.turns("scene").items() if turn.after is None}
    found = {
        one.id: one for kind, ids in gone.items() for one in writer.evidence.of_facts(project_id, kind, ids)
    }
    if scenes:
        found |= {one.id: one for one in writer.evidence.of_scenes(project_id, scenes)}
    writer.remove(list(found.values()))
