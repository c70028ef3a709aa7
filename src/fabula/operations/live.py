"""The current editions of watched stories and the rights of their watchers, queried once for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from fabula.call import Call
from fabula.errors import FabulaError
from fabula.model.account import Role
from fabula.operations.table import StoryRequest, operation
from fabula.store.accounts import no_story
from fabula.store.export_reader import editions
from fabula.store.reader import Edition, Reader


class Watched(NamedTuple):
    """A story and the user who watches it; None is a local user."""

    project_id: str
    user_id: str | None


def editions_for(call: Call, watched: Collection[Watched]) -> dict[Watched, Edition | FabulaError]:
    """Return the edition of each story, or why its watcher may not see it."""
    with call.store.read() as reader:
        known = editions(reader, {one.project_id for one in watched})
    refused = refusals(call, watched, known)
    return {one: refused.get(one) or known[one.project_id] for one in watched}


def refusals(
    call: Call, watched: Collection[Watched], known: Mapping[str, Edition]
) -> dict[Watched, FabulaError]:
    """Return which watchers may no longer see a story, and why, with one query for all users.

    A story that is not known may have been created meanwhile, and is looked up again.
    """
    users = {one.user_id for one in watched if one.user_id is not None}
    unknown = {one.project_id for one in watched} - known.keys()
    if not users and not unknown:
        return {}
    with call.store.read() as reader:
        known = {**known, **editions(reader, unknown)} if unknown else known
        members = reader.accounts.members_among(known, users) if users else frozenset()
        return {
            one: _why_not(reader, one)
            for one in watched
            if one.project_id not in known or (one.user_id is not None and one not in members)
        }


@operation("story.watch", role=Role.READER)
def watch_story(call: Call, request: StoryRequest) -> Edition:
    """Read the current edition of a story before watching it for changes."""
    watched = Watched(request.project_id, call.identity.user_id)
    found = editions_for(call, (watched,))[watched]
    if isinstance(found, FabulaError):
        raise found
    return found


def _why_not(reader: Reader, one: Watched) -> FabulaError:
    try:
        if one.user_id is not None:
            reader.accounts.require(one.user_id, one.project_id, Role.READER)
    except FabulaError as error:
        return error
    return no_story(one.project_id)
