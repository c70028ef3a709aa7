"""The definition of a consistency rule and of its findings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from fabula.assembly.prose import sentences
from fabula.context.audience import AuthorView, ModelView
from fabula.context.detection import Detected
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.relation import Language
from fabula.model.wire import Value

FindingKind = Literal["not_yet", "no_longer", "dead", "secret"]
FindingMessage = Mapping[Language, str]


class Finding(Value):
    """An entity that should not appear in the passage, why, and the sentence that names it."""

    kind: FindingKind
    entity_id: str | None
    name: str
    term: str
    start: int
    end: int
    quotation: str
    message: str
    since: Moment | None = None
    until: Moment | None = None


@dataclass(frozen=True)
class CheckedText:
    """A text to check: the names detected in it, their entities, and the audience of the findings."""

    text: str
    language: Language
    view: ModelView
    found: Detected
    people: Mapping[int, Entity]

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

    def quotation(self, place: MatchPlace) -> str:
        """Return the sentence that contains a match."""
        start, end = self._spans[bisect_right(self._starts, place.start) - 1]
        return self.text[start : max(end, place.end)].strip()

    def finding(
        self,
        kind: FindingKind,
        message: FindingMessage,
        entity_id: str | None,
        name: str,
        place: MatchPlace,
        level: AiContextLevel,
    ) -> Finding:
        """Return a finding for a match in the text."""
        return Finding(
            kind=kind,
            entity_id=entity_id,
            name=name,
            term=place.term,
            start=place.start,
            end=place.end,
            quotation=self.quotation(place),
            message=message[self.language].format(name=name, level=level.value),
        )

    def findings_of(
        self, kind: FindingKind, message: FindingMessage, entity: Entity, places: Iterable[MatchPlace]
    ) -> Iterator[Finding]:
        """Yield a finding for each match that names an entity."""
        for place in places:
            # For an entity yet to appear, a model sees only the term it used, lest an alias reveal the name.
            is_unknown = kind == "not_yet" and not self.is_for_author
            entity_id = None if is_unknown else entity.id
            name = self.text[place.start : place.end] if is_unknown else entity.name
            finding = self.finding(kind, message, entity_id, name, place, entity.ai_context_level)
            # A model may learn when an entity left, but not when one will enter.
            since = entity.since if self.is_for_author else None
            until = entity.until if self.is_for_author or kind == "no_longer" else None
            yield finding.model_copy(update={"since": since, "until": until})


@dataclass(frozen=True, slots=True)
class ConsistencyRule:
    """A single check, with its name in settings and documentation."""

    name: str
    find: Callable[[CheckedText], Iterator[Finding]]
