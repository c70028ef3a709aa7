"""Which story an agent means, where it may say so by id, by title, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabula.errors import InvalidInput, NotFound
from fabula.model.names import name_key
from fabula.model.story import Story
from fabula.operations.access import Role, require
from fabula.operations.stories import list_stories
from fabula.operations.table import Call

SHOWN_STORIES = 20


def story_meant(call: Call, given: str | None, usual: str | None = None) -> str:
    """The id of the story that is given, else of the usual one, else of the only one there is.

    InvalidInput with a list if several could be meant, NotFound if none, Forbidden if it is somebody else's.
    """
    stories = list_stories(call)
    wanted = given if given is not None else usual
    if wanted is None:
        return _the_only(stories)
    for known in stories:
        if known.id == wanted:
            return known.id
    called = [known for known in stories if known.title == wanted]
    called = called or [known for known in stories if name_key(known.title) == name_key(wanted)]
    if len(called) > 1:
        raise _several(f"Several stories are called '{wanted}'.", called)
    if called:
        return called[0].id
    require(call, wanted, Role.READER)
    raise NotFound(
        f"There is no story '{wanted}'.",
        details={"stories": _listed(stories)},
        suggestion=_choice(stories) if stories else "Begin a story first: fabula story new TITLE.",
    )


def _the_only(stories: Sequence[Story]) -> str:
    if not stories:
        raise NotFound(
            "There is no story yet.", suggestion="Begin one first, for example with: fabula story new TITLE."
        )
    if len(stories) > 1:
        raise _several("There are several stories.", stories)
    return stories[0].id


def _several(message: str, stories: Sequence[Story]) -> InvalidInput:
    return InvalidInput(message, details={"stories": _listed(stories)}, suggestion=_choice(stories))


def _choice(stories: Sequence[Story]) -> str:
    titles = ", ".join(f"{known.title} ({known.id})" for known in stories[:SHOWN_STORIES])
    return f"Say which in `story`, by id or title: {titles}{', …' if len(stories) > SHOWN_STORIES else ''}."


def _listed(stories: Sequence[Story]) -> list[dict[str, Any]]:
    return [{"id": known.id, "title": known.title} for known in stories[:SHOWN_STORIES]]
