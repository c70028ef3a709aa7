"""The manuscript: chapters, scenes, and a snapshot of the story at the end of each scene."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field

from fabula.model.wire import Description, Id, Text, Value
from fabula.model.world_time import SceneTime

MAX_SCENE_LENGTH = 2_000_000
MAX_WORD_GOAL = 1_000_000

_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_]+")


class Chapter(Value):
    """A chapter without its scenes."""

    id: str
    project_id: str
    chapter_index: int
    title: str
    version: int
    created_at: str
    updated_at: str


class ScenePlan(Value):
    """What is planned for a scene: whose point of view, notes that no model is told, and a length."""

    pov: Id | None = None
    notes: Description = ""
    word_goal: Annotated[int, Field(ge=1, le=MAX_WORD_GOAL)] | None = None


UNPLANNED = ScenePlan()


class Scene(Value):
    """A scene with its text."""

    id: str
    project_id: str
    chapter_index: int
    scene_index: int
    title: str
    text: str
    word_count: int
    world_time: SceneTime | None
    plan: ScenePlan
    version: int
    created_at: str
    updated_at: str


class SnapshotCharacter(Value):
    """A character who was present in the scene."""

    character_id: Annotated[Text, Field(max_length=128)] | None = None
    name: Annotated[Text, Field(min_length=1, max_length=256)]
    current_state: Annotated[Text, Field(max_length=2000)] = ""
    emotional_state: Annotated[Text, Field(max_length=2000)] = ""


class SnapshotLocation(Value):
    """A location where the scene takes place."""

    location_id: Annotated[Text, Field(max_length=128)] | None = None
    name: Annotated[Text, Field(min_length=1, max_length=256)]
    description: Annotated[Text, Field(max_length=2000)] = ""


SnapshotSource = Literal["author", "model", "extractive"]
AUTHOR: SnapshotSource = "author"


class Snapshot(Value):
    """The state of the story at the end of a scene, and who recorded it."""

    id: str
    project_id: str
    manuscript_id: str | None
    chapter_index: int
    scene_index: int
    active_characters: tuple[SnapshotCharacter, ...]
    active_locations: tuple[SnapshotLocation, ...]
    timeline_position: str
    summary: str
    emotional_tone: str
    word_count: int
    version: int
    created_at: str
    updated_at: str
    source: SnapshotSource


def word_count(text: str) -> int:
    """The length of a text: one per Chinese or Japanese character, one per word of other scripts."""
    return sum(1 for _ in _WORDS.finditer(text))
