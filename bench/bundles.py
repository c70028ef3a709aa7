"""Bundles from the file to the story, beside reading and writing without checks and without a log."""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from bench.baselines import PlainSqlite, entity_rows, relation_rows
from bench.measure import Figures, Results, figure, once
from bench.report import RESULTS, Row, TableOf, markdown, number, target_row
from bench.targets import Verdict
from fabula.formats.bundle import bundle_plan
from fabula.formats.bundle_check import bundle_check
from fabula.formats.safe_yaml import read_yaml
from fabula.formats.yaml_text import write_yaml
from fabula.memory import Memory
from fabula.model.fiction import FICTION
from fabula.operations.bundles.bundles import import_data

SIZES = (10_000, 100_000)
AIMS = {10_000: 5, 100_000: 60}
MOST_MEMORY = 1_500
MOST_GROWTH = 1.5
NODES = 0.4
PROSE = "她六岁来到灯塔，说话不多，做事之前先写下来。She never goes out without a pen."
STORY = "bench"
IMPORT, AGAIN, ONE_MORE, DELETE = "import", "the same again", "one item into it", "delete a tenth"
BATCH = "knowledge:batch:upsert"
PLAIN = "yaml.load and executemany"

NOTES = """\
Seconds by the wall clock and of the processor, which other programs on the machine disturb less. Each way is
measured in a process of its own.

- A bundle of 10,000 items has 4,000 characters and 6,000 relations between them, with prose, aliases,
  attributes and periods.
- *import* goes from the bytes of the file to the committed step: read, checked, planned, held against the
  story, written with its log. *of it* says what the first parts cost.
- *yaml.load and executemany* is the bare way: it reads the same file with libyaml and puts rows into the
  tables of the KG document, where nothing is checked and nothing remembered. *knowledge:batch:upsert* writes
  the same rows as values that need no reading.
- *MB at most* is the memory of the whole process, of which about 100 MB are Python and Fabula.
"""


def items(count: int) -> list[dict[str, Any]]:
    """Characters and relations between them, as a bundle has them."""
    nodes = int(count * NODES)
    told: list[dict[str, Any]] = [
        {
            "type": "Character",
            "name": f"人物{place}",
            "description": PROSE,
            "aliases": [f"A{place}", f"老{place}"],
            "significance": (place % 9 + 1) / 10,
            "attributes": {"age": place % 80, "mood": "calm"},
        }
        for place in range(nodes)
    ]
    for place in range(count - nodes):
        source = place * 7919 % nodes
        told.append(
            {
                "type": "KNOWS",
                "source": {"type": "Character", "name": f"人物{source}"},
                "target": {"type": "Character", "name": f"人物{(source + 1 + place // nodes) % nodes}"},
                "description": "met at sea",
                "since": {"chapter": place % 50},
            }
        )
    return told


def write_file(folder: str, size: int) -> Results:
    """Put the bundle of this size into the folder."""
    file(folder).write_text(write_yaml(items(size)), "utf-8")
    return {}


def file(folder: str) -> Path:
    """Where the bundle is."""
    return Path(folder) / "bundle.yaml"


