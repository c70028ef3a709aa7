"""What the story has established before a moment, with the sentence that says so."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from fabula.assembly.prose import sentences
from fabula.consistency.amounts import Amount
from fabula.consistency.reading import Assertion, TextReading
from fabula.model.check import EstablishedThere, WrittenHere
from fabula.model.manuscript import Scene
from fabula.model.moment import instant_of

_Key = tuple[str, str]
# For a scene, only what is said of those in it is gathered; from so many keys on, everything is.
FEW_KEYS = 400


class Said(NamedTuple):
    """An assertion and the scene that makes it."""

    instant: int
    scene: Scene
    assertion: Assertion

    @property
    def there(self) -> EstablishedThere:
        """The sentence with its place."""
        return _there(self.scene, self.assertion.start, self.assertion.end)

    @property
    def here(self) -> WrittenHere:
        """The sentence with its place, and in it the words that say it."""
        there = self.there
        return WrittenHere(
            chapter=there.chapter,
            scene=there.scene,
            scene_id=there.id,
            start=there.start,
            end=there.end,
            mark_start=self.assertion.start,
            mark_end=self.assertion.end,
            quotation=there.quotation,
        )

    @property
    def words(self) -> str:
        """The words that say it."""
        return self.scene.text[self.assertion.start : self.assertion.end]


class SaidAmount(NamedTuple):
    """A time or a number, and the scene that says it."""

    instant: int
    scene: Scene
    amount: Amount

    @property
    def there(self) -> EstablishedThere:
        """The sentence with its place."""
        return _there(self.scene, self.amount.start, self.amount.end)


class Established:
    """Every assertion of a story's scenes by whom and what it is about, in the order of the story."""

    def __init__(self) -> None:
        self._read: list[tuple[int, Scene, TextReading]] = []
        self._said: dict[_Key, list[Said]] = {}
        self._has_all = False
        self.spellings: Counter[str] = Counter()
        self._variants: dict[tuple[str, str], set[str]] = {}
        self.scenes: list[Scene] = []
        self._words: dict[str, bool] = {}
        self._amounts: dict[str, list[SaidAmount]] = {}

    def add(self, scene: Scene, reading: TextReading) -> None:
        """Add what a scene says; scenes come in the order of the story."""
        instant = instant_of(scene.chapter_index, scene.scene_index)
        self.scenes.append(scene)
        self._read.append((instant, scene, reading))
        self._said, self._has_all = {}, False
        for amount in reading.amounts:
            self._amounts.setdefault(amount.unit, []).append(SaidAmount(instant, scene, amount))
        self.spellings.update(one.value for one in reading.spellings)
        for one in reading.spellings:
            self._variants.setdefault((one.who, one.other), set()).add(one.value)

    def before(self, who: str, topic: str, instant: int | None) -> list[Said]:
        """Return what was said of somebody before a moment, the earliest first; None for the whole story."""
        said = self._of((who, topic))
        return said if instant is None else said[: bisect_left(said, instant, key=lambda one: one.instant)]

    def _of(self, key: _Key) -> list[Said]:
        """Everything said under a key; for a few keys the others are not gathered."""
        if key in self._said or self._has_all:
            return self._said.get(key, [])
        if len(self._said) >= FEW_KEYS:
            self._gather()
            return self._said.get(key, [])
        found = [
            Said(instant, scene, one)
            for instant, scene, reading in self._read
            for one in reading.by_topic.get(key, ())
        ]
        self._said[key] = found
        return found

    def _gather(self) -> None:
        if self._has_all:
            return
        self._has_all, self._said = True, {}
        for instant, scene, reading in self._read:
            for key, own in reading.by_topic.items():
                self._said.setdefault(key, []).extend([Said(instant, scene, one) for one in own])

    def after(self, who: str, topic: str, instant: int) -> list[Said]:
        """Return what is said of somebody from a moment on."""
        said = self._of((who, topic))
        return said[bisect_left(said, instant, key=lambda one: one.instant) :]

    def amounts_before(self, unit: str, instant: int | None) -> list[SaidAmount]:
        """Return the times or numbers of a unit that were said before a moment; None for the whole story."""
        said = self._amounts.get(unit, [])
        return said if instant is None else said[: bisect_left(said, instant, key=lambda one: one.instant)]

    def variants(self, who: str, name: str) -> int:
        """Return how many different words of the story are nearly a name."""
        return len(self._variants.get((who, name), ()))

    def is_a_word(self, name: str) -> bool:
        """Whether the story has a capitalised word in lower case, too: Court is no misspelt Count."""
        word = name.lower()
        if word == name:
            return False
        if word not in self._words:
            pattern = re.compile(rf"\b{re.escape(word)}\b")
            self._words[word] = any(word in one.text and pattern.search(one.text) for one in self.scenes)
        return self._words[word]

    def sex(self, who: str) -> str:
        """Return the sex that most scenes give somebody; empty if none does."""
        votes = Counter(said.assertion.value for said in self._of((who, "sex")))
        return votes.most_common(1)[0][0] if votes else ""

    def topics(self, prefix: str) -> Iterator[tuple[str, str]]:
        """Yield whom and what it knows about, of the topics with this prefix."""
        self._gather()
        return ((who, topic) for who, topic in self._said if topic.startswith(prefix))


def _there(scene: Scene, start: int, end: int) -> EstablishedThere:
    first, last = _sentence(scene.text, start, end)
    return EstablishedThere(
        kind="scene",
        id=scene.id,
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        start=first,
        end=last,
        quotation=scene.text[first:last],
    )


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the sentence with these characters, without whitespace around it."""
    # A paragraph is enough to find the ends of a sentence in.
    from_line = text.rfind("\n", 0, start) + 1
    to_line = text.find("\n", end)
    part = text[from_line : len(text) if to_line < 0 else to_line]
    for first, last in sentences(part):
        if from_line + last > start:
            said = part[first:last]
            left = from_line + first + len(said) - len(said.lstrip())
            return left, max(from_line + first + len(said.rstrip()), end)
    return start, end
