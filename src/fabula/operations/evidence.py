"""Evidence: which quotations from the manuscript a fact rests on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from fabula.call import Call
from fabula.canon.evidence import attach, detach, existing_evidence, not_quoted, quoted_scene
from fabula.canon.fact import existing_fact
from fabula.canon.step import Step, in_step
from fabula.model.account import Role
from fabula.model.evidence import MAX_QUOTATION, Evidence
from fabula.model.fact import FactKind, FactRef, KeptKind
from fabula.model.manuscript import Scene
from fabula.model.wire import Id, Value, safe_text
from fabula.operations.table import StoryRequest, operation


class FactEvidence(Value):
    """A quotation that a fact rests on, and where it stands; without a span, it no longer stands there."""

    id: str
    kind: FactKind
    fact_id: str
    scene_id: str
    chapter: int | None
    scene: int | None
    quotation: str
    occurrence: int
    start: int | None
    end: int | None
    created_at: str


class ListEvidenceResponse(Value):
    """The evidence of a fact, the oldest first."""

    items: tuple[FactEvidence, ...]


class ListEvidenceRequest(StoryRequest):
    """A fact: an entity, entry, relation, state or event."""

    kind: KeptKind
    id: Id


class AttachEvidenceRequest(StoryRequest):
    """A quotation from a scene to attach to a fact; `start` says which of several occurrences is meant."""

    kind: KeptKind
    id: Id
    scene_id: Id
    quotation: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_QUOTATION), AfterValidator(safe_text)
    ]
    start: Annotated[int, Field(ge=0, strict=True)] | None = None


class DetachEvidenceRequest(StoryRequest):
    """Evidence to remove; the fact stays."""

    id: Id


class DetachEvidenceResponse(Value):
    """The effect of the removal."""

    deleted: Literal[True] = True


@operation("evidence.list", role=Role.READER)
def list_evidence(call: Call, request: ListEvidenceRequest) -> ListEvidenceResponse:
    """List the quotations that a fact rests on."""
    with call.store.read() as reader:
        existing_fact(reader, request.project_id, FactRef(kind=request.kind, id=request.id))
        found = reader.evidence.of_facts(request.project_id, request.kind, [request.id])
        scenes = {
            key: reader.manuscript.scene_of_id(request.project_id, key)
            for key in dict.fromkeys(one.scene_id for one in found)
        }
    return ListEvidenceResponse(items=tuple(_shown(one, scenes[one.scene_id]) for one in found))


@operation("evidence.attach", role=Role.EDITOR)
@in_step("evidence:attach")
def attach_evidence(step: Step, request: AttachEvidenceRequest) -> FactEvidence:
    """Attach a quotation from a scene to a fact."""
    existing_fact(step, request.project_id, FactRef(kind=request.kind, id=request.id))
    scene = quoted_scene(step, request.project_id, request.scene_id)
    attached = attach(step, request.kind, request.id, scene, request.quotation, request.start)
    if attached is None:
        raise not_quoted(scene)
    return _shown(attached, scene)


@operation("evidence.detach", role=Role.EDITOR)
@in_step("evidence:detach")
def detach_evidence(step: Step, request: DetachEvidenceRequest) -> DetachEvidenceResponse:
    """Remove a quotation from the fact that rests on it."""
    detach(step, [existing_evidence(step, request.project_id, request.id)])
    return DetachEvidenceResponse()


def _shown(evidence: Evidence, scene: Scene | None) -> FactEvidence:
    start, end = (None, None) if scene is None else evidence.place_in(scene.text) or (None, None)
    return FactEvidence(
        id=evidence.id,
        kind=evidence.fact_kind,
        fact_id=evidence.fact_id,
        scene_id=evidence.scene_id,
        chapter=None if scene is None else scene.chapter_index,
        scene=None if scene is None else scene.scene_index,
        quotation=evidence.quotation,
        occurrence=evidence.occurrence,
        start=start,
        end=end,
        created_at=evidence.created_at,
    )
