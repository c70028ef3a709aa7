"""`/stories/{storyId}/chapters` and `/snapshots`: the manuscript, scene summaries, and mentions."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.wire import Value
from fabula.operations.manuscript import manuscript, rearranging
from fabula.operations.manuscript.appearances import list_appearances
from fabula.operations.manuscript.manuscript import ChapterInfo, ContextSnapshot, SceneText
from fabula.operations.manuscript.mentions import find_mentions

_SCENE = "/chapters/{chapter}/scenes/{scene}"


class Chapters(Value):
    """The chapters, in order."""

    chapters: tuple[ChapterInfo, ...]


router = routes(
    "/stories/{storyId}",
    "manuscript",
    (
        Route(
            "GET",
            "/chapters",
            manuscript.list_chapters,
            answers=Chapters,
            gives=lambda found: Chapters(chapters=found),
        ),
        Route("PUT", "/chapters/{chapter}", manuscript.put_chapter),
        Route("DELETE", "/chapters/{chapter}", rearranging.delete_chapter),
        Route("POST", "/chapters/{chapter}/move", rearranging.move_chapter, body="to"),
        Route("GET", _SCENE, manuscript.read_scene),
        Route(
            "PUT",
            _SCENE,
            manuscript.put_scene,
            answers=SceneText,
            gives=lambda kept: kept[0],
            status_of=lambda kept: 201 if kept[1] else 200,
            described={"responses": {201: {"model": SceneText}}},
        ),
        Route("DELETE", _SCENE, manuscript.delete_scene),
        Route("POST", _SCENE + "/move", rearranging.move_scene, body="to"),
        Route("GET", "/snapshots", manuscript.list_snapshots, pages=ContextSnapshot),
        Route("POST", "/snapshots", manuscript.put_snapshot, status=201),
        Route("GET", "/entities/{entityId}/appearances", list_appearances, name="appearances"),
        Route("POST", "/mentions", find_mentions, name="mentions"),
    ),
)
