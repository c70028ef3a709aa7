"""A promise to the reader that is overdue, paid before it was planted, or never planted."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.consistency.rule import WAIVE, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.model.check import EstablishedThere, Fix, WrittenHere
from fabula.model.manuscript import Scene
from fabula.model.moment import Moment, instant_of, last_instant
from fabula.model.thread import Thread, ThreadPoint, ThreadStatus, standing

_OVERDUE: FindingMessage = {
    "zh": "伏笔“{title}”应在{due}之前交代，至今没有下文。",
    "en": "The thread “{title}” was due by {due} and is still open.",
}
_TOO_SOON: FindingMessage = {
    "zh": "伏笔“{title}”先有交代，后才埋下。",
    "en": "The thread “{title}” is paid off before it is planted.",
}
_UNPLANTED: FindingMessage = {
    "zh": "伏笔“{title}”有下文，却从未埋下。",
    "en": "The thread “{title}” goes on, but is never planted.",
}
_FORGOTTEN: FindingMessage = {
    "zh": "伏笔“{title}”应在{due}之前交代，却从未埋下。",
    "en": "The thread “{title}” was due by {due}, but is never planted.",
}


def _find(facts: StoryFacts) -> Iterator[Discrepancy]:
    reader, project_id = facts.view.reader, facts.view.index.project_id
    threads = [one for one in reader.threads.all_of(project_id) if not one.dropped]
    if not threads:
        return
    scenes = {scene.id: scene for scene in facts.established.scenes}
    instants = {key: instant_of(one.chapter_index, one.scene_index) for key, one in scenes.items()}
    last = max(instants.values(), default=-1)
    for thread in threads:
        stands = standing(thread, instants, last, last)
        plants, paid = (_earliest(own, instants) for own in (thread.plants, thread.payoffs))
        later = paid or _earliest(thread.advances, instants)
        if plants is None and later is not None:
            yield _told(facts, _UNPLANTED, thread, scenes, later, None, None)
        elif plants is None and stands.due is not None and last_instant(stands.due) < last:
            yield _told(facts, _FORGOTTEN, thread, scenes, None, None, stands.due)
        elif plants is not None and paid is not None and instants[paid.scene_id] < instants[plants.scene_id]:
            yield _told(facts, _TOO_SOON, thread, scenes, paid, plants, None)
        elif stands.status is ThreadStatus.OVERDUE:
            yield _told(facts, _OVERDUE, thread, scenes, plants, None, stands.due)


def _earliest(points: tuple[ThreadPoint, ...], instants: dict[str, int]) -> ThreadPoint | None:
    told = [one for one in points if one.scene_id in instants]
    return min(told, key=lambda one: instants[one.scene_id], default=None)


def _told(
    facts: StoryFacts,
    message: FindingMessage,
    thread: Thread,
    scenes: dict[str, Scene],
    here: ThreadPoint | None,
    there: ThreadPoint | None,
    due: Moment | None,
) -> Discrepancy:
    when = "" if due is None else facts.book.place(due, facts.language)
    known = EstablishedThere(
        kind="thread",
        id=thread.id,
        chapter=None if due is None else due.chapter,
        scene=None if due is None else due.scene,
        quotation=thread.title,
    )
    if there is not None:
        written = _written(there, scenes)
        known = EstablishedThere(
            kind="scene",
            id=there.scene_id,
            chapter=written.chapter,
            scene=written.scene,
            start=written.start,
            end=written.end,
            quotation=there.quotation,
        )
    return Discrepancy(
        message=message[facts.language].format(title=thread.title, due=when),
        name=thread.title,
        here=WrittenHere(quotation="") if here is None else _written(here, scenes),
        there=known,
        facts=(f"thread:{thread.id}",),
        fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
    )


def _written(point: ThreadPoint, scenes: dict[str, Scene]) -> WrittenHere:
    scene = scenes[point.scene_id]
    start, end = point.place_in(scene.text) or (None, None)
    return WrittenHere(
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        scene_id=scene.id,
        start=start,
        end=end,
        mark_start=start,
        mark_end=end,
        quotation=point.quotation,
    )


THREAD = ConsistencyRule(
    "thread", "warning", {"zh": "伏笔没有照应", "en": "A thread out of order"}, find_in_facts=_find
)
