"""The figures as tables: on the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.measure import Figures, Results
from bench.targets import MOST_GROWTH, Beside, Found, Growth, Verdict, growth, ratio, verdicts

RESULTS = Path(__file__).parent / "results"
Row = list[str]
TableOf = tuple[str, Row, list[Row]]

_TIMES = ["measurement", "n", "p50", "p95", "max", "cpu p50", "cpu p95", "answer p50/p95", "beside it"]
_SECONDS = ["measurement", "s", "cpu s", "more", "beside it"]

NOTES = """\
Times are milliseconds in-process unless a unit stands beside them, by the wall clock; *cpu* is the time of
the processor, which other programs on the machine disturb less. Every size is measured in fresh processes.
A baseline's ratio is Fabula's median over the baseline's: below 1 Fabula is quicker.

- *plain sqlite* and *recursive CTE* use the KG document's tables and its 3 + 3 indexes, WAL, synchronous
  FULL, foreign keys on, one transaction for each write. They neither check requests nor keep a log.
- *networkx* holds every row as a dict in memory; subgraphs are copied ego graphs with their rows.
- Fabula, networkx and the CTE all give back whole rows, at most 2,000 entities of them.
- *first* means that Fabula read the rows of the answer from SQLite, *again* that it had them in memory.
- *key-by-key scan* has all names and words in memory, looks for each with `in`, and gives back ids only.
- *executemany of Fabula's rows* inserts the very rows that Fabula wrote, log and indexes included.
- Cold opens find the file in the operating system's cache; the import of the package stands beside them.
- *http* is one `fabula serve` process and 8 clients with open connections on the same machine.
"""


def headings(found: Found) -> str:
    """What was measured on."""
    sizes = ", ".join(f"{size:,}" for size in sorted(found))
    return (
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} processors, "
        f"entities: {sizes} (and four times as many relations)"
    )


def tables(found: Found, beside: Beside) -> list[TableOf]:
    """(title, columns, rows) of everything."""
    told: list[TableOf] = []
    for size in sorted(found):
        title = f"{size:,} entities, {4 * size:,} relations"
        here, others = found[size], beside[size]
        times = [time_row(name, figures, others) for name, figures in here.items() if "p50" in figures]
        if times:
            told.append((title, _TIMES, times))
        seconds = [
            _second_row(name, figures, others) for name, figures in here.items() if "seconds" in figures
        ]
        if seconds:
            told.append((f"{title}: seconds", _SECONDS, seconds))
    grown = growth(found)
    if grown:
        small, large = sorted(found)[-2:]
        columns = [
            "same size of answer",
            f"p50 at {small:,}",
            f"p50 at {large:,}",
            "growth",
            "cpu growth",
            "",
        ]
        told.append(
            (f"Growth from {small:,} to {large:,} entities", columns, [_growth_row(g) for g in grown])
        )
    judged = [target_row(verdict) for verdict in verdicts(found, beside)]
    told.append((f"Targets, at {max(found):,} entities", ["target", "aim", "found", "by cpu", ""], judged))
    return told


def show(found: Found, beside: Beside) -> None:
    """Print everything."""
    console = Console(width=None if Console().is_terminal else 170)
    console.print(headings(found), style="bold")
    for title, columns, rows in tables(found, beside):
        table = Table(*columns, title=title, title_justify="left")
        for row in rows:
            table.add_row(*row)
        console.print(table)


def save(found: Found, beside: Beside, name: str, note: str = "") -> None:
    """Keep everything in bench/results/, with a note on what the machine did besides."""
    RESULTS.mkdir(exist_ok=True)
    about = {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "cpu_count": os.cpu_count(),
        "sizes": sorted(found),
        "note": note,
    }
    judged = [{**vars(v), "met": v.met} for v in verdicts(found, beside)]
    grown = [{**vars(g), "factor": g.factor, "cpu_factor": g.cpu_factor} for g in growth(found)]
    whole = {"about": about, "fabula": found, "baselines": beside, "growth": grown, "targets": judged}
    (RESULTS / f"{name}.json").write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")
    parts = ["# The ground floor, measured", headings(found), *([f"**{note}**"] if note else []), NOTES]
    shown = tables(found, beside)
    for title, columns, rows in [shown[-1], *shown[:-1]]:
        parts.append(f"## {title}")
        parts.append(markdown(columns, rows))
    (RESULTS / f"{name}.md").write_text("\n\n".join(part.strip() for part in parts) + "\n", "utf-8")


def time_row(name: str, figures: Figures, beside: dict[str, Results]) -> Row:
    """A measurement with percentiles."""
    shown = [number(figures.get(key)) for key in ("p50", "p95", "max", "cpu_p50", "cpu_p95")]
    return [name, str(figures["n"]), *shown, _answer(figures), _beside(name, figures, beside)]


def _second_row(name: str, figures: Figures, beside: dict[str, Results]) -> Row:
    rest = (key for key in figures if key not in ("seconds", "cpu_seconds"))
    more = ", ".join(f"{_words(key)} {number(figures[key])}" for key in rest)
    told = [number(figures["seconds"]), number(figures["cpu_seconds"])]
    return [name, *told, more, _beside(name, figures, beside)]


def _growth_row(grown: Growth) -> Row:
    times = [number(value) for value in (grown.small, grown.large, grown.factor, grown.cpu_factor)]
    return [grown.what, *times, _met(grown.cpu_factor <= MOST_GROWTH)]


def target_row(verdict: Verdict) -> Row:
    """A target, and whether it was met."""
    aim, found = (f"{number(value)} {verdict.unit}" for value in (verdict.aim, verdict.found))
    return [verdict.what, f"≤ {aim}", found, number(verdict.on_cpu), _met(verdict.met)]


def _answer(figures: Figures) -> str:
    parts = [
        f"{_words(key[:-4])} {figures[key]}/{figures[key[:-4] + '_p95']}"
        for key in figures
        if key.endswith("_p50") and key != "cpu_p50"
    ]
    parts += [f"{_words(k)} {number(figures[k])}" for k in ("per_second", "server_cpu_ms") if k in figures]
    return ", ".join(parts)


def _beside(name: str, figures: Figures, beside: dict[str, Results]) -> str:
    parts = []
    for other, results in beside.items():
        if name in results:
            theirs = results[name]
            time = theirs.get("p50", theirs.get("seconds"))
            parts.append(f"{other} {number(time)} ({number(ratio(figures, theirs))}×)")
    return ", ".join(parts)


def markdown(columns: Row, rows: Iterable[Row]) -> str:
    """A table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def number(value: float | int | None) -> str:
    """A number for people."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _met(met: bool) -> str:
    return "met" if met else "not met"


def _words(key: str) -> str:
    return key.replace("_", " ")