def import_it(folder: str, size: int) -> Results:
    """The import, the same again, one item more, and a tenth deleted."""
    found: Results = {}
    with Memory(Path(folder) / "ours.db") as memory:
        memory.story("bench", id=STORY)
        call = memory.call()
        data = file(folder).read_bytes()
        before = _peak()
        answer, found[IMPORT] = once(lambda: import_data(call, STORY, data))
        found[IMPORT] |= {"file_mb": figure(len(data) / 1e6), "mb_before": before, "mb_at_most": _peak()}
        assert sum(answer.nodes.created.values()) == int(size * NODES)
        answer, found[AGAIN] = once(lambda: import_data(call, STORY, data))
        assert not answer.nodes.created
        one = write_yaml([{"type": "Character", "name": "人物1", "description": "other"}]).encode()
        _, found[ONE_MORE] = once(lambda: import_data(call, STORY, one))
        gone = [
            {"type": "Character", "action": "delete", "name": f"人物{n}"}
            for n in range(int(size * NODES) // 10)
        ]
        data = write_yaml(gone).encode()
        _, found[DELETE] = once(lambda: import_data(call, STORY, data))
    return found


def parts(folder: str, size: int) -> Results:
    """What reading, checking and planning cost, of an import."""
    data = file(folder).read_bytes()
    found: Results = {}
    reading, found["of it: read"] = once(lambda: read_yaml(data))
    _, found["of it: check"] = once(lambda: bundle_check(reading.value, FICTION, reading))
    _, found["of it: plan"] = once(lambda: bundle_plan(reading.value, FICTION))
    return found


def batch(folder: str, size: int) -> Results:
    """The same rows by the quickest channel, as values that need no reading."""
    payload = {"projectId": STORY, **_payload(items(size))}
    with Memory(Path(folder) / "batch.db") as memory:
        _, figures = once(lambda: memory.answer(BATCH, payload))
    figures["mb_at_most"] = _peak()
    return {BATCH: figures}


def plain(folder: str, size: int) -> Results:
    """The file read by libyaml, and bare rows without anything else."""
    store = PlainSqlite(Path(folder) / "plain.db", STORY)
    store.create_tables()
    data = file(folder).read_bytes()

    def load() -> None:
        payload = _payload(yaml.load(data, Loader=yaml.CSafeLoader))
        store.load(entity_rows(STORY, payload["entities"]), relation_rows(STORY, payload["relations"]))

    _, figures = once(load)
    figures["mb_at_most"] = _peak()
    return {PLAIN: figures}


def _payload(told: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    entities, relations = [], []
    for place, item in enumerate(told):
        if item["type"] == "Character":
            entities.append({**item, "type": "character", "id": item["name"]})
        else:
            ends = {f"{side}EntityId": item[side]["name"] for side in ("source", "target")}
            rest = {"since": item["since"], "description": item["description"]}
            relations.append({"id": str(place), "relationType": "knows", **ends, **rest})
    return {"entities": entities, "relations": relations}


def _peak() -> float:
    return figure(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measure(size: int) -> Results:
    """Everything for a bundle of this size, each in a process of its own."""
    found: Results = {}
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        for work in (write_file, import_it, parts, plain, batch):
            found |= _alone(work, folder, size)
            print(f"{size:,} items: {work.__name__}", file=sys.stderr, flush=True)
    return found


def _alone(work: Callable[[str, int], Results], folder: str, size: int) -> Results:
    with multiprocessing.get_context("spawn").Pool(1) as one:
        return one.apply(work, (folder, size))


def verdicts(found: dict[int, Results]) -> list[Verdict]:
    """Every target."""
    told = [
        Verdict(f"import of {size:,} items", aim, "s", found[size][IMPORT]["seconds"], _cpu(found, size))
        for size, aim in AIMS.items()
        if size in found
    ]
    small, large = min(found), max(found)
    told.append(Verdict("memory of it", MOST_MEMORY, "MB", found[large][IMPORT]["mb_at_most"]))
    if small < large:
        seconds = found[large][IMPORT]["seconds"] / found[small][IMPORT]["seconds"]
        by_cpu = _cpu(found, large) / _cpu(found, small)
        times = large / small
        what = f"growth of time per item from {small:,}"
        told.append(Verdict(what, MOST_GROWTH, "×", figure(seconds / times), figure(by_cpu / times)))
    return told


def _cpu(found: dict[int, Results], size: int) -> float:
    return found[size][IMPORT]["cpu_seconds"]


def tables(found: dict[int, Results]) -> list[TableOf]:
    """(title, columns, rows) of everything."""
    columns = ["measurement", "s", "cpu s", "× of the bare way, cpu", "MB at most"]
    told: list[TableOf] = [
        ("Targets", ["target", "aim", "found", "by cpu", ""], [target_row(one) for one in verdicts(found)])
    ]
    for size, results in found.items():
        bare = results[PLAIN]["cpu_seconds"]
        rows = [_row(name, figures, bare) for name, figures in results.items()]
        told.append((f"{size:,} items, {results[IMPORT]['file_mb']} MB of YAML", columns, rows))
    return told


def _row(name: str, figures: Figures, bare: float) -> Row:
    times = number(figure(figures["cpu_seconds"] / bare))
    return [
        name,
        number(figures["seconds"]),
        number(figures["cpu_seconds"]),
        times,
        number(figures.get("mb_at_most")),
    ]


def save(found: dict[int, Results], name: str, note: str) -> None:
    """Keep the page."""
    page = ["# Bundles, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
    for title, columns, rows in tables(found):
        page += [f"## {title}", markdown(columns, rows)]
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")
