"""Open names that contain a hidden one, and whether they may be told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import orjson

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.context.edition_cache import confirmed_covers, origins_of
from fabula.context.name_origins import NameOrigin
from fabula.index.story_index import StoryIndex
from fabula.model.account import Role
from fabula.model.names import name_key
from fabula.model.story_settings import Cover
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader
from fabula.store.scans import scan_entries, scan_names

Origin = Literal["author", "manuscript", "others"]


class NameCover(Value):
    """An open name that contains a hidden one: whose it is, where it comes from, and whether it is told.

    It is told if the author wrote it, or confirmed the pair in the story's setting `covers`.
    """

    name: str
    owner_id: str
    hidden: str
    origin: Origin
    confirmed: bool
    told: bool


class ListCoversResponse(Value):
    """All such names of a story, those that are not told first."""

    items: tuple[NameCover, ...]


@operation("name.covers", role=Role.READER)
def list_covers(call: Call, request: StoryRequest) -> ListCoversResponse:
    """List the open names that contain a name the author hides from models."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            found = list(_covers(ModelView(reader, index, None)))
    return ListCoversResponse(items=tuple(sorted(found, key=lambda one: (one.told, one.name, one.hidden))))


def _covers(audience: ModelView) -> Iterator[NameCover]:
    reader, index = audience.reader, audience.index
    confirmed = confirmed_covers(reader, index)
    for owner_id, names in _open_names(audience, reader, index):
        for name in names:
            for secret in audience.secrets_in(name):
                if (secret.start, secret.end) == (0, len(name)):
                    continue
                origin = origins_of(reader, index, owner_id).get(name_key(name), NameOrigin.OTHERS)
                for hidden in dict.fromkeys(term.text for term in secret.terms):
                    is_confirmed = Cover(name_key(name), name_key(hidden)) in confirmed
                    yield NameCover(
                        name=name,
                        owner_id=owner_id,
                        hidden=hidden,
                        origin=_ORIGINS[origin],
                        confirmed=is_confirmed,
                        told=is_confirmed or origin is NameOrigin.AUTHOR,
                    )


_ORIGINS: dict[NameOrigin, Origin] = {
    NameOrigin.AUTHOR: "author",
    NameOrigin.MANUSCRIPT: "manuscript",
    NameOrigin.OTHERS: "others",
}


def _open_names(
    audience: ModelView, reader: Reader, index: StoryIndex
) -> Iterator[tuple[str, Iterable[str]]]:
    slots, lorebook = index.roster.slot_of, index.lorebook(reader)
    for entity_id, _, name, aliases in scan_names(reader, index.project_id):
        if audience.may_be_told(slots[entity_id]):
            yield entity_id, (name, *aliases)
    for entry_id, entity_id, key, keywords, *_ in scan_entries(reader, index.project_id):
        is_open = audience.may_be_told(slots[entity_id]) if entity_id else entry_id not in lorebook.guarded
        if is_open:
            yield entry_id, dict.fromkeys((*([] if entity_id else [key]), *orjson.loads(keywords)))
