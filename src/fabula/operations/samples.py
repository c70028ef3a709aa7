"""Sample stories, copied for anyone who wants to explore."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

import yaml

from fabula.call import Call
from fabula.model.story import Story
from fabula.model.wire import Value
from fabula.operations.events.events import update_event
from fabula.operations.graph.batches import upsert_batch
from fabula.operations.lorebook.bulk import ImportEntriesRequest, import_entries
from fabula.operations.manuscript.manuscript import (
    PutChapterRequest,
    PutSceneRequest,
    PutSnapshotRequest,
    put_chapter,
    put_scene,
    put_snapshot,
)
from fabula.operations.stories import CreateStoryRequest, create_story, read_story
from fabula.operations.table import StoryRequest, operation

Sample = Literal["harbor.zh", "harbor.en"]


class CreateSampleRequest(Value):
    """The sample to copy."""

    sample: Sample


@operation("sample.create", role=None)
def create_sample(call: Call, request: CreateSampleRequest) -> Story:
    """Create a story as a copy of a sample."""
    told = told_of(request.sample)
    begun = create_story(call, CreateStoryRequest(title=told["title"], language=told["language"]))
    fill(call, begun.id, told)
    return read_story(call, StoryRequest(project_id=begun.id))


def told_of(sample: str) -> dict[str, Any]:
    """Return the content of a sample."""
    text = files("fabula.samples").joinpath(f"{sample}.yaml").read_text("utf-8")
    told: dict[str, Any] = yaml.safe_load(text)
    return told


def fill(call: Call, story_id: str, told: dict[str, Any]) -> None:
    """Load a sample's content into a story: its world, its scenes, and a snapshot of each."""
    _load_world(call, story_id, told)
    _load_events(call, story_id, told)
    _load_lorebook(call, story_id, told)
    _load_manuscript(call, story_id, told)


def _load_lorebook(call: Call, story_id: str, told: dict[str, Any]) -> None:
    """Create an entry with default rules for every entity except events."""
    entries = [
        {"entryKey": item["name"], "category": item["type"], "content": item["description"]}
        for item in told["entities"]
        if item["type"] != "event"
    ]
    import_entries(call, ImportEntriesRequest(project_id=story_id, entries=entries))


def _load_world(call: Call, story_id: str, told: dict[str, Any]) -> None:
    entities = [{"id": f"{story_id}:{item['ref']}", **_without(item, "ref")} for item in told["entities"]]
    relations = [
        {
            "source_entity_id": f"{story_id}:{item['source']}",
            "target_entity_id": f"{story_id}:{item['target']}",
            "relation_type": item["type"],
            **_without(item, "source", "target", "type"),
        }
        for item in told["relations"]
    ]
    upsert_batch(call, project_id=story_id, entities=entities, relations=relations)


def _load_events(call: Call, story_id: str, told: dict[str, Any]) -> None:
    for item in told["events"]:
        said = _without(item, "ref", "location", "roles")
        places = [{"entity_id": f"{story_id}:{item['location']}"}]
        roles = [
            {"entity_id": f"{story_id}:{role['entity']}", "role": role["role"]} for role in item["roles"]
        ]
        update_event(
            call,
            project_id=story_id,
            id=f"{story_id}:{item['ref']}",
            patch={**said, "locations": places, "roles": roles},
        )


def _load_manuscript(call: Call, story_id: str, told: dict[str, Any]) -> None:
    for number, chapter in enumerate(told["chapters"]):
        put_chapter(call, PutChapterRequest(project_id=story_id, chapter=number, title=chapter["title"]))
        for place, scene in enumerate(chapter["scenes"]):
            put_scene(
                call,
                PutSceneRequest(
                    project_id=story_id, chapter=number, scene=place, text=scene["text"], title=scene["title"]
                ),
            )
    names = {item["ref"]: item["name"] for item in told["entities"]}
    for snapshot in told["snapshots"]:
        said = _without(snapshot, "chapter", "scene", "activeCharacters", "activeLocations")
        put_snapshot(
            call,
            PutSnapshotRequest.model_validate(
                {
                    "projectId": story_id,
                    "chapterIndex": snapshot["chapter"],
                    "sceneIndex": snapshot["scene"],
                    "activeCharacters": [
                        {"characterId": f"{story_id}:{item['ref']}", "name": names[item["ref"]]}
                        | _without(item, "ref")
                        for item in snapshot["activeCharacters"]
                    ],
                    "activeLocations": [
                        {"locationId": f"{story_id}:{item['ref']}", "name": names[item["ref"]]}
                        | _without(item, "ref")
                        for item in snapshot["activeLocations"]
                    ],
                    **said,
                }
            ),
        )


def _without(item: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key not in names}
