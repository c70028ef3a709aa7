"""The names the story already has, which are found in a text before anything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fabula.extraction.port import KnownEntity
from fabula.matching import Hit, Matcher, Term
from fabula.model.names import name_key

# Building the matcher takes a second for ten thousand names; frequent callers keep it.
Known: TypeAlias = "Sequence[KnownEntity] | KnownNames"


class KnownNames:
    """All entities the story knows, found in a text or looked up by name."""

    def __init__(self, known: Sequence[KnownEntity]) -> None:
        self.everybody = tuple(known)
        self._by_key: dict[str, KnownEntity] = {}
        for one in known:
            self._by_key.setdefault(name_key(one.name), one)
        for one in known:
            for alias in one.aliases:
                self._by_key.setdefault(name_key(alias), one)
        terms = (
            Term(text, number, "name")
            for number, one in enumerate(self.everybody)
            for text in (one.name, *one.aliases)
        )
        self._matcher = Matcher(terms)

    @classmethod
    def of(cls, known: Known) -> KnownNames:
        """The known names as KnownNames, built if necessary."""
        return known if isinstance(known, KnownNames) else cls(known)

    def owner(self, name: str) -> KnownEntity | None:
        """The entity with this name or alias."""
        return self._by_key.get(name_key(name))

    def places(self, text: str) -> list[tuple[Hit, KnownEntity]]:
        """The known names in a text; a name shared by several entities is reported as the first of them."""
        places: dict[int, tuple[Hit, KnownEntity]] = {}
        for hit in self._matcher.find(text):
            places.setdefault(hit.start, (hit, self.everybody[_number(hit)]))
        return list(places.values())


def _number(hit: Hit) -> int:
    number = hit.owner
    assert isinstance(number, int)
    return number
