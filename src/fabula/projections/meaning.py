"""The semantic similarity of a story's texts to a query."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.index.story_index import StoryIndex
from fabula.index.vectors import StoryVectors, Vector, VectorIndex
from fabula.llm.embedder import Embedder
from fabula.projections.embeddings import is_up_to_date
from fabula.projections.text_sources import CUSTOM_ENTRIES, ENTITIES, EVERYTHING, SCENES, Discretion
from fabula.retrieval.world import Scores, WorldSlots
from fabula.store.reader import Reader
from fabula.store.store import Store

QUESTIONS_KEPT = 64
# How long a failed embedder is not called: word matches alone are better than waiting every time.
PAUSE_S = 30.0
# Gathering one row costs as much as scanning this many.
GATHERED = 4

log = logging.getLogger("fabula.meaning")


_Key = tuple[str, str, int]


class _Rows(NamedTuple):
    """The rows of embeddings in another order, -1 for those without one, and the range they span."""

    arrangement: int
    order: object
    places: NDArray[np.int64]
    first: int
    last: int


# The texts to be compared, as far as they can be read from the story.
Questions = Callable[[Reader], Iterable[str]]


class Meaning:
    """No semantic similarity: there are no embeddings."""

    def about(self, store: Store, project_id: str, questions: Questions) -> Meaning:
        """Return a copy that has made all remote requests it needs before the story is opened."""
        return self

    def at_rest(self) -> Meaning:
        """Return a copy that has nothing updated, for a story that is only looked at."""
        return self

    def edition(self, reader: Reader, index: StoryIndex) -> Hashable:
        """Return a value that changes when the embeddings change while the story does not."""
        return None

    def take_in(self, reader: Reader, index: StoryIndex) -> None:
        """Load the embeddings before the time limit of a query starts."""

    def of_entities(self, reader: Reader, index: StoryIndex, text: str, slots: WorldSlots) -> Scores | None:
        """Return the similarity of each of these entities, from 0 to 1; None if it is unknown."""
        return None

    def of_entries(self, reader: Reader, index: StoryIndex, text: str, ids: Sequence[str]) -> Scores | None:
        """Return the similarity of each of these custom entries, from 0 to 1; None if it is unknown."""
        return None

    def of_passages(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """Return the similarity of each passage in manuscript order, from -1 to 1; None if it is unknown."""
        return None


NO_MEANING = Meaning()


class _View(NamedTuple):
    """The embeddings of one story, as one reader sees them."""

    of: StoryVectors
    vectors: VectorIndex | None


@dataclass(frozen=True, slots=True)
class VectorMeaning(Meaning):
    """Similarity by the embeddings that exist, even if a text has changed since.

    `behind` is called for a story whose embeddings are outdated, and updates them in the background. A
    remote embedder is called before a story is opened, so that nobody else has to wait for it.
    """

    embedder: Embedder
    behind: Callable[[str], None]
    monotonic: Callable[[], float]
    discretion: Discretion = EVERYTHING
    _asked: dict[str, Vector] = field(default_factory=dict)
    _failed_at: list[float] = field(default_factory=list)
    _questions: dict[str, Vector] = field(default_factory=dict)
    _views: WeakKeyDictionary[Reader, _View] = field(default_factory=WeakKeyDictionary)
    _known: WeakKeyDictionary[VectorIndex, dict[str, _Rows]] = field(default_factory=WeakKeyDictionary)

    def about(self, store: Store, project_id: str, questions: Questions) -> Meaning:
        """Return a copy with the embeddings of these texts, if the embedder is remote."""
        if not self.embedder.is_remote:
            return self
        with store.read() as reader:
            has_vectors = reader.vectors.set_of(project_id) is not None
            wanted = [*dict.fromkeys(filter(str.strip, questions(reader)))] if has_vectors else []
        return replace(self, _asked=self._embedded(wanted))

    def at_rest(self) -> Meaning:
        """Return a copy that has nothing updated."""
        return replace(self, behind=lambda project_id: None)

    def is_up_to_date(self, reader: Reader, project_id: str) -> bool:
        """Whether the embeddings of a story are up to date."""
        return is_up_to_date(reader, project_id, self.embedder.model, discretion=self.discretion)

    def edition(self, reader: Reader, index: StoryIndex) -> Hashable:
        """Return the model, the number of the last write, and whether the query was embedded."""
        present = reader.vectors.set_of(index.project_id)
        return None if present is None else (present.model, present.batch, bool(self._asked))

    def take_in(self, reader: Reader, index: StoryIndex) -> None:
        """Load the embeddings before the time limit of a query starts."""
        self._current(reader, index)

    def of_entities(self, reader: Reader, index: StoryIndex, text: str, slots: WorldSlots) -> Scores | None:
        """Return the similarity of each of these entities, from 0 to 1."""
        vectors = self._current(reader, index)
        if vectors is None:
            return None
        ids = index.roster.ids

        def keys() -> Iterable[_Key]:
            return ((ENTITIES.kind, entity_id, 0) for entity_id in ids)

        rows = self._rows_in(vectors, ENTITIES.kind, len(ids), len(ids), keys)
        found = self._nearness(vectors, rows, rows.places[slots], text)
        return None if found is None else np.clip(found, 0.0, 1.0)

    def of_entries(self, reader: Reader, index: StoryIndex, text: str, ids: Sequence[str]) -> Scores | None:
        """Return the similarity of each of these custom entries, from 0 to 1."""
        vectors = self._current(reader, index)
        question = None if vectors is None else self._question(text)
        if vectors is None or question is None:
            return None
        places = vectors.rows_of(((CUSTOM_ENTRIES.kind, key, 0) for key in ids), len(ids))
        found = np.zeros(len(ids))
        held = np.flatnonzero(places >= 0)
        found[held] = vectors.cosines_of(question, places[held])
        return np.clip(found, 0.0, 1.0)

    def of_passages(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """Return the similarity of each passage, in manuscript order."""
        vectors = self._current(reader, index)
        if vectors is None:
            return None
        order = index.passages(reader).in_order()

        def keys() -> Iterable[_Key]:
            return ((SCENES.kind, scene, part) for scene, part in index.manuscript.owners(reader))

        rows = self._rows_in(vectors, SCENES.kind, order, len(order.slots), keys)
        return self._nearness(vectors, rows, rows.places, text)

    def _rows_in(
        self, vectors: VectorIndex, kind: str, order: object, size: int, keys: Callable[[], Iterable[_Key]]
    ) -> _Rows:
        """Return the rows of a kind, recomputed only when they or their order have changed."""
        known = self._known.setdefault(vectors, {})
        arrangement = vectors.arrangement_of(kind)
        found = known.get(kind)
        if found is None or found.arrangement != arrangement or not _is_same(found.order, order):
            places = vectors.rows_of(keys(), size)
            held = places[places >= 0]
            span = int(held.min(initial=len(vectors.keys))), int(held.max(initial=-1)) + 1
            found = known[kind] = _Rows(arrangement, order, places, *span)
        return found

    def _current(self, reader: Reader, index: StoryIndex) -> VectorIndex | None:
        """Return the embeddings of a story in a reader's view, which is fixed while it reads."""
        known = self._views.get(reader)
        if known is None or known.of is not index.vectors:
            if not self.is_up_to_date(reader, index.project_id):
                self.behind(index.project_id)
            known = _View(index.vectors, index.vectors.current(reader, self.embedder.model))
            self._views[reader] = known
        return known.vectors

    def _nearness(
        self, vectors: VectorIndex, rows: _Rows, places: NDArray[np.int64], text: str
    ) -> Scores | None:
        """Return the cosine similarities there, 0 without an embedding; None if the query has none."""
        question = self._question(text)
        if question is None:
            return None
        found = np.zeros(len(places))
        held = np.flatnonzero(places >= 0)
        if len(held) * GATHERED < rows.last - rows.first:
            found[held] = vectors.cosines_of(question, places[held])
        elif len(held):
            found[held] = vectors.cosines(question, rows.first, rows.last)[places[held] - rows.first]
        return found

    def _question(self, text: str) -> Vector | None:
        """Return the embedding of a query; None while the embedder is unavailable."""
        asked = self._asked if self.embedder.is_remote else self._embedded([text])
        return asked.get(text)

    def _embedded(self, questions: Sequence[str]) -> dict[str, Vector]:
        """Return the embeddings of queries; only the cached ones while the embedder is unavailable."""
        known = {text: vector for text in questions if (vector := self._questions.get(text)) is not None}
        missing = [text for text in questions if text not in known]
        if not missing or (self._failed_at and self.monotonic() - self._failed_at[-1] < PAUSE_S):
            return known
        try:
            made = dict(zip(missing, self.embedder.embed(missing, kind="query"), strict=True))
        except (LlmRateLimited, LlmUnavailable) as error:
            self._failed_at[:] = [self.monotonic()]
            log.warning("no vector of the question", extra={"code": error.code})
            return known
        if len(self._questions) >= QUESTIONS_KEPT:
            self._questions.clear()
        self._questions.update(made)
        return known | made


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int) and one == other)
