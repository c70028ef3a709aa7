"""Evidence: the only way to attach a quotation to a fact, to redirect it and to remove it."""

from __future__ import annotations

from collections.abc import Mapping

from fabula.canon.step import Step
from fabula.model.evidence import Evidence, FactKind, fingerprint, occurrence_at
from fabula.model.manuscript import Scene


def attach(
    step: Step, kind: FactKind, fact_id: str, scene: Scene, quotation: str, start: int | None = None
) -> Evidence | None:
    """Attach a quotation to a fact, once; None if it does not stand in the scene."""
    occurrence = occurrence_at(scene.text, quotation, start)
    if occurrence is None:
        return None
    for known in step.evidence.of_facts(step.project_id, kind, [fact_id]):
        if (known.scene_id, known.quotation, known.occurrence) == (scene.id, quotation, occurrence):
            return known
    evidence = Evidence.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        fact_kind=kind,
        fact_id=fact_id,
        scene_id=scene.id,
        quotation=quotation,
        fingerprint=fingerprint(quotation),
        occurrence=occurrence,
        created_at=step.now,
    )
    step.add([evidence])
    return evidence


def redirect(step: Step, kind: FactKind, heirs: Mapping[str, str]) -> None:
    """Let facts that take the place of others rest on their evidence."""
    found = step.evidence.of_facts(step.project_id, kind, heirs)
    step.replace([(one, one.model_copy(update={"fact_id": heirs[one.fact_id]})) for one in found])
