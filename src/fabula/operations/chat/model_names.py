"""Model names under which stories are offered to clients that can only choose a model.

`fabula/The Lamps` is the next scene of the story, `fabula/The Lamps@12.3` its chapter 12, scene 3, and
`fabula/The Lamps@12` the beginning of chapter 12. An id can be used instead of a title. In
`fabula/The Lamps~Jiang Li@12.3`, the context is told from the point of view of Jiang Li.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from fabula.call import Call
from fabula.errors import InvalidInput, NotFound
from fabula.model.account import Role
from fabula.model.moment import MAX_SCENE
from fabula.model.names import name_key
from fabula.model.story import Story
from fabula.operations.access import require
from fabula.operations.stories import list_stories
from fabula.operations.table import NoFields
from fabula.store.reader import Reader

PREFIX = "fabula/"
SHOWN_NAMES = 20

_MOMENT = re.compile(r"(.+)@(\d{1,12})(?:\.(\d{1,12}))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A story and the scene that is being written."""

    story: Story
    chapter: int
    scene: int
    pov: str | None = None


def model_names(stories: tuple[Story, ...]) -> dict[str, Story]:
    """Return the stories by model name: the title, or the id where a title is ambiguous."""
    titles = Counter(name_key(story.title) for story in stories)
    ids = Counter(name_key(story.id) for story in stories)

    def is_clear(story: Story) -> bool:
        key = name_key(story.title)
        return titles[key] == 1 and ids[key] == (key == name_key(story.id))

    return {PREFIX + (story.title if is_clear(story) else story.id): story for story in stories}


def chosen_story(call: Call, model: str) -> Chosen | None:
    """Return the story and scene that a model name refers to, or None if it is not a story's name.

    NotFound if there is no such story, Forbidden if it is not the caller's.
    """
    if not model.startswith(PREFIX):
        return None
    wanted = model.removeprefix(PREFIX).strip()
    stories = list_stories(call, NoFields())
    story = _called(wanted, stories)
    if story is not None:
        return Chosen(story, *_next_scene(call, story.id))
    for name, pov, moment in _readings(wanted):
        story = _called(name, stories)
        if story is not None:
            place = _next_scene(call, story.id) if moment is None else moment
            return Chosen(story, *place, pov)
    for name, _, _ in _readings(wanted):
        with suppress(NotFound):
            require(call, name, Role.READER)
    raise _no_story(model, stories)


def _readings(wanted: str) -> Iterator[tuple[str, str | None, tuple[int, int] | None]]:
    """Yield what a model name may mean: a title, whose point of view, and the scene.

    A whole title wins over a point of view, whose name begins after the last tilde.
    """
    found = _MOMENT.fullmatch(wanted)
    dated = [] if found is None else [(found[1].strip(), (int(found[2]), int(found[3] or 0)))]
    for name, moment in (*dated, (wanted, None)):
        yield name, None, moment
    for name, moment in (*dated, (wanted, None)):
        title, tilde, pov = name.rpartition("~")
        if tilde and title.strip() and pov.strip():
            yield title.strip(), pov.strip(), moment


def _called(name: str, stories: tuple[Story, ...]) -> Story | None:
    """Return the story with this id or title; InvalidInput if several have the title."""
    by_id = [story for story in stories if story.id == name]
    found = by_id or [story for story in stories if name_key(story.title) == name_key(name)]
    if len(found) > 1:
        raise InvalidInput(
            f"{len(found)} stories have the title '{name}'.",
            details={"storyIds": [story.id for story in found[:SHOWN_NAMES]]},
            suggestion=f"Use an id: {PREFIX}{found[0].id}",
        )
    return found[0] if found else None


def _next_scene(call: Call, project_id: str) -> tuple[int, int]:
    with call.store.read() as reader:
        return next_scene(reader, project_id)


def next_scene(reader: Reader, project_id: str) -> tuple[int, int]:
    """Return chapter and number of the scene after the last one that was written or summarised."""
    places = [(one.chapter_index, one.scene_index) for one in reader.manuscript.headings(project_id)]
    places += [(one.chapter_index, one.scene_index) for one in reader.manuscript.snapshots(project_id)]
    if not places:
        return 0, 0
    chapter, scene = max(places)
    return chapter, min(scene + 1, MAX_SCENE)


def _no_story(model: str, stories: tuple[Story, ...]) -> NotFound:
    names = list(model_names(stories))
    shown = ", ".join(names[:SHOWN_NAMES]) or "none yet"
    return NotFound(
        f"There is no story for the model '{model}'.",
        details={"models": names[:SHOWN_NAMES]},
        suggestion=f"Models with a memory: {shown}. Chapters and scenes follow as @12 or @12.3.",
    )
