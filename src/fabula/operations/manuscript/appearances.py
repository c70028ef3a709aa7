"""Where an entity is named in the scenes: how often in each, and the first sentence that does."""

from __future__ import annotations

from collections.abc import Iterator

from fabula.assembly.prose import touched_sentences
from fabula.call import Call
from fabula.canon.scope import existing_entity
from fabula.context.detection import detect
from fabula.context.edition_cache import recalled
from fabula.index.images import name_terms
from fabula.index.lorebook import entry_terms
from fabula.index.story_index import StoryIndex
from fabula.matching import Matcher
from fabula.model.account import Role
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.manuscript import Scene
from fabula.model.story_settings import folds_traditional
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

MAX_QUOTATION = 400


class Appearance(Value):
    """A scene that names an entity, how often, and the first such sentence, with the name's span."""

    chapter: int
    scene: int
    title: str
    count: int
    quotation: str
    start: int
    end: int


class ListAppearancesResponse(Value):
    """The scenes that refer to an entity by name, alias or keyword, in story order."""

    items: tuple[Appearance, ...]
    total_count: int


class ListAppearancesRequest(StoryRequest):
    """An entity to find in the saved scenes."""

    entity_id: str


@operation("manuscript.appearances", role=Role.READER)
def list_appearances(call: Call, request: ListAppearancesRequest) -> ListAppearancesResponse:
    """Find where an entity is named in the saved scenes, with nothing hidden from the author."""
    project_id, entity_id = request.project_id, request.entity_id
    with call.store.read() as reader:
        reader.story(project_id)
        entity = existing_entity(reader, project_id, entity_id)
        with call.indexes.lease(reader, project_id) as index:
            items = recalled(index, ("appearances", entity_id), lambda: tuple(_found(reader, index, entity)))
    return ListAppearancesResponse(items=items, total_count=sum(item.count for item in items))


def _found(reader: Reader, index: StoryIndex, entity: Entity) -> Iterator[Appearance]:
    slot, own = index.roster.slot_of[entity.id], _own_words(reader, entity)
    for scene in reader.manuscript.scenes(index.project_id):
        # A cheap filter first; detection then checks whether the words are part of a longer name.
        if not own.owners(scene.text):
            continue
        places = detect(reader, index, scene.text).entities.get(slot)
        if places:
            yield _appearance(scene, places)


def _own_words(reader: Reader, entity: Entity) -> Matcher:
    terms = name_terms(entity.id, entity.name, list(entity.aliases))
    entry = reader.lore.entries_of(entity.project_id, [entity.id]).get(entity.id)
    if entry is not None:
        terms += entry_terms(entry.id, entity.id, entry.entry_key, list(entry.keywords), entry.rules)
    settings = reader.story(entity.project_id).settings
    return Matcher(terms, simplify=folds_traditional(settings))


def _appearance(scene: Scene, places: list[MatchPlace]) -> Appearance:
    first = places[0]
    start, end = next(touched_sentences(scene.text, [(first.start, first.end)]))
    start = max(start, first.end - MAX_QUOTATION)
    quotation = scene.text[start : min(end, start + MAX_QUOTATION)]
    lead = len(quotation) - len(quotation.lstrip())
    return Appearance(
        chapter=scene.chapter_index,
        scene=scene.scene_index,
        title=scene.title,
        count=len(places),
        quotation=quotation.strip(),
        start=first.start - start - lead,
        end=first.end - start - lead,
    )
