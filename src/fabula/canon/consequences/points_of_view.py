"""A scene loses its point of view with the entity that had it."""

from __future__ import annotations

from fabula.canon.consequences.made import Made
from fabula.canon.versions import touched
from fabula.store.writer import Writer


def forget_points_of_view(writer: Writer, made: Made) -> None:
    """Remove the points of view of entities that are gone."""
    project_id = writer.project_id
    gone = {key for key, turn in made.entities.items() if turn.after is None}
    found = list(writer.manuscript.scenes_of_povs(project_id, gone)) if gone else []
    if writer.is_reverting and made.turns("scene"):
        # A scene that is brought back may be told by somebody who has gone since.
        back = writer.manuscript.scenes_of_ids(project_id, made.turns("scene")).values()
        told = {scene.plan.pov for scene in back if scene.plan.pov is not None}
        there = writer.entities(project_id, told)
        known = {scene.id for scene in found}
        found += [
            one
            for one in back
            if one.plan.pov is not None and one.plan.pov not in there and one.id not in known
        ]
    for scene in found:
        plan = scene.plan.model_copy(update={"pov": None})
        writer.replace([(scene, touched(writer, scene, plan=plan))])
