"""The scene a context is made for, the room there is, and what every section needs to know of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fabula.assembly.cutting import TokenCounter
from fabula.matching import fold
from fabula.model.relation import Language
from fabula.model.story_settings import DEFAULT_BUDGET


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens there are, and which part of them a section may claim, where that is not as usual."""

    total: int = DEFAULT_BUDGET
    shares: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SceneSetting:
    """A scene to write: its instant, its language, its text so far, and how tokens are counted for it."""

    now: int
    language: Language
    counter: TokenCounter
    text: str = ""

    def mentions(self, word: str) -> bool:
        """Whether a word stands anywhere in the scene's text, in any width and case."""
        return _folded_word(word) in _folded(self.text)


@lru_cache(1_024)
def _folded_word(word: str) -> str:
    return fold(word).text


@lru_cache(1)  # one call asks for the same text again and again, and texts may be long
def _folded(text: str) -> str:
    return fold(text).text
