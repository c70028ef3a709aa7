"""What was aimed at, and whether it was reached; told, never asserted."""

from __future__ import annotations

from dataclasses import dataclass

from bench.graph import AFTER_WRITE, SAME_ANSWER
from bench.loading import LOAD
from bench.measure import Figures, Results, figure
from bench.relevant import NAME as RELEVANT

# size -> measurement -> figures, and size -> baseline -> measurement -> figures
Found = dict[int, Results]
Beside = dict[int, dict[str, Results]]

MOST_GROWTH = 2
OPENED = "cold open to relevant"
CRUD = ("entity create", "entity read", "entity update", "entity delete", "relation create")
GROWING = (
    "entity read",
    "entity create",
    "entity update",
    "entity delete",
    "relation create",
    "entity list, 50",
    "entity list, 1000",
    "entity list by keyword, 50",
    "relation list of an entity",
    "history of an entity",
    "undo",
    f"{SAME_ANSWER}, first",
    f"{SAME_ANSWER}, again",
    AFTER_WRITE,
    "path",
    RELEVANT,
    f"{RELEVANT}, Chinese",
    f"{RELEVANT}, English",
    f"{RELEVANT}, right after a write",
)


@dataclass(frozen=True)
class Verdict:
    """One target at the largest size."""

    what: str
    aim: float
    unit: str
    found: float
    on_cpu: float | None = None

    @property
    def met(self) -> bool:
        """Whether it was reached by the processor, which other programs disturb least."""
        return (self.found if self.on_cpu is None else self.on_cpu) <= self.aim


@dataclass(frozen=True)
class Growth:
    """How a time grows when the world grows tenfold and the answer does not."""

    what: str
    small: float
    large: float
    small_cpu: float
    large_cpu: float

    @property
    def factor(self) -> float:
        """Large by small, the wall clock's medians."""
        return figure(self.large / self.small)

    @property
    def cpu_factor(self) -> float:
        """The same by the time of the processor."""
        return figure(self.large_cpu / max(self.small_cpu, 1e-4))


def verdicts(found: Found, beside: Beside) -> list[Verdict]:
    """Every target that the run can speak of, at its largest size."""
    size = max(found)
    here = found[size]
    told = [_p95(name, 3, here[name]) for name in CRUD if name in here]
    for name, aim in (("subgraph k=2, first", 10), ("subgraph k=2, again", 5), (RELEVANT, 8)):
        if name in here:
            told.append(_p95(name, aim, here[name]))
    if LOAD in here:
        load = here[LOAD]
        told.append(Verdict(LOAD, 20, "s", load["seconds"], load["cpu_seconds"]))
        plain = beside[size]["sqlite executemany"][LOAD]
        told.append(
            Verdict(
                f"{LOAD} / plain executemany",
                4,
                "×",
                figure(load["seconds"] / plain["seconds"]),
                figure(load["cpu_seconds"] / plain["cpu_seconds"]),
            )
        )
    told += [
        Verdict(name, 2, "s", here[name]["seconds"], here[name]["cpu_seconds"])
        for name in ("cold open to subgraph", OPENED)
        if name in here
    ]
    if OPENED in here:
        told.append(Verdict("memory of an open story", 350, "MB", here[OPENED]["rss_all_parts_mb"]))
    told += [Verdict(f"growth of {g.what}", MOST_GROWTH, "×", g.factor, g.cpu_factor) for g in growth(found)]
    return told


def growth(found: Found) -> list[Growth]:
    """The largest size beside the one before it."""
    if len(found) < 2:
        return []
    small, large = sorted(found)[-2:]
    return [
        Growth(name, a["p50"], b["p50"], a["cpu_p50"], b["cpu_p50"])
        for name in GROWING
        if (a := found[small].get(name)) and (b := found[large].get(name))
    ]


def _p95(name: str, aim: float, figures: Figures) -> Verdict:
    return Verdict(f"{name}, p95", aim, "ms", figures["p95"], figures["cpu_p95"])


def ratio(mine: Figures, theirs: Figures) -> float:
    """Fabula's median beside the other's: below 1 Fabula is quicker."""
    key = "p50" if "p50" in mine else "seconds"
    return figure(mine[key] / max(theirs[key], 1e-6))
