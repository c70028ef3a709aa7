"""Moving scenes and chapters, and deleting chapters, each in one step.

Whatever is dated by a scene moves with it: an author who moves the scene of a reveal does not want the
secret to come out where the scene was before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar

from pydantic import Field

from fabula.call import Call
from fabula.canon.step import Step, write
from fabula.canon.undo import refuse_broken_relations
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.entity import Entity, EntityName
from fabula.model.job import UNFINISHED
from fabula.model.manuscript import Chapter, Scene, Snapshot
from fabula.model.moment import MAX_SCENE, Moment
from fabula.model.proposal import Proposal
from fabula.model.relation import Period
from fabula.model.renumbering import (
    ChapterMove,
    Renumbering,
    SceneMove,
    ScenePlace,
    renumbered,
    without_collision,
)
from fabula.model.reveal import Reveal
from fabula.model.thread import Thread
from fabula.model.wire import Value
from fabula.operations.manuscript.after_saving import EXTRACTION, SNAPSHOT, place_of, queue_after_scene
from fabula.operations.manuscript.manuscript import no_scene, shown_scene
from fabula.operations.table import StoryRequest, operation
from fabula.store.job_writer import JobWriter
from fabula.store.kinds import KIND_OF
from fabula.store.reader import Reader

SHOWN = 50
# No story has more jobs about its scenes waiting than this.
MANY_JOBS = 100_000

ValueT = TypeVar("ValueT", bound=Value)
ManuscriptRow = Chapter | Scene | Snapshot


class SceneTarget(Value):
    """The new position of a scene; with `dryRun` nothing is moved."""

    chapter: ChapterIndex
    scene: SceneIndex
    expected_version: int | None = None
    dry_run: bool = False


class ChapterTarget(Value):
    """The new number of a chapter; with `dryRun` nothing is moved."""

    chapter: ChapterIndex
    dry_run: bool = False


class KeptFact(Value):
    """Something that keeps its period, or that of one of its names, which would end before it begins."""

    kind: str
    id: str


class MoveResponse(Value):
    """What a move did, or with `dryRun` would do.

    `sceneCount` scenes change their position, `factCount` facts are redated, and `keptCount` keep their
    period because they would end before they begin; `kept` names the first of them.
    """

    chapter: int
    scene: int | None
    scene_count: int
    fact_count: int
    proposal_count: int
    kept: Annotated[tuple[KeptFact, ...], Field(max_length=SHOWN)]
    kept_count: int
    dry_run: bool


class DeleteChapterResponse(Value):
    """What was deleted with a chapter, or with `dryRun` would be; facts dated in it stay as they are."""

    chapter: int
    scene_count: int
    word_count: int
    snapshot_count: int
    fact_count: int
    dry_run: bool


class _Plan(NamedTuple):
    """The changes of a move: rows before and after."""

    standing: Mapping[type[ManuscriptRow], Mapping[ScenePlace, ManuscriptRow]]
    facts: Sequence[tuple[Any, Any]]
    proposals: Sequence[tuple[Proposal, Proposal]]
    kept: Sequence[KeptFact]
    moves: Mapping[ScenePlace, ScenePlace]


class MoveSceneRequest(StoryRequest):
    """A scene, and its new position."""

    chapter: ChapterIndex
    scene: SceneIndex
    to: SceneTarget


@operation("manuscript.scene.move", role=Role.EDITOR)
def move_scene(call: Call, request: MoveSceneRequest) -> MoveResponse:
    """Move a scene together with everything dated by it."""
    project_id, chapter, scene, to = request.project_id, request.chapter, request.scene, request.to
    move = SceneMove((chapter, scene), (to.chapter, to.scene))
    if to.dry_run:
        with call.store.read() as reader:
            _existing_scene(reader, project_id, chapter, scene, to.expected_version)
            return _moved(move.target, _planned(reader, project_id, move), dry_run=True)

    def work(step: Step) -> _Plan:
        _existing_scene(step, project_id, chapter, scene, to.expected_version)
        return _carried_out(step, move)

    plan = write(call, project_id, "scene:move", work)
    call.jobs.crew.notice()
    return _moved(move.target, plan, dry_run=False)


class MoveChapterRequest(StoryRequest):
    """A chapter, and its new number."""

    chapter: ChapterIndex
    to: ChapterTarget


@operation("manuscript.chapter.move", role=Role.EDITOR)
def move_chapter(call: Call, request: MoveChapterRequest) -> MoveResponse:
    """Move a chapter with its scenes, together with everything dated by them."""
    project_id, chapter, to = request.project_id, request.chapter, request.to
    move = ChapterMove(chapter, to.chapter)
    if to.dry_run:
        with call.store.read() as reader:
            _refuse_no_chapter(reader, project_id, chapter)
            return _moved((move.target, None), _planned(reader, project_id, move), dry_run=True)

    def work(step: Step) -> _Plan:
        _refuse_no_chapter(step, project_id, chapter)
        return _carried_out(step, move)

    plan = write(call, project_id, "chapter:move", work)
    call.jobs.crew.notice()
    return _moved((move.target, None), plan, dry_run=False)


class DeleteChapterRequest(StoryRequest):
    """A chapter to delete; with `dryRun` it stays."""

    chapter: ChapterIndex
    dry_run: bool = False


@operation("manuscript.chapter.delete", role=Role.EDITOR)
def delete_chapter(call: Call, request: DeleteChapterRequest) -> DeleteChapterResponse:
    """Delete a chapter with its scenes and their snapshots; the other chapters keep their numbers."""
    project_id, chapter, dry_run = request.project_id, request.chapter, request.dry_run
    if dry_run:
        with call.store.read() as reader:
            return _doomed(reader, project_id, chapter, dry_run=True)[1]

    def work(step: Step) -> DeleteChapterResponse:
        values, told = _doomed(step, project_id, chapter, dry_run=False)
        for rows in values:
            step.remove(rows)
        return told

    return write(call, project_id, "chapter:delete", work)


def _doomed(
    reader: Reader, project_id: str, chapter: int, *, dry_run: bool
) -> tuple[tuple[list[Value], ...], DeleteChapterResponse]:
    _refuse_no_chapter(reader, project_id, chapter)
    found = reader.dated.places(project_id, chapter, chapter)
    scenes, snapshots = found["scene"], found["snapshot"]
    facts = reader.dated.facts(project_id, chapter, chapter)
    told = DeleteChapterResponse(
        chapter=chapter,
        scene_count=len(scenes),
        word_count=sum(scene.word_count for scene in scenes if isinstance(scene, Scene)),
        snapshot_count=len(snapshots),
        fact_count=sum(map(len, facts.values())),
        dry_run=dry_run,
    )
    return (scenes, snapshots, found["chapter"]), told


def _planned(reader: Reader, project_id: str, move: Renumbering) -> _Plan:
    places = reader.dated.places(project_id, *move.span)
    standing = {kind: _by_place(places[KIND_OF[kind].name]) for kind in (Chapter, Scene, Snapshot)}
    facts: list[tuple[Any, Any]] = []
    kept = []
    for kind, values in reader.dated.facts(project_id, *move.span).items():
        for fact in values:
            dated = _dated_anew(fact, move)
            if dated is None or _keeps_a_name(fact, move):
                kept.append(KeptFact(kind=kind, id=fact.id))  # type: ignore[attr-defined]
            if dated is not None and dated != fact:
                facts.append((fact, dated))
    facts += _threads_anew(reader, project_id, move)
    proposals = [
        (known, placed)
        for known in places["proposal"]
        if isinstance(known, Proposal) and (placed := _placed_anew(known, move)) != known
    ]
    moves = {place: move.scene(*place) for place in standing[Scene]}
    plan = _Plan(standing, facts, proposals, kept, {old: new for old, new in moves.items() if old != new})
    _refuse_no_room(plan)
    return plan


def _carried_out(step: Step, move: Renumbering) -> _Plan:
    plan = _planned(step, step.project_id, move)
    for kind, values in plan.standing.items():
        step.replace(_one_by_one(step, kind, values, move))
    for pairs in _by_kind(plan.facts):
        step.replace([(before, _next(step, after)) for before, after in pairs])
    step.replace([(before, _next(step, after)) for before, after in plan.proposals])
    _refuse_doubles(step)
    JobWriter(step.connection).move_readings(step.project_id, plan.moves)
    _ask_again(step, plan.moves)
    return plan


def _one_by_one(
    step: Step, kind: type[ManuscriptRow], values: Mapping[ScenePlace, ManuscriptRow], move: Renumbering
) -> list[tuple[Value, Value]]:
    """Return the moves of the rows of a kind, in an order in which each target is free."""
    target = {
        place: (move.chapter(place[0]), 0) if kind is Chapter else move.scene(*place) for place in values
    }
    where: dict[ScenePlace, ManuscriptRow] = dict(values)
    # Newer than any version read at either position, so that nobody overwrites the wrong scene.
    newest = max((value.version for place, value in values.items() if target[place] != place), default=0)
    pairs: list[tuple[Value, Value]] = []
    for old, new in without_collision(target):
        before = where.pop(old)
        at = {"chapter_index": new[0]} | ({} if kind is Chapter else {"scene_index": new[1]})
        after = before.model_copy(update={**at, "version": newest + 1, "updated_at": step.now})
        pairs.append((before, after))
        where[new] = after
    return pairs


def _ask_again(step: Step, moves: Mapping[ScenePlace, ScenePlace]) -> None:
    """Queue the pending jobs about moved scenes again, under their new positions."""
    waiting = step.jobs.page(step.project_id, UNFINISHED, MANY_JOBS, 0).items
    places = {place_of(job.subject) for job in waiting if job.kind in (EXTRACTION, SNAPSHOT)}
    for place in sorted(places & moves.keys()):
        queue_after_scene(step.call, step.project_id, *moves[place], step)


def _dated_anew(fact: Value, move: Renumbering) -> Value | None:
    """Return the fact with its moments renumbered; None if it would end before it begins."""
    if isinstance(fact, Reveal):
        return fact.model_copy(update={"at": renumbered(fact.at, move)})
    since: Moment | None = renumbered(fact.since, move)  # type: ignore[attr-defined]
    until: Moment | None = renumbered(fact.until, move)  # type: ignore[attr-defined]
    if not Period.is_forward(since, until):
        return None
    moved: dict[str, Any] = {"since": since, "until": until}
    if (told := getattr(fact, "told", None)) is not None:
        moved["told"] = renumbered(told, move)
    if isinstance(fact, Entity):
        moved["names"] = tuple(_name_anew(one, move) for one in fact.names)
    return fact.model_copy(update=moved)


def _name_anew(name: EntityName, move: Renumbering) -> EntityName:
    """Return a name with its moments renumbered; as it was if it would end before it begins."""
    moved = {"since": renumbered(name.since, move), "until": renumbered(name.until, move)}
    return name.model_copy(update=moved) if _stays_forward(name, move) else name


def _keeps_a_name(fact: Value, move: Renumbering) -> bool:
    """Whether a name of an entity keeps its period, because it would end before it begins."""
    return isinstance(fact, Entity) and not all(_stays_forward(one, move) for one in fact.names)


def _stays_forward(period: Period, move: Renumbering) -> bool:
    return Period.is_forward(renumbered(period.since, move), renumbered(period.until, move))


def _threads_anew(reader: Reader, project_id: str, move: Renumbering) -> list[tuple[Thread, Thread]]:
    """Return the threads that are due at other moments after a move; what is quoted moves with its scene."""
    return [
        (thread, thread.model_copy(update={"due": due}))
        for thread in reader.threads.all_of(project_id)
        if (due := renumbered(thread.due, move)) != thread.due
    ]


def _placed_anew(proposal: Proposal, move: Renumbering) -> Proposal:
    moment = renumbered(proposal.moment, move)
    if moment is None:
        return proposal
    return proposal.model_copy(update={"chapter": moment.chapter, "scene": moment.scene})


def _next(step: Step, value: ValueT) -> ValueT:
    """Return the value with the next version, if it has versions."""
    return touched(step, value) if "version" in type(value).model_fields else value


def _by_place(values: Iterable[Value]) -> dict[ScenePlace, Any]:
    return {
        (value.chapter_index, getattr(value, "scene_index", 0)): value  # type: ignore[attr-defined]
        for value in values
    }


def _by_kind(pairs: Iterable[tuple[Value, Value]]) -> list[list[tuple[Value, Value]]]:
    found: dict[type[Value], list[tuple[Value, Value]]] = {}
    for pair in pairs:
        found.setdefault(type(pair[0]), []).append(pair)
    return list(found.values())


def _moved(place: tuple[int, int | None], plan: _Plan, *, dry_run: bool) -> MoveResponse:
    return MoveResponse(
        chapter=place[0],
        scene=place[1],
        scene_count=len(plan.moves),
        fact_count=len(plan.facts),
        proposal_count=len(plan.proposals),
        kept=tuple(plan.kept[:SHOWN]),
        kept_count=len(plan.kept),
        dry_run=dry_run,
    )


def _existing_scene(
    reader: Reader, project_id: str, chapter: int, scene: int, expected_version: int | None
) -> None:
    reader.story(project_id)
    known = reader.manuscript.scene(project_id, chapter, scene)
    if known is None:
        raise no_scene(chapter, scene)
    refuse_stale_version("The scene", known.version, expected_version, shown_scene(known))


def _refuse_no_chapter(reader: Reader, project_id: str, chapter: int) -> None:
    reader.story(project_id)
    found = reader.dated.places(project_id, chapter, chapter)
    if not found["chapter"] and not found["scene"]:
        raise NotFound(
            f"The story has no chapter {chapter}.",
            details={"chapter": chapter},
            suggestion="Chapters count from 0; list the chapters to see what exists.",
        )


def _refuse_no_room(plan: _Plan) -> None:
    dated = [moment for _, fact in plan.facts for moment in _moments(fact) if moment is not None]
    scenes = [*(place[1] for place in plan.moves.values()), *(moment.scene or 0 for moment in dated)]
    if max(scenes, default=0) > MAX_SCENE:
        raise InvalidInput(
            f"The chapter is full: the last number of a scene is {MAX_SCENE}.",
            details={"field": "scene"},
            suggestion="Move the scene behind the others, or to another chapter.",
        )


def _moments(fact: Any) -> tuple[Moment | None, ...]:
    names = fact.names if isinstance(fact, Entity) else ()
    own = (getattr(fact, name, None) for name in ("since", "until", "told", "due", "at"))
    return *own, *(moment for one in names for moment in (one.since, one.until))


def _refuse_doubles(step: Step) -> None:
    try:
        refuse_broken_relations(step, step.done)
    except Conflict as refused:
        raise Conflict(
            "This cannot be moved: two relations that differ in nothing but their beginning would be one.",
            details=refused.details,
            suggestion="Give one of the two another beginning first.",
        ) from refused
