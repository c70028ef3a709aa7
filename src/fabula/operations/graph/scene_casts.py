"""Whom each scene names and how often, read once per edition of a story."""

from __future__ import annotations

from typing import NamedTuple

from fabula.context.detection import detect
from fabula.context.edition_cache import recalled
from fabula.index.story_index import StoryIndex
from fabula.model.moment import instant_of
from fabula.store.reader import Reader


class SceneCast(NamedTuple):
    """A scene by its instant, and how often it names each entity, by slot."""

    instant: int
    times: dict[int, int]


def scene_casts(reader: Reader, index: StoryIndex) -> tuple[SceneCast, ...]:
    """Return whom the scenes name, in the order of the telling."""
    return recalled(index, ("scene casts",), lambda: _read(reader, index))


def _read(reader: Reader, index: StoryIndex) -> tuple[SceneCast, ...]:
    return tuple(
        SceneCast(
            instant_of(scene.chapter_index, scene.scene_index),
            {slot: len(places) for slot, places in detect(reader, index, scene.text).entities.items()},
        )
        for scene in reader.manuscript.scenes(index.project_id)
    )
