"""Finding known names in a text, for an editor to underline."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.context.detection import KINDS, detect
from fabula.index.roster import Roster
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.context import MatchPlace
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.moment import first_instant
from fabula.model.wire import Text, Value
from fabula.operations.table import StoryRequest, operation

OutOfTime = Literal["not_yet", "no_longer"]


class NamedText(AsOf):
    """A text to search for known names, and its position in the story if known."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)]


class FindMentionsRequest(NamedText, StoryRequest):
    """A text of a story to search for known names."""


class Mention(Value):
    """A known name in a text: its owner, its span, and whether the owner is out of time there."""

    entity_id: str | None
    entry_id: str | None
    type: str
    name: str
    term: str
    kind: str
    start: int
    end: int
    out_of_time: OutOfTime | None


class FindMentionsResponse(Value):
    """Every known name in a text, in text order; for a shared span, the likeliest owner first."""

    items: tuple[Mention, ...]


@operation("mention.find", role=Role.READER)
def find_mentions(call: Call, request: FindMentionsRequest) -> FindMentionsResponse:
    """Find every known name in a text, as the context does, with nothing hidden from the author."""
    project_id, moment = request.project_id, request.moment
    instant = None if moment is None else first_instant(moment)
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            found = detect(reader, index, request.text, call.deadline().check)
            slots = list(found.entities)
            items = [
                _mention(place, entity.id, None, entity.type, entity.name, out_of_time)
                for slot, entity in zip(slots, index.entities(reader, slots), strict=True)
                for out_of_time in (_out_of_time(index.roster, slot, instant),)
                for place in found.entities[slot]
            ]
            for entry in index.entries(reader, list(found.entries)):
                items += [
                    _mention(place, None, entry.id, "custom", entry.display_name, None)
                    for place in found.entries[entry.id]
                ]
    return FindMentionsResponse(items=tuple(sorted(items, key=_order)))


def _out_of_time(roster: Roster, slot: int, instant: int | None) -> OutOfTime | None:
    if roster.is_present(slot, instant):
        return None
    return "no_longer" if roster.world.has_begun(slot, instant) else "not_yet"


def _mention(
    place: MatchPlace,
    entity_id: str | None,
    entry_id: str | None,
    kind: str,
    name: str,
    out_of_time: OutOfTime | None,
) -> Mention:
    return Mention.trusted(
        entity_id=entity_id,
        entry_id=entry_id,
        type=kind,
        name=name,
        out_of_time=out_of_time,
        **dict(place),
    )


def _order(item: Mention) -> tuple[int, int, bool, int, str]:
    """Return the sort key: by span, then owners present at the time, then names before aliases."""
    return item.start, item.end, item.out_of_time is not None, KINDS.index(item.kind), item.name
