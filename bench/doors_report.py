"""What requests over HTTP cost the server, as tables: before and now, beside a server that does nothing."""

from __future__ import annotations

import json
import os
import platform
from typing import Any

from bench.doors import AIMS, BEFORE, CLIENTS, CROWD, LARGEST_PANEL_BYTES, PANEL, Found
from bench.report import RESULTS, Row, TableOf, markdown, number
from bench.retrieval_report import show

NOTES = f"""\
One `fabula serve` process and a story of 2,000 entities. *cpu* is milliseconds of the server's processor for
one request of one client that keeps its connection open and asks without a pause; *bare* is the same request,
answered with as many bytes by a server that does nothing (uvicorn, httptools and uvloop, in the same run),
and *over bare* is what `python -m bench compare` watches. *before* was measured with h11, the plain event
loop and five middlewares. {CLIENTS} clients ask at once for the second table; every write is on the disk
before it is answered.
"""


def report(found: Found, name: str | None, note: str) -> None:
    """Print the figures, and keep them under a name."""
    told = _tables(found, _before())
    show(told)
    if name is None:
        return
    RESULTS.mkdir(exist_ok=True)
    about = {"python": platform.python_version(), "processors": os.cpu_count(), "note": note}
    kept = {"about": about, "found": found}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    parts = ["# The doors, measured", f"Python {about['python']}, {about['processors']} processors. {note}"]
    parts.append(NOTES)
    for title, columns, rows in told:
        parts += [f"## {title}", markdown(columns, rows)]
    (RESULTS / f"{name}.md").write_text("\n\n".join(part.strip() for part in parts) + "\n", "utf-8")


def _before() -> dict[str, Any]:
    file = RESULTS / f"{BEFORE}.json"
    return dict(json.loads(file.read_text("utf-8"))["found"]) if file.exists() else {}


def _tables(found: Found, before: dict[str, Any]) -> list[TableOf]:
    columns = ["request", "aim", "cpu before", "cpu", "bare", "over bare", "bytes before", "bytes", ""]
    alone = [_row(name, found, before.get("alone", {}).get(name, {})) for name in AIMS]
    crowded = ["request", "aim, a second", "before", "a second", "p50", "p95", "cpu", ""]
    crowd = []
    for name, aim in CROWD.items():
        mine, old = found["crowd"][name], before.get("crowd", {}).get(name, {})
        shown = [number(mine[key]) for key in ("per_second", "p50", "p95", "server_cpu_ms")]
        old_rate = number(old.get("per_second"))
        crowd.append([name, number(aim), old_rate, *shown, _met(mine["per_second"] >= aim)])
    return [("One client", columns, alone), (f"{CLIENTS} clients", crowded, crowd)]


def _row(name: str, found: Found, old: dict[str, float]) -> Row:
    mine, bare = found["alone"][name], found["bare"][name]
    is_met = mine["server_cpu_ms"] <= AIMS[name]
    if name == PANEL:
        is_met = is_met and mine["bytes"] <= LARGEST_PANEL_BYTES
    return [
        name,
        f"≤ {AIMS[name]}",
        number(old.get("server_cpu_ms")),
        number(mine["server_cpu_ms"]),
        number(bare["server_cpu_ms"]),
        number(mine["server_cpu_ms"] / bare["server_cpu_ms"]),
        number(old.get("bytes")),
        number(mine["bytes"]),
        _met(is_met),
    ]


def _met(met: bool) -> str:
    return "met" if met else "not met"
