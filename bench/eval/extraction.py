"""The local extractor against annotated novels: are the names it finds names?

A mention is right only if both ends and the type are right (`F1`); `any` is the same whatever the type. Of
what would be proposed, `right` is the share of different names that somebody marked in that document, `got`
the share of the marked names that are proposed; marked words of everyday use are left out of `got`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.eval.extraction_data import (
    LITBANK,
    LITERATURE,
    MULTIGENRE,
    Document,
    Span,
    is_common_noun,
    litbank,
    literature,
    multigenre,
)
from bench.eval.table import Row, no_data, show
from fabula.extraction.chinese.sentences import sentences_of
from fabula.extraction.local import LocalExtractor
from fabula.extraction.port import KnownEntity
from fabula.extraction.tagger import Tagger
from fabula.extraction.tagger_weights import installed_tagger
from fabula.model.names import name_key
from fabula.model.proposal import ProposalKind
from fabula.model.relation import Language

# The part of a document whose names are given as known, and how sure the tagger must be by itself.
_GIVEN = 0.2
_TAGGER_ALONE = 0.25
_QUICK = 4
_LONG = 1_000_000

Marked = Callable[[Document], set[Span]]


def measure(quick: bool = False) -> list[Row]:
    """Mentions and proposals in three collections, with and without a lorebook, and the time it takes."""
    rows: list[Row] = []
    every = _QUICK if quick else 1
    for name, place, load, language in _COLLECTIONS:
        if not place.exists():
            rows += no_data(name, place)
            continue
        documents = load()[::every]
        found = [row for way in _ways(language) for row in way(documents)]
        show(f"{name}, {len(documents)} documents", found)
        rows += found
    if MULTIGENRE.exists():
        found = [_speed(name, extractor, quick) for name, extractor in _extractors()]
        show("1,000,000 Chinese characters", found)
        rows += found
    return rows


_COLLECTIONS: tuple[tuple[str, Path, Callable[[], list[Document]], Language], ...] = (
    ("Chinese web novels", MULTIGENRE, multigenre, "zh"),
    ("Chinese essays", LITERATURE, literature, "zh"),
    ("English novels", LITBANK, litbank, "en"),
)


def _ways(language: Language) -> list[Callable[[Sequence[Document]], list[Row]]]:
    """The ways of finding names that are compared."""
    ways: list[Callable[[Sequence[Document]], list[Row]]] = []
    tagger = installed_tagger()
    if language == "en":
        return [lambda documents: rows_of(documents, "rules", LocalExtractor(), "en", nouns=False)]
    if tagger is not None:
        ways.append(lambda documents: [_row("tagger alone", documents, _tagged(tagger))])
    for name, extractor in _extractors():
        ways.append(lambda documents, n=name, e=extractor: rows_of(documents, n, e, "zh", nouns=True))
    return ways


def _extractors() -> list[tuple[str, LocalExtractor]]:
    found = [("rules", LocalExtractor(rules_only=True))]
    if installed_tagger() is not None:
        found.append(("rules and tagger", LocalExtractor()))
    return found


def rows_of(
    documents: Sequence[Document], name: str, extractor: LocalExtractor, language: Language, *, nouns: bool
) -> list[Row]:
    """What one extractor finds, with and without a lorebook, and what it would propose."""

    def marked(document: Document, nouns: bool, known: Sequence[KnownEntity] = ()) -> set[Span]:
        found = extractor.mentions(document.text, known, language)
        return {(m.start, m.end, m.type) for m in found if m.named or nouns}

    def later(spans: set[Span], document: Document) -> set[Span]:
        return {span for span in spans if span[0] >= _GIVEN * len(document.text)}

    rest = [Document(document.text, frozenset(later(set(document.gold), document))) for document in documents]
    books = {document.text: _lorebook(document) for document in documents}
    names_only = _row(f"{name}: names", documents, lambda d: marked(d, False))
    names_only.figures.update(_proposals(documents, extractor, language))
    rows = [names_only]
    if nouns:
        rows.append(_row(f"{name}: names and nouns", documents, lambda d: marked(d, True)))
    return [
        *rows,
        _row(f"{name}: last four fifths", rest, lambda d: later(marked(d, nouns), d)),
        _row(f"{name}: with names of the first", rest, lambda d: later(marked(d, nouns, books[d.text]), d)),
    ]


def _lorebook(document: Document) -> list[KnownEntity]:
    """The names of the beginning, as an author would have entered them."""
    names = {
        (document.text[start:end], kind)
        for start, end, kind in document.gold
        if start < _GIVEN * len(document.text)
    }
    return [KnownEntity(name, kind) for name, kind in sorted(names) if not is_common_noun(name)]


def _tagged(tagger: Tagger) -> Marked:
    def marked(document: Document) -> set[Span]:
        sentences = list(sentences_of(document.text))
        return {
            (sentence.start + span.start, sentence.start + span.end, span.type)
            for sentence, spans in zip(sentences, tagger.spans([s.text for s in sentences]), strict=True)
            for span in spans
            if span.probability >= _TAGGER_ALONE
        }

    return marked


def _row(name: str, documents: Sequence[Document], mark: Marked) -> Row:
    right = right_place = found = gold = 0
    types = _types(documents)
    for document in documents:
        marked = {span for span in mark(document) if span[2] in types}
        found += len(marked)
        gold += len(document.gold)
        right += len(marked & document.gold)
        right_place += len({span[:2] for span in marked} & {span[:2] for span in document.gold})
    return Row(
        name,
        gold,
        {
            "P": 100 * right / max(1, found),
            "R": 100 * right / max(1, gold),
            "F1": 200 * right / max(1, found + gold),
            "any": 200 * right_place / max(1, found + gold),
        },
    )


def _types(documents: Sequence[Document]) -> set[str]:
    """The types that the collection marks; what is found of other types says nothing."""
    return {kind for document in documents for _, _, kind in document.gold}


def _proposals(
    documents: Sequence[Document], extractor: LocalExtractor, language: Language
) -> dict[str, float]:
    proposed = right = wanted = got = 0
    types = _types(documents)
    for document in documents:
        marked = {name_key(document.text[start:end]) for start, end, _ in document.gold}
        drafts = extractor.extract(document.text, (), language)
        entities = [d for d in drafts if d.kind is ProposalKind.ENTITY and d.entity_type in types]
        names = {name_key(name) for draft in entities for name in (draft.entity_name, *draft.aliases)}
        proper = {name for name in marked if not is_common_noun(name)}
        proposed += len(names)
        right += len(names & marked)
        wanted += len(proper)
        got += len(names & proper)
    return {
        "proposed": proposed / max(1, len(documents)),
        "right": 100 * right / max(1, proposed),
        "got": 100 * got / max(1, wanted),
    }


def _speed(name: str, extractor: LocalExtractor, quick: bool) -> Row:
    text = "\n".join(document.text for document in multigenre())
    text = (text * (1 + _LONG // len(text)))[: _LONG // (_QUICK if quick else 1)]
    extractor.extract(text[:2_000], (), "zh")
    before = time.process_time()
    drafts = extractor.extract(text, (), "zh")
    seconds = (time.process_time() - before) * _LONG / len(text)
    return Row(name, len(drafts), {"cpu s": seconds})
