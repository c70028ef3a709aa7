"""Sample stories that come with Fabula, and how one is loaded."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml
from pydantic import BaseModel

from fabula.call import Call
from fabula.memory import Memory
from fabula.model.account import Identity
from fabula.operations.lorebook.bulk import LorebookImport, import_entries
from fabula.operations.manuscript.manuscript import (
    PutChapterRequest,
    PutSceneRequest,
    PutSnapshotRequest,
    put_chapter,
    put_scene,
    put_snapshot,
)
from fabula.operations.stories import CreateStoryRequest, create_story
from fabula.story_memory import StoryMemory

SAMPLES = ("harbor.zh", "harbor.en")


def load_sample(memory: Memory, sample: str) -> StoryMemory:
    """Put a sample story into a memory: its world, its scenes, and a snapshot of each."""
    told = _told(sample)
    story = memory.story(told["title"], language=told["language"])
    _load(memory.call(), story, told)
    return story


def new_sample(memory: Memory, sample: str, identity: Identity) -> str:
    """Begin a story of this caller's own that is a copy of a sample; its id."""
    told = _told(sample)
    guest = _Guest(memory, identity)
    begun = create_story(guest.call(), CreateStoryRequest(title=told["title"], language=told["language"]))
    _load(guest.call(), StoryMemory(guest, begun.id), told)
    return begun.id


class _Guest:
    """The house as one caller sees it."""

    def __init__(self, memory: Memory, identity: Identity) -> None:
        self._memory, self._identity = memory, identity

    def call(self) -> Call:
        return self._memory.call(self._identity)

    def answer(self, channel: str, payload: Any) -> BaseModel:
        return self._memory.answer(channel, payload, identity=self._identity)


def _told(sample: str) -> dict[str, Any]:
    text = files("fabula.samples").joinpath(f"{sample}.yaml").read_text("utf-8")
    told: dict[str, Any] = yaml.safe_load(text)
    return told


def _load(call: Call, story: StoryMemory, told: dict[str, Any]) -> None:
    _load_world(story, told)
    _load_events(story, told)
    _load_lorebook(call, story, told)
    _load_manuscript(call, story, told)


def _load_lorebook(call: Call, story: StoryMemory, told: dict[str, Any]) -> None:
    """An entry for everybody and everything but events, with the rules they have without one."""
    entries = [
        {"entryKey": item["name"], "category": item["type"], "content": item["description"]}
        for item in told["entities"]
        if item["type"] != "event"
    ]
    import_entries(call, story.id, LorebookImport(entries=entries))


def _load_world(story: StoryMemory, told: dict[str, Any]) -> None:
    entities = [{"id": f"{story.id}:{item['ref']}", **_without(item, "ref")} for item in told["entities"]]
    relations = [
        {
            "source_entity_id": f"{story.id}:{item['source']}",
            "target_entity_id": f"{story.id}:{item['target']}",
            "relation_type": item["type"],
            **_without(item, "source", "target", "type"),
        }
        for item in told["relations"]
    ]
    story.batch.upsert(entities=entities, relations=relations)


def _load_events(story: StoryMemory, told: dict[str, Any]) -> None:
    for item in told["events"]:
        said = _without(item, "ref", "location", "roles")
        places = [{"entity_id": f"{story.id}:{item['location']}"}]
        roles = [
            {"entity_id": f"{story.id}:{role['entity']}", "role": role["role"]} for role in item["roles"]
        ]
        story.event.update(
            id=f"{story.id}:{item['ref']}", patch={**said, "locations": places, "roles": roles}
        )


def _load_manuscript(call: Call, story: StoryMemory, told: dict[str, Any]) -> None:
    for number, chapter in enumerate(told["chapters"]):
        put_chapter(call, PutChapterRequest(project_id=story.id, chapter=number, title=chapter["title"]))
        for place, scene in enumerate(chapter["scenes"]):
            put_scene(
                call,
                PutSceneRequest(
                    project_id=story.id, chapter=number, scene=place, text=scene["text"], title=scene["title"]
                ),
            )
    names = {item["ref"]: item["name"] for item in told["entities"]}
    for snapshot in told["snapshots"]:
        said = _without(snapshot, "chapter", "scene", "activeCharacters", "activeLocations")
        put_snapshot(
            call,
            PutSnapshotRequest(
                project_id=story.id,
                **dict(
                    PutSnapshotRequest.model_validate(
                        {
                            "chapterIndex": snapshot["chapter"],
                            "sceneIndex": snapshot["scene"],
                            "activeCharacters": [
                                {"characterId": f"{story.id}:{item['ref']}", "name": names[item["ref"]]}
                                | _without(item, "ref")
                                for item in snapshot["activeCharacters"]
                            ],
                            "activeLocations": [
                                {"locationId": f"{story.id}:{item['ref']}", "name": names[item["ref"]]}
                                | _without(item, "ref")
                                for item in snapshot["activeLocations"]
                            ],
                            **said,
                        }
                    )
                ),
            ),
        )


def _without(item: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key not in names}
