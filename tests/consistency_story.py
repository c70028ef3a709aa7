"""A story made from an example on a page of the linter's documentation."""

from __future__ import annotations

import json
from typing import Any

from fabula.memory import Memory
from fabula.operations.evidence import attach_evidence
from fabula.operations.manuscript.manuscript import PutSceneRequest, put_scene
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory

TYPES = {"people": "character", "items": "item", "places": "location", "events": "event"}


def told(memory: Memory, example: dict[str, Any], *, sound: bool = False) -> StoryMemory:
    """Return the story; with `sound`, its last scene is the one that nothing is wrong with."""
    story = memory.story("Example", language=example["language"])
    _set_up(memory, story, example)
    ids = _entities(story, example)
    for source, word, target, *days in example.get("relations", ()):
        properties = {"travelDays": days[0]} if days else {}
        ends = {"source_entity_id": ids[source], "target_entity_id": ids[target]}
        story.relation.create(**ends, relation_type=word, properties=properties)
    saved = _scenes(memory, story, example, sound=sound)
    for thread in example.get("threads", ()):
        _thread(story, saved, thread, sound=sound)
    for name, (number, words) in example.get("rests", {}).items():
        fact = {"kind": "entity", "id": ids[name]}
        place = {"scene_id": saved[number], "quotation": words}
        attach_evidence(memory.call(), project_id=story.id, **fact, **place)
    for number, text in () if sound else example.get("becomes", {}).items():
        story.scene(number, 0, text)
    return story


def _set_up(memory: Memory, story: StoryMemory, example: dict[str, Any]) -> None:
    if "calendar" in example:
        patch = StoryPatch(settings={"calendar": example["calendar"]})
        update_story(memory.call(), project_id=story.id, patch=patch)
    edges = {word: {"cardinality": said} for word, said in example.get("cardinality", {}).items()}
    edges |= example.get("edges", {})
    if edges or "schema" in example:
        properties = {"name": {"type": "string"}, **example.get("schema", {})}
        node = {"identity": ["name"], "schema": {"type": "object", "properties": properties}}
        text = {
            "nodes": {"Character": node, "Faction": node},
            "edges": {word: {"from": "any", "to": "any", **said} for word, said in edges.items()},
        }
        write = {"projectId": story.id, "text": json.dumps(text, ensure_ascii=False)}
        memory.answer("knowledge:ontology:write", write)


def _entities(story: StoryMemory, example: dict[str, Any]) -> dict[str, str]:
    ids: dict[str, str] = {}
    for group, kind in TYPES.items():
        for name in example.get(group, ()):
            given: dict[str, Any] = {
                end: {"chapter": example[end][name]}
                for end in ("since", "until")
                if name in example.get(end, ())
            }
            if isinstance(example[group], dict):
                given["valid_from"] = {"day": example[group][name]}
            if name in example.get("names", ()):
                given["names"] = example["names"][name]
            if name in example.get("private", ()):
                given["secrecy"] = "private"
            attributes = example.get("attributes", {}).get(name, {})
            ids[name] = story.entity.create(type=kind, name=name, attributes=attributes, **given).id
    return ids


def _scenes(memory: Memory, story: StoryMemory, example: dict[str, Any], *, sound: bool) -> dict[int, str]:
    scenes = list(example["scenes"])
    if sound:
        scenes[-1] = example["sound"]
        if "since" in example:
            scenes = ["", "", *scenes[-1:]]
    days = example.get("days", [None] * len(scenes))
    saved = {}
    for number, (text, day) in enumerate(zip(scenes, days, strict=True)):
        if text:
            place = {"project_id": story.id, "chapter": number, "scene": 0}
            scene, _ = put_scene(memory.call(), PutSceneRequest(**place, text=text, world_time=day))
            saved[number] = scene.id
    return saved


def _thread(story: StoryMemory, scenes: dict[int, str], thread: dict[str, Any], *, sound: bool) -> None:
    given = {key: thread[key] for key in ("title", "due", "due_within") if key in thread}
    made = story.thread.create(**given)
    for role in ("plants", "payoffs"):
        for number, words in thread.get(role, ()):
            story.thread.mark(id=made.id, role=role, scene_id=scenes[number], quotation=words)
    for number, words in thread.get("pays", ()) if sound else ():
        story.thread.mark(id=made.id, role="payoffs", scene_id=scenes[number], quotation=words)
