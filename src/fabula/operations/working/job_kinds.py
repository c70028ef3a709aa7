"""Every kind of job, and the function that does it."""

from __future__ import annotations

from collections.abc import Mapping

from fabula.operations.finding import embedding
from fabula.operations.graph import graph_layout, graph_sync
from fabula.operations.proposals import extraction
from fabula.operations.telling import (
    after_saving,
    novel_import,
    novel_reading,
    scene_extraction,
    snapshots_making,
)
from fabula.operations.working.job_crew import Work

WORKS: Mapping[str, Work] = {
    graph_sync.KIND: graph_sync.synchronise,
    graph_layout.KIND: graph_layout.place_all,
    embedding.JOB: embedding.embed,
    extraction.KIND: extraction.extract,
    novel_import.KIND: novel_reading.read_novel,
    after_saving.EXTRACTION: scene_extraction.extract_scene,
    after_saving.SNAPSHOT: snapshots_making.make_snapshot,
}
