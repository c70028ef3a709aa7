"""Steps of a random story with scenes, threads, and findings that are intended."""

from __future__ import annotations

from typing import Any

from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import read_scene
from fabula.story_memory import StoryMemory


class ContinuitySteps:
    """Takes these steps in a story."""

    memory: Memory
    story: StoryMemory

    def _who(self, number: int) -> Any:
        raise NotImplementedError

    def _thread(self, who: int, chapter: int, scene: int, length: int, **fields: Any) -> None:
        told = read_scene(self.memory.call(), project_id=self.story.id, chapter=chapter, scene=scene)
        plant = {
            "scene_id": told.id,
            "quotation": told.text[-length:],
            "start": max(0, len(told.text) - length),
        }
        self.story.thread.create(people=[self._who(who).id], plants=[plant], **fields)

    def _mark(self, number: int, role: str, chapter: int, scene: int) -> None:
        told = read_scene(self.memory.call(), project_id=self.story.id, chapter=chapter, scene=scene)
        self.story.thread.mark(
            id=self._thread_at(number), role=role, scene_id=told.id, quotation=told.text[:2], partial=True
        )

    def _unthread(self, number: int) -> None:
        self.story.thread.delete(id=self._thread_at(number))

    def _thread_at(self, number: int) -> str:
        known = sorted(one.id for one in self.story.thread.list().items)
        return known[number % len(known)] if known else "nothing"

    def _waive(self, reason: str, number: int) -> None:
        found = self.story.checks.newest().findings
        if found:
            self.story.waiver.create(finding_id=found[number % len(found)].id, reason=reason)

    def _scene(self, **fields: Any) -> None:
        self.story.scene(**fields)

    def _plan(self, chapter: int, scene: int, who: int, **patch: Any) -> None:
        self.story.plan_scene(chapter, scene, pov=self._who(who).id, **patch)
