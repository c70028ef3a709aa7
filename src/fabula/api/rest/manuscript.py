"""`/stories/{storyId}/chapters` and `/snapshots`: the manuscript, what was so, and who is named where."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from fabula.api.rest.caller import Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, page_of
from fabula.model.moment import MAX_CHAPTER, MAX_SCENE
from fabula.model.wire import Value
from fabula.operations.manuscript import manuscript, rearranging
from fabula.operations.manuscript.appearances import Appearances, ListAppearancesRequest, list_appearances
from fabula.operations.manuscript.manuscript import (
    ChapterInfo,
    ContextSnapshot,
    PutChapterRequest,
    PutSceneRequest,
    PutSnapshotRequest,
    SceneRequest,
    SceneText,
)
from fabula.operations.manuscript.rearranging import (
    ChapterDeleted,
    ChapterTarget,
    DeleteChapterRequest,
    MoveChapterRequest,
    Moved,
    MoveSceneRequest,
    SceneTarget,
)
from fabula.operations.table import StoryRequest

router = APIRouter(prefix="/stories/{storyId}", tags=["manuscript"])

ChapterNumber = Annotated[int, Path(ge=0, le=MAX_CHAPTER)]
SceneNumber = Annotated[int, Path(ge=0, le=MAX_SCENE)]
DryRun = Annotated[bool, Query(alias="dryRun")]


class Chapters(Value):
    """All chapters, in order."""

    chapters: tuple[ChapterInfo, ...]


@router.get("/chapters")
def list_chapters(call: Caller, storyId: str) -> Chapters:
    """List chapters and scenes without their texts."""
    return Chapters(chapters=manuscript.list_chapters(call, StoryRequest(project_id=storyId)))


@router.put("/chapters/{chapter}")
def put_chapter(
    call: Caller, storyId: str, chapter: ChapterNumber, request: PutChapterRequest
) -> ChapterInfo:
    """Give a chapter a title."""
    return manuscript.put_chapter(
        call, PutChapterRequest(project_id=storyId, chapter=chapter, **dict(request))
    )


@router.delete("/chapters/{chapter}")
def delete_chapter(
    call: Caller, storyId: str, chapter: ChapterNumber, dryRun: DryRun = False
) -> ChapterDeleted:
    """Delete a chapter with its scenes and their snapshots; the others keep their numbers."""
    return rearranging.delete_chapter(
        call, DeleteChapterRequest(project_id=storyId, chapter=chapter, dry_run=dryRun)
    )


@router.post("/chapters/{chapter}/move")
def move_chapter(call: Caller, storyId: str, chapter: ChapterNumber, request: ChapterTarget) -> Moved:
    """Move a chapter, and with it whatever is dated with it."""
    return rearranging.move_chapter(call, MoveChapterRequest(project_id=storyId, chapter=chapter, to=request))


@router.get("/chapters/{chapter}/scenes/{scene}")
def read_scene(call: Caller, storyId: str, chapter: ChapterNumber, scene: SceneNumber) -> SceneText:
    """Read a scene."""
    return manuscript.read_scene(call, SceneRequest(project_id=storyId, chapter=chapter, scene=scene))


@router.put("/chapters/{chapter}/scenes/{scene}", responses={201: {"model": SceneText}})
def put_scene(
    call: Caller,
    storyId: str,
    chapter: ChapterNumber,
    scene: SceneNumber,
    request: PutSceneRequest,
    response: Response,
) -> SceneText:
    """Keep a scene's text; 201 if the scene is new."""
    kept, is_new = manuscript.put_scene(
        call, PutSceneRequest(project_id=storyId, chapter=chapter, scene=scene, **dict(request))
    )
    response.status_code = 201 if is_new else 200
    return kept


@router.delete("/chapters/{chapter}/scenes/{scene}", status_code=204)
def delete_scene(call: Caller, storyId: str, chapter: ChapterNumber, scene: SceneNumber) -> Response:
    """Delete a scene and its snapshot; its versions stay in the history."""
    manuscript.delete_scene(call, SceneRequest(project_id=storyId, chapter=chapter, scene=scene))
    return Response(status_code=204)


@router.post("/chapters/{chapter}/scenes/{scene}/move")
def move_scene(
    call: Caller, storyId: str, chapter: ChapterNumber, scene: SceneNumber, request: SceneTarget
) -> Moved:
    """Move a scene, and with it whatever is dated with it."""
    return rearranging.move_scene(
        call, MoveSceneRequest(project_id=storyId, chapter=chapter, scene=scene, to=request)
    )


@router.get("/snapshots")
def list_snapshots(
    call: Caller, storyId: str, page: PageNumber = 0, size: PageSize = 20
) -> RestPage[ContextSnapshot]:
    """List snapshots in the order of the story."""
    return page_of(manuscript.list_snapshots(call, StoryRequest(project_id=storyId)), page, size)


@router.post("/snapshots", status_code=201)
def put_snapshot(call: Caller, storyId: str, request: PutSnapshotRequest) -> ContextSnapshot:
    """Keep what was so at the end of a scene."""
    return manuscript.put_snapshot(call, PutSnapshotRequest(project_id=storyId, **dict(request)))


@router.get("/entities/{entityId}/appearances")
def appearances(call: Caller, storyId: str, entityId: str) -> Appearances:
    """Find the saved scenes that name somebody, and how often each does."""
    return list_appearances(call, ListAppearancesRequest(project_id=storyId, entity_id=entityId))
