"""A desk to write at: a story in a house where somebody stands by and does what saving brings with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fabula.llm.chat import ChatRequest
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.model.job import Job
from fabula.operations.manuscript.after_saving import DELAY_WITH_MODEL_S
from fabula.operations.manuscript.manuscript import ContextSnapshot, list_snapshots
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory
from postgres import place_at
from still_clock import StillClock


class Desk:
    """A story in a house where somebody stands by, whose time and work the test moves on."""

    def __init__(self, memory: Memory, clock: StillClock) -> None:
        self.memory, self.clock = memory, clock
        self.story: StoryMemory = memory.story("塔", language="zh")
        self.crew = memory.call().jobs.crew
        self.crew.stand_by(0)

    def settle(self) -> int:
        self.clock.pass_seconds(DELAY_WITH_MODEL_S)
        return self.crew.run_due()

    def names(self) -> set[str]:
        return {one.entity_name for one in self.story.proposals()}

    def jobs(self) -> list[Job]:
        return list(self.memory.call().jobs.page(self.story.id, 0, 100).items)

    def snapshot(self, chapter: int, scene: int) -> ContextSnapshot:
        (found,) = (
            one
            for one in list_snapshots(self.memory.call(), project_id=self.story.id)
            if (one.chapter_index, one.scene_index) == (chapter, scene)
        )
        return found

    def set(self, **settings: Any) -> None:
        update_story(self.memory.call(), project_id=self.story.id, patch=StoryPatch(settings=settings))


def with_model(path: Path, script: Any) -> tuple[Memory, Desk, ScriptedChatModel]:
    clock, chat = StillClock(), ScriptedChatModel(script)
    memory = Memory(place_at(path / "fabula.db"), clock=clock, chat=chat, model_calls_per_minute=0)
    return memory, Desk(memory, clock), chat


def is_extraction(request: ChatRequest) -> bool:
    return request.json_schema is not None


def found(*names: str) -> str:
    entities = [{"entityName": name, "entityType": "character", "confidence": 0.9} for name in names]
    return json.dumps({"entities": entities, "events": []}, ensure_ascii=False)
