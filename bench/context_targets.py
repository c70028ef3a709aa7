"""What was aimed at for contexts, and whether it was reached; told, never asserted."""

from __future__ import annotations

from bench.context import ASSEMBLY, FIRST, LANGUAGES, TYPING
from bench.measure import Results, figure
from bench.targets import Verdict

MOST_GROWTH = 3
TIMES = ((ASSEMBLY, 25), (TYPING, 10))
MOST_MEMORY = 600


def context_verdicts(found: dict[int, Results]) -> list[Verdict]:
    """Every target, at the largest size."""
    if not found:
        return []
    small, large = min(found), max(found)
    here = found[large]
    names = [(f"{what}, {language}", aim) for what, aim in TIMES for language in LANGUAGES.values()]
    told = [Verdict(f"{n}, p95", aim, "ms", here[n]["p95"], here[n]["cpu_p95"]) for n, aim in names]
    told.append(Verdict("memory after the first context", MOST_MEMORY, "MB", here[FIRST]["rss_mb"]))
    if small < large:
        told += [
            Verdict(
                f"growth of {name} from {small:,}, p50",
                MOST_GROWTH,
                "×",
                figure(here[name]["p50"] / found[small][name]["p50"]),
                figure(here[name]["cpu_p50"] / found[small][name]["cpu_p50"]),
            )
            for name, _ in names
        ]
    return told
