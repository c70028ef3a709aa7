"""The context for a scene: read what the text speaks of, gather, assemble."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from fabula.assembly.assemble import compose
from fabula.assembly.candidates import DEFAULT_BUDGET, Budget, LoreCandidate
from fabula.assembly.candidates import Scene as SceneToWrite
from fabula.assembly.trace import nearest_left_out
from fabula.call import Call
from fabula.context.candidates.gathering import (
    character_candidates,
    lore_candidates,
    snapshot_candidates,
    stage,
)
from fabula.context.candidates.recalled import questions_of, recalled_candidates, topic_of
from fabula.context.candidates.relations import relation_limit, weighed_bonds
from fabula.context.detection import detect
from fabula.context.edition_cache import RECENT_SNAPSHOTS, snapshots_before
from fabula.index.deadline import Deadline
from fabula.index.story_index import StoryIndex
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.context import AssembledContext, MatchPlace
from fabula.model.manuscript import MAX_SCENE_LENGTH
from fabula.model.moment import Moment, first_instant
from fabula.model.wire import Id, Text, Value
from fabula.operations.manuscript.manuscript import no_scene
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader

TokenBudget = Annotated[int, Field(ge=0, le=1_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]


# A context asks many questions at once.
CONTEXT_PATIENCE = 5


class Shares(Value):
    """Which part of the budget a section may claim before the lore."""

    relations: Share = 0.20
    snapshots: Share = 0.25
    characters: Share = 0.10
    events: Share = 0.10
    passages: Share = 0.10


class AssembleContextRequest(StoryRequest):
    """The scene to write: its place, its text so far (else the saved one), and what must be told.

    Whoever asks at every pause asks for less: `left_out_limit` of what was left out, and no messages.
    """

    chapter: ChapterIndex
    scene: SceneIndex
    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)] | None = None
    token_budget: TokenBudget = DEFAULT_BUDGET
    pinned: Annotated[tuple[Id, ...], Field(max_length=1000)] = ()
    shares: Shares = Shares()
    left_out_limit: Annotated[int, Field(ge=0, le=100_000)] | None = None
    with_messages: bool = True


class FindMentionsRequest(StoryRequest):
    """A text whose known names are to be found."""

    text: Annotated[Text, Field(max_length=MAX_SCENE_LENGTH)]


class Mention(Value):
    """A known name in a text: whose it is and where it stands."""

    entity_id: str | None
    entry_id: str | None
    type: str
    name: str
    term: str
    kind: str
    start: int
    end: int


class Mentions(Value):
    """Every known name in a text, in the order of the text."""

    items: tuple[Mention, ...]


@operation("context.assemble", role=Role.READER)
def assemble_context(call: Call, request: AssembleContextRequest) -> AssembledContext:
    """Put together what a model must know to write a scene, with a reason for every piece."""
    project_id = request.project_id
    began = call.clock.monotonic()
    context = _assembled(call, project_id, request)
    call.meters.context_seconds.note(call.clock.monotonic() - began)
    call.meters.context_tokens.note(context.estimated_tokens)
    return _as_asked(context, request)


def _as_asked(context: AssembledContext, request: AssembleContextRequest) -> AssembledContext:
    less: dict[str, object] = {}
    if request.left_out_limit is not None:
        less["trace"] = nearest_left_out(context.trace, request.left_out_limit)
    if not request.with_messages:
        less["messages"] = ()
    return context.model_copy(update=less) if less else context


def _assembled(call: Call, project_id: str, request: AssembleContextRequest) -> AssembledContext:
    moment = Moment(chapter=request.chapter, scene=request.scene)
    meaning = call.meaning.about(
        call.store, project_id, lambda reader: _questions(reader, project_id, request)
    )
    with call.store.read() as reader:
        story = reader.story(project_id)
        text = _text(reader, project_id, request)
        with call.indexes.lease(reader, project_id) as index:
            index.build_for_text(reader)
            deadline = Deadline(call.clock.monotonic, CONTEXT_PATIENCE * call.limits.query_timeout_ms)
            view = stage(reader, index, moment, text, request.pinned, deadline)
            found = detect(reader, index, text, deadline.check)
            title = view.label(story.title)
            lore = lore_candidates(view, found)
            snapshots = snapshots_before(reader, index, moment)
            actors = _actors(index, lore, view.may_be_told)
            limit, now = relation_limit(request.token_budget), first_instant(moment)
            bonds = weighed_bonds(view, actors, limit, now, story.language, call.tokens)
            stories_so_far = snapshot_candidates(view, snapshots)
            characters = character_candidates(view, snapshots, found)
            topic = topic_of(text, story.language, snapshots)
            memories = recalled_candidates(view, topic, now, story.language, found, meaning)
    return compose(
        SceneToWrite(moment=moment, text=text, language=story.language, title=title),
        lore,
        bonds,
        stories_so_far,
        characters,
        memories,
        Budget(request.token_budget, **dict(request.shares)),
        call.tokens,
    )


def _text(reader: Reader, project_id: str, request: AssembleContextRequest) -> str:
    if request.text is not None:
        return request.text
    saved = reader.manuscript.scene(project_id, request.chapter, request.scene)
    return saved.text if saved is not None else ""


def _questions(reader: Reader, project_id: str, request: AssembleContextRequest) -> tuple[str, ...]:
    """What the scene will ask of the story."""
    text, language = _text(reader, project_id, request), reader.story(project_id).language
    place = (request.chapter, request.scene)
    snapshots = reader.manuscript.snapshots_before(project_id, *place, RECENT_SNAPSHOTS)
    return questions_of(topic_of(text, language, snapshots), language)


class PreviewContextRequest(StoryRequest):
    """A saved scene, or the next one to write, and the tokens for its context."""

    chapter: ChapterIndex
    scene: SceneIndex
    token_budget: TokenBudget = DEFAULT_BUDGET


@operation("context.preview", role=Role.READER)
def preview_context(call: Call, request: PreviewContextRequest) -> AssembledContext:
    """The context of a saved scene, or of the next one to write; NotFound beyond that."""
    project_id, chapter, scene, token_budget = (
        request.project_id,
        request.chapter,
        request.scene,
        request.token_budget,
    )
    with call.store.read() as reader:
        reader.story(project_id)
        _refuse_out_of_range(reader, project_id, chapter, scene)
    return assemble_context(
        call,
        AssembleContextRequest(
            project_id=project_id, chapter=chapter, scene=scene, token_budget=token_budget
        ),
    )


@operation("mention.find", role=Role.READER)
def find_mentions(call: Call, request: FindMentionsRequest) -> Mentions:
    """Find every known name in a text, for an editor to underline."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            found = detect(reader, index, request.text, call.deadline().check)
            slots = list(found.entities)
            named = zip(slots, index.entities(reader, slots), strict=True)
            items = [
                _mention(place, entity.id, None, entity.type, entity.name)
                for slot, entity in named
                for place in found.entities[slot]
            ]
            for entry in index.entries(reader, list(found.entries)):
                items += [
                    _mention(place, None, entry.id, "custom", entry.display_name)
                    for place in found.entries[entry.id]
                ]
    return Mentions(items=tuple(sorted(items, key=lambda item: (item.start, item.end, item.name))))


