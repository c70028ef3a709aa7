"""Bundles: read, checked and planned. Run it with `python -m bench.bundles [10000 100000]`."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from typing import Any

import yaml

from bench.measure import once
from fabula.formats.bundle import bundle_plan
from fabula.formats.bundle_branches import edge_schema, full_schema, node_schema
from fabula.formats.bundle_check import bundle_check
from fabula.formats.bundle_ends import orphans
from fabula.formats.draft7 import compiled
from fabula.formats.safe_yaml import read_yaml
from fabula.formats.yaml_text import write_yaml
from fabula.model.fiction import FICTION

SIZES = (10_000, 100_000)
PROSE = "她六岁来到灯塔，说话不多，做事之前先写下来。She never goes out without a pen."


def items(count: int) -> list[dict[str, Any]]:
    """Two characters for every relation between them."""
    told: list[dict[str, Any]] = []
    for number in range(count):
        if number % 3 < 2:
            told.append(
                {
                    "type": "Character",
                    "name": f"人物{number}",
                    "description": PROSE,
                    "aliases": [f"A{number}", f"老{number}"],
                    "significance": (number % 9 + 1) / 10,
                    "aiContextLevel": "when_detected",
                    "attributes": {"age": number % 80, "mood": "calm"},
                }
            )
        else:
            told.append(
                {
                    "type": "KNOWS",
                    "source": {"type": "Character", "name": f"人物{number - 2}"},
                    "target": {"type": "Character", "name": f"人物{number - 1}"},
                    "description": "met at sea",
                    "since": {"chapter": number % 50},
                }
            )
    return told


def main() -> None:
    """Measure every step for every size."""
    for size in [int(word) for word in sys.argv[1:]] or SIZES:
        measure(size)


def measure(size: int) -> None:
    right = items(size)
    text = write_yaml(right).encode()
    print(f"{size:,} items, {len(text) / 1e6:.1f} MB of YAML")
    reading = said("read", lambda: read_yaml(text))
    if size <= SIZES[0]:
        said("read without libyaml", lambda: read_yaml(text, loader=yaml.SafeLoader))
        said("yaml.safe_load with libyaml", lambda: yaml.load(text, Loader=yaml.CSafeLoader))
    assert said("check", lambda: bundle_check(reading.value, FICTION, reading)).count == 0
    plan = said("plan", lambda: bundle_plan(reading.value, FICTION))
    assert said("orphans", lambda: orphans(plan, lambda *_: False)).count == 0
    node = compiled(node_schema(FICTION.node_named["Character"]))
    edge = compiled(edge_schema(FICTION.edge_named["KNOWS"], FICTION))
    nodes = [item for item in right if item["type"] == "Character"]
    edges = [item for item in right if item["type"] == "KNOWS"]
    said(f"jsonschema-rs alone, {len(nodes):,} nodes", lambda: all(map(node.is_valid, nodes)))
    said(f"jsonschema-rs alone, {len(edges):,} edges", lambda: all(map(edge.is_valid, edges)))
    whole = compiled(full_schema(FICTION))
    said("jsonschema-rs alone, the published schema", lambda: whole.is_valid(right))
    wrong = [{**item, "significance": 5, "colour": "red"} for item in right]
    found = said("check, every item wrong", lambda: bundle_check(wrong, FICTION))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {found.count:,} errors counted, {len(found.errors)} told; peak memory {peak:,.0f} MB")


def said(what: str, action: Callable[[], Any]) -> Any:
    """Do it and tell how long it took."""
    answer, figures = once(action)
    print(f"  {what:48} {figures['cpu_seconds'] * 1000:10,.1f} ms CPU {figures['seconds'] * 1000:10,.1f} ms")
    return answer


if __name__ == "__main__":
    main()
