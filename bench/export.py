"""A story as a folder: the first export, the same again, one change, a rename, an archive, and back again."""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Results, Series, figure, once
from bench.report import RESULTS, Row, TableOf, markdown, number
from bench.retrieval_report import show
from fabula.memory import Memory
from fabula.operations.import_export.export_story import export_file, export_folder
from fabula.operations.import_export.import_folder import import_story, read_folder_files
from fabula.projections.folder import StoryFolder
from fabula.projections.projection import catch_up
from fabula.projections.story_folders import StoryFolders
from fabula.story_memory import StoryMemory

NAME = "export"
SIZES = (5_000, 50_000)
TYPES = ("character", "location", "item", "faction", "concept")
PROSE = "她六岁来到灯塔，说话不多，做事之前先写下来。She never goes out without a pen."
STEP = 10_000
CHANGES = 20

NOTES = """\
Seconds by the wall clock and of the processor. A story has four relations for each entity and 200 scenes of
2,000 characters. *one attribute* and *a rename* are what the follower does after such a change, in
milliseconds; a renamed entity is named in the files of those who are related to it.
"""


def _parts(count: int) -> Iterator[range]:
    return (range(start, min(start + STEP, count)) for start in range(0, count, STEP))


def tell(story: StoryMemory, size: int) -> None:
    """Fill a story."""
    for part in _parts(size):
        people = [
            {
                "id": f"e{n}",
                "type": TYPES[n % len(TYPES)],
                "name": f"人物{n}",
                "description": PROSE,
                "aliases": [f"老{n}"],
                "attributes": {"age": n % 80, "mood": "calm"},
            }
            for n in part
        ]
        story.batch.upsert(entities=people)
    for part in _parts(4 * size):
        bonds = [
            {
                "sourceEntityId": f"e{n % size}",
                "targetEntityId": f"e{(n + 1 + n // size) % size}",
                "relationType": "knows",
                "description": "met at sea",
            }
            for n in part
        ]
        story.batch.upsert(relations=bonds)
    for place in range(200):
        story.scene(place // 4, place % 4, PROSE * 40)


def measure_one(size: int) -> Results:
    """Everything for a story of this size."""
    found: Results = {}
    with (
        tempfile.TemporaryDirectory(prefix="fabula-bench-") as there,
        Memory(Path(there) / "fabula.db") as memory,
    ):
        story, out = memory.story("bench"), Path(there) / "out"
        tell(story, size)
        call = memory.call()
        _, found["first export"] = once(lambda: export_folder(call, project_id=story.id, path=out))
        found["first export"]["mb_at_most"] = _peak()
        _, found["the same again"] = once(lambda: export_folder(call, project_id=story.id, path=out))
        found["one attribute"] = _followed(memory, story, out, "attributes")
        found["a rename"] = _followed(memory, story, out, "name")
        _, found["archive"] = once(lambda: export_file(call, project_id=story.id, format="zip").close())
        _, found["import"] = once(lambda: import_story(call, read_folder_files(out)))
        found["import"]["mb_at_most"] = _peak()
    return found


def _followed(memory: Memory, story: StoryMemory, out: Path, field: str) -> dict[str, float | int]:
    series, folder = Series(), StoryFolder(out)
    folders = StoryFolders(memory.call().store, lambda story_id, title: folder)
    for n in range(CHANGES):
        entity = story.entity.read(id=f"e{n}")
        value = {"age": 100 + n} if field == "attributes" else f"{entity.name}改"
        story.entity.update(id=entity.id, expected_version=entity.version, patch={field: value})
        series.time(lambda: catch_up(memory.call().store, folders, story.id))
    return series.figures()


def _peak() -> float:
    return figure(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measure(*, quick: bool) -> dict[int, Results]:
    """Every size, each in a process of its own."""
    found: dict[int, Results] = {}
    for size in SIZES[:1] if quick else SIZES:
        with multiprocessing.get_context("spawn").Pool(1) as one:
            found[size] = one.apply(measure_one, (size,))
    return found


def report(found: dict[int, Results], name: str | None, note: str) -> None:
    """Show the figures, and keep them under a name."""
    told = [_table(size, results) for size, results in found.items()]
    show(told)
    if name:
        page = ["# A story as a folder, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
        for title, columns, rows in told:
            page += [f"## {title}", markdown(columns, rows)]
        (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")


def _table(size: int, results: Results) -> TableOf:
    columns = ["measurement", "s", "cpu s", "ms p50", "ms p95", "MB at most"]
    keys = ("seconds", "cpu_seconds", "p50", "p95", "mb_at_most")
    rows: list[Row] = [[name, *(number(one.get(key)) for key in keys)] for name, one in results.items()]
    return f"{size:,} entities, {4 * size:,} relations", columns, rows
