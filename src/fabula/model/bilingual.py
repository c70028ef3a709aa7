"""What people read exists in English and in Chinese."""

from __future__ import annotations

from typing import NamedTuple

from fabula.model.relation import Language


class Bilingual(NamedTuple):
    """The same words in English and in Chinese."""

    en: str
    zh: str

    def said_in(self, language: Language) -> str:
        """The words in one language."""
        return self.zh if language == "zh" else self.en
