"""Who is present, by the words of the scenes, where the manuscript shows a private fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fabula.matching import Hit, Matcher
from fabula.model.evidence import place_of_quotation
from fabula.model.fact import FactKind, FactRef
from fabula.model.moment import instant_of
from fabula.staging.on_stage import NamedAt
from fabula.staging.stage import Present, presence_of, present_at
from fabula.store.knowing_scans import scan_quotations
from fabula.store.reader import Reader

BYTES_EACH = 200


class Witnessed(NamedTuple):
    """Where a scene shows a fact: who is there to see or hear it, and who is in the scene at other times."""

    scene_id: str
    instant: int
    present: frozenset[str]
    absent: frozenset[str]


class Witnesses:
    """The places of the manuscript that show private facts, and who is there."""

    def __init__(self, places: Mapping[FactRef, Sequence[Witnessed]]) -> None:
        self._places = places
        self._seen_by: dict[str, list[tuple[FactRef, int]]] = {}
        for fact, own in places.items():
            for place in own:
                for somebody in place.present:
                    self._seen_by.setdefault(somebody, []).append((fact, place.instant))

    def places(self, fact: FactRef) -> Sequence[Witnessed]:
        """Where the manuscript shows a fact."""
        return self._places.get(fact, ())

    def shown_to(self, somebody: str) -> Sequence[tuple[FactRef, int]]:
        """The facts that scenes show while somebody is present, with the instants of these scenes."""
        return self._seen_by.get(somebody, ())

    def is_away(self, somebody: str, event_id: str, instant: int) -> bool:
        """Whether the words of a scene show an event only while somebody is not there."""
        fact = FactRef.trusted(kind=FactKind.ENTITY, id=event_id)
        shown = [place for place in self.places(fact) if place.instant == instant]
        return bool(shown) and all(somebody in place.absent for place in shown)


class SceneWitnesses:
    """Keeps who is present at each line of the scenes that show private facts."""

    def __init__(self, project_id: str) -> None:
        self._project_id = project_id
        self._presence: dict[str, tuple[str, list[Present[str]]]] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return BYTES_EACH * sum(len(spans) for _, spans in self._presence.values())

    def forget(self) -> None:
        """Names have changed, and so may have who is present."""
        self._presence.clear()

    def found(self, reader: Reader, facts: Iterable[FactRef], matchers: tuple[Matcher, ...]) -> Witnesses:
        """The places of the manuscript that show these facts."""
        wanted = set(facts)
        by_scene: dict[str, list[tuple[FactRef, dict[str, Any]]]] = {}
        for row in scan_quotations(reader, self._project_id) if wanted else ():
            fact = FactRef.trusted(kind=FactKind(row["fact_kind"]), id=row["fact_id"])
            if fact in wanted:
                by_scene.setdefault(row["scene_id"], []).append((fact, row))
        self._presence = {key: kept for key, kept in self._presence.items() if key in by_scene}
        seen: dict[FactRef, list[Witnessed]] = {}
        for scene_id, rows in by_scene.items():
            scene = reader.manuscript.scene_of_id(self._project_id, scene_id)
            if scene is None:
                continue
            spans = self._spans(scene_id, scene.text, matchers)
            everybody = frozenset().union(*(span.people for span in spans))
            instant = instant_of(scene.chapter_index, scene.scene_index)
            for fact, shown in rows:
                place = place_of_quotation(scene.text, shown["quotation"], shown["occurrence"])
                if place is not None:
                    present = present_at(spans, *place)
                    one = Witnessed(scene_id, instant, present, everybody - present)
                    seen.setdefault(fact, []).append(one)
        return Witnesses(seen)

    def _spans(self, scene_id: str, text: str, matchers: tuple[Matcher, ...]) -> list[Present[str]]:
        kept = self._presence.get(scene_id)
        if kept is None or kept[0] != text:
            kept = self._presence[scene_id] = text, presence_of(text, _namings(text, matchers))
        return kept[1]


def _namings(text: str, matchers: tuple[Matcher, ...]) -> Iterator[NamedAt[str]]:
    """Whom each name of the text names; short forms count where no whole name stands."""
    taken: list[tuple[int, int]] = []
    for matcher in matchers:
        by_span: dict[tuple[int, int], set[str]] = {}
        for hit in matcher.find(text):
            if isinstance(hit.owner, str) and not _is_word(text, hit):
                by_span.setdefault((hit.start, hit.end), set()).add(hit.owner)
        free = [
            (span, owners)
            for span, owners in by_span.items()
            if not any(start < span[1] and span[0] < end for start, end in taken)
        ]
        taken += [span for span, _ in free]
        for (start, end), owners in free:
            for owner in owners:
                yield NamedAt(start, end, owner, 1 / len(owners))


def _is_word(text: str, hit: Hit) -> bool:
    """Whether a capitalised name stands there as a lower-case word."""
    return hit.term[:1].isupper() and text[hit.start : hit.start + 1].islower()
