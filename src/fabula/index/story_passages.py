"""The scenes of a story and their passages, indexed when a query first needs them."""

from __future__ import annotations

from typing import Any

import numpy as np

from fabula.index.passages import PassageIndex
from fabula.model.moment import instant_of
from fabula.model.story_settings import folds_traditional
from fabula.store.reader import Reader
from fabula.store.scans import scan_scenes


class StoryPassages:
    """The passage index of a story, and where each scene stands."""

    def __init__(self, project_id: str) -> None:
        self._project_id = project_id
        self._index: PassageIndex | None = None
        self._scenes: dict[str, int] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return 0 if self._index is None else self._index.weight

    @property
    def is_built(self) -> bool:
        """Whether the index is built."""
        return self._index is not None

    def index(self, reader: Reader) -> PassageIndex:
        """The index of the scenes' passages."""
        if self._index is None:
            simplify = folds_traditional(reader.story(self._project_id).settings)
            self._index, self._scenes = PassageIndex(simplify=simplify), {}
            for scene_id, chapter, scene, title, text in scan_scenes(reader, self._project_id):
                self._scenes[scene_id] = instant_of(chapter, scene)
                self._index.put(self._scenes[scene_id], text, title)
        return self._index

    def owners(self, reader: Reader) -> list[tuple[str, int]]:
        """The scene id of each passage and its number within the scene, in manuscript order."""
        order = self.index(reader).in_order()
        scene_at = {instant: scene_id for scene_id, instant in self._scenes.items()}
        instants, counts = np.unique(order.instants, return_counts=True)
        each = zip(instants.tolist(), counts.tolist(), strict=True)
        return [(scene_at[instant], part) for instant, count in each for part in range(count)]

    def scene_instants(self, reader: Reader) -> list[int]:
        """The instants of all scenes, in order."""
        self.index(reader)
        return sorted(self._scenes.values())

    def forget(self) -> None:
        """Read the manuscript anew when it is next needed."""
        self._index = None

    def scene_changed(self, scene_id: str, after: dict[str, Any] | None) -> None:
        """Take over the new text of a scene, or that it is gone."""
        if self._index is None:
            return
        known = self._scenes.pop(scene_id, None)
        if known is not None:
            self._index.drop(known)
        if after is not None:
            self._scenes[scene_id] = instant_of(after["chapter_index"], after["scene_index"])
            self._index.put(self._scenes[scene_id], after["text"], after["title"])
