"""What knowledge is derived from: knowings, private facts, tellings and who is on stage, from the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import orjson

from fabula.index.images import PRIVATE, instants_of
from fabula.model.event import EVENT
from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import HowKnown
from fabula.model.moment import first_instant, instant_of
from fabula.store.event_rows import facts_in
from fabula.store.kinds import ENTITY, ENTRY, KNOWING, RELATION, SNAPSHOT, STATE, THREAD
from fabula.store.kinds import EVENT as EVENT_ROW
from fabula.store.knowing_scans import scan_knowings, scan_private, scan_stages, scan_tellings
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind, moment_of

BYTES_EACH = 400
RowImage = Mapping[str, Any]


class KnownFact(NamedTuple):
    """A stored knowing: who knows which fact, from which instant to which."""

    id: str
    fact: FactRef
    knower: str
    knows: bool
    since: int
    until: int
    how: HowKnown
    belief: str
    event: str | None
    scene: str | None


class PrivateRelation(NamedTuple):
    """The ends of a private relation, and since when it holds."""

    source: str
    target: str
    since: int


class Disclosure(NamedTuple):
    """The facts that an event discloses, and its place among the events of its scene."""

    place: int
    facts: tuple[FactRef, ...]


class KnowingRows:
    """The rows that knowledge is derived from, followed from the log."""

    def __init__(self) -> None:
        self.by_id: dict[str, KnownFact] = {}
        self.of_knower: dict[str, dict[str, KnownFact]] = {}
        self.of_fact: dict[FactRef, dict[str, KnownFact]] = {}
        # Private facts: entities, entries, threads, relations with their ends, states with their entities.
        self.entities: set[str] = set()
        self.entries: set[str] = set()
        self.threads: set[str] = set()
        self.ties: dict[str, PrivateRelation] = {}
        self.ties_of: dict[str, set[str]] = {}
        self.states: dict[str, tuple[str, int]] = {}
        self.states_of: dict[str, set[str]] = {}
        # The scenes of private events.
        self.scene_of_event: dict[str, int] = {}
        self.events_in: dict[int, set[str]] = {}
        self.tellings: dict[str, Disclosure] = {}
        self.told_in: dict[FactRef, set[str]] = {}
        # Who is on stage by scene, as (id, name); the id may be missing.
        self.stages: dict[int, tuple[tuple[str | None, str], ...]] = {}
        self._stage_at: dict[str, int] = {}

    @classmethod
    def read(cls, reader: Reader, project_id: str) -> KnowingRows:
        """Return the rows of a story."""
        rows = cls()
        for image in scan_knowings(reader, project_id):
            rows.put_knowing(image["id"], image)
        for kind, image in scan_private(reader, project_id):
            _FOLLOWED[kind](rows, image["id"], image)
        for image in scan_tellings(reader, project_id):
            rows.put_event(image["id"], image)
        for image in scan_stages(reader, project_id):
            rows.put_stage(image["id"], image)
        return rows

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return BYTES_EACH * (len(self.by_id) + self.private_count + len(self.tellings) + len(self.stages))

    @property
    def kinds(self) -> Iterable[FactKind]:
        """The kinds of facts that may be private."""
        return self._facts.keys()

    @property
    def private_count(self) -> int:
        """How many facts are private."""
        return sum(map(len, self._facts.values()))

    def is_private(self, fact: FactRef) -> bool:
        """Whether only those who are said to know a fact know it."""
        return fact.id in self._facts[fact.kind] if fact.kind in self._facts else False

    def private_facts(self) -> Iterable[FactRef]:
        """All private facts."""
        for kind, ids in self._facts.items():
            for fact_id in ids:
                yield FactRef.trusted(kind=kind, id=fact_id)

    @property
    def _facts(self) -> dict[FactKind, Any]:
        return {
            FactKind.ENTITY: self.entities,
            FactKind.ENTRY: self.entries,
            FactKind.RELATION: self.ties,
            FactKind.STATE: self.states,
            FactKind.THREAD: self.threads,
        }

    def row_changed(self, kind: RowKind, row_id: str, after: RowImage | None) -> bool:
        """Take over a changed row; whether it may matter to what anybody knows."""
        follow = _FOLLOWED.get(kind)
        if follow is not None:
            follow(self, row_id, after)
        return follow is not None

    def put_knowing(self, row_id: str, after: RowImage | None) -> None:
        """Take over a knowing."""
        known = self.by_id.pop(row_id, None)
        if known is not None:
            del self.of_knower[known.knower][row_id]
            del self.of_fact[known.fact][row_id]
        if after is None:
            return
        since, until = instants_of(after)
        one = self.by_id[row_id] = KnownFact(
            row_id,
            FactRef.trusted(kind=FactKind(after["fact_kind"]), id=after["fact_id"]),
            after["knower_id"],
            bool(after["knows"]),
            since,
            until,
            HowKnown(after["how"]),
            after["belief"],
            after["source_event_id"],
            after["source_scene_id"],
        )
        self.of_knower.setdefault(one.knower, {})[row_id] = one
        self.of_fact.setdefault(one.fact, {})[row_id] = one

    def put_entity(self, row_id: str, after: RowImage | None) -> None:
        """Take over an entity, if it is private."""
        self.entities.discard(row_id)
        scene = self.scene_of_event.pop(row_id, None)
        if scene is not None:
            self.events_in[scene].discard(row_id)
        if not _is_private(after):
            return
        self.entities.add(row_id)
        if after is not None and after["type"] == EVENT and after["since_scene"] is not None:
            scene = first_instant(moment_of(after["since_chapter"], after["since_scene"]))
            self.scene_of_event[row_id] = scene
            self.events_in.setdefault(scene, set()).add(row_id)

    def put_entry(self, row_id: str, after: RowImage | None) -> None:
        """Take over a custom entry, if it is private."""
        if _is_private(after):
            self.entries.add(row_id)
        else:
            self.entries.discard(row_id)

    def put_thread(self, row_id: str, after: RowImage | None) -> None:
        """Take over a thread, if it is private."""
        if _is_private(after):
            self.threads.add(row_id)
        else:
            self.threads.discard(row_id)

    def put_relation(self, row_id: str, after: RowImage | None) -> None:
        """Take over a relation, if it is private."""
        known = self.ties.pop(row_id, None)
        if known is not None:
            for end in (known.source, known.target):
                self.ties_of[end].discard(row_id)
        if after is not None and _is_private(after):
            ends = (after["source_entity_id"], after["target_entity_id"])
            self.ties[row_id] = PrivateRelation(*ends, instants_of(after)[0])
            for end in ends:
                self.ties_of.setdefault(end, set()).add(row_id)

    def put_state(self, row_id: str, after: RowImage | None) -> None:
        """Take over a state, if it is private."""
        known = self.states.pop(row_id, None)
        if known is not None:
            self.states_of[known[0]].discard(row_id)
        if after is not None and _is_private(after):
            self.states[row_id] = (after["entity_id"], instants_of(after)[0])
            self.states_of.setdefault(after["entity_id"], set()).add(row_id)

    def put_event(self, row_id: str, after: RowImage | None) -> None:
        """Take over what an event tells."""
        known = self.tellings.pop(row_id, None)
        for fact in known.facts if known is not None else ():
            self.told_in[fact].discard(row_id)
        told = () if after is None else facts_in(after.get("tells_json", "[]"))
        if after is not None and (told or after.get("place", 0)):
            self.tellings[row_id] = Disclosure(after.get("place", 0), told)
            for fact in told:
                self.told_in.setdefault(fact, set()).add(row_id)

    def put_stage(self, row_id: str, after: RowImage | None) -> None:
        """Take over who is on stage in a scene."""
        known = self._stage_at.pop(row_id, None)
        # When scenes change places, another snapshot may stand there already.
        if known is not None and known not in self._stage_at.values():
            self.stages.pop(known, None)
        if after is None:
            return
        scene = instant_of(after["chapter_index"], after["scene_index"])
        cast = orjson.loads(after["active_characters_json"])
        self._stage_at[row_id] = scene
        self.stages[scene] = tuple((one["character_id"], one["name"]) for one in cast)


def _is_private(image: RowImage | None) -> bool:
    return image is not None and image.get("secrecy") == PRIVATE


_FOLLOWED: dict[RowKind, Callable[[KnowingRows, str, RowImage | None], None]] = {
    KNOWING: KnowingRows.put_knowing,
    ENTITY: KnowingRows.put_entity,
    ENTRY: KnowingRows.put_entry,
    RELATION: KnowingRows.put_relation,
    STATE: KnowingRows.put_state,
    THREAD: KnowingRows.put_thread,
    EVENT_ROW: KnowingRows.put_event,
    SNAPSHOT: KnowingRows.put_stage,
}
