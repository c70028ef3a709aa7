"""Evidence: the only way to attach a quotation to a fact, to redirect it and to remove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fabula.canon.step import Step
from fabula.errors import InvalidInput, NotFound
from fabula.model.evidence import Attested, Evidence, fingerprint, occurrence_at
from fabula.model.fact import FactKind
from fabula.model.manuscript import Scene
from fabula.model.staleness import FactPart, without_part
from fabula.store.reader import Reader


def attach(
    step: Step,
    kind: FactKind,
    fact_id: str,
    scene: Scene,
    quotation: str,
    start: int | None = None,
    attests: Attested | None = None,
) -> Evidence | None:
    """Attach a quotation to a fact, once; None if it does not stand in the scene."""
    occurrence = occurrence_at(scene.text, quotation, start)
    if occurrence is None:
        return None
    for known in step.evidence.of_facts(step.project_id, kind, [fact_id]):
        said = (known.scene_id, known.quotation, known.occurrence, known.attests)
        if said == (scene.id, quotation, occurrence, attests):
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
        attests=attests,
    )
    step.add([evidence])
    return evidence


def quoted_scene(reader: Reader, project_id: str, scene_id: str) -> Scene:
    """Return the scene that is quoted; NotFound if the story has none with this id."""
    scene = reader.manuscript.scene_of_id(project_id, scene_id)
    if scene is None:
        raise NotFound(f"There is no scene '{scene_id}' in this story.", details={"id": scene_id})
    return scene


def not_quoted(scene: Scene) -> InvalidInput:
    """Return the refusal of words that do not stand in a scene."""
    return InvalidInput(
        "The quotation does not stand there in the scene.",
        details={"field": "quotation", "sceneId": scene.id},
        suggestion="Quote the scene's text exactly.",
    )


def existing_evidence(reader: Reader, project_id: str, evidence_id: str) -> Evidence:
    """Return the evidence; NotFound if the story has none with this id."""
    found = reader.evidence.of_id(project_id, evidence_id)
    if found is None:
        reader.story(project_id)
        raise NotFound(f"There is no evidence '{evidence_id}' in this story.", details={"id": evidence_id})
    return found


def detach(step: Step, evidence: Sequence[Evidence]) -> None:
    """Remove evidence; the facts stay."""
    step.remove(evidence)


def attest_less(step: Step, evidence: Evidence, part: FactPart) -> None:
    """Let a quotation no longer say a part of its fact; evidence that says nothing else is removed."""
    attests = None if evidence.attests is None else without_part(evidence.attests, part)
    if attests is None:
        detach(step, [evidence])
    else:
        step.replace([(evidence, evidence.model_copy(update={"attests": attests}))])


def redirect(step: Step, kind: FactKind, heirs: Mapping[str, str]) -> None:
    """Let facts that take the place of others rest on their evidence."""
    found = step.evidence.of_facts(step.project_id, kind, heirs)
    step.replace([(one, one.model_copy(update={"fact_id": heirs[one.fact_id]})) for one in found])
