"""Types shared by all audiences."""

from __future__ import annotations

from enum import Flag
from typing import NewType

OpenText = NewType("OpenText", str)
"""A text its audience may read. Only redaction creates one, and only such texts are rendered for a model."""


class Withheld(Flag):
    """What redaction removed from a value before its audience sees it."""

    NOTHING = 0
    SENTENCES = 1
    """Sentences that name a secret."""
    WHOLE = 2
    """All of it: it is a secret, or its own name would reveal one."""

    @classmethod
    def of(cls, *, sentences: bool = False, whole: bool = False) -> Withheld:
        """The flags for what was removed."""
        if not (sentences or whole):
            return cls.NOTHING
        return cls(sentences * cls.SENTENCES.value | whole * cls.WHOLE.value)
