"""Every kind of job, and the function that runs it."""

from __future__ import annotations

from collections.abc import Mapping

from fabula.call import Call
from fabula.jobs.crew import Work
from fabula.operations.checks import story as story_checks
from fabula.operations.graph import graph_layout, graph_sync
from fabula.operations.manuscript import (
    after_saving,
    all_scenes,
    novel_import,
    novel_reading,
    open_questions,
    scene_extraction,
)
from fabula.operations.manuscript import snapshots as snapshots_making
from fabula.operations.proposals import extraction
from fabula.operations.search import embedding

WORKS: Mapping[str, Work[Call]] = {
    graph_sync.KIND: graph_sync.synchronise,
    graph_layout.KIND: graph_layout.place_all,
    embedding.JOB: embedding.embed,
    extraction.KIND: extraction.extract,
    all_scenes.KIND: all_scenes.read_scenes,
    novel_import.KIND: novel_reading.read_novel,
    open_questions.KIND: open_questions.answer_open_questions,
    after_saving.EXTRACTION: scene_extraction.extract_scene,
    after_saving.SNAPSHOT: snapshots_making.make_snapshot,
    after_saving.CHECKS: story_checks.check_after_saving,
}
