"""What was aimed at for retrieval, whether it was reached, and the tables of how long things take."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.measure import Results, figure
from bench.report import Row, TableOf, number, target_row, time_row
from bench.retrieval import ASSEMBLY, EMBEDDING, FIRST, LANGUAGES, NOVEL, RETRIEVE, TYPING, VECTORS
from bench.targets import Verdict

MOST_GROWTH = 3
KINDS = ("named", "two hops", "unnamed", "600 characters")
TIMES = (
    *((f"{RETRIEVE}, {kind}", 20) for kind in KINDS),
    *((f"{ASSEMBLY}, {language}", 25) for language in LANGUAGES.values()),
    *((f"{TYPING}, {language}", 8) for language in LANGUAGES.values()),
    *((f"{TYPING} key by key, {language}", 8) for language in LANGUAGES.values()),
)
MOST_MEMORY = 350
MOST_SECONDS = 45

NOTES = """\
Times are milliseconds in-process by the wall clock; *cpu* is the time of the processor, which other programs
on the machine disturb less. Every size is measured in fresh processes.

- To the world of the contexts come as many events as entities, each with three to five people, the heroes
  most often (Zipf's law), over 300 chapters, and a manuscript with two passages for every five entities, in
  turn Chinese and English. The limits that Fabula has unless told otherwise count events as entities: the
  largest story they allow is that of 25,000 entities here.
- *words* is Fabula without vectors, *vectors* with the built-in embedder.
- *first retrieve* is a new process, the file in the operating system's cache: from opening the file to the
  first answer. *retrieve* asks new questions of a story that is open: with a name, over two hops, with words
  only, or with a text of 600 characters. *right after a scene was saved* includes following the change; with
  vectors, those of the scene are made anew meanwhile.
- *assembly* and *typing* are those of the contexts, at the end of this story: 10,000 characters that name 60;
  *typing* changes a whole sentence each time, *key by key* adds a character at the end, *sentence by
  sentence* a sentence, so that what the text brings to mind is found anew every time.
"""


@dataclass
class RetrievalFound:
    """What was found: by size, and of the novel."""

    sizes: dict[int, Results] = field(default_factory=dict)
    held: dict[int, dict[str, int]] = field(default_factory=dict)
    novel: Results = field(default_factory=dict)


def verdicts(found: RetrievalFound) -> list[Verdict]:
    """Every target, at the largest size."""
    told: list[Verdict] = []
    if found.sizes:
        small, large = min(found.sizes), max(found.sizes)
        here, there = found.sizes[large], found.sizes[small]
        names = [(f"{name}, {VECTORS}", aim) for name, aim in TIMES]
        told += [Verdict(f"{n}, p95", aim, "ms", here[n]["p95"], here[n]["cpu_p95"]) for n, aim in names]
        memory = here[f"{FIRST}, {VECTORS}"]["rss_after_questions_mb"]
        told.append(Verdict("memory of an open story with vectors", MOST_MEMORY, "MB", memory))
        if small < large:
            told += [
                Verdict(
                    f"growth of {name} from {small:,}, p50",
                    MOST_GROWTH,
                    "×",
                    figure(here[name]["p50"] / there[name]["p50"]),
                    figure(here[name]["cpu_p50"] / there[name]["cpu_p50"]),
                )
                for name, _ in names
            ]
    if found.novel:
        novel = found.novel[NOVEL]
        told.append(
            Verdict(
                f"{NOVEL}, to the first answer", MOST_SECONDS, "s", novel["seconds"], novel["cpu_seconds"]
            )
        )
    return told


def tables(found: RetrievalFound) -> list[TableOf]:
    """(title, columns, rows) of everything."""
    told: list[TableOf] = []
    judged = [target_row(verdict) for verdict in verdicts(found)]
    where = f", at {max(found.sizes):,} entities" if found.sizes else ""
    told.append((f"Targets{where}", ["target", "aim", "found", "by cpu", ""], judged))
    firsts = [_first_row(size, way, found) for size in sorted(found.sizes) for way in ("words", VECTORS)]
    columns = ["story", "", "s", "cpu s", "MB before", "MB after", "MB after 120 questions", "MB at most"]
    if firsts:
        told.append(("First answer, and memory", columns, firsts))
    times = ["measurement", "n", "p50", "p95", "max", "cpu p50", "cpu p95", "answer p50/p95"]
    for size in sorted(found.sizes):
        here = found.sizes[size]
        rows = [time_row(name, figures, {})[:-1] for name, figures in here.items() if "p50" in figures]
        told.append((_title(size, found), times, rows))
    if found.novel:
        told.append(("A novel, and the embedder", ["measurement", "s", "cpu s", "more"], _novel(found.novel)))
    return told


def _title(size: int, found: RetrievalFound) -> str:
    held = found.held[size]
    words = ("entities", "relations", "events", "passages", "vectors")
    return ", ".join(f"{held[word]:,} {word}" for word in words)


def _first_row(size: int, way: str, found: RetrievalFound) -> Row:
    keys = ("seconds", "cpu_seconds", "rss_before_mb", "rss_mb", "rss_after_questions_mb", "peak_rss_mb")
    figures = found.sizes[size][f"{FIRST}, {way}"]
    return [f"{size:,} entities", way, *(number(figures[key]) for key in keys)]


def _novel(results: Results) -> list[Row]:
    return [
        [
            name if name != EMBEDDING else "the embedder alone, passages of 300 characters",
            number(figures["seconds"]),
            number(figures["cpu_seconds"]),
            ", ".join(
                f"{key.replace('_', ' ')} {number(value)}"
                for key, value in figures.items()
                if not key.endswith("seconds")
            ),
        ]
        for name, figures in results.items()
    ]
