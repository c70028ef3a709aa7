"""One person in two places at the same time, or farther apart than they can have travelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabula.consistency.established import Said
from fabula.consistency.rule import WAIVE, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.ties import name_of, ties_of
from fabula.model.check import EstablishedThere, Fix, WrittenHere
from fabula.model.manuscript import Scene, Snapshot
from fabula.model.moment import instant_of
from fabula.model.world_time import SceneTime

_SAME_TIME: FindingMessage = {
    "zh": "“{name}”同一时间既在“{here}”，又在“{there}”。",
    "en": "“{name}” is in “{here}” and in “{there}” at the same time.",
}
_TOO_FAR: FindingMessage = {
    "zh": "“{name}”从“{there}”到“{here}”至少要{days}天，这里只隔了{gap}天。",
    "en": "From “{there}” to “{here}” it takes {days} days, but “{name}” has at most {gap}.",
}
# The property of a relation between two places that says how many days the way takes.
TRAVEL = ("travelDays", "travel_days", "行程天数")
# How many earlier stays one is compared with.
_RECENT = 20


class _Stay(NamedTuple):
    """Somebody in a place during a scene, between the latest beginning and the earliest end of it.

    A day without an hour may be any time of that day.
    """

    scene: Scene
    place: str
    time: SceneTime
    said: Said | None

    @property
    def latest_begin(self) -> float:
        return self.time.day + (1.0 if self.time.day == int(self.time.day) else 0.0)

    @property
    def earliest_end(self) -> float:
        return self.time.last_day

    def overlaps(self, other: _Stay) -> bool:
        """Whether both certainly last at some moment."""
        return self.latest_begin <= other.earliest_end and other.latest_begin <= self.earliest_end


def _find(facts: StoryFacts) -> Iterator[Discrepancy]:
    dated = {scene.id: scene for scene in facts.established.scenes if scene.world_time is not None}
    if len(dated) < 2:
        return
    around, ways = _map(facts)
    for who, stays in _stays(facts, dated).items():
        stays.sort(key=lambda one: (one.time.day, one.scene.chapter_index, one.scene.scene_index))
        for number, stay in enumerate(stays):
            for other in stays[max(0, number - _RECENT) : number]:
                if stay.scene.id == other.scene.id or _is_one(around, stay.place, other.place):
                    continue
                if stay.overlaps(other):
                    yield _told(facts, _SAME_TIME, who, stay, other, {})
                    break
                days = _days_between(around, ways, stay.place, other.place)
                gap = stay.latest_begin - other.earliest_end
                if days is not None and gap < days:
                    words = {"days": f"{days:g}", "gap": f"{max(gap, 0.0):g}"}
                    yield _told(facts, _TOO_FAR, who, stay, other, words)
                    break


def _stays(facts: StoryFacts, dated: Mapping[str, Scene]) -> dict[str, list[_Stay]]:
    """Where everybody is in the dated scenes: by their words, and by the snapshots that people wrote."""
    found: dict[str, list[_Stay]] = {}
    known: set[tuple[str, str]] = set()
    for who, topic in list(facts.established.topics("place")):
        own = [said for said in facts.established.before(who, topic, None) if said.scene.id in dated]
        for said in own:
            places = {one.assertion.value for one in own if one.scene.id == said.scene.id}
            # Who is in two places of one scene goes from one to the other.
            if len(places) == 1 and (who, said.scene.id) not in known:
                known.add((who, said.scene.id))
                found.setdefault(who, []).append(_stay(dated[said.scene.id], said.assertion.value, said))
            elif len(places) > 1:
                known.add((who, said.scene.id))
    reader, project_id = facts.view.reader, facts.view.index.project_id
    stages = facts.view.index.knowledge(reader).stages
    by_place = {(one.chapter_index, one.scene_index): one for one in dated.values()}
    for snapshot in reader.manuscript.snapshots(project_id):
        scene = by_place.get((snapshot.chapter_index, snapshot.scene_index))
        place = None if scene is None else _only_place(facts, snapshot)
        if scene is None or place is None:
            continue
        for who in stages.get(instant_of(scene.chapter_index, scene.scene_index), ()):
            if (who, scene.id) not in known:
                found.setdefault(who, []).append(_stay(scene, place, None))
    return found


def _stay(scene: Scene, place: str, said: Said | None) -> _Stay:
    assert scene.world_time is not None
    return _Stay(scene, place, scene.world_time, said)


def _only_place(facts: StoryFacts, snapshot: Snapshot) -> str | None:
    """The one place of a snapshot; one that was only read from the text may be merely spoken of."""
    if snapshot.source == "extractive" or len(snapshot.active_locations) != 1:
        return None
    place = snapshot.active_locations[0]
    if place.location_id in facts.view.index.roster.slot_of:
        return place.location_id
    return facts.cast.places.get(place.name)


def _map(facts: StoryFacts) -> tuple[dict[str, set[str]], dict[frozenset[str], float]]:
    """Which places lie in which, and how many days the ways between places take."""
    inside: dict[str, set[str]] = {}
    ways: dict[frozenset[str], float] = {}
    index, reader = facts.view.index, facts.view.reader
    places = set(facts.cast.places.values())
    between = [tie for tie in ties_of(facts) if tie.source in places and tie.target in places]
    slots = index.graph(reader).slot_of
    for tie, relation in zip(
        between, index.relations(reader, [slots[tie.id] for tie in between]), strict=True
    ):
        if tie.type in ("located_in", "located_at", "belongs_to"):
            inside.setdefault(tie.source, set()).add(tie.target)
        for key in TRAVEL:
            days = relation.properties.get(key)
            if isinstance(days, int | float) and not isinstance(days, bool) and days > 0:
                ways[frozenset((tie.source, tie.target))] = float(days)
    return {place: _around(inside, place) for place in places}, ways


def _around(inside: Mapping[str, set[str]], place: str) -> set[str]:
    found, waiting = {place}, [place]
    while waiting:
        for outer in inside.get(waiting.pop(), ()):
            if outer not in found:
                found.add(outer)
                waiting.append(outer)
    return found


def _is_one(around: Mapping[str, set[str]], one: str, other: str) -> bool:
    """Whether two places are the same, or one lies in the other."""
    return one in around.get(other, {other}) or other in around.get(one, {one})


def _days_between(
    around: Mapping[str, set[str]], ways: Mapping[frozenset[str], float], one: str, other: str
) -> float | None:
    known = [
        ways[frozenset((near, far))]
        for near in around.get(one, {one})
        for far in around.get(other, {other})
        if frozenset((near, far)) in ways
    ]
    return min(known, default=None)


def _told(
    facts: StoryFacts, message: FindingMessage, who: str, one: _Stay, other: _Stay, words: dict[str, str]
) -> Discrepancy:
    # What is written later is `here`.
    order = [instant_of(stay.scene.chapter_index, stay.scene.scene_index) for stay in (one, other)]
    late, early = (one, other) if order[0] > order[1] else (other, one)
    if message is _TOO_FAR:
        late, early = one, other
    name = name_of(facts, who)
    said = {"name": name, "here": name_of(facts, late.place), "there": name_of(facts, early.place), **words}
    return Discrepancy(
        message=message[facts.language].format(**said),
        name=name,
        entity_id=who,
        here=_written(facts, who, late),
        there=_established(facts, who, early),
        facts=(f"entity:{who}", f"entity:{late.place}", f"entity:{early.place}"),
        confidence=0.8,
        fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
    )


def _written(facts: StoryFacts, who: str, stay: _Stay) -> WrittenHere:
    if stay.said is not None:
        return stay.said.here
    return WrittenHere(
        chapter=stay.scene.chapter_index,
        scene=stay.scene.scene_index,
        scene_id=stay.scene.id,
        quotation=f"{name_of(facts, who)}: {name_of(facts, stay.place)}",
    )


def _established(facts: StoryFacts, who: str, stay: _Stay) -> EstablishedThere:
    if stay.said is not None:
        return stay.said.there
    written = _written(facts, who, stay)
    return EstablishedThere(
        kind="scene",
        id=stay.scene.id,
        chapter=written.chapter,
        scene=written.scene,
        quotation=written.quotation,
    )


TWO_PLACES = ConsistencyRule(
    "two-places", "error", {"zh": "一人同时身在两地", "en": "One person, two places"}, find_in_facts=_find
)
