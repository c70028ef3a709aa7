"""Rebuilding a story's index and graph mirror on request, and verifying the mirror."""

from __future__ import annotations

from typing import Literal

from fabula.call import Call
from fabula.errors import GraphUnavailable
from fabula.jobs.task import Task
from fabula.model.account import Role
from fabula.model.job import TaskAccepted, accepted
from fabula.operations.table import StoryRequest, operation
from fabula.projections.mirror import Mirror, MirrorReport

KIND = "graph-sync"
# The mirror's share of the progress, if there is a mirror.
MIRROR_SHARE = 0.9


class SyncGraphRequest(StoryRequest):
    """What to synchronise; `forceReindex` rebuilds the index even if it seems up to date."""

    scope: Literal["full", "incremental"] = "full"
    force_reindex: bool = False


@operation("graph.sync", role=Role.EDITOR)
def sync_graph(call: Call, request: SyncGraphRequest) -> TaskAccepted:
    """Compile the story's graph in the background, and mirror it if a graph server is configured."""
    project_id = request.project_id
    with call.store.read() as reader:
        story = reader.story(project_id)
    if call.mirror is not None:
        call.mirror.check()
    relations = f"{story.relation_count:,}"
    message = {
        "zh": f"图谱同步已开始：{story.entity_count:,} 个实体，{relations} 条关系。",
        "en": f"Graph sync has begun: {story.entity_count:,} entities, {relations} relations.",
    }[story.language]
    job = call.jobs.start(call, KIND, project_id, message, request.model_dump(exclude={"project_id"}))
    return accepted(job)


def synchronise(call: Call, task: Task) -> None:
    """Run the requested synchronisation."""
    request, project_id = (
        SyncGraphRequest.model_validate({**task.payload, "project_id": task.project_id}),
        task.project_id,
    )
    anew = request.scope == "full" or request.force_reindex
    begun = 0.0
    if call.mirror is not None:
        begun = MIRROR_SHARE
        if not _mirror(call.mirror, task, anew=anew):
            return
    if anew:
        call.indexes.forget(project_id)
    with call.store.read() as reader, call.indexes.lease(reader, project_id) as index:
        index.graph(reader)
        if task.report((1 + begun) / 2, task.job.message):
            index.build_for_text(reader)


@operation("graph.mirror.verify", role=Role.READER)
def verify_mirror(call: Call, request: StoryRequest) -> MirrorReport:
    """Compare a story with its mirror by a checksum over both."""
    project_id = request.project_id
    return mirror_of(call, project_id).verify(project_id)


@operation("graph.mirror.delete", role=Role.OWNER)
def delete_story_graph(call: Call, request: StoryRequest) -> None:
    """Remove the mirror of a story; the story stays, and is mirrored again when it next changes."""
    project_id = request.project_id
    mirror_of(call, project_id).delete_story_graph(project_id)


def _mirror(mirror: Mirror, task: Task, *, anew: bool) -> bool:
    """Mirror the story, then the changes made meanwhile; return False if the work must stop."""

    def report(done: int, total: int) -> bool:
        return task.report(MIRROR_SHARE * done / max(total, 1), task.job.message)

    return mirror.bring_up_to_date(task.project_id, report, anew=anew) and mirror.bring_up_to_date(
        task.project_id, report
    )


def mirror_of(call: Call, project_id: str) -> Mirror:
    """Return the mirror for a story; GraphUnavailable if none is configured."""
    with call.store.read() as reader:
        reader.story(project_id)
    if call.mirror is None:
        raise GraphUnavailable(
            "No graph server is set up.",
            details={"reason": "not_configured"},
            suggestion="Set FABULA_GRAPH to neo4j, and FABULA_NEO4J_URI to its address.",
        )
    return call.mirror
