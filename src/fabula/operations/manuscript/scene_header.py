"""What stands over a scene's text: its title, point of view, notes and goal."""

from __future__ import annotations

from fabula.canon.scene_plan import ScenePatch, change
from fabula.canon.step import Step, in_step
from fabula.canon.versions import refuse_stale_version
from fabula.model.account import Role
from fabula.operations.manuscript.manuscript import SceneRequest, SceneText, no_scene, shown_scene
from fabula.operations.table import operation


class PatchSceneRequest(SceneRequest):
    """What to change of a scene without touching its text."""

    patch: ScenePatch


@operation("manuscript.scene.patch", role=Role.EDITOR)
@in_step("scene:plan")
def patch_scene(step: Step, request: PatchSceneRequest) -> SceneText:
    """Change a scene's title, point of view, notes or goal, and leave its text as it is."""
    known = step.manuscript.scene(request.project_id, request.chapter, request.scene)
    if known is None:
        raise no_scene(request.chapter, request.scene)
    refuse_stale_version("The scene", known.version, request.patch.expected_version, shown_scene(known))
    return shown_scene(change(step, known, request.patch))
