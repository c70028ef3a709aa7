"""Bringing what is made from the story up to date with it, by hand."""

from __future__ import annotations

from typing import Literal

from fabula.model.wire import Value
from fabula.operations.jobs import Progress
from fabula.operations.table import Call

KIND = "graph-sync"


class GraphSyncRequest(Value):
    """What is to be brought up to date; `forceReindex` builds it anew even if it seems to be."""

    scope: Literal["full", "incremental"] = "full"
    force_reindex: bool = False


class GraphSyncAccepted(Value):
    """The job that does it."""

    task_id: str
    status: str
    message: str


def sync_graph(call: Call, project_id: str, request: GraphSyncRequest) -> GraphSyncAccepted:
    """Compile the story's graph in the background."""
    with call.store.read() as reader:
        story = reader.story(project_id)
    relations = f"{story.relation_count:,}"
    message = {
        "zh": f"图谱同步已开始：{story.entity_count:,} 个实体，{relations} 条关系。",
        "en": f"Graph sync has begun: {story.entity_count:,} entities, {relations} relations.",
    }[story.language]

    def work(progress: Progress) -> None:
        if request.scope == "full" or request.force_reindex:
            call.indexes.forget(project_id)
        with call.store.read() as reader, call.indexes.lease(reader, project_id) as index:
            index.graph(reader)
            progress.report(0.5, message)
            index.build_for_text(reader)

    job = call.jobs.start(KIND, project_id, message, work)
    return GraphSyncAccepted(task_id=job.id, status=job.status, message=job.message)
