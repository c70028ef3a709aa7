"""Finding and repairing what interrupted jobs have left behind."""

from __future__ import annotations

from typing import NamedTuple

from fabula.call import Call
from fabula.model.story import Story
from fabula.operations.manuscript.novel_import import KIND, reading_of
from fabula.store.failures import repeatable


class Leftovers(NamedTuple):
    """Stories with leftover parts of ended jobs, and how many; stories whose novel is not fully read."""

    parts: tuple[tuple[Story, int], ...]
    unread: tuple[Story, ...]


def leftovers(call: Call) -> Leftovers:
    """Find what was left behind."""
    with call.store.read() as reader:
        parts, unread = reader.jobs.left_parts(), set(reader.jobs.unread_novels(KIND))
        stories = reader.stories()
    return Leftovers(
        tuple((story, parts[story.id]) for story in stories if story.id in parts),
        tuple(story for story in stories if story.id in unread),
    )


def mend(call: Call, found: Leftovers) -> None:
    """Delete the leftover parts, and queue the unfinished novels to be read."""
    _clear(call, found)
    for story in found.unread:
        reading_of(call, story.id)


@repeatable
def _clear(call: Call, found: Leftovers) -> None:
    with call.store.write_jobs() as jobs:
        for story, _ in found.parts:
            jobs.clear_ended(story.id)
