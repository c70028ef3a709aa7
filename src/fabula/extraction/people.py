"""Which of the names in a text are names of one and the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from fabula.extraction.found import FoundName
from fabula.extraction.known import Acquaintances

Likeness = Callable[[str, str], float]

_TOO_MANY = 12


class NewEntity(NamedTuple):
    """Somebody or something new, with the other names found for it."""

    name: FoundName
    aliases: tuple[FoundName, ...]

    @property
    def confidence(self) -> float:
        """How sure it is that there is such a one: each of its names speaks for it."""
        doubt = 1.0
        for name in (self.name, *self.aliases):
            doubt *= 1 - name.confidence
        return min(0.99, 1 - doubt)


class NewAlias(NamedTuple):
    """Another name of somebody the story knows."""

    name: FoundName
    owner: str
    confidence: float


class Sorted(NamedTuple):
    """The names of a text, sorted by whom they mean."""

    entities: list[NewEntity]
    aliases: list[NewAlias]


def sorted_names(names: Sequence[FoundName], acquaintances: Acquaintances, likeness: Likeness) -> Sorted:
    """Put each short form under the one full name it fits; what fits several stands for itself."""
    new = [name for name in names if acquaintances.owner(name.text) is None]
    people = [name for name in new if name.type == "character"]
    fulls = _Fulls(people, acquaintances)
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
    return Sorted(entities, aliases)


def _all_under(full: str, under: dict[str, list[FoundName]]) -> list[FoundName]:
    found: list[FoundName] = []
    waiting = [full]
    while waiting:
        for name in under.get(waiting.pop(), ()):
            found.append(name)
            waiting.append(name.text)
    return found


class _Fulls:
    """The names that a short form may belong to, found by what they have in common with it."""

    def __init__(self, people: Sequence[FoundName], acquaintances: Acquaintances) -> None:
        self._known: dict[str, bool] = {name.text: False for name in people}
        for one in acquaintances.everybody:
            if one.type in ("character", "unknown"):
                self._known[one.name] = True
        self._having: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._known:
            for part in _parts(name):
                self._having[part].append(name)

    def of(self, name: FoundName, likeness: Likeness) -> tuple[str | None, bool, float]:
        """The full name, whether the story knows it, and how sure it is; None if there is none or several."""
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
    """The words of a name, and its characters where there are no words."""
    words = set(name.replace(".", " ").split())
    return words if name.isascii() else words | set(name)
