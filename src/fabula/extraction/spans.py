"""Finds quotations in a text."""

from __future__ import annotations

import re

from fabula.matching import Folded, fold

_MARKS = "\"'“”‘’「」『』…. \n\t"
_ELLIPSIS = re.compile(r"…+|\.{3,}")
_LEAST = 2


class QuotationFinder:
    """Looks up quotations in one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded: Folded | None = None

    def find(self, quotation: str) -> tuple[int, int] | None:
        """The first span of a quotation, exact, else with width, case and whitespace folded.

        For a quotation with ellipses, its longest part is looked up.
        """
        if not quotation.strip(_MARKS):
            return None
        for wanted in (quotation, quotation.strip(), quotation.strip(_MARKS)):
            start = self._text.find(wanted)
            if start >= 0:
                return start, start + len(wanted)
        whole = self._find_folded(quotation.strip(_MARKS))
        if whole is not None:
            return whole
        parts = sorted((part.strip(_MARKS) for part in _ELLIPSIS.split(quotation)), key=len, reverse=True)
        if len(parts) > 1 and len(parts[0]) > _LEAST:
            return self._find_folded(parts[0])
        return None

    def has(self, name: str) -> bool:
        """Whether the name occurs in the text."""
        return name in self._text or self._find_folded(name) is not None

    def _find_folded(self, quotation: str) -> tuple[int, int] | None:
        if self._folded is None:
            self._folded = fold(self._text, simplify=True)
        wanted = fold(" ".join(quotation.split()), simplify=True).text
        start = self._folded.text.find(wanted) if wanted else -1
        if start < 0:
            return None
        place = self._folded.span(start, start + len(wanted))
        return place if place[0] < place[1] else None
