"""What is planned for a scene: its point of view, notes, and its length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from fabula.canon.step import Step
from fabula.canon.versions import touched
from fabula.errors import NotFound
from fabula.model.manuscript import Scene, ScenePlan
from fabula.model.wire import Text

Heading = Annotated[Text, Field(max_length=256)]


class ScenePatch(ScenePlan):
    """The fields of a scene to change, without its text; null removes a point of view or a goal."""

    title: Heading | None = None
    expected_version: int | None = None

    def given(self) -> dict[str, Any]:
        """Return what is planned anew."""
        return {name: getattr(self, name) for name in ScenePlan.model_fields if name in self.model_fields_set}


def change(step: Step, scene: Scene, patch: ScenePatch) -> Scene:
    """Apply a patch to a scene; the text stays as it is."""
    given = patch.given()
    pov = given.get("pov")
    if pov is not None and step.entity(step.project_id, pov) is None:
        raise NotFound(f"There is no entity '{pov}' in this story.", details={"field": "pov", "id": pov})
    title = scene.title if patch.title is None else patch.title
    return _kept(step, scene, scene.model_copy(update={"title": title, "plan": _planned(scene, **given)}))


def redirect_points_of_view(step: Step, heirs: Mapping[str, str]) -> None:
    """Let scenes be told by the entities that take the place of others."""
    for scene in step.manuscript.scenes_of_povs(step.project_id, heirs):
        pov = heirs[scene.plan.pov or ""]
        _kept(step, scene, scene.model_copy(update={"plan": _planned(scene, pov=pov)}))


def _planned(scene: Scene, **changes: Any) -> ScenePlan:
    return scene.plan.model_copy(update=changes)


def _kept(step: Step, before: Scene, after: Scene) -> Scene:
    if after == before:
        return before
    after = touched(step, after)
    step.replace([(before, after)])
    return after
