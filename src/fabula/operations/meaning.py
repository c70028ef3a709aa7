"""How near in meaning the texts of a story are to a question."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.index.story_index import StoryIndex
from fabula.index.vectors import StoryVectors, Vector, VectorIndex
from fabula.llm.embedder import Embedder
from fabula.projections.embeddings import ENTITIES, SCENES, is_up_to_date
from fabula.retrieval.world import Scores
from fabula.store.reader import Reader

QUESTIONS_KEPT = 64

log = logging.getLogger("fabula.meaning")


_Key = tuple[str, str, int]


class _Rows(NamedTuple):
    """Where vectors stand, in another order: -1 for what has none; and from where to where all are."""

    arrangement: int
    order: object
    places: NDArray[np.int64]
    first: int
    last: int


class Meaning:
    """Nobody can say: there are no vectors."""

    def edition(self, reader: Reader, index: StoryIndex) -> Hashable:
        """What tells one state of the vectors from another while the story stays the same."""
        return None

    def take_in(self, reader: Reader, index: StoryIndex) -> None:
        """Have the vectors at hand before the clock of a question starts."""

    def of_entities(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """How near each entity is, by slot, from 0 to 1; None where nobody can say."""
        return None

    def of_passages(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """How near each passage is, in the order of the telling, from -1 to 1; None where nobody can say."""
        return None


NO_MEANING = Meaning()


class _View(NamedTuple):
    """The vectors of one story as one reader sees them."""

    of: StoryVectors
    vectors: VectorIndex | None


@dataclass(frozen=True, slots=True)
class VectorMeaning(Meaning):
    """By the vectors of an embedder: those that are there, even if a text has changed since.

    `behind` is told of a story whose vectors are not those of its texts, and sees to it in its own time.
    """

    embedder: Embedder
    behind: Callable[[str], None]
    _questions: dict[str, Vector] = field(default_factory=dict)
    _views: WeakKeyDictionary[Reader, _View] = field(default_factory=WeakKeyDictionary)
    _known: WeakKeyDictionary[VectorIndex, dict[str, _Rows]] = field(default_factory=WeakKeyDictionary)

    def edition(self, reader: Reader, index: StoryIndex) -> Hashable:
        """The model and the how manyeth write of vectors."""
        present = reader.vectors.set_of(index.project_id)
        return None if present is None else (present.model, present.batch)

    def take_in(self, reader: Reader, index: StoryIndex) -> None:
        """Have the vectors at hand before the clock of a question starts."""
        self._current(reader, index)

    def of_entities(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """How near each entity is, by slot, from 0 to 1."""
        vectors = self._current(reader, index)
        if vectors is None:
            return None
        ids = index.roster.ids

        def keys() -> Iterable[_Key]:
            return ((ENTITIES.kind, entity_id, 0) for entity_id in ids)

        rows = self._rows_in(vectors, ENTITIES.kind, len(ids), len(ids), keys)
        found = self._nearness(vectors, rows, text)
        return None if found is None else np.clip(found, 0.0, 1.0)

    def of_passages(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """How near each passage is, in the order of the telling."""
        vectors = self._current(reader, index)
        if vectors is None:
            return None
        reading = index.passages(reader).reading()

        def keys() -> Iterable[_Key]:
            return ((SCENES.kind, scene, part) for scene, part in index.passage_owners(reader))

        rows = self._rows_in(vectors, SCENES.kind, reading, len(reading.slots), keys)
        return self._nearness(vectors, rows, text)

    def _rows_in(
        self, vectors: VectorIndex, kind: str, order: object, size: int, keys: Callable[[], Iterable[_Key]]
    ) -> _Rows:
        """Where the vectors of a kind stand, found anew only when they or their order have changed."""
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
        """The vectors of a story in a reader's view, which stays the same as long as it reads."""
        known = self._views.get(reader)
        if known is None or known.of is not index.vectors:
            if not is_up_to_date(reader, index.project_id, self.embedder.model):
                self.behind(index.project_id)
            known = _View(index.vectors, index.vectors.current(reader, self.embedder.model))
            self._views[reader] = known
        return known.vectors

    def _nearness(self, vectors: VectorIndex, rows: _Rows, text: str) -> Scores | None:
        """The cosines in the given order; 0 where there is no vector, None if nobody makes them now."""
        try:
            question = self._question(text)
        except (LlmRateLimited, LlmUnavailable) as error:
            log.warning("no vector of the question", extra={"code": error.code})
            return None
        _, _, places, first, last = rows
        if first >= last:
            return np.zeros(len(places))
        found = vectors.cosines(question, first, last).astype(np.float64)
        return np.where(places >= 0, found[np.maximum(places - first, 0)], 0.0)

    def _question(self, text: str) -> Vector:
        known = self._questions.get(text)
        if known is None:
            if len(self._questions) >= QUESTIONS_KEPT:
                self._questions.clear()
            known = self._questions[text] = self.embedder.embed([text], kind="query")[0]
        return known


def _is_same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int) and one == other)
