"""The figures of contexts and of detection as tables: on the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table

from bench.context_targets import context_verdicts
from bench.measure import Figures, Results, figure
from bench.report import RESULTS, Row, TableOf, markdown, number, target_row, time_row
from bench.scenes import ALWAYS, KEYWORDS

_TIMES = ["measurement", "n", "p50", "p95", "max", "cpu p50", "cpu p95", "answer p50/p95"]
_FIRST = ["entities", "s", "cpu s", "MB before", "MB after", "MB after 20 texts"]
_DETECTION = [
    "book",
    "entries",
    "keys",
    "Fabula, cpu ms",
    "key by key, cpu ms",
    "times as long",
    "by the wall",
    "entries found: Fabula / every place / key by key",
    "build, cpu s",
]

NOTES = f"""\
Times are milliseconds in-process by the wall clock; *cpu* is the time of the processor, which other programs
on the machine disturb less. Every line is measured in a fresh process.

- Each world has 4 relations and {KEYWORDS} keywords for every entity, {ALWAYS} entities that are always told,
  of a hundred others 2 that never are, 2 only if asked for and 5 only from some chapter on, and snapshots of
  12 scenes. The texts have 10,000 characters and are the same at every size; they speak of 60 entities.
- *assembly* asks for texts that were asked for before; *typing* for a text with one sentence changed since
  the last call, every third time to one that names somebody; *mentions* finds names only. The budget is
  4,000 tokens.
- *first context* is a new process, the file in the operating system's cache: it opens the file, builds the
  index and answers.
- *http* is one `fabula serve` process and 8 clients on the same machine.
- *key by key* is the matching of SillyTavern 1.19 written in Python: the text lower-cased for each key, a
  pattern made in each scan for each key that is a whole word; Python takes longer to make a pattern than a
  browser does, so read *anywhere*, which has no patterns, beside *whole words*.
- Both find the same entries where *every place* counts, but for English whole words: a key with a space is
  looked for inside words, too, by the scan. Beyond that Fabula gives overlapping places to the longest key,
  knows words of every script (the scan: ASCII), and folds width as well as case.
"""


@dataclass
class ContextFound:
    """What was found: contexts by size, over HTTP, and detection by the number of entries."""

    context: dict[int, Results] = field(default_factory=dict)
    http: Results = field(default_factory=dict)
    detection: dict[int, Results] = field(default_factory=dict)


def context_tables(found: ContextFound) -> list[TableOf]:
    """(title, columns, rows) of everything."""
    told: list[TableOf] = []
    judged = [target_row(verdict) for verdict in context_verdicts(found.context)]
    if judged:
        title = f"Targets, at {max(found.context):,} entities"
        told.append((title, ["target", "aim", "found", "by cpu", ""], judged))
    for size, results in sorted(found.context.items()):
        rows = [time_row(name, figures, {})[:-1] for name, figures in results.items() if "p50" in figures]
        told.append(
            (f"{size:,} entities, {4 * size:,} relations, {KEYWORDS * size:,} keywords", _TIMES, rows)
        )
    first = [_first_row(size, results["first context"]) for size, results in sorted(found.context.items())]
    if first:
        told.append(("First context", _FIRST, first))
    if found.http:
        rows = [time_row(name, figures, {})[:-1] for name, figures in found.http.items()]
        told.append(("Over HTTP, 5,000 entities, 8 clients", _TIMES, rows))
    rows = [
        _detection_row(name, entries, figures)
        for entries, results in sorted(found.detection.items())
        for name, figures in results.items()
    ]
    if rows:
        told.append(("Detection beside a scan key by key", _DETECTION, sorted(rows, key=lambda row: row[0])))
    return told


def show_context(found: ContextFound) -> None:
    """Print everything."""
    console = Console(width=None if Console().is_terminal else 170)
    for title, columns, rows in context_tables(found):
        table = Table(*columns, title=title, title_justify="left")
        for row in rows:
            table.add_row(*row)
        console.print(table)


def save_context(found: ContextFound, name: str, note: str = "") -> None:
    """Keep everything in bench/results/, with a note on what the machine did besides."""
    RESULTS.mkdir(exist_ok=True)
    about = {"python": platform.python_version(), "cpu_count": os.cpu_count(), "note": note}
    judged = [{**vars(v), "met": v.met} for v in context_verdicts(found.context)]
    whole = {"about": about, **vars(found), "targets": judged}
    (RESULTS / f"{name}.json").write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")
    parts = [
        "# Contexts, measured",
        f"Python {platform.python_version()}, {os.cpu_count()} processors",
        *([f"**{note}**"] if note else []),
        NOTES,
    ]
    for title, columns, rows in context_tables(found):
        parts += [f"## {title}", markdown(columns, rows)]
    (RESULTS / f"{name}.md").write_text("\n\n".join(part.strip() for part in parts) + "\n", "utf-8")


def _first_row(size: int, figures: Figures) -> Row:
    keys = ("seconds", "cpu_seconds", "rss_before_mb", "rss_mb", "rss_after_all_texts_mb")
    return [f"{size:,}", *(number(figures[key]) for key in keys)]


def _detection_row(name: str, entries: int, figures: Figures) -> Row:
    return [
        name,
        f"{entries:,}",
        f"{figures['keys']:,}",
        number(figures["cpu_p50"]),
        number(figures["scan_cpu_p50"]),
        number(figure(figures["scan_cpu_p50"] / figures["cpu_p50"])),
        number(figure(figures["scan_p50"] / figures["p50"])),
        f"{figures['found']} / {figures['found_all']} / {figures['scan_found']}",
        number(figures["build_cpu_seconds"]),
    ]
