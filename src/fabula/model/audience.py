"""Who is told: what every audience shares."""

from __future__ import annotations

from enum import Flag
from typing import NewType

OpenText = NewType("OpenText", str)
"""A text that its audience may hear. Only redaction makes one; only such texts are rendered for a model."""


class Withheld(Flag):
    """What redaction took out of something before it was put before an audience."""

    NOTHING = 0
    SENTENCES = 1
    """Sentences that name a secret."""
    WHOLE = 2
    """All of it: it is a secret itself, or its own name would give one away."""

    @classmethod
    def of(cls, *, sentences: bool = False, whole: bool = False) -> Withheld:
        """What was taken out, as one mark."""
        if not (sentences or whole):
            return cls.NOTHING
        return cls(sentences * cls.SENTENCES.value | whole * cls.WHOLE.value)
