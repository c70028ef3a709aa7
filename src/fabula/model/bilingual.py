"""Texts in English and Chinese."""

from __future__ import annotations

from typing import NamedTuple

from fabula.model.relation import Language


class Bilingual(NamedTuple):
    """A text in English and Chinese."""

    en: str
    zh: str

    def said_in(self, language: Language) -> str:
        """The text in one language."""
        return self.zh if language == "zh" else self.en
