"""Reading and replacing the ontology of a story."""

from __future__ import annotations

from itertools import chain

from fabula.call import Call
from fabula.canon.ontology import read_definition, save, story_ontology
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version
from fabula.formats.ontology_change import OntologyChange, Violation, ViolationReason, compare
from fabula.formats.ontology_file import write_ontology
from fabula.model.account import Role
from fabula.model.bounds import Version
from fabula.model.fiction import FICTION
from fabula.model.story_ontology import Ontology, StoryOntology
from fabula.model.wire import Text, Value
from fabula.operations.table import Request, operation
from fabula.store.reader import Reader
from fabula.store.scans import every_entity, every_relation

WRITE = "knowledge:ontology:write"


class KnowledgeOntologyReadResponse(Value):
    """The ontology of a story, as written and as parsed; version 0 is the built-in one for fiction."""

    text: str
    ontology: Ontology
    is_default: bool
    version: int
    updated_at: str | None


class KnowledgeOntologyReadRequest(Request[KnowledgeOntologyReadResponse]):
    """The ontology of a story."""


class OntologyViolation(Value):
    """Stored data that does not fit the ontology; it stays until somebody changes it."""

    kind: str
    id: str
    subject: str
    path: str
    message: str
    reason: ViolationReason


class KnowledgeOntologyWriteResponse(Value):
    """The types removed and added, and what no longer fits: counts by reason, and the first violations."""

    version: int
    changed: bool
    lost_nodes: tuple[str, ...]
    lost_edges: tuple[str, ...]
    new_nodes: tuple[str, ...]
    new_edges: tuple[str, ...]
    violations: tuple[OntologyViolation, ...]
    violation_count: int
    violation_counts: dict[ViolationReason, int]
    dry_run: bool
    revision: int


class KnowledgeOntologyWriteRequest(Request[KnowledgeOntologyWriteResponse]):
    """The new ontology of a story, as YAML or JSON; null restores the built-in one for fiction."""

    text: Text | None
    expected_version: Version | None = None
    dry_run: bool = False


@operation("ontology.read", role=Role.READER, channel="knowledge:ontology:read")
def read_story_ontology(call: Call, request: KnowledgeOntologyReadRequest) -> KnowledgeOntologyReadResponse:
    """Show the entity and relation types of a story."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        kept = reader.ontology(request.project_id)
        ontology = story_ontology(reader, request.project_id)
    return KnowledgeOntologyReadResponse(
        text=write_ontology(ontology) if kept is None else kept.definition,
        ontology=ontology,
        is_default=kept is None,
        version=0 if kept is None else kept.version,
        updated_at=None if kept is None else kept.updated_at,
    )


@operation("ontology.write", role=Role.EDITOR, channel=WRITE)
def write_story_ontology(
    call: Call, request: KnowledgeOntologyWriteRequest
) -> KnowledgeOntologyWriteResponse:
    """Replace the ontology of a story, and report what no longer fits; nothing is deleted."""
    project_id = request.project_id
    new = FICTION if request.text is None else read_definition(request.text)
    with call.store.read() as reader:
        revision = reader.story(project_id).revision
        kept = reader.ontology(project_id)
        _refuse_stale(kept, request.expected_version)
        change = _compared(reader, project_id, new)
    version = 0 if kept is None else kept.version
    is_other = request.text != (None if kept is None else kept.definition)
    if is_other and not request.dry_run:
        version, revision = _written(call, request)
    return KnowledgeOntologyWriteResponse(
        version=version,
        changed=is_other,
        lost_nodes=change.lost_nodes,
        lost_edges=change.lost_edges,
        new_nodes=change.new_nodes,
        new_edges=change.new_edges,
        violations=tuple(map(_shown, change.violations)),
        violation_count=change.violation_count,
        violation_counts=change.violation_counts,
        dry_run=request.dry_run,
        revision=revision,
    )


def _refuse_stale(kept: StoryOntology | None, expected: int | None) -> None:
    latest = kept or StoryOntology(project_id="", definition="", version=0, created_at="", updated_at="")
    refuse_stale_version("The ontology", latest.version, expected, latest)


def _compared(reader: Reader, project_id: str, new: Ontology) -> OntologyChange:
    old = story_ontology(reader, project_id)
    entities = every_entity(reader, project_id)
    relations = chain(every_relation(reader, project_id), reader.links.every(project_id))
    return compare(old, new, entities, relations)


def _shown(violation: Violation) -> OntologyViolation:
    return OntologyViolation(
        kind=violation.kind,
        id=violation.id,
        subject=violation.subject,
        path=violation.path,
        message=violation.message,
        reason=violation.reason,
    )


@in_step(WRITE)
def _written(step: Step, request: KnowledgeOntologyWriteRequest) -> tuple[int, int]:
    """Save or remove the ontology; return its version and the story's revision."""
    kept = step.ontology(request.project_id)
    _refuse_stale(kept, request.expected_version)
    if request.text is None:
        step.remove([] if kept is None else [kept])
        return 0, step.revision
    after = save(step, kept, request.text)
    return after.version, step.revision
