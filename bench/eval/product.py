"""The sets of the pure measurements once more, through the product: real stories and real operations.

Beside the figures stands plain BM25 from the same run. *Words* is Fabula without vectors, *words and vectors*
with the built-in embedder.

- **2Wiki**, **MuSiQue**, **HotpotQA**: questions that take several passages. A passage is an entity, its
  title the name, its text the description; asked is `knowledge:query:retrieve`. R@k is the share of a
  question's passages among the first k entities, all@5 the share of questions with all of them in five.
- **CLIPPER**: claims about novels. A chapter is a scene; the order of chapters is that of their first
  passages among 50. R@k is the share of a claim's source chapters among the first k. *As of* asks at the last
  source chapter: nothing of a later chapter may come. *Context* assembles 4,000 and 8,000 tokens for the
  chapter after it and for the one after the book, with the claim as its text: the share of source chapters
  that a passage in it comes from, and the share of claims that have all of them. The floor is plain BM25 over
  passages, filled in.
- **红楼梦, 西游记**: episodes told in other words, and the chapter they come from. *By search* is the same
  question asked of `search.story`. Every second novel or episode was looked at while the rules were made.
- **LoCoMo**: questions about conversations of many sessions. A session is a chapter, a turn a scene with the
  date as its title. R@k is the share of the turns that answer among the first k; *context* the share of them
  that is in a context after the last session, with the question as its text.
- **Anna Karenina**: who is on stage in a chapter, against a list made by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from bench.eval import product_sets
from bench.eval.table import Row, no_data, show
from bench.report import TableOf
from bench.retrieval_report import cells, keep

TWO_WIKI = "2Wiki: passages of a question"
FURTHER = {title: f"{title}: passages of a question" for title in ("MuSiQue", "HotpotQA")}
CHAPTERS = "CLIPPER: chapters a claim comes from"
AS_OF = "CLIPPER: as of the last chapter it comes from"
CONTEXT = "CLIPPER: source chapters in a context"
EPISODES = "Chinese novels: the chapter of an episode"
LOCOMO = "LoCoMo: turns that answer a question"
TURNS = "LoCoMo: turns that answer, in a context"
ANNA = "Anna Karenina: who is on stage in a chapter"
NOVELS = {"chapters": CHAPTERS, "as of": AS_OF, "context": CONTEXT}
CONVERSATIONS = {"turns": LOCOMO, "context": TURNS}

Tables = dict[str, list[Row]]


def report(quick: bool) -> Tables:
    """Measure and print, and keep the whole of it."""
    if absent := product_sets.missing():
        no_data("product", absent[0])
        return {}
    tables: Tables = {}
    for part in MEASURED.values():
        found = part(quick)
        for title, rows in found.items():
            show(title, rows)
        tables |= found
    if not quick:
        figures = {title: [row._asdict() for row in rows] for title, rows in tables.items()}
        keep("quality", [_as_table(title, rows) for title, rows in tables.items()], figures, __doc__ or "")
    return tables


def _two_wiki(quick: bool) -> Tables:
    return {TWO_WIKI: list(product_sets.two_wiki(quick))}


def _further_questions(quick: bool) -> Tables:
    return _sorted(product_sets.further_questions(quick), FURTHER)


def _novels(quick: bool) -> Tables:
    return _sorted(product_sets.novels(quick), NOVELS)


def _episodes(quick: bool) -> Tables:
    return {EPISODES: list(product_sets.episodes(quick))}


def _conversations(quick: bool) -> Tables:
    return _sorted(product_sets.conversations(quick), CONVERSATIONS)


def _sorted(found: Iterable[tuple[str, Row]], titles: dict[str, str]) -> Tables:
    """The rows under the title of their table."""
    rows = sorted(found, key=lambda pair: list(titles).index(pair[0]))
    return {titles[key]: [row for _, row in own] for key, own in groupby(rows, key=lambda pair: pair[0])}


def _active(quick: bool) -> Tables:
    return {ANNA: list(product_sets.active_characters(quick))}


def _as_table(title: str, rows: Iterable[Row]) -> TableOf:
    known = list(rows)
    columns = list(dict.fromkeys(key for row in known for key in row.figures))
    return (
        title,
        ["", "cases", *columns],
        [[row.name, str(row.cases), *cells([row.figures.get(key) for key in columns])] for row in known],
    )


MEASURED: dict[str, Callable[[bool], Tables]] = {
    "2wiki": _two_wiki,
    "multihop": _further_questions,
    "clipper": _novels,
    "episodes": _episodes,
    "locomo": _conversations,
    "anna": _active,
}
