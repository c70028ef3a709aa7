"""The manuscript: chapters, scenes with their texts, and snapshots."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from fabula.call import Call
from fabula.canon.scene_plan import Heading
from fabula.canon.snapshot import save as save_snapshot
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version, touched
from fabula.canon.world_time import scene_time
from fabula.errors import Conflict, NotFound
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.manuscript import (
    AUTHOR,
    MAX_SCENE_LENGTH,
    UNPLANNED,
    Chapter,
    Scene,
    ScenePlan,
    Snapshot,
    SnapshotCharacter,
    SnapshotLocation,
    SnapshotSource,
    word_count,
)
from fabula.model.moment import Moment
from fabula.model.parsing import parsed
from fabula.model.wire import Description, Id, Text, Value
from fabula.model.world_time import SceneTime, SceneTimeGiven
from fabula.operations.manuscript.after_saving import queue_after_scene
from fabula.operations.table import StoryRequest, operation


class PutSceneRequest(StoryRequest):
    """A scene's text; without a title or a world time the old one stays, and null removes the world time.

    With `expectedId` it is saved only if the scene with that id is at this position or does not exist.
    """

    chapter: ChapterIndex
    scene: SceneIndex

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)]
    title: Heading | None = None
    world_time: SceneTimeGiven | None = None
    expected_version: int | None = None
    expected_id: Id | None = None


class PutChapterRequest(StoryRequest):
    """A chapter's title."""

    chapter: ChapterIndex

    title: Heading


class SceneInfo(Value):
    """A scene without its text and its notes; `opening` is the beginning of its first line."""

    id: str
    scene: int
    title: str
    word_count: int
    world_time: SceneTime | None
    pov: str | None
    word_goal: int | None
    has_notes: bool
    opening: str
    version: int
    updated_at: str


class ChapterInfo(Value):
    """A chapter and its scenes, without their texts."""

    chapter: int
    title: str
    word_count: int
    scenes: tuple[SceneInfo, ...]


class SceneText(Value):
    """A scene as shown."""

    id: str
    story_id: str
    chapter: int
    scene: int
    title: str
    text: str
    word_count: int
    world_time: SceneTime | None
    plan: ScenePlan
    version: int
    created_at: str
    updated_at: str


class ContextSnapshot(Value):
    """A snapshot as shown."""

    id: str
    story_id: str
    manuscript_id: str | None
    chapter_index: int
    scene_index: int
    active_characters: tuple[SnapshotCharacter, ...] = Field(serialization_alias="activeCharactersJson")
    active_locations: tuple[SnapshotLocation, ...] = Field(serialization_alias="activeLocationsJson")
    timeline_position: str
    summary: str
    emotional_tone: str
    word_count: int
    version: int
    created_at: str
    source: SnapshotSource


class PutSnapshotRequest(StoryRequest):
    """The situation at the end of a scene; it replaces an earlier snapshot of that scene."""

    chapter_index: ChapterIndex
    scene_index: SceneIndex
    manuscript_id: Id | None = None
    active_characters: Annotated[tuple[SnapshotCharacter, ...], Field(max_length=1000)] = Field(
        default=(),
        validation_alias=AliasChoices("activeCharactersJson", "activeCharacters", "active_characters"),
    )
    active_locations: Annotated[tuple[SnapshotLocation, ...], Field(max_length=1000)] = Field(
        default=(),
        validation_alias=AliasChoices("activeLocationsJson", "activeLocations", "active_locations"),
    )
    timeline_position: Annotated[Text, Field(max_length=200)] = ""
    summary: Description = ""
    emotional_tone: Annotated[Text, Field(max_length=100)] = ""
    word_count: Annotated[int, Field(ge=0)] | None = None


