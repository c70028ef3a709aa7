"""One measurement in a process of its own: `python -m bench.child FOLDER NAME measure|baseline`.

Nothing that another measurement or the maker of the world left in memory weighs on it. It works on its own
copies of the databases, so the order of measurements does not matter.
"""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.plan import DATABASES, Plan, plan_for
from bench.world import World

MEASUREMENTS = ("loading", "opening", "graph", "relevant", "crud", "http")
MAKES_DATABASES = "loading"


def run_child(folder: Path, name: str, mode: str) -> Any:
    """What a measurement in another process found; None if it has no such mode."""
    subprocess.run([sys.executable, "-m", "bench.child", str(folder), name, mode], check=True)
    return json.loads(_answer(folder, name, mode).read_text("utf-8"))


def prepare(folder: Path, size: int, *, quick: bool) -> None:
    """Settle what will be asked, in another process."""
    mode = f"{size}:{'quick' if quick else 'full'}"
    subprocess.run([sys.executable, "-m", "bench.child", str(folder), "plan", mode], check=True)


def _answer(folder: Path, name: str, mode: str) -> Path:
    return folder / f"{name}.{mode}.json"


def _run(folder: Path, name: str, mode: str) -> None:
    if name == "plan":
        size, pace = mode.split(":")
        plan_for(World(int(size)), folder, quick=pace == "quick").save()
        return
    work = folder
    if name != MAKES_DATABASES:
        work = folder / "work"
        work.mkdir()
        for file in (*DATABASES, "plan.json"):
            shutil.copy(folder / file, work / file)
    action = getattr(importlib.import_module(f"bench.{name}"), mode, None)
    found = None if action is None else action(Plan.load(work))
    _answer(folder, name, mode).write_text(json.dumps(found), "utf-8")
    if work != folder:
        shutil.rmtree(work)


if __name__ == "__main__":
    _run(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
