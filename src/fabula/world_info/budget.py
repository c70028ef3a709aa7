"""The budget of a scan: how many tokens it has, and whether one more entry fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import floor

from fabula.model.scan_settings import ScanSettings

# By how many tokens two texts can grow when they are joined, generously.
_SEAM = 3


def budget_of(settings: ScanSettings) -> int:
    """How many tokens the entries may have together."""
    budget = floor(settings.budget_percent * settings.max_context / 100 + 0.5) or 1
    return min(budget, settings.budget_cap) if settings.budget_cap > 0 else budget


class Spending:
    """What has been spent; texts are counted together only when their sum is near the budget."""

    def __init__(self, count: Callable[[str], int], budget: int) -> None:
        self.budget = budget
        self._count = count
        self._said = ""
        self._said_at_most = 0
        self._new: list[str] = []
        self._new_at_most = 0

    def begin_pass(self) -> None:
        """Forget the new texts of the pass before."""
        self._new = []
        self._new_at_most = 0

    def add(self, content: str) -> None:
        """Add a new text, whether or not it fits."""
        self._new.append(content)
        self._new_at_most += self._count(content) + _SEAM

    def fits(self, content: str) -> bool:
        """Add a new text; whether all is less than the budget afterwards."""
        self.add(content)
        if self._said_at_most + self._new_at_most < self.budget:
            return True
        new = "".join(f"{text}\n" for text in self._new)
        return self._count(self._said) + self._count(new) < self.budget

    def keep(self, contents: Iterable[str]) -> None:
        """Count these texts in all later passes."""
        told = tuple(contents)
        self._said = "\n".join(told) + "\n" + self._said
        self._said_at_most += sum(self._count(text) + _SEAM for text in told) + _SEAM
