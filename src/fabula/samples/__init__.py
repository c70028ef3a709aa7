"""Sample stories that come with Fabula, and how one is loaded."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

from fabula.memory import Memory, StoryMemory

SAMPLES = ("harbor.zh", "harbor.en")


def load_sample(memory: Memory, sample: str) -> StoryMemory:
    """Put a sample story into a memory, in one step."""
    text = files("fabula.samples").joinpath(f"{sample}.yaml").read_text("utf-8")
    told: dict[str, Any] = yaml.safe_load(text)
    story = memory.story(told["title"], language=told["language"])
    entities = [
        {"id": f"{story.id}:{item['ref']}", **{key: value for key, value in item.items() if key != "ref"}}
        for item in told["entities"]
    ]
    relations = [
        {
            "source_entity_id": f"{story.id}:{item['source']}",
            "target_entity_id": f"{story.id}:{item['target']}",
            "relation_type": item["type"],
            **{key: value for key, value in item.items() if key not in ("source", "target", "type")},
        }
        for item in told["relations"]
    ]
    story.batch.upsert(entities=entities, relations=relations)
    return story
