"""Evidence: which quotations from the manuscript a fact rests on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from fabula.call import Call
from fabula.canon.entry import existing_entry
from fabula.canon.evidence import attach
from fabula.canon.scope import existing_entity, existing_relation
from fabula.canon.state import existing_state
from fabula.canon.step import Step, in_step
from fabula.errors import InvalidInput, NotFound
from fabula.model.account import Role
from fabula.model.evidence import Evidence, FactKind
from fabula.model.manuscript import Scene
from fabula.model.wire import Id, Value, safe_text
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

MAX_QUOTATION = 4_000

AskedKind = Literal["entity", "entry", "relation", "state", "event"]


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

    kind: AskedKind
    id: Id


class AttachEvidenceRequest(StoryRequest):
    """A quotation from a scene to attach to a fact; `start` says which of several occurrences is meant."""

    kind: AskedKind
    id: Id
    scene_id: Id
    quotation: Annotated[
        str, StringConstraints(min_length=1, max_length=MAX_QUOTATION), AfterValidator(safe_text)
    ]
    start: Annotated[int, Field(ge=0, strict=True)] | None = None


@operation("evidence.list", role=Role.READER)
def list_evidence(call: Call, request: ListEvidenceRequest) -> ListEvidenceResponse:
    """List the quotations that a fact rests on."""
    with call.store.read() as reader:
        kind = _existing(reader, request.project_id, request.kind, request.id)
        found = reader.evidence.of_facts(request.project_id, kind, [request.id])
        scenes = {
            key: reader.manuscript.scene_of_id(request.project_id, key)
            for key in dict.fromkeys(one.scene_id for one in found)
        }
    return ListEvidenceResponse(items=tuple(_shown(one, scenes[one.scene_id]) for one in found))


@operation("evidence.attach", role=Role.EDITOR)
@in_step("evidence:attach")
def attach_evidence(step: Step, request: AttachEvidenceRequest) -> FactEvidence:
    """Attach a quotation from a scene to a fact."""
    kind = _existing(step, request.project_id, request.kind, request.id)
    scene = step.manuscript.scene_of_id(request.project_id, request.scene_id)
    if scene is None:
        raise NotFound(
            f"There is no scene '{request.scene_id}' in this story.", details={"id": request.scene_id}
        )
    attached = attach(step, kind, request.id, scene, request.quotation, request.start)
    if attached is None:
        raise InvalidInput(
            "The quotation does not stand there in the scene.",
            details={"field": "quotation", "sceneId": scene.id},
            suggestion="Quote the scene's text exactly.",
        )
    return _shown(attached, scene)


def _existing(reader: Reader, project_id: str, kind: AskedKind, fact_id: str) -> FactKind:
    """Return the kind of a fact; NotFound if the story has no such fact."""
    if kind == "entry":
        existing_entry(reader, project_id, fact_id)
        return FactKind.ENTRY
    if kind == "relation":
        existing_relation(reader, project_id, fact_id)
        return FactKind.RELATION
    if kind == "state":
        existing_state(reader, project_id, fact_id)
        return FactKind.STATE
    existing_entity(reader, project_id, fact_id)
    return FactKind.ENTITY


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
