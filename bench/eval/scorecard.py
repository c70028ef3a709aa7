"""The public score card: `python -m bench.eval.scorecard` writes `docs/scorecard.md` from the kept figures.

Each line names one figure of one measurement, the floor in the same run, and the highest figure that somebody
has published for the same set, where there is one. No figure of ours is typed here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.eval.kept import Kept, kept
from bench.eval.table import Row
from bench.report import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scorecard.md"
_COLUMNS = ["measure", "figure", "cases", "Fabula", "floor", "published", "seen", "command"]
_HEAD = """# Score card

<!-- Written by `make scorecard`. Do not edit: the next run overwrites it. -->

What Fabula reaches without any language model, on public sets that anybody can fetch. Every figure of
ours and every floor comes from the same run of the command beside it; figures are per cent unless the
line says otherwise. The floor is the plainest way to do it: plain BM25 where something is looked for.
*Published* is the highest figure that others state for such a set, usually with a large model; where it
was measured on other questions, that is said, and the two are not to be compared to the point. *Seen*
says whether the cases, or the novel they come from, were looked at while the rules were made. A dash
means that there is no such figure, or that the measurement was not run with the last card.

Put the sets below one folder, name it in `FABULA_EVAL_DATA`, and run `make scorecard`.
"""
_SETS = """## The sets

