"""The scenes that a story folder tells."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from fabula.formats.folder_read import FolderShapes
from fabula.formats.folder_shapes import SceneFile, usual_id
from fabula.model.manuscript import Scene, word_count

_NOTHING_SAID = SceneFile()


def folder_scenes(
    told: FolderShapes, people: Collection[str], new: dict[str, Any]
) -> Iterator[tuple[str, Scene | str]]:
    """Yield the scenes with the paths of their metadata, or what is wrong with one."""
    for place, text in sorted(told.texts.items()):
        path, shape = told.scenes.get(place, ("", _NOTHING_SAID))
        if shape.plan.pov is not None and shape.plan.pov not in people:
            yield path, f"there is no entity with the id '{shape.plan.pov}' in this folder"
        yield (
            path,
            Scene.trusted(
                id=shape.id or usual_id("scene", *place),
                chapter_index=place[0],
                scene_index=place[1],
                title=shape.title,
                text=text,
                word_count=word_count(text),
                world_time=shape.world_time,
                plan=shape.plan,
                **new,
            ),
        )
