"""Waivers: findings that the author says are intended."""

from __future__ import annotations

from fabula.call import Call
from fabula.canon.step import Step, in_step
from fabula.canon.waiver import remove_waivers, waive
from fabula.errors import NotFound
from fabula.model.account import Role
from fabula.model.check import CheckFinding
from fabula.model.evidence import fingerprint
from fabula.model.waiver import Waiver
from fabula.operations.checks.report import existing_finding
from fabula.operations.checks.values import (
    KnowledgeWaiverCreateRequest,
    KnowledgeWaiverCreateResponse,
    KnowledgeWaiverDeleteRequest,
    KnowledgeWaiverDeleteResponse,
    KnowledgeWaiverListRequest,
    KnowledgeWaiverListResponse,
)
from fabula.operations.table import operation


@operation("waiver.list", role=Role.READER, channel="knowledge:waiver:list")
def list_waivers(call: Call, request: KnowledgeWaiverListRequest) -> KnowledgeWaiverListResponse:
    """List the findings that are intended."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        found = reader.waivers.all_of(request.project_id)
    return KnowledgeWaiverListResponse(items=found, total_count=len(found))


@operation("waiver.create", role=Role.EDITOR, channel="knowledge:waiver:create")
def create_waiver(call: Call, request: KnowledgeWaiverCreateRequest) -> KnowledgeWaiverCreateResponse:
    """Say that a finding is intended; it stays quiet until what is written or established changes."""
    finding = existing_finding(call, request.project_id, request.finding_id)
    waiver = waive_finding(call, request.project_id, finding, request.reason)
    return KnowledgeWaiverCreateResponse.trusted(**dict(waiver))


@operation("waiver.delete", role=Role.EDITOR, channel="knowledge:waiver:delete")
@in_step("knowledge:waiver:delete")
def delete_waiver(step: Step, request: KnowledgeWaiverDeleteRequest) -> KnowledgeWaiverDeleteResponse:
    """Delete a waiver, so that its finding is reported again."""
    known = step.waivers.waiver(request.project_id, request.id)
    if known is None:
        raise NotFound(f"There is no waiver '{request.id}' in this story.", details={"id": request.id})
    remove_waivers(step, [known])
    return KnowledgeWaiverDeleteResponse()


@in_step("knowledge:waiver:create")
def waive_finding(step: Step, project_id: str, finding: CheckFinding, reason: str) -> Waiver:
    """Keep a waiver of a finding."""
    there = "" if finding.there is None else finding.there.quotation
    waiver = Waiver.trusted(
        id=step.new_id(),
        project_id=project_id,
        rule=finding.rule,
        facts=tuple(sorted(finding.facts)),
        here=fingerprint(finding.here.quotation),
        # The fingerprint of nothing is that of an empty text, so that a folder can be read back.
        there=fingerprint(there),
        here_quotation=finding.here.quotation,
        there_quotation=there,
        reason=reason,
        created_at=step.now,
    )
    return waive(step, waiver)