| folder | from | licence |
| --- | --- | --- |
| `clipper` | chtmp223/CLIPPER | see there |
| `locomo` | snap-research/locomo | CC BY-NC 4.0 |
| `multihop` | OSU-NLP-Group/HippoRAG; circlemind-ai/fast-graphrag | MIT; CC BY 4.0; CC BY-SA 4.0 |
| `fairytaleqa` | uci-soe/FairytaleQAData | Apache-2.0 |
| `mystery` | juand-r/ius, annotations after ahmmnd/BMDS | MIT; texts in the public domain |
| `knowledge` | zhchen18/ToMBench; ying-hui-he/Hi-ToM_dataset | MIT; Apache-2.0 |
| `litbank` | dbamman/litbank | CC BY 4.0 |
| `multigenre_zh_ner` | hjzhao73/MultiGenre-ChineseNovel | none stated, for research only |
| `chinese_literature_ner` | lancopku/Chinese-Literature-NER-RE-Dataset | none stated |
| `chinese_novels` | luoxuhai/chinese-novel; mlintangmz2765/chinese-classics-networks | MIT |
| `english_novels` | Project Gutenberg, by way of GITenberg and CLIPPER | public domain in the United States |
| `graphbase` | ascherer/sgb | © Stanford University, free to copy unchanged |
"""


class Published(NamedTuple):
    """The highest figure that others state, in their words, and who."""

    figure: str
    source: str


class Line(NamedTuple):
    """One figure of the card; `ours` and `floor` are names of rows, `table` the title they stand under."""

    what: str
    measurement: str
    figure: str
    ours: str
    floor: str = ""
    table: str = ""
    published: Published | None = None
    is_seen: bool = False


_OURS, _END, _CHAPTERS = "product, words and vectors", "at the end of the book", "CLIPPER: chapters"
_LARGER = "graph built by a language model, larger sample"
LINES: dict[str, tuple[Line, ...]] = {
    "Finding what matters": (
        Line("2Wiki, questions with all passages in five", "multihop", "all@5", "graph", "BM25", "2Wiki",
             Published("96", "fast-graphrag with a model, “perfect retrieval”"), is_seen=True),
        Line("2Wiki, passages of a question", "multihop", "R@5", "graph", "BM25", "2Wiki",
             Published("94.1", "Vector Graph RAG with a model, other questions"), is_seen=True),
        Line("MuSiQue, passages of a question", "multihop", "R@5", "graph, not looked at",
             "BM25, not looked at", "MuSiQue", Published("81.5", _LARGER)),
        Line("HotpotQA, passages of a question", "multihop", "R@5", "graph, not looked at",
             "BM25, not looked at", "HotpotQA", Published("96.3", _LARGER)),
        Line("CLIPPER, all source chapters of a claim in five", "product", "all@5", _OURS,
             "plain BM25, whole chapters", _CHAPTERS, is_seen=True),
        Line("CLIPPER, the same by search", "product", "all@5", f"{_OURS}, by search",
             "plain BM25, whole chapters", _CHAPTERS, is_seen=True),
        Line("CLIPPER, claims with all sources in a context of 4,000 tokens", "product", "all sources",
             f"4,000 tokens, {_END}: {_OURS}", f"4,000 tokens, {_END}: plain BM25 passages, filled in",
             "CLIPPER: source", is_seen=True),
        Line("CLIPPER, the same with 8,000 tokens", "product", "all sources",
             f"8,000 tokens, {_END}: {_OURS}", f"8,000 tokens, {_END}: plain BM25 passages, filled in",
             "CLIPPER: source", is_seen=True),
        Line("LoCoMo, turns that answer", "product", "R@5", _OURS, "plain BM25 over turns", "LoCoMo",
             is_seen=True),
        Line("LoCoMo, turns that answer", "product", "R@10", _OURS, "plain BM25 over turns", "LoCoMo",
             is_seen=True),
        Line("LoCoMo, turns that answer in a context of 4,000 tokens", "product", "turns",
             f"4,000 tokens: {_OURS}", table="LoCoMo", is_seen=True),
        Line("红楼梦, the chapter of an episode", "product", "R@5", f"红楼梦: {_OURS}",
             "红楼梦: plain BM25, whole chapters", "Chinese novels", is_seen=True),
        Line("西游记, the chapter of an episode", "product", "R@5", f"西游记: {_OURS}",
             "西游记: plain BM25, whole chapters", "Chinese novels", is_seen=True),
        Line("FairytaleQA, the section that answers", "fairytales", "R@1",
             "ours, validation, not looked at", "plain BM25, validation, not looked at"),
        Line("FairytaleQA, the section that answers", "fairytales", "R@5",
             "ours, validation, not looked at", "plain BM25, validation, not looked at"),
        Line("红楼梦, who is what to whom", "chinese_novels", "@1", "红楼梦 relations: graph",
             "红楼梦 relations: BM25", is_seen=True),
        Line("西游记, over two relations", "chinese_novels", "@5", "西游记 two hops: graph",
             "西游记 two hops: BM25", is_seen=True),
        Line("Anna Karenina, lookups by relations", "graphbase", "@1", "anna lookups by relations: graph",
             "anna lookups by relations: BM25", is_seen=True),
    ),
    "A book becomes a memory": (
        Line("红楼梦, verified pairs of names joined", "identities", "joined", "红楼梦, ours, half 2",
             "红楼梦, by form, half 2", is_seen=True),
        Line("红楼梦, further pairs proposed", "identities", "proposed", "红楼梦, ours, half 2",
             "红楼梦, by form, half 2", is_seen=True),
        Line("红楼梦, joins that are right", "identities", "right", "红楼梦, ours, half 2",
             "红楼梦, by form, half 2", is_seen=True),
        Line("红楼梦, of 40 people one entity each (number)", "identities", "people", "红楼梦, ours, half 2",
             "红楼梦, by form, half 2", is_seen=True),
        Line("西游记, verified pairs of names joined", "identities", "joined", "西游记, ours, half 2",
             "西游记, by form, half 2", is_seen=True),
        Line("西游记, joins that are right", "identities", "right", "西游记, ours, half 2",
             "西游记, by form, half 2", is_seen=True),
        Line("西游记, of 40 people one entity each (number)", "identities", "people", "西游记, ours, half 2",
             "西游记, by form, half 2", is_seen=True),
        Line("Anna Karenina, of 40 people one entity each (number)", "identities", "people",
             "anna_karenina_chapters, ours", "anna_karenina_chapters, by form", is_seen=True),
        Line("Les Misérables, of 40 people one entity each (number)", "identities", "people",
             "les_miserables, ours", "les_miserables, by form", is_seen=True),
        Line("红楼梦, pairs of a table of kin related", "ties", "recall", "红楼梦, cast given",
             "红楼梦, co-occurrence", is_seen=True),
        Line("红楼梦, people who are described", "ties", "described", "红楼梦, nobody given", is_seen=True),
        Line("Anna Karenina, people who are described", "ties", "described", "Anna Karenina, nobody given",
             is_seen=True),
        Line("Anna Karenina, who is on stage", "on_stage", "F1", "names given: on stage, even half",
             "names given: everybody named, even half", "Anna Karenina", is_seen=True),
        Line("Les Misérables, who is on stage", "on_stage", "F1", "names given: on stage, even half",
             "names given: everybody named, even half", "Les Misérables", is_seen=True),
        Line("Anna Karenina, snapshots without any lore", "on_stage", "F1", "imported: snapshots, even half",
             "names given: everybody named, even half", "Anna Karenina", is_seen=True),
        Line("Les Misérables, snapshots without any lore", "on_stage", "F1", "imported: snapshots, even half",
             "names given: everybody named, even half", "Les Misérables", is_seen=True),
    ),
    "Two clocks, and who knows what": (
        Line("ToMBench, false beliefs, Chinese", "tombench", "right", "zh, not looked at", is_seen=True),
        Line("ToMBench, false beliefs, English", "tombench", "right", "en, not looked at", is_seen=True),
        Line("Hi-ToM, beliefs about beliefs", "hi_tom", "right", "not looked at, plain",
             published=Published("under 60", "GPT-4, higher orders only")),
        Line("Hi-ToM, the same after “Read”", "hi_tom", "right", "not looked at, after “Read”"),
        Line("Conversations, lines whose hearers are all right, English", "hearers", "exact",
             "en, phrases not looked at: ours", "en, phrases not looked at: everybody"),
        Line("Conversations, lines whose hearers are all right, Chinese", "hearers", "exact",
             "zh, phrases not looked at: ours", "zh, phrases not looked at: everybody"),
        Line("Detective stories, answers that give the solution away (less is better)", "mysteries", "later",
             "not looked at: ours", "not looked at: plain BM25"),
        Line("红楼梦, contexts with a name of a later chapter (less is better)", "later_chapters", "names",
             "红楼梦", "红楼梦, off", is_seen=True),
        Line("Les Misérables, contexts with a name of a later chapter (less is better)", "later_chapters",
             "names", "les_miserables", "les_miserables, off", is_seen=True),
    ),
}  # fmt: skip


def card(of: Callable[[str], Kept | None], measurements: Sequence[str]) -> str:
    """The page, from the figures that each measurement kept."""
    parts = [_HEAD.strip()]
    for title, lines in LINES.items():
        cells = [_cells(line, of(line.measurement)) for line in lines]
        parts += [f"## {title}", markdown(_COLUMNS, cells)]
    parts.append("## Every figure")
    for name in measurements:
        parts += _whole(name, of(name))
    return "\n\n".join([*parts, _SETS.strip()]) + "\n"


def _cells(line: Line, figures: Kept | None) -> list[str]:
    ours, floor = _row(line, line.ours, figures), _row(line, line.floor, figures)
    published = "–" if line.published is None else f"{line.published.figure} ({line.published.source})"
    return [
        line.what,
        line.figure,
        "–" if ours is None else str(ours.cases),
        _figure(ours, line.figure),
        _figure(floor, line.figure),
        published,
        "yes" if line.is_seen else "no",
        _command(line.measurement, figures),
    ]


def _row(line: Line, name: str, figures: Kept | None) -> Row | None:
    """The row of a line; a name that a measurement no longer has is an error, not a dash."""
    if not name or figures is None:
        return None
    for title, rows in figures.tables.items():
        if line.table in title:
            for row in rows:
                if row.name == name and line.figure in row.figures:
                    return row
    if figures.is_sample:
        return None
    raise KeyError(f"{line.measurement} has no row '{name}' with the figure '{line.figure}'")


def _figure(row: Row | None, figure: str) -> str:
    return "–" if row is None else f"{row.figures[figure]:.1f}"


def _command(name: str, figures: Kept | None) -> str:
    sample = " --quick" if figures is not None and figures.is_sample else ""
    return f"`python -m bench.eval {name}{sample}`"


def _whole(name: str, figures: Kept | None) -> Iterator[str]:
    yield f"### {name}"
    if figures is None:
        yield f"{_command(name, None)} was not run with the last card."
        return
    yield _command(name, figures)
    for title, rows in figures.tables.items():
        columns = list(dict.fromkeys(key for row in rows for key in row.figures))
        cells = [
            [
                row.name.strip(),
                str(row.cases),
                *(_figure(row if key in row.figures else None, key) for key in columns),
            ]
            for row in rows
        ]
        if title:
            yield f"**{title}**"
        yield markdown(["", "cases", *columns], cells)


def main() -> int:
    """Write the page."""
    from bench.eval.__main__ import MEASUREMENTS

    PAGE.write_text(card(kept, list(MEASUREMENTS)), "utf-8")
    print(f"written: {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
