"""The scene a context is assembled for, and its token budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fabula.assembly.cutting import CountsTokens
from fabula.matching import fold
from fabula.model.relation import Language
from fabula.model.story_settings import DEFAULT_BUDGET


@dataclass(frozen=True, slots=True)
class Budget:
    """The token budget, and the shares of sections that differ from their defaults."""

    total: int = DEFAULT_BUDGET
    shares: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SceneSetting:
    """A scene to write: its instant, language and text so far, and the token counter to use.

    `chapter_titles` are those of the book, by the place of the chapter.
    """

    now: int
    language: Language
    counter: CountsTokens
    text: str = ""
    chapter_titles: Mapping[int, str] = field(default_factory=dict)

    def mentions(self, word: str) -> bool:
        """Whether the scene's text contains a word, ignoring width and case."""
        return _folded_word(word) in _folded(self.text)


@lru_cache(1_024)
def _folded_word(word: str) -> str:
    return fold(word).text


@lru_cache(1)  # one call folds the same text repeatedly, and texts may be long
def _folded(text: str) -> str:
    return fold(text).text
