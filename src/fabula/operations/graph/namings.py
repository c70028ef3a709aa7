"""How the manuscript names the nodes of the graph: how often, since which chapter, and at which place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from fabula.call import Call
from fabula.model.moment import place_of
from fabula.model.wire import Value
from fabula.operations.graph.scene_casts import SceneCast, scene_casts
from fabula.store.reader import Reader

_PLACE = "location"


class PictureNamings(Value):
    """Namings in columns like those of the nodes.

    `chapters` has the chapter in which a node is named first. `places` has the node of the place that is
    named in the same scenes, and in few others.
    """

    times: tuple[int, ...]
    chapters: tuple[int | None, ...]
    places: tuple[int | None, ...]


def namings(
    call: Call,
    reader: Reader,
    project_id: str,
    instant: int | None,
    nodes: Sequence[tuple[str, str]],
) -> PictureNamings | None:
    """Count the namings of nodes, given by id and type, in all scenes or those up to an instant, if any."""
    with call.indexes.lease(reader, project_id) as index:
        told = [cast for cast in scene_casts(reader, index) if instant is None or cast.instant <= instant]
        if not told:
            return None
        slots = index.roster.slot_of
        number_of = {slots[key]: number for number, (key, _) in enumerate(nodes) if key in slots}
    is_place = [kind == _PLACE for _, kind in nodes]
    times = [0] * len(nodes)
    chapters: list[int | None] = [None] * len(nodes)
    casts = [_numbered(cast, number_of) for cast in told]
    for cast, named in zip(told, casts, strict=True):
        chapter = place_of(cast.instant)[0]
        for node, count in named.items():
            times[node] += count
            if chapters[node] is None:
                chapters[node] = chapter
    return PictureNamings.trusted(
        times=tuple(times), chapters=tuple(chapters), places=_places(casts, is_place)
    )


def _numbered(cast: SceneCast, number_of: Mapping[int, int]) -> dict[int, int]:
    return {number_of[slot]: count for slot, count in cast.times.items() if slot in number_of}


def _places(casts: Iterable[Mapping[int, int]], is_place: Sequence[bool]) -> tuple[int | None, ...]:
    """Return for each node the place with which it shares many scenes, and most of that place's."""
    scenes: Counter[int] = Counter()
    shared: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for cast in casts:
        here = [node for node in cast if is_place[node]]
        scenes.update(here)
        for node in cast:
            if not is_place[node]:
                shared[node].update(here)

    def closest(node: int) -> int | None:
        own = shared.get(node)
        if not own:
            return None
        return min(own, key=lambda place: (-(own[place] ** 2) / scenes[place], place))

    return tuple(None if is_place[node] else closest(node) for node in range(len(is_place)))
