"""The threads of a story as a model may hear of them, and those for a text and a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabula.assembly.sections.threads import ThreadCandidate
from fabula.context.audience import ModelView
from fabula.context.edition_cache import recalled
from fabula.model.audience import OpenText, Withheld
from fabula.model.fact import FactKind, FactRef
from fabula.model.level import AiContextLevel
from fabula.model.manuscript import Scene
from fabula.model.moment import Moment, instant_of
from fabula.model.thread import (
    POINT_ROLES,
    UNSETTLED,
    PointRole,
    Thread,
    ThreadPoint,
    ThreadStanding,
    standing,
)
from fabula.store.reader import Reader

# Of more, only the most pressing are candidates.
MOST_THREADS = 200
_NOTHING = OpenText("")
_Point = tuple[PointRole, ThreadPoint]


class HeardThread(NamedTuple):
    """A thread without what must not be told: the title is empty if nothing of it may be."""

    thread: Thread
    stands: ThreadStanding
    title: OpenText
    people: tuple[OpenText, ...]
    points: tuple[tuple[PointRole, Moment, OpenText], ...]
    is_cut: bool


class _Known(NamedTuple):
    """The threads of a story, and the instants of its scenes."""

    threads: tuple[Thread, ...]
    instants: dict[str, int]


def thread_candidates(
    on: ModelView, now: int, on_stage: frozenset[str], pinned: frozenset[str]
) -> list[ThreadCandidate]:
    """Return the threads that are open when a scene begins, the most pressing first."""
    found = [pair for pair in _standing(on, now - 1, now) if pair[1].status in UNSETTLED][:MOST_THREADS]
    reminders = [_reminders(stands) for _, stands in found]
    scenes = _quoted(on, reminders)
    return [
        _candidate(_heard(on, thread, stands, points, scenes), on_stage, pinned)
        for (thread, stands), points in zip(found, reminders, strict=True)
    ]


def heard_threads(on: ModelView, now: int | None) -> list[HeardThread]:
    """Return all threads when a scene begins, or at the end of the manuscript, the most pressing first.

    Those that no model is told of by itself are left out.
    """
    last = max(_known(on).instants.values(), default=0)
    told, at = (last, last) if now is None else (now - 1, now)
    hidden = (AiContextLevel.NEVER, AiContextLevel.MANUAL_ONLY)
    found = [pair for pair in _standing(on, told, at) if pair[0].ai_context_level not in hidden]
    points = [[(role, one) for role in POINT_ROLES for one in stands.told[role]] for _, stands in found]
    scenes = _quoted(on, points)
    return [
        _heard(on, thread, stands, own, scenes) for (thread, stands), own in zip(found, points, strict=True)
    ]


def _known(on: ModelView) -> _Known:
    def read(reader: Reader, project_id: str) -> _Known:
        threads = reader.threads.all_of(project_id)
        places = reader.threads.scene_places(project_id) if threads else {}
        return _Known(threads, {key: instant_of(*place) for key, place in places.items()})

    return recalled(on.index, "threads", lambda: read(on.reader, on.index.project_id))


def _standing(on: ModelView, told: int, now: int) -> list[tuple[Thread, ThreadStanding]]:
    known = _known(on)
    seen = [thread for thread in known.threads if not _is_unknown(on, thread)]
    found = [(thread, standing(thread, known.instants, told, now)) for thread in seen]
    return sorted(found, key=lambda pair: (*pair[1].urgency, pair[0].id))


def _is_unknown(on: ModelView, thread: Thread) -> bool:
    """Whether the point of view does not know of a private thread."""
    return on.pov is not None and on.pov.hides(FactRef.trusted(kind=FactKind.THREAD, id=thread.id))


def _reminders(stands: ThreadStanding) -> list[_Point]:
    """Return the first plant, and what was told of the thread last."""
    planted: list[_Point] = [("plants", one) for one in stands.told["plants"][:1]]
    later: list[_Point] = [(role, one) for role in ("payoffs", "advances") for one in stands.told[role]]
    return planted + later[-1:]


def _quoted(on: ModelView, points: Iterable[Iterable[_Point]]) -> Mapping[str, Scene]:
    ids = {point.scene_id for own in points for _, point in own}
    return on.reader.manuscript.scenes_of_ids(on.index.project_id, ids) if ids else {}


def _heard(
    on: ModelView,
    thread: Thread,
    stands: ThreadStanding,
    points: Iterable[_Point],
    scenes: Mapping[str, Scene],
) -> HeardThread:
    on.check_time()
    people = _named(on, thread.people)
    # A thread of people who are all hidden is as hidden as they are.
    title = on.label(thread.title) if people or not thread.people else _NOTHING
    if not title:
        return HeardThread(thread, stands, _NOTHING, (), (), True)
    told = [(role, *_told(on, point, scenes[point.scene_id])) for role, point in points]
    is_cut = any(is_cut for *_, is_cut in told)
    return HeardThread(thread, stands, title, people, tuple(one[:3] for one in told), is_cut)


def _candidate(heard: HeardThread, on_stage: frozenset[str], pinned: frozenset[str]) -> ThreadCandidate:
    thread = heard.thread
    return ThreadCandidate(
        id=thread.id,
        title=heard.title,
        kind=thread.kind,
        status=heard.stands.status,
        urgency=heard.stands.urgency,
        people=heard.people,
        told=tuple((at, text) for _, at, text in heard.points),
        on_stage=not thread.people or not on_stage.isdisjoint(thread.people),
        pinned=thread.id in pinned,
        level=thread.ai_context_level,
        withheld=Withheld.of(sentences=heard.is_cut, whole=not heard.title),
    )


def _named(on: ModelView, people: tuple[str, ...]) -> tuple[OpenText, ...]:
    slots = (on.index.roster.slot_of.get(key) for key in people)
    open_slots = [slot for slot in slots if slot is not None and on.may_be_told(slot)]
    entities = on.index.entities(on.reader, open_slots)
    return tuple(names[0] for names in map(on.own_names, entities) if names)


def _told(on: ModelView, point: ThreadPoint, scene: Scene) -> tuple[Moment, OpenText, bool]:
    """Return when words were told, what of them may be told again, and whether that is less."""
    at = Moment(chapter=scene.chapter_index, scene=scene.scene_index)
    span = point.place_in(scene.text)
    if span is None:
        return at, _NOTHING, False
    (text,) = on.redaction.passages(scene.text, [span])
    return at, text, text != point.quotation
