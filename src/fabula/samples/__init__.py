"""The sample stories that come with Fabula."""

from __future__ import annotations

from typing import get_args

from fabula.memory import Memory
from fabula.operations.samples import Sample, fill, told_of
from fabula.story_memory import StoryMemory

SAMPLES = get_args(Sample)


def load_sample(memory: Memory, sample: str) -> StoryMemory:
    """Load a sample story into a memory: its world, its scenes, and a snapshot of each."""
    told = told_of(sample)
    story = memory.story(told["title"], language=told["language"])
    fill(memory.call(), story.id, told)
    return story
