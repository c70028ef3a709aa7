"""Layout of the graph: positions for entities that have none; existing positions stay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fabula.call import Call
from fabula.canon.step import Step, write
from fabula.index.communities import LayoutProgress, Stopped
from fabula.index.layout import laid_out
from fabula.jobs.task import Task
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.wire import Value
from fabula.operations.graph.graph_picture import arrows_of
from fabula.operations.graph.implicit_ties import implicit_ties
from fabula.operations.table import StoryRequest, operation
from fabula.store.log import LAYOUT
from fabula.store.scans import scan_places

KIND = "graph-layout"
# Layouts of more nodes than this run in the background.
AT_ONCE = 2_000
WRITTEN_TOGETHER = 5_000

Coordinates = dict[str, tuple[float, float]]


class LayOutGraphResponse(Value):
    """How many entities were placed; for many, a job does it, and `taskId` is its id."""

    placed: int
    task_id: str | None


@operation("graph.layout", role=Role.EDITOR)
def lay_out(call: Call, request: StoryRequest) -> LayOutGraphResponse:
    """Place every entity without a position, at once or in the background."""
    project_id = request.project_id
    with call.store.read() as reader:
        story = reader.story(project_id)
        missing = sum(_is_missing(row) for row in scan_places(reader, project_id))
    if missing <= AT_ONCE:
        places = _new_places(call, project_id, lambda _: True)
        return LayOutGraphResponse(placed=_keep(call, project_id, places), task_id=None)
    message = {"zh": f"正在排布 {missing:,} 个节点。", "en": f"Placing {missing:,} nodes."}[story.language]
    return LayOutGraphResponse(placed=0, task_id=call.jobs.start(call, KIND, project_id, message).id)


def place_all(call: Call, task: Task) -> None:
    """Do the same as a background job."""

    def report(done: float) -> bool:
        return task.report(0.5 * done, task.job.message)

    try:
        places = _new_places(call, task.project_id, report)
    except Stopped:
        return
    entries = sorted(places.items())
    for begin in range(0, len(entries), WRITTEN_TOGETHER):
        if not task.report(0.5 + 0.5 * begin / len(entries), task.job.message):
            return
        _keep(call, task.project_id, dict(entries[begin : begin + WRITTEN_TOGETHER]), task.insist)


def _new_places(call: Call, project_id: str, report: LayoutProgress) -> Coordinates:
    with call.store.read() as reader:
        rows = scan_places(reader, project_id)
        arrows = arrows_of(reader, project_id)
        shared = implicit_ties(call, reader, project_id, None)
    number = {row[0]: place for place, row in enumerate(rows)}
    ends = [(number[arrow[1]], number[arrow[2]]) for arrow in arrows if arrow[1] != arrow[2]]
    # Whoever shares scenes stands together, so that the picture of a novel shows its groups.
    ends += [(number[tie.source_id], number[tie.target_id]) for tie in shared]
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    before = np.array([(np.nan, np.nan) if _is_missing(row) else row[3:5] for row in rows], dtype=np.float64)
    if not len(rows):
        return {}
    after = laid_out(before.reshape(-1, 2), pairs[:, 0], pairs[:, 1], report).round(1).tolist()
    return {row[0]: (x, y) for row, (x, y) in zip(rows, after, strict=True) if _is_missing(row)}


def _keep(
    call: Call, project_id: str, places: Coordinates, last: Callable[[Step], None] = lambda step: None
) -> int:
    """Save positions for entities that still have none, without a new version."""
    if not places:
        return 0

    def work(step: Step) -> int:
        pairs: list[tuple[Entity, Entity]] = []
        for entity in step.entities(project_id, places).values():
            if entity.layout_x is None or entity.layout_y is None:
                x, y = places[entity.id]
                pairs.append((entity, entity.model_copy(update={"layout_x": x, "layout_y": y})))
        step.replace(pairs)
        last(step)
        return len(pairs)

    return write(call, project_id, LAYOUT, work)


def _is_missing(row: tuple[object, ...]) -> bool:
    return row[3] is None or row[4] is None
