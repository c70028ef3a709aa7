"""Evidence goes with its fact and with its scene."""

from __future__ import annotations

from fabula.canon.consequences.gone_facts import gone_facts, gone_scenes
from fabula.canon.consequences.made import Made
from fabula.store.writer import Writer


def forget_evidence(writer: Writer, made: Made) -> None:
    """Remove the evidence of facts and scenes that are gone."""
    project_id, scenes = writer.project_id, gone_scenes(made)
    found = {
        one.id: one
        for kind, ids in gone_facts(made, writer).items()
        for one in writer.evidence.of_facts(project_id, kind, ids)
    }
    if scenes:
        found |= {one.id: one for one in writer.evidence.of_scenes(project_id, scenes)}
    writer.remove(list(found.values()))