@operation("manuscript.chapter.list", role=Role.READER)
def list_chapters(call: Call, request: StoryRequest) -> tuple[ChapterInfo, ...]:
    """List all chapters with their scenes, in order, without the texts."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        titles = {c.chapter_index: c.title for c in reader.manuscript.chapters(project_id)}
        headings = reader.manuscript.headings(project_id)
    scenes: dict[int, list[SceneInfo]] = {chapter: [] for chapter in titles}
    for heading in headings:
        scenes.setdefault(heading.chapter_index, []).append(
            SceneInfo(
                id=heading.id,
                scene=heading.scene_index,
                title=heading.title,
                word_count=heading.word_count,
                world_time=heading.world_time,
                pov=heading.pov_id,
                word_goal=heading.word_goal,
                has_notes=heading.has_notes,
                opening=heading.opening,
                version=heading.version,
                updated_at=heading.updated_at,
            )
        )
    return tuple(
        ChapterInfo(
            chapter=chapter,
            title=titles.get(chapter, ""),
            word_count=sum(scene.word_count for scene in scenes[chapter]),
            scenes=tuple(scenes[chapter]),
        )
        for chapter in sorted(scenes)
    )


@operation("manuscript.chapter.put", role=Role.EDITOR)
def put_chapter(call: Call, request: PutChapterRequest) -> ChapterInfo:
    """Set the title of a chapter."""
    project_id, chapter = request.project_id, request.chapter
    _name_chapter(call, project_id, chapter, request.title)
    return next(
        info for info in list_chapters(call, StoryRequest(project_id=project_id)) if info.chapter == chapter
    )


@in_step("chapter:put")
def _name_chapter(step: Step, project_id: str, chapter: int, title: str) -> None:
    known = step.manuscript.chapter(project_id, chapter)
    if known is None:
        step.add([_new_chapter(step, chapter, title)])
    elif known.title != title:
        step.replace([(known, touched(step, known, title=title))])


class SceneRequest(StoryRequest):
    """A scene by its position."""

    chapter: ChapterIndex
    scene: SceneIndex


@operation("manuscript.scene.read", role=Role.READER)
def read_scene(call: Call, request: SceneRequest) -> SceneText:
    """Read a scene."""
    project_id, chapter, scene = request.project_id, request.chapter, request.scene
    with call.store.read() as reader:
        reader.story(project_id)
        found = reader.manuscript.scene(project_id, chapter, scene)
    if found is None:
        raise no_scene(chapter, scene)
    return shown_scene(found)


@operation("manuscript.scene.put", role=Role.EDITOR)
def put_scene(call: Call, request: PutSceneRequest) -> tuple[SceneText, bool]:
    """Save a scene's text; return the scene and whether it is new."""
    project_id, chapter, scene = request.project_id, request.chapter, request.scene
    parsed(Moment, {"chapter": chapter, "scene": scene})
    kept, is_new = _save_scene(call, project_id, chapter, scene, request)
    call.jobs.crew.notice()
    return shown_scene(kept), is_new


@in_step("scene:put")
def _save_scene(
    step: Step, project_id: str, chapter: int, scene: int, request: PutSceneRequest
) -> tuple[Scene, bool]:
    known = step.manuscript.scene(project_id, chapter, scene)
    _refuse_another_scene(step, known, request.expected_id)
    if known is None:
        kept = _new_scene(step, chapter, scene, request)
        step.add([kept])
    else:
        kept = _changed_scene(step, known, request)
    if known is None or kept.text != known.text:
        queue_after_scene(step.call, project_id, chapter, scene, step)
    return kept, known is None


class PutSceneTimeRequest(SceneRequest):
    """When a scene plays in the story's own time; null if that is not said."""

    world_time: SceneTimeGiven | None
    expected_version: int | None = None


@operation("manuscript.scene.time", role=Role.EDITOR)
@in_step("scene:time")
def put_scene_time(step: Step, request: PutSceneTimeRequest) -> SceneText:
    """Set when a scene plays in the story's own time, and leave its text as it is."""
    known = step.manuscript.scene(request.project_id, request.chapter, request.scene)
    if known is None:
        raise no_scene(request.chapter, request.scene)
    refuse_stale_version("The scene", known.version, request.expected_version, shown_scene(known))
    kept = known.model_copy(update={"world_time": _world_time(step, request.world_time)})
    if kept != known:
        kept = touched(step, kept)
        step.replace([(known, kept)])
    return shown_scene(kept)


@operation("manuscript.scene.delete", role=Role.EDITOR)
@in_step("scene:delete")
def delete_scene(step: Step, request: SceneRequest) -> None:
    """Delete a scene and its snapshot; its versions stay in the history."""
    project_id, chapter, scene = request.project_id, request.chapter, request.scene
    known = step.manuscript.scene(project_id, chapter, scene)
    if known is None:
        raise no_scene(chapter, scene)
    snapshot = step.manuscript.snapshot(project_id, chapter, scene)
    step.remove([known])
    step.remove([] if snapshot is None else [snapshot])


