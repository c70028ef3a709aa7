"""Checking saved scenes by rules, mending what was found, and the job that follows a save."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from fabula.call import Call
from fabula.canon import entity as entities
from fabula.canon.entity import EntityPatch
from fabula.canon.scope import existing_entity
from fabula.canon.state import StateFields, new_state
from fabula.canon.state import save as save_state
from fabula.canon.step import Step, in_step
from fabula.errors import Conflict, InvalidInput
from fabula.jobs.task import Task
from fabula.model.account import Role
from fabula.model.check import CheckFinding, Fix, FixKind
from fabula.model.moment import Moment
from fabula.operations.checks.report import checked, existing_finding, newest
from fabula.operations.checks.values import (
    KnowledgeChecksFixRequest,
    KnowledgeChecksFixResponse,
    KnowledgeChecksNewestRequest,
    KnowledgeChecksNewestResponse,
    KnowledgeChecksRunRequest,
    KnowledgeChecksRunResponse,
)
from fabula.operations.checks.waivers import waive_finding
from fabula.operations.manuscript.manuscript import PutSceneRequest, SceneRequest, put_scene, read_scene
from fabula.operations.table import operation

Changed = tuple[Literal["scene", "entity", "state", "waiver"], str]


@operation("checks.run", role=Role.READER, channel="knowledge:checks:run")
def run_checks(call: Call, request: KnowledgeChecksRunRequest) -> KnowledgeChecksRunResponse:
    """Check saved scenes by rules, without a model and with reproducible results."""
    answer = checked(call, request)
    assert answer is not None, "nobody can stop it"
    return answer


@operation("checks.newest", role=Role.READER, channel="knowledge:checks:newest")
def newest_checks(call: Call, request: KnowledgeChecksNewestRequest) -> KnowledgeChecksNewestResponse:
    """Return the newest findings of the whole story."""
    return KnowledgeChecksNewestResponse.trusted(**dict(newest(call, request.project_id)))


@operation("checks.fix", role=Role.EDITOR, channel="knowledge:checks:fix")
def fix_finding(call: Call, request: KnowledgeChecksFixRequest) -> KnowledgeChecksFixResponse:
    """Mend a finding in one of the ways it offers: change the text, the fact, or waive it."""
    finding = existing_finding(call, request.project_id, request.finding_id)
    fix = next((one for one in finding.fixes if one.kind == request.kind), None)
    if fix is None:
        raise InvalidInput(
            f"This finding cannot be mended by '{request.kind}'.",
            details={"field": "kind", "kinds": [one.kind for one in finding.fixes]},
        )
    changed, changed_id = _FIXES[fix.kind](call, request, finding, fix)
    with call.store.read() as reader:
        revision = reader.story(request.project_id).revision
    return KnowledgeChecksFixResponse(
        finding_id=finding.id, kind=fix.kind, changed=changed, changed_id=changed_id, revision=revision
    )


def check_after_saving(call: Call, task: Task) -> None:
    """Run the job that checks a story after its scenes were saved."""
    request = KnowledgeChecksRunRequest(project_id=task.project_id)
    answer = checked(call, request, lambda share: task.report(share, ""))
    if answer is not None:
        task.report(1.0, str(sum(not one.waived for one in answer.findings)))


def _change_text(call: Call, request: KnowledgeChecksFixRequest, finding: CheckFinding, fix: Fix) -> Changed:
    here, text = finding.here, fix.text if request.text is None else request.text
    if here.chapter is None or here.scene is None or text is None:
        raise InvalidInput("This finding needs a text to change to.", details={"field": "text"})
    place = SceneRequest(project_id=request.project_id, chapter=here.chapter, scene=here.scene)
    scene = read_scene(call, place)
    if here.quotation != scene.text[here.start : here.end]:
        raise Conflict("The scene has changed since it was checked.", suggestion="Check the story again.")
    saved, _ = put_scene(
        call,
        PutSceneRequest(
            **dict(place),
            text=scene.text[: here.mark_start] + text + scene.text[here.mark_end :],
            expected_version=request.expected_version or scene.version,
            expected_id=scene.id,
        ),
    )
    return "scene", saved.id


def _add_state(call: Call, request: KnowledgeChecksFixRequest, finding: CheckFinding, fix: Fix) -> Changed:
    return "state", _state_added(call, request.project_id, finding, fix)


@in_step("checks:fix")
def _state_added(step: Step, project_id: str, finding: CheckFinding, fix: Fix) -> str:
    entity = existing_entity(step, project_id, finding.entity_id or "")
    since = None
    if finding.here.chapter is not None:
        since = Moment(chapter=finding.here.chapter, scene=finding.here.scene)
    fields = StateFields(attributes={fix.key or "": fix.value or ""}, since=since)
    return save_state(step, None, new_state(step, entity, fields)).id


def _correct_fact(call: Call, request: KnowledgeChecksFixRequest, finding: CheckFinding, fix: Fix) -> Changed:
    return "entity", _fact_corrected(call, request.project_id, request.expected_version, finding, fix)


@in_step("checks:fix")
def _fact_corrected(
    step: Step, project_id: str, expected_version: int | None, finding: CheckFinding, fix: Fix
) -> str:
    before = existing_entity(step, project_id, finding.entity_id or "")
    entities.refuse_stale(before, expected_version)
    patch = EntityPatch(attributes={**before.attributes, fix.key or "": fix.value or ""})
    return entities.save(step, before, entities.patched(step, before, patch)).id


def _waive(call: Call, request: KnowledgeChecksFixRequest, finding: CheckFinding, fix: Fix) -> Changed:
    return "waiver", waive_finding(call, request.project_id, finding, request.reason).id


_FIXES: dict[FixKind, Callable[[Call, KnowledgeChecksFixRequest, CheckFinding, Fix], Changed]] = {
    "change_text": _change_text,
    "add_state": _add_state,
    "correct_fact": _correct_fact,
    "waive": _waive,
}
