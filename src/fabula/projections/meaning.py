"""How near in meaning the texts of a story are to a question."""

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
from fabula.projections.text_sources import ENTITIES, EVERYTHING, SCENES, Discretion
from fabula.retrieval.world import Scores, WorldSlots
from fabula.store.reader import Reader
from fabula.store.store import Store

QUESTIONS_KEPT = 64
# An embedder that has failed is left alone for so long: words alone are better than waiting every time.
PAUSE_S = 30.0
# To gather a row costs as much as to go over so many.
GATHERED = 4

log = logging.getLogger("fabula.meaning")


_Key = tuple[str, str, int]


class _Rows(NamedTuple):
    """Where vectors stand, in another order: -1 for what has none; and from where to where all are."""

    arrangement: int
    order: object
    places: NDArray[np.int64]
    first: int
    last: int


# What will be asked of a story, as far as that can be read in it.
Questions = Callable[[Reader], Iterable[str]]


class Meaning:
    """Nobody can say: there are no vectors."""

    def about(self, store: Store, project_id: str, questions: Questions) -> Meaning:
        """The same with all at hand that must be asked of others before the story is opened."""
        return self

    def edition(self, reader: Reader, index: StoryIndex) -> Hashable:
        """What tells one state of the vectors from another while the story stays the same."""
        return None

    def take_in(self, reader: Reader, index: StoryIndex) -> None:
        """Have the vectors at hand before the clock of a question starts."""

    def of_entities(self, reader: Reader, index: StoryIndex, text: str, slots: WorldSlots) -> Scores | None:
        """How near each of these entities is, from 0 to 1; None where nobody can say."""
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
    An embedder at another place is asked before a story is opened, lest others wait for it, too.
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
        """The same with the vectors of these questions, if they must be asked for ahead."""
        if not self.embedder.is_remote:
            return self
        with store.read() as reader:
            has_vectors = reader.vectors.set_of(project_id) is not None
            wanted = [*dict.fromkeys(filter(str.strip, questions(reader)))] if has_vectors else []
        return replace(self, _asked=self._embedded(wanted))

    def is_up_to_date(self, reader: Reader, project_id: str) -> bool:
        """Whether the vectors of a story are those of its texts."""
        return is_up_to_date(reader, project_id, self.embedder.model, discretion=self.discretion)

    def edition(self, reader: Reader, index: StoryIndex) -> Hashable:
        """The model and the how manyeth write of vectors; without an answer to the question, another one."""
        present = reader.vectors.set_of(index.project_id)
        return None if present is None else (present.model, present.batch, bool(self._asked))

    def take_in(self, reader: Reader, index: StoryIndex) -> None:
        """Have the vectors at hand before the clock of a question starts."""
        self._current(reader, index)

    def of_entities(self, reader: Reader, index: StoryIndex, text: str, slots: WorldSlots) -> Scores | None:
        """How near each of these entities is, from 0 to 1."""
        vectors = self._current(reader, index)
        if vectors is None:
            return None
        ids = index.roster.ids

        def keys() -> Iterable[_Key]:
            return ((ENTITIES.kind, entity_id, 0) for entity_id in ids)

        rows = self._rows_in(vectors, ENTITIES.kind, len(ids), len(ids), keys)
        found = self._nearness(vectors, rows, rows.places[slots], text)
        return None if found is None else np.clip(found, 0.0, 1.0)

    def of_passages(self, reader: Reader, index: StoryIndex, text: str) -> Scores | None:
        """How near each passage is, in the order of the telling."""
        vectors = self._current(reader, index)
        if vectors is None:
            return None
        order = index.passages(reader).in_order()

        def keys() -> Iterable[_Key]:
            return ((SCENES.kind, scene, part) for scene, part in index.passage_owners(reader))

        rows = self._rows_in(vectors, SCENES.kind, order, len(order.slots), keys)
        return self._nearness(vectors, rows, rows.places, text)

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
            if not self.is_up_to_date(reader, index.project_id):
                self.behind(index.project_id)
            known = _View(index.vectors, index.vectors.current(reader, self.embedder.model))
            self._views[reader] = known
        return known.vectors

    def _nearness(
        self, vectors: VectorIndex, rows: _Rows, places: NDArray[np.int64], text: str
    ) -> Scores | None:
        """The cosines at these places; 0 where there is no vector, None if nobody makes them now."""
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
        """The vector of a question; None while nobody makes them."""
        asked = self._asked if self.embedder.is_remote else self._embedded([text])
        return asked.get(text)

    def _embedded(self, questions: Sequence[str]) -> dict[str, Vector]:
        """The vectors of questions; of none while nobody makes them."""
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
