"""Checks a story by its rules: one scene, a passage, or everything; what was read of a scene is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

from fabula.consistency.established import Established
from fabula.consistency.readers import READERS, spellings
from fabula.consistency.reading import PEOPLE, PLACES, THINGS, KnownPeople, TextReading, read_text
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, StoryBook, StoryFacts
from fabula.consistency.rules import RULES
from fabula.context.audience import ModelView
from fabula.context.author_view import AuthorView
from fabula.context.detection import Detected, detect
from fabula.index.story_index import StoryIndex
from fabula.model.entity import Entity
from fabula.model.manuscript import Scene
from fabula.model.moment import instant_of
from fabula.model.relation import Language
from fabula.model.story_settings import calendar_in
from fabula.store.reader import Reader


class Discovery(NamedTuple):
    """A discrepancy and the rule that found it."""

    rule: ConsistencyRule
    found: Discrepancy


@dataclass
class _Kept:
    """What was read of a story's scenes, by scene id, with the text it was read from."""

    naming: int
    cast: KnownPeople
    readings: dict[str, tuple[int, TextReading]] = field(default_factory=dict)


# As long as the index of a story is kept, what was read with its names is.
_KEPT: WeakKeyDictionary[StoryIndex, _Kept] = WeakKeyDictionary()


class Linter:
    """The rules at work on one story."""

    def __init__(
        self,
        reader: Reader,
        index: StoryIndex,
        language: Language,
        rules: Iterable[ConsistencyRule] = RULES,
        seen: Callable[[float], bool] = lambda share: True,
    ) -> None:
        self._reader, self._index, self._language = reader, index, language
        self.rules = tuple(rules)
        self._seen = seen
        self._kept = self._kept_readings()
        self.scenes = reader.manuscript.scenes(index.project_id)
        titles = {one.chapter_index: one.title for one in reader.manuscript.chapters(index.project_id)}
        self.book = StoryBook(titles, calendar_in(reader.story(index.project_id).settings))
        self.established = Established()
        self._readings: dict[str, tuple[Detected | None, TextReading]] = {}

    def read_all(self) -> bool:
        """Read the scenes that have changed since they were last read; False if it was told to stop."""
        for number, scene in enumerate(self.scenes):
            if number % 16 == 0 and not self._seen(0.8 * number / len(self.scenes)):
                return False
            self.established.add(scene, self._reading(scene))
        living = {scene.id for scene in self.scenes}
        for gone in self._kept.readings.keys() - living:
            del self._kept.readings[gone]
        return True

    def scene(self, scene: Scene, *, text: str | None = None) -> Iterator[Discovery]:
        """Yield what is wrong with a scene, or with another text in its place."""
        written = scene.text if text is None else text
        instant = instant_of(scene.chapter_index, scene.scene_index)
        view = AuthorView(self._reader, self._index, instant)
        found = detect(self._reader, self._index, written)
        slots = list(found.entities)
        people = dict(zip(slots, self._index.entities(self._reader, slots), strict=True))
        reading = self._reading(scene) if text is None else self._read(written, found)
        checked = CheckedText(
            written,
            self._language,
            view,
            found,
            people,
            reading,
            self.established,
            scene.chapter_index,
            scene.scene_index,
            scene.id,
            scene.world_time,
            self.book,
        )
        yield from self._found_in(checked)

    def passage(
        self, text: str, view: ModelView, found: Detected, people: Mapping[int, Entity]
    ) -> tuple[CheckedText, list[Discovery]]:
        """Return what is wrong with a text that is not saved, for the audience of a view."""
        reading = self._read(text, found)
        checked = CheckedText(
            text, self._language, view, found, people, reading, self.established, book=self.book
        )
        return checked, list(self._found_in(checked))

    def facts(self) -> Iterator[Discovery]:
        """Yield what is wrong among the facts of the story."""
        view = AuthorView(self._reader, self._index, None)
        facts = StoryFacts(self._language, view, self.established, self._kept.cast, self.book)
        for rule in self.rules:
            for one in rule.find_in_facts(facts):
                yield Discovery(rule, one)

    def everything(self, wanted: Collection[str] | None = None) -> Iterator[Discovery]:
        """Yield what is wrong with all scenes, or with those of these ids, and among the facts."""
        for number, scene in enumerate(self.scenes):
            if wanted is None or scene.id in wanted:
                yield from self.scene(scene)
            if number % 16 == 0 and not self._seen(0.8 + 0.2 * number / len(self.scenes)):
                return
        if wanted is None:
            yield from self.facts()

    def _found_in(self, text: CheckedText) -> Iterator[Discovery]:
        for rule in self.rules:
            for one in rule.find(text):
                yield Discovery(rule, one)

    def _reading(self, scene: Scene) -> TextReading:
        known = self._kept.readings.get(scene.id)
        mark = hash(scene.text)
        if known is None or known[0] != mark:
            found = detect(self._reader, self._index, scene.text)
            known = self._kept.readings[scene.id] = (mark, self._read(scene.text, found))
        return known[1]

    def _read(self, text: str, found: Detected) -> TextReading:
        ids = self._index.roster.ids
        named = {ids[slot]: places for slot, places in found.entities.items()}
        return read_text(text, named, self._kept.cast, READERS, spellings)

    def _kept_readings(self) -> _Kept:
        kept = _KEPT.get(self._index)
        if kept is None or kept.naming != self._index.naming:
            cast = self._cast()
            if kept is not None and kept.cast == cast:
                kept.naming = self._index.naming
            else:
                kept = _KEPT[self._index] = _Kept(self._index.naming, cast)
        return kept

    def _cast(self) -> KnownPeople:
        slots = range(len(self._index.roster.ids))
        living = [
            slot for slot in slots if self._index.roster.slot_of.get(self._index.roster.ids[slot]) == slot
        ]
        people = self._index.entities(self._reader, living)
        names = {one.id: (one.name, *one.aliases) for one in people if one.type == PEOPLE}
        others = frozenset(name for one in people if one.type != PEOPLE for name in (one.name, *one.aliases))
        places = {name: one.id for one in people if one.type == PLACES for name in (one.name, *one.aliases)}
        items = {name: one.id for one in people if one.type == THINGS for name in (one.name, *one.aliases)}
        return KnownPeople(self._language, names, others, places, items)
