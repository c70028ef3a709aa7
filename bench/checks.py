"""The linter on a novel of a million characters: everything the first time, and one scene that was saved.

The novel is generated, sixty people and half as many scenes as a book has; every tenth scene states a trait.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
import time
from pathlib import Path

from bench.novel import CHARACTERS, generated
from bench.report import RESULTS, markdown
from bench.retrieval_report import show
from fabula.memory import Memory
from fabula.operations.checks.report import checked
from fabula.operations.checks.values import KnowledgeChecksRunRequest

NAME = "checks"
LONGEST_S = 60
LONGEST_SCENE_MS = 50
COLUMNS = [
    "characters",
    "scenes",
    "people",
    "findings",
    "whole s",
    "goal s",
    "again s",
    "scene ms",
    "goal ms",
]


def measure(*, quick: bool) -> list[dict[str, object]]:
    """Check a novel, check it again, and check one scene that was saved; seconds of the processor."""
    text = generated(CHARACTERS // 10 if quick else CHARACTERS)
    chapters = [part for part in text.split("\n第") if part.strip()]
    with (
        tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder,
        Memory(Path(folder) / "a.db") as memory,
    ):
        story = memory.story("checks", language="zh")
        people = sorted(set(_names(text)))
        for name in people:
            story.entity.create(type="character", name=name)
        for number, chapter in enumerate(chapters):
            trait = f"{people[number % len(people)]}的眼睛是{'黑蓝绿褐'[number // 10 % 4]}色的。"
            story.scene(number, 0, f"{chapter}\n{trait if number % 10 == 0 else ''}")
        whole = KnowledgeChecksRunRequest(project_id=story.id)
        first, answer = _timed(memory, whole)
        again, _ = _timed(memory, whole)
        last = len(chapters) - 1
        scenes = []
        for turn in range(5):
            story.scene(last, 0, f"{chapters[last]}\n{people[turn]}的眼睛是红色的。")
            seconds, _ = _timed(memory, KnowledgeChecksRunRequest(project_id=story.id, chapter=last, scene=0))
            scenes.append(1000 * seconds)
    return [
        {
            "characters": len(text),
            "scenes": len(chapters),
            "people": len(people),
            "findings": answer,
            "whole s": round(first, 2),
            "goal s": LONGEST_S,
            "again s": round(again, 2),
            "scene ms": round(sorted(scenes)[2], 1),
            "goal ms": LONGEST_SCENE_MS,
        }
    ]


def _timed(memory: Memory, request: KnowledgeChecksRunRequest) -> tuple[float, int]:
    began = time.process_time()
    answer = checked(memory.call(), request)
    assert answer is not None
    return time.process_time() - began, len(answer.findings)


def _names(text: str) -> list[str]:
    """The names that the generated novel is made of: whoever says something."""
    return [line.partition("说道")[0] for line in text.splitlines() if "说道" in line[:5]]


def report(found: list[dict[str, object]], name: str | None, note: str) -> None:
    """Print the figures, and keep them under a name."""
    rows = [[f"{one[column]:,}" for column in COLUMNS] for one in found]
    show([("The linter", COLUMNS, rows)])
    if name is None:
        return
    RESULTS.mkdir(exist_ok=True)
    about = {"python": platform.python_version(), "processors": os.cpu_count(), "note": note}
    kept = {"about": about, "found": found}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    page = [
        "# The linter, measured",
        f"Python {about['python']}, {about['processors']} processors. {note}".strip(),
        "Time of the processor: a whole novel the first time and again, and one scene after it was saved.",
        markdown(COLUMNS, rows),
    ]
    (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")