@operation("manuscript.snapshot.list", role=Role.READER)
def list_snapshots(call: Call, request: StoryRequest) -> tuple[ContextSnapshot, ...]:
    """List all snapshots in story order."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        return tuple(map(shown_snapshot, reader.manuscript.snapshots(project_id)))


@operation("manuscript.snapshot.put", role=Role.EDITOR)
@in_step("snapshot:put")
def put_snapshot(step: Step, request: PutSnapshotRequest) -> ContextSnapshot:
    """Save the snapshot of a scene."""
    project_id = request.project_id
    place = (request.chapter_index, request.scene_index)
    known = step.manuscript.snapshot(project_id, *place)
    scene = step.manuscript.scene(project_id, *place)
    fields: dict[str, Any] = {**dict(request), "source": AUTHOR}
    del fields["project_id"]
    if request.word_count is None:
        fields["word_count"] = 0 if scene is None else scene.word_count
    return shown_snapshot(save_snapshot(step, known, fields))


def shown_scene(scene: Scene) -> SceneText:
    """Return a scene as shown."""
    return SceneText.trusted(
        id=scene.id,
        story_id=scene.project_id,
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        title=scene.title,
        text=scene.text,
        word_count=scene.word_count,
        world_time=scene.world_time,
        plan=scene.plan,
        version=scene.version,
        created_at=scene.created_at,
        updated_at=scene.updated_at,
    )


def shown_snapshot(snapshot: Snapshot) -> ContextSnapshot:
    """Return a snapshot as shown."""
    fields = {name: value for name, value in snapshot if name not in ("project_id", "updated_at")}
    return ContextSnapshot.trusted(**fields, story_id=snapshot.project_id)


def no_scene(chapter: int, scene: int) -> NotFound:
    """Return the error for a scene that does not exist."""
    return NotFound(
        f"The story has no scene {scene} in chapter {chapter}.",
        details={"chapter": chapter, "scene": scene},
        suggestion="Chapters and scenes count from 0; list the chapters to see what exists.",
    )


def _refuse_another_scene(step: Step, known: Scene | None, expected: str | None) -> None:
    """Refuse a text for a scene that was moved; a deleted one is restored with the text."""
    if expected is None or (known is not None and known.id == expected):
        return
    moved = step.manuscript.scene_of_id(step.project_id, expected)
    if known is None and moved is None:
        return
    place = None if moved is None else {"chapter": moved.chapter_index, "scene": moved.scene_index}
    raise Conflict(
        "Another scene stands here now." if known is not None else "The scene was moved.",
        details={"expectedId": expected, "latestId": known and known.id, "movedTo": place},
        suggestion="List the chapters to see where the scene stands, and save it there.",
    )


def _new_chapter(step: Step, chapter: int, title: str) -> Chapter:
    return Chapter.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        chapter_index=chapter,
        title=title,
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )


def _changed_scene(step: Step, known: Scene, request: PutSceneRequest) -> Scene:
    refuse_stale_version("The scene", known.version, request.expected_version, shown_scene(known))
    title = known.title if request.title is None else request.title
    changes: dict[str, Any] = {"text": request.text, "title": title, "word_count": word_count(request.text)}
    if "world_time" in request.model_fields_set:
        changes["world_time"] = _world_time(step, request.world_time)
    kept = known.model_copy(update=changes)
    if kept != known:
        kept = touched(step, kept)
        step.replace([(known, kept)])
    return kept


def _world_time(step: Step, given: SceneTimeGiven | None) -> SceneTime | None:
    return None if given is None else scene_time(step, step.project_id, given, "worldTime")


def _new_scene(step: Step, chapter: int, scene: int, request: PutSceneRequest) -> Scene:
    return Scene.trusted(
        id=request.expected_id or step.new_id(),
        project_id=step.project_id,
        chapter_index=chapter,
        scene_index=scene,
        title=request.title or "",
        text=request.text,
        word_count=word_count(request.text),
        world_time=_world_time(step, request.world_time),
        plan=UNPLANNED,
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )
