"""`/stories/{storyId}/chapters` and `/snapshots`: the manuscript, scene summaries, and mentions."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.wire import Value
from fabula.operations.manuscript import manuscript, rearranging, replacing, scene_header
from fabula.operations.manuscript.appearances import list_appearances
from fabula.operations.manuscript.cast import read_cast
from fabula.operations.manuscript.manuscript import ChapterInfo, ContextSnapshot, SceneText
from fabula.operations.manuscript.mentions import find_mentions
from fabula.operations.manuscript.new_names import find_new_names
from fabula.operations.manuscript.timeline import read_timeline

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
        Route("PUT", _SCENE + "/world-time", manuscript.put_scene_time),
        Route("PATCH", _SCENE, scene_header.patch_scene, body="patch"),
        Route("POST", _SCENE + "/move", rearranging.move_scene, body="to"),
        Route("GET", "/timeline", read_timeline, name="story_timeline"),
        Route("GET", "/snapshots", manuscript.list_snapshots, pages=ContextSnapshot),
        Route("POST", "/snapshots", manuscript.put_snapshot, status=201),
        Route("GET", "/entities/{entityId}/appearances", list_appearances, name="appearances"),
        Route("GET", "/cast", read_cast),
        Route("POST", "/mentions", find_mentions, name="mentions"),
        Route("POST", "/new-names", find_new_names),
        Route("POST", "/find-words", replacing.find_words),
        Route("POST", "/replace-words", replacing.replace_words),
    ),
)
