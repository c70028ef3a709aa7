"""From a new process to the first answer, and what that takes in memory.

Each sample is a process of its own (`python -m bench.opening FOLDER QUESTION`); the file is in the
operating system's cache. Importing the package is told apart from opening the story. Questions may take as
long as they need; once more with the default timeout, to see whether the first question is refused by it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from bench.measure import Figures, Results, figure, percentile
from bench.plan import STORY, Plan

DEFAULT = 2_000
PATIENT = 60_000


def measure(plan: Plan) -> Results:
    """Open the world anew several times for each first question."""
    results: Results = {}
    for question in ("subgraph", "relevant"):
        samples = [_sample(plan, question) for _ in range(plan.rounds)]
        told = results[f"cold open to {question}"] = _middle(samples)
        told["refused_with_default_timeout"] = int(_sample(plan, question, DEFAULT)["refused"])
    return results


def _sample(plan: Plan, question: str, timeout: int = PATIENT) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.opening", str(plan.folder), question, str(timeout)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    sample: dict[str, float] = json.loads(done.stdout)
    return sample


def _middle(samples: list[dict[str, float]]) -> Figures:
    keys = [key for key in samples[0] if key != "refused"]
    told: Figures = {key: figure(percentile([s[key] for s in samples], 50)) for key in keys}
    told["max_seconds"] = figure(max(s["seconds"] for s in samples))
    return told


def _open(plan: Plan, question: str, timeout: int) -> dict[str, float]:
    began = time.perf_counter()
    from fabula.errors import QueryTimeout
    from fabula.memory import Memory
    from fabula.model.story import Limits

    imported = time.perf_counter()
    before = _rss()
    cpu = time.process_time()
    memory = Memory(plan.db, limits=Limits(query_timeout_ms=timeout))
    ready = time.perf_counter()
    questions: dict[str, Callable[[], Any]] = {
        "subgraph": lambda: memory.answer(
            "knowledge:query:subgraph",
            {"projectId": STORY, "centerEntityId": plan.starts["2"][0], "k": 2},
        ),
        "relevant": lambda: memory.answer(
            "knowledge:query:relevant",
            {"projectId": STORY, "excerpt": plan.texts[0]["text"], "maxEntities": 50},
        ),
    }
    refused = False
    try:
        questions[question]()
    except QueryTimeout:
        refused = True
    answered = time.perf_counter()
    cpu = time.process_time() - cpu
    sample = {
        "seconds": answered - imported,
        "cpu_seconds": cpu,
        "import_seconds": imported - began,
        "open_file_seconds": ready - imported,
        "refused": float(refused),
        "rss_before_mb": before,
        "rss_after_mb": _rss(),
    }
    if timeout == DEFAULT:
        return sample
    for other in questions.values():
        other()
    return {**sample, "rss_all_parts_mb": _rss()}


def _rss() -> float:
    return float(psutil.Process().memory_info().rss) / 1e6


if __name__ == "__main__":
    print(json.dumps(_open(Plan.load(Path(sys.argv[1])), sys.argv[2], int(sys.argv[3]))))
