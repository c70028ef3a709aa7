"""Groups the names of a text by the entity they mean."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fabula.extraction.found import FoundName
from fabula.extraction.known import KnownNames
from fabula.extraction.sameness import Sameness

Likeness = Callable[[str, str], float]

_TOO_MANY = 12


class NewEntity(NamedTuple):
    """A new entity with its aliases, and the evidence that they mean the same."""

    name: FoundName
    aliases: tuple[FoundName, ...]
    joins: tuple[Sameness, ...] = ()

    @property
    def confidence(self) -> float:
        """The confidence that the entity exists; in a short text each of its names adds to it."""
        if self.joins:
            return max(name.confidence for name in (self.name, *self.aliases))
        doubt = 1.0
        for name in (self.name, *self.aliases):
            doubt *= 1 - name.confidence
        return min(0.99, 1 - doubt)

    @property
    def times(self) -> int:
        """How often the entity is named."""
        return sum(name.times for name in (self.name, *self.aliases))


class NewAlias(NamedTuple):
    """A new alias of a known entity."""

    name: FoundName
    owner: str
    confidence: float
    same: Sameness | None = None


class LikelyAlias(NamedTuple):
    """A person who is likely the same as another, both under their main names."""

    name: FoundName
    owner: str
    same: Sameness
    times: int


class GroupedNames(NamedTuple):
    """The names of a text, grouped by entity, and the names that are likely another's."""

    entities: list[NewEntity]
    aliases: list[NewAlias]
    likely: tuple[LikelyAlias, ...] = ()


def grouped_names(names: Sequence[FoundName], known_names: KnownNames, likeness: Likeness) -> GroupedNames:
    """Assign each short form to the one full name it fits; one that fits several stays on its own."""
    new = [name for name in names if known_names.owner(name.text) is None]
    people = [name for name in new if name.type == "character"]
    fulls = _Fulls(people, known_names)
    aliases: list[NewAlias] = []
    under: dict[str, list[FoundName]] = {}
    placed: set[str] = set()
    for name in people:
        full, known, sure = fulls.of(name, likeness)
        if full is None:
            continue
        placed.add(name.text)
        if known:
            aliases.append(NewAlias(name, full, min(sure, name.confidence)))
        else:
            under.setdefault(full, []).append(name)
    # A short form of a short form belongs to the full name at the end of the chain.
    entities = [
        NewEntity(name, tuple(_all_under(name.text, under))) for name in new if name.text not in placed
    ]
    return GroupedNames(entities, aliases)


def _all_under(full: str, under: dict[str, list[FoundName]]) -> list[FoundName]:
    found: list[FoundName] = []
    waiting = [full]
    while waiting:
        for name in under.get(waiting.pop(), ()):
            found.append(name)
            waiting.append(name.text)
    return found


class _Fulls:
    """The full names a short form may belong to, indexed by their parts."""

    def __init__(self, people: Sequence[FoundName], known_names: KnownNames) -> None:
        self._known: dict[str, bool] = {name.text: False for name in people}
        for one in known_names.everybody:
            if one.type in ("character", "unknown"):
                self._known[one.name] = True
        self._having: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._known:
            for part in _parts(name):
                self._having[part].append(name)

    def of(self, name: FoundName, likeness: Likeness) -> tuple[str | None, bool, float]:
        """The full name, whether the story knows it, and the confidence; None if there is not exactly one."""
        fits = {
            full: sure
            for part in _parts(name.text)
            for full in self._having[part]
            if (sure := likeness(name.text, full))
        }
        if not 1 <= len(fits) <= _TOO_MANY:
            return None, False, 0.0
        longest = [full for full in fits if not any(likeness(full, other) for other in fits)]
        if len(longest) != 1:
            return None, False, 0.0
        full = longest[0]
        return full, self._known[full], fits[full]


def _parts(name: str) -> set[str]:
    """The words of a name, and its characters if it is not ASCII."""
    words = set(name.replace(".", " ").split())
    return words if name.isascii() else words | set(name)
