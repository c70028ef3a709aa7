"""Resolving which story an agent means, given by id, by title, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabula.call import Call
from fabula.errors import InvalidInput, NotFound
from fabula.model.names import name_key
from fabula.model.story import Story
from fabula.operations.access import Role, require
from fabula.operations.agents.audience import open_title
from fabula.operations.stories import list_stories
from fabula.operations.table import NoFields

SHOWN_STORIES = 20


def story_meant(call: Call, given: str | None, usual: str | None = None) -> str:
    """Return the id of the given story, or of the default one, or of the only one.

    InvalidInput with a list if it is ambiguous, NotFound if there is none, Forbidden if it is not the
    caller's.
    """
    stories = list_stories(call, NoFields())
    wanted = given if given is not None else usual
    if wanted is None:
        return _the_only(call, stories)
    for known in stories:
        if known.id == wanted:
            return known.id
    called = [known for known in stories if known.title == wanted]
    called = called or [known for known in stories if name_key(known.title) == name_key(wanted)]
    if len(called) > 1:
        raise _several(call, f"Several stories are called '{wanted}'.", called)
    if called:
        return called[0].id
    require(call, wanted, Role.READER)
    raise NotFound(
        f"There is no story '{wanted}'.",
        details={"stories": _listed(call, stories)},
        suggestion=_choice(call, stories) if stories else "Begin a story first: fabula story new TITLE.",
    )


def _the_only(call: Call, stories: Sequence[Story]) -> str:
    if not stories:
        raise NotFound(
            "There is no story yet.", suggestion="Begin one first, for example with: fabula story new TITLE."
        )
    if len(stories) > 1:
        raise _several(call, "There are several stories.", stories)
    return stories[0].id


def _several(call: Call, message: str, stories: Sequence[Story]) -> InvalidInput:
    return InvalidInput(
        message, details={"stories": _listed(call, stories)}, suggestion=_choice(call, stories)
    )


def _choice(call: Call, stories: Sequence[Story]) -> str:
    titles = ", ".join(f"{one['title']} ({one['id']})" for one in _listed(call, stories))
    return f"Say which in `story`, by id or title: {titles}{', …' if len(stories) > SHOWN_STORIES else ''}."


def _listed(call: Call, stories: Sequence[Story]) -> list[dict[str, Any]]:
    with call.store.read() as reader:
        return [
            {"id": known.id, "title": open_title(call, reader, known)} for known in stories[:SHOWN_STORIES]
        ]
