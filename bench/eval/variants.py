"""Ways of ranking to compare: ours, and ours with one part taken out or put in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from fabula.index import lexemes
from fabula.index.stems import stem
from fabula.llm.local_embedder import LOCAL_MODEL, LocalEmbedder
from fabula.retrieval.ranking import USUAL, Scoring

Likeness = Callable[[str], NDArray[np.float64]]


@dataclass(frozen=True)
class Variant:
    """A way of ranking: its rules, what counts as a word, and what is alike beyond words."""

    name: str
    scoring: Scoring = USUAL
    stems: bool = True
    empty_words: bool = True
    headings: bool = True
    likeness: Callable[[Sequence[str]], Likeness] | None = None

    @contextmanager
    def applied(self) -> Iterator[None]:
        """While it lasts, words are what the variant takes for words."""
        empty = lexemes.EMPTY_WORDS if self.empty_words else frozenset()
        with (
            patch.object(lexemes, "stem", stem if self.stems else str),
            patch.object(lexemes, "EMPTY_WORDS", empty),
        ):
            lexemes.word_code.cache_clear()
            yield
        lexemes.word_code.cache_clear()


def vectors_at_hand() -> bool:
    """Whether the local embedder has its table."""
    return (files("fabula.llm") / "data" / f"{LOCAL_MODEL}.npz").is_file()


def by_vectors(passages: Sequence[str]) -> Likeness:
    """The cosine of the local embedder's vectors."""
    vectors = _EMBEDDER.embed(passages, kind="document")

    def likeness(question: str) -> NDArray[np.float64]:
        return np.asarray(vectors @ _EMBEDDER.embed([question], kind="query")[0], np.float64)

    return likeness


_EMBEDDER = LocalEmbedder()
