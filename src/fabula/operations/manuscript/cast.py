"""The cast of a book: whom the manuscript names how often, since which chapter, and where in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.context.edition_cache import recalled
from fabula.index.story_index import StoryIndex
from fabula.model.account import Role
from fabula.model.moment import place_of
from fabula.model.wire import Value
from fabula.operations.graph.scene_casts import scene_casts
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

MOST_COLUMNS = 48
DEFAULT_LIMIT = 100


class CastMember(Value):
    """Somebody the manuscript names: how often, where first, and how often in each part of the book.

    `spread` has a number for every chapter, or for every group of chapters of a longer book.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    times: int
    first_chapter: int
    first_scene: int
    spread: tuple[int, ...]


class ReadCastResponse(Value):
    """The most named first, and how many the manuscript names in all."""

    items: tuple[CastMember, ...]
    total: int


class ReadCastRequest(StoryRequest):
    """Which type of entities to list, and how many."""

    type: Annotated[str, Field(min_length=1, max_length=64)] = "character"
    limit: Annotated[int, Field(ge=1, le=1000)] = DEFAULT_LIMIT


class _Counted:
    """The mentions of one entity."""

    def __init__(self, first: tuple[int, int]) -> None:
        self.first = first
        self.of_chapter: Counter[int] = Counter()


@operation("manuscript.cast", role=Role.READER)
def read_cast(call: Call, request: ReadCastRequest) -> ReadCastResponse:
    """List whom the manuscript names, the most named first, with nothing hidden from the author."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            counted, chapters = recalled(index, "cast", lambda: _counted(reader, index))
            members = sorted(
                _members(reader, index, counted, chapters, request.type),
                key=lambda one: (-one.times, one.name, one.id),
            )
    return ReadCastResponse(items=tuple(members[: request.limit]), total=len(members))


def _counted(reader: Reader, index: StoryIndex) -> tuple[dict[int, _Counted], list[int]]:
    """Count the mentions of every entity, by chapter; and list the chapters."""
    counted: dict[int, _Counted] = {}
    chapters: dict[int, None] = {}
    for cast in scene_casts(reader, index):
        place = place_of(cast.instant)
        chapters[place[0]] = None
        for slot, times in cast.times.items():
            own = counted.setdefault(slot, _Counted(place))
            own.of_chapter[place[0]] += times
    return counted, list(chapters)


def _members(
    reader: Reader, index: StoryIndex, counted: dict[int, _Counted], chapters: Sequence[int], kind: str
) -> Iterator[CastMember]:
    slots = list(counted)
    for slot, entity in zip(slots, index.entities(reader, slots), strict=True):
        if entity.type == kind:
            own = counted[slot]
            yield CastMember(
                id=entity.id,
                name=entity.name,
                type=entity.type,
                aliases=tuple(entity.aliases),
                times=own.of_chapter.total(),
                first_chapter=own.first[0],
                first_scene=own.first[1],
                spread=_spread(own.of_chapter, chapters),
            )


def _spread(of_chapter: Counter[int], chapters: Sequence[int]) -> tuple[int, ...]:
    """Return the mentions by chapter, or by group of chapters where there are too many for a picture."""
    columns = min(len(chapters), MOST_COLUMNS)
    spread = [0] * columns
    for number, chapter in enumerate(chapters):
        spread[number * columns // len(chapters)] += of_chapter[chapter]
    return tuple(spread)