def _mention(place: MatchPlace, entity_id: str | None, entry_id: str | None, kind: str, name: str) -> Mention:
    return Mention.trusted(entity_id=entity_id, entry_id=entry_id, type=kind, name=name, **dict(place))


def _actors(index: StoryIndex, lore: list[LoreCandidate], may_be_told: Callable[[int], bool]) -> set[int]:
    """Whose relations are told: everybody found, asked for or always told, as far as they may be told of."""
    slots = index.roster.slot_of
    acting = (slots[candidate.entity_id] for candidate in lore if candidate.entity_id and candidate.enabled)
    return {slot for slot in acting if may_be_told(slot)}


def _refuse_out_of_range(reader: Reader, project_id: str, chapter: int, scene: int) -> None:
    """A story that has scenes or snapshots has an end: the scene after its last one, in each chapter."""
    places = [(h.chapter_index, h.scene_index) for h in reader.manuscript.headings(project_id)]
    places += [(s.chapter_index, s.scene_index) for s in reader.manuscript.snapshots(project_id)]
    if not places:
        return
    last_chapter = max(chapter for chapter, _ in places)
    last_scene = max((s for c, s in places if c == chapter), default=-1)
    if chapter > last_chapter + 1 or scene > last_scene + 1:
        raise no_scene(chapter, scene)
