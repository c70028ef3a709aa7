"""Bringing what is made from the story up to date with it, by hand."""

from __future__ import annotations

from typing import Literal

from fabula.model.job import TaskAccepted, accepted
from fabula.model.wire import Value
from fabula.operations.table import Call
from fabula.operations.working.job_crew import Task

KIND = "graph-sync"


class GraphSyncRequest(Value):
    """What is to be brought up to date; `forceReindex` builds it anew even if it seems to be."""

    scope: Literal["full", "incremental"] = "full"
    force_reindex: bool = False


def sync_graph(call: Call, project_id: str, request: GraphSyncRequest) -> TaskAccepted:
    """Compile the story's graph in the background."""
    with call.store.read() as reader:
        story = reader.story(project_id)
    relations = f"{story.relation_count:,}"
    message = {
        "zh": f"图谱同步已开始：{story.entity_count:,} 个实体，{relations} 条关系。",
        "en": f"Graph sync has begun: {story.entity_count:,} entities, {relations} relations.",
    }[story.language]
    job = call.jobs.start(call, KIND, project_id, message, request.model_dump())
    return accepted(job)


def synchronise(call: Call, task: Task) -> None:
    """Do what was asked for."""
    request, project_id = GraphSyncRequest.model_validate(task.payload), task.project_id
    if request.scope == "full" or request.force_reindex:
        call.indexes.forget(project_id)
    with call.store.read() as reader, call.indexes.lease(reader, project_id) as index:
        index.graph(reader)
        if task.report(0.5, task.job.message):
            index.build_for_text(reader)
