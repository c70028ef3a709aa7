"""The passages of a story as an audience reads them, for everything that looks for words in its prose.

What is withheld counts for nothing: it finds no passage, raises none, and makes no word less rare.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from fabula.context.audience import ModelView
from fabula.context.author_view import AuthorView
from fabula.context.edition_cache import recalled_of_names, recalled_reading
from fabula.context.joining import places_named
from fabula.index.arrays import Floats, Mask
from fabula.index.passages import PassageIndex
from fabula.index.told_passages import ToldPassages
from fabula.model.fact import FactRef
from fabula.model.moment import instant_of
from fabula.store.scans import scan_scenes


class _Told(NamedTuple):
    """What an audience reads of a passage, by its row; empty if nothing is left."""

    row: int
    text: str
    heading: str


def told_passages(view: ModelView) -> PassageIndex:
    """Return the index of the passages with the words that the audience may read."""
    written = view.index.passages(view.reader)
    sees_all = isinstance(view, AuthorView) and view.pov is None
    if sees_all or not len(written) or not (view.has_secrets() or view.identity.apart):
        return written
    return recalled_reading(view.index, view.key, lambda: _as_told(view, written))


def readable(passages: PassageIndex, allowed: Mask | None) -> Mask | None:
    """Return which of the allowed passages have something left to read; None means all."""
    if not isinstance(passages, ToldPassages) or not passages.silent.any():
        return allowed
    return ~passages.silent if allowed is None else allowed & ~passages.silent


def open_likeness(passages: PassageIndex, likeness: Floats | None, allowed: Mask | None) -> Floats | None:
    """Return the similarities without those of passages that are not read whole.

    Vectors are made of whole texts. Such a passage is found by the words that are left, and counts as usual.
    """
    if likeness is None or not isinstance(passages, ToldPassages) or not passages.cut.any():
        return likeness
    whole = ~passages.cut if allowed is None else allowed & ~passages.cut
    usual = float(likeness[whole].mean()) if whole.any() else 0.0
    return np.where(passages.cut, usual, likeness)


def _as_told(view: ModelView, written: PassageIndex) -> PassageIndex:
    found = list(_cut(view, written))
    if not found:
        return written
    silent = np.zeros(len(written.in_order().slots), np.bool_)
    silent[[one.row for one in found if not one.text]] = True
    texts = {one.row: f"{one.heading}\n{one.text}" if one.text else "" for one in found}
    return ToldPassages(written, texts, silent)


def _cut(view: ModelView, written: PassageIndex) -> Iterator[_Told]:
    """Yield the passages that are not told as they are written."""
    order, suspicion = written.in_order(), _Suspicion(view)
    for _, chapter, scene, heading, text in scan_scenes(view.reader, view.index.project_id):
        instant = instant_of(chapter, scene)
        if (view.instant is not None and instant > view.instant) or not suspicion.of(f"{heading}\n{text}"):
            continue
        view.check_time()
        first, last = np.searchsorted(order.instants, (instant, instant + 1)).tolist()
        ends = zip(order.starts[first:last].tolist(), order.ends[first:last].tolist(), strict=True)
        spans, told_heading = list(ends), view.redaction.label(heading)
        told = view.redaction.passages(text, spans)
        for row, (start, end), left in zip(range(first, last), spans, told, strict=True):
            if told_heading != heading or len(left.strip()) < len(text[start:end].strip()):
                yield _Told(row, left, told_heading)


class _Suspicion:
    """Whether a scene may say something that a view hides; what it names is looked up once for all views."""

    def __init__(self, view: ModelView) -> None:
        self._view = view
        self._hidden: dict[Hashable, bool] = {}

    def of(self, text: str) -> bool:
        view, key = self._view, hash(text)
        names = view.index.secret_names(view.reader)
        named = recalled_of_names(
            view.index, ("secrets in a scene", key), lambda: frozenset(names.owners(text))
        )
        return self._hides_one(named) or self._joins(text, key) or self._quotes(text)

    def _hides_one(self, owners: Iterable[Hashable]) -> bool:
        for owner in owners:
            if owner not in self._hidden:
                self._hidden[owner] = self._view.is_hidden(owner)
            if self._hidden[owner]:
                return True
        return False

    def _joins(self, text: str, key: int) -> bool:
        """Whether it names two who are kept apart."""
        view = self._view
        apart = view.identity.apart
        if not apart:
            return False
        people = recalled_of_names(
            view.index,
            ("revealed in a scene", key),
            lambda: frozenset(one.entity_id for one in places_named(view.reader, view.index, text)),
        )
        return any(not people.isdisjoint(apart.get(one, ())) for one in people)

    def _quotes(self, text: str) -> bool:
        """Whether it has words that show a private fact which the point of view does not know."""
        pov = self._view.pov
        if pov is None or not pov.hides_something:
            return False
        quotations = self._view.index.known.quotations(self._view.reader)
        return any(isinstance(one, FactRef) and pov.hides(one) for one in quotations.owners(text))
