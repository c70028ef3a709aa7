"""The definition of a rule of the linter: its id, its default severity, and what it finds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from fabula.assembly.prose import sentences
from fabula.consistency.established import Established
from fabula.consistency.reading import KnownPeople, TextReading
from fabula.context.audience import ModelView
from fabula.context.author_view import AuthorView
from fabula.context.detection import Detected
from fabula.model.calendar import DAYS, Calendar
from fabula.model.check import EstablishedThere, Finding, Fix, Severity, WrittenHere
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.evidence import fingerprint
from fabula.model.moment import Moment
from fabula.model.place_names import place_name
from fabula.model.relation import Language
from fabula.model.waiver import waiver_key
from fabula.model.world_time import SceneTime

FindingMessage = Mapping[Language, str]
# One sentence may contradict another in two things about somebody: this fact says which.
ASPECT = "aspect:"
# What the fix is called that says a finding is intended.
WAIVE: FindingMessage = {"zh": "有意如此", "en": "This is intended"}


@dataclass(frozen=True)
class Discrepancy:
    """What a rule found, before it is shown: the marked words, what is established, and the fixes.

    `kind` is what a passage's finding is called; without a rule's own word it is the rule's id. `severity` is
    for a finding that is less severe than its rule, unless the story says how severe the rule is.
    """

    message: str
    name: str = ""
    entity_id: str | None = None
    start: int | None = None
    end: int | None = None
    here: WrittenHere | None = None
    there: EstablishedThere | None = None
    facts: tuple[str, ...] = ()
    confidence: float = 1.0
    fixes: tuple[Fix, ...] = ()
    kind: str | None = None
    since: Moment | None = None
    until: Moment | None = None
    severity: Severity | None = None

    def key(self, rule: str, *, with_aspects: bool = True) -> str:
        """What identifies the finding while the text around it moves.

        Earlier waivers do not say which aspect of somebody they are about: they are about all of them.
        """
        written = "" if self.here is None else self.here.quotation
        known = "" if self.there is None else self.there.quotation
        facts = [one for one in self.facts if with_aspects or not one.startswith(ASPECT)]
        return waiver_key(rule, facts, fingerprint(written), fingerprint(known))


@dataclass(frozen=True)
class StoryBook:
    """The book as a whole: the titles of its chapters by number, and how its days are counted."""

    titles: Mapping[int, str] = field(default_factory=dict)
    calendar: Calendar = DAYS

    def place(self, moment: Moment, language: Language) -> str:
        """Return what people call a place of the manuscript."""
        return place_name(moment, self.titles, language)


@dataclass(frozen=True)
class CheckedText:
    """A saved scene or a passage, the names detected in it, and the story as known at that moment."""

    text: str
    language: Language
    view: ModelView
    found: Detected
    people: Mapping[int, Entity]
    reading: TextReading
    established: Established
    chapter: int | None = None
    scene: int | None = None
    scene_id: str | None = None
    world_time: SceneTime | None = None
    book: StoryBook = field(default_factory=StoryBook)

    @property
    def is_saved(self) -> bool:
        """Whether it is a scene of the story rather than a passage that somebody asks about."""
        return self.scene_id is not None

    @property
    def is_for_author(self) -> bool:
        """Whether the findings are for the author; if not, a model gets them and must not learn secrets."""
        return isinstance(self.view, AuthorView)

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return list(sentences(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self._spans]

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the sentence with these characters, without whitespace around it."""
        first, last = self._spans[bisect_right(self._starts, start) - 1]
        last = max(last, end)
        said = self.text[first:last]
        return first + len(said) - len(said.lstrip()), first + len(said.rstrip())

    def written(self, start: int, end: int) -> WrittenHere:
        """Return what is written around these characters."""
        first, last = self.sentence(start, end)
        return WrittenHere(
            chapter=self.chapter,
            scene=self.scene,
            scene_id=self.scene_id,
            start=first,
            end=last,
            mark_start=start,
            mark_end=end,
            quotation=self.text[first:last],
        )

    def discrepancy(
        self,
        message: FindingMessage,
        start: int,
        end: int,
        entity: Entity | None,
        *,
        there: EstablishedThere | None = None,
        confidence: float = 1.0,
        fixes: tuple[Fix, ...] = (),
        facts: tuple[str, ...] = (),
        words: Mapping[str, str] | None = None,
    ) -> Discrepancy:
        """Return what is wrong with the characters from `start` to `end`, which concern an entity."""
        name = "" if entity is None else entity.name
        return Discrepancy(
            message=message[self.language].format(name=name, term=self.text[start:end], **(words or {})),
            name=name,
            entity_id=None if entity is None else entity.id,
            start=start,
            end=end,
            here=self.written(start, end),
            there=there,
            facts=facts or (() if entity is None else (f"entity:{entity.id}",)),
            confidence=confidence,
            fixes=fixes,
        )

    def shown(self, rule: str, found: Discrepancy) -> Finding:
        """Return a discrepancy as the finding of a passage."""
        start, end = found.start or 0, found.end or 0
        return Finding(
            kind=found.kind or rule,
            entity_id=found.entity_id,
            name=found.name,
            term=self.text[start:end],
            start=start,
            end=end,
            quotation=found.here.quotation if found.here else "",
            message=found.message,
            since=found.since,
            until=found.until,
            rule=rule,
            here=found.here,
            there=found.there,
        )

    def places(self, slot: int) -> list[MatchPlace]:
        """Return where an entity is named."""
        return self.found.entities[slot]


def _nothing(_: object) -> Iterator[Discrepancy]:
    return iter(())


@dataclass(frozen=True, slots=True)
class ConsistencyRule:
    """A single check: its id in settings and documentation, and how severe its findings are by default.

    `find` looks at a text; `find_in_facts` at the facts of the story, which no single text states.
    """

    id: str
    severity: Severity
    title: FindingMessage
    find: Callable[[CheckedText], Iterator[Discrepancy]] = _nothing
    find_in_facts: Callable[[StoryFacts], Iterator[Discrepancy]] = _nothing


@dataclass(frozen=True)
class StoryFacts:
    """The facts of a story, for the rules that compare them with one another."""

    language: Language
    view: ModelView
    established: Established
    cast: KnownPeople
    book: StoryBook = field(default_factory=StoryBook)
