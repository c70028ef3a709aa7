"""What an agent reads of a story: its outline, its entities, and search results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from fabula.call import Call
from fabula.canon.entity import TypeWord
from fabula.canon.ontology import listed_type, story_ontology
from fabula.context.audience import ModelView
from fabula.context.edition_cache import relation_labels
from fabula.context.entity_texts import entity_text, joined_attributes, joined_text, states_holding
from fabula.context.open_types import open_type, open_types
from fabula.context.told_relations import ToldRelation, told_relations
from fabula.context.world_words import world_time_words
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.audience import OpenText
from fabula.model.bounds import Offset
from fabula.model.moment import Moment, instant_of, last_instant
from fabula.model.names import name_key
from fabula.model.relation import Language
from fabula.model.story import Story
from fabula.model.story_ontology import Ontology
from fabula.model.wire import Text, Value
from fabula.operations.agents.audience import (
    asked_for,
    heard_of,
    heard_title,
    listening,
    open_title,
    refuse_unheard_teller,
    told_aliases,
)
from fabula.operations.agents.graph import EntityRef, ToldNode, told_node
from fabula.operations.agents.stories import story_meant
from fabula.operations.search.search import MAX_QUERY, MOST_HITS, Kind, SearchHit, SearchRequest, search_story
from fabula.operations.stories import list_stories
from fabula.operations.table import NoFields, StoryRequest, operation

SHOWN_EVENTS = 10
BRIEF = 160

EntityPageSize = Annotated[int, Field(ge=1, le=200)]


class StoryBrief(Value):
    """A story in a list."""

    id: str
    title: str
    language: Language
    updated_at: str


class ListPart(Value):
    """A page of the list."""

    limit: EntityPageSize = 50
    offset: Annotated[Offset, Field(strict=False)] = 0


class TellStoriesRequest(ListPart):
    """A page of the list, or one story of it."""

    story: Annotated[Text | None, Field(description="Only this one, by id or title.")] = None


class TellStoriesResponse(Value):
    """Stories, the most recently changed first; `nextOffset` is null at the end of the list."""

    items: tuple[StoryBrief, ...]
    total_count: int
    next_offset: int | None


class TellStoryRequest(AsOf, ListPart, StoryRequest):
    """The chapters of the outline to show; with a moment, only what comes before it."""


class ToldScene(Value):
    """A scene in an outline; `version` is needed to overwrite it."""

    scene: int
    title: str
    word_count: int
    version: int


class ToldChapter(Value):
    """A chapter in an outline."""

    chapter: int
    title: str
    scenes: tuple[ToldScene, ...]


class TellStoryResponse(StoryBrief):
    """A story with its outline, its last scene, and its entity and relation types."""

    chapters: tuple[ToldChapter, ...]
    chapter_count: int
    next_offset: int | None
    last_chapter: int | None
    last_scene: int | None
    entity_types: tuple[str, ...]
    relation_types: tuple[str, ...]


class TellEntityRequest(AsOf, StoryRequest):
    """The entity to show."""

    entity: EntityRef
    limit: Annotated[int, Field(ge=1, le=200, description="Relations to show.")] = 50
    offset: Annotated[Offset, Field(strict=False, description="Relations to skip.")] = 0


class ToldEvent(Value):
    """Something that happened to an entity, and where in the manuscript."""

    id: str
    name: str
    summary: str
    chapter: int | None
    scene: int | None


class TellEntityResponse(Value):
    """An entity as an agent may see it: `text` is what a model is told, states included.

    `withheld` says that a part of the text was left out because it names something you may not see.
    """

    id: str
    type: str
    name: str
    aliases: tuple[str, ...]
    text: str
    attributes: dict[str, Any]
    significance: float
    since: Moment | None
    world_time: str
    relations: tuple[ToldRelation, ...]
    relation_count: int
    next_offset: int | None
    events: tuple[ToldEvent, ...]
    withheld: bool
    version: int


class TellEntitiesRequest(AsOf, ListPart, StoryRequest):
    """A page of the entities, of one type if one is given."""

    type: TypeWord | None = None


class EntityBrief(ToldNode):
    """An entity in a list, with the beginning of its text."""

    text: str


class TellEntitiesResponse(Value):
    """Entities, the most significant first; `nextOffset` is null at the end of the list."""

    items: tuple[EntityBrief, ...]
    total_count: int
    next_offset: int | None


class TellHitsRequest(AsOf, StoryRequest):
    """The query; with a moment, only what has been told by the end of it is searched."""

    query: Annotated[Text, Field(max_length=MAX_QUERY, description="A few words or a question.")]
    kinds: tuple[Kind, ...] = ("entity", "event", "entry", "passage")
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10
    offset: Annotated[int, Field(ge=0, le=MOST_HITS)] = 0


class TellHitsResponse(Value):
    """Search hits, best first; `nextOffset` is null at the end of the list."""

    items: tuple[SearchHit, ...]
    next_offset: int | None


@operation("agent.story.list", role=None, audience="model")
def told_stories(call: Call, request: TellStoriesRequest) -> TellStoriesResponse:
    """List the caller's stories."""
    stories = list_stories(call, NoFields())
    if request.story:
        meant = story_meant(call, request.story)
        stories = tuple(one for one in stories if one.id == meant)
    part = stories[request.offset : request.offset + request.limit]
    return TellStoriesResponse(
        items=_briefs(call, part),
        total_count=len(stories),
        next_offset=_next(request.offset, len(part), len(stories)),
    )


@operation("agent.story.open", role=Role.READER, audience="model")
def told_story(call: Call, request: TellStoryRequest) -> TellStoryResponse:
    """Show a story's outline, its last scene, and its types."""
    project_id = request.project_id
    with listening(call, project_id, request.moment) as view:
        reader = view.reader
        story = reader.story(project_id)
        headings = [
            heading
            for heading in reader.manuscript.headings(project_id)
            if view.instant is None or instant_of(heading.chapter_index, heading.scene_index) < view.instant
        ]
        titles = {one.chapter_index: one.title for one in reader.manuscript.chapters(project_id)}
        numbers = sorted({heading.chapter_index for heading in headings})
        shown = numbers[request.offset : request.offset + request.limit]
        chapters = tuple(
            ToldChapter(
                chapter=number,
                title=view.label(titles.get(number, "")),
                scenes=tuple(
                    ToldScene(
                        scene=one.scene_index,
                        title=view.label(one.title),
                        word_count=one.word_count,
                        version=one.version,
                    )
                    for one in headings
                    if one.chapter_index == number
                ),
            )
            for number in shown
        )
        ontology = story_ontology(reader, project_id)
        types = tuple(node.key for node in open_types(view, ontology).nodes)
        brief = _brief(story, heard_title(view, story))
        words = _relation_words(view, ontology)
    last = max(((one.chapter_index, one.scene_index) for one in headings), default=(None, None))
    return TellStoryResponse(
        **dict(brief),
        chapters=chapters,
        chapter_count=len(numbers),
        next_offset=_next(request.offset, len(shown), len(numbers)),
        last_chapter=last[0],
        last_scene=last[1],
        entity_types=types,
        relation_types=words,
    )


@operation("agent.entity.read", role=Role.READER, audience="model")
def told_entity(call: Call, request: TellEntityRequest) -> TellEntityResponse:
    """Show an entity's text, states, relations and events, as far as an agent may see them."""
    project_id = request.project_id
    with listening(call, project_id, request.moment) as at:
        view, slot, entity = asked_for(at, request.entity)
        people = view.index.entities(view.reader, view.members(slot))
        holding = [(one, states_holding(view, one)) for one in people]
        text, is_cut = joined_text(view, holding)
        attributes = joined_attributes(holding)
        open_attributes = view.redaction_about([entity.id]).json(attributes)
        relations = _relations(view, slot)
        part = relations[request.offset : request.offset + request.limit]
        return TellEntityResponse(
            id=entity.id,
            type=open_type(view, entity.type),
            name=entity.name,
            aliases=told_aliases(view, entity),
            text=text,
            attributes=open_attributes,
            significance=entity.significance,
            since=entity.since,
            world_time=world_time_words(view),
            relations=part,
            relation_count=len(relations),
            next_offset=_next(request.offset, len(part), len(relations)),
            events=_events(view, slot),
            withheld=is_cut or open_attributes != attributes,
            version=entity.version,
        )


@operation("agent.entity.list", role=Role.READER, audience="model")
def told_entities(call: Call, request: TellEntitiesRequest) -> TellEntitiesResponse:
    """List the entities that an agent may see."""
    project_id = request.project_id
    with listening(call, project_id, request.moment) as view:
        wanted = None if request.type is None else listed_type(view.reader, project_id, request.type)
        slots = dict.fromkeys(map(view.leader, np.flatnonzero(view.tellable()).tolist()))
        everybody = heard_of(view, list(slots)).values()
        open_ones = [one for one in everybody if wanted is None or one.type == wanted]
        open_ones.sort(key=lambda one: (-one.significance, name_key(one.name), one.id))
        part = open_ones[request.offset : request.offset + request.limit]
        items = tuple(
            EntityBrief(**dict(told_node(view, one)), text=_beginning(entity_text(view, one).text))
            for one in part
        )
    return TellEntitiesResponse(
        items=items,
        total_count=len(open_ones),
        next_offset=_next(request.offset, len(part), len(open_ones)),
    )


@operation("agent.search", role=Role.READER, audience="model")
def told_hits(call: Call, request: TellHitsRequest) -> TellHitsResponse:
    """Search for a few words or a question, in whatever an agent may see."""
    project_id = request.project_id
    question = SearchRequest(
        project_id=project_id,
        q=request.query,
        kinds=request.kinds,
        limit=MOST_HITS,
        as_of=request.moment,
        audience="model",
        pov=call.pov,
    )
    refuse_unheard_teller(call, project_id, request.moment)
    found = search_story(call, question).items
    with listening(call, project_id, None) as whole:
        instant = None if request.moment is None else last_instant(request.moment)
        view = whole.at(instant)
        hits = [hit for hit in found if all(map(view.label, _words(hit)))]
    part = tuple(hits[request.offset : request.offset + request.limit])
    return TellHitsResponse(items=part, next_offset=_next(request.offset, len(part), len(hits)))


def _words(hit: SearchHit) -> list[str]:
    """Return the type words on the path to a hit; the names on it are already known to be open."""
    return [hit.type, *(hop.kind for hop in hit.path)]


def _relation_words(view: ModelView, ontology: Ontology) -> tuple[str, ...]:
    """Return the relation types, without those that name a secret or occur only between secrets."""
    graph, tellable, now = view.graph, view.tellable(), view.instant
    heard = set(ontology.edge_of_key)
    used = {graph.types[link] for _, _, link in view.index.graph(view.reader).edges()}
    for source, target, link in graph.edges():
        if tellable[source] and tellable[target] and (now is None or graph.since[link] <= now):
            heard.add(graph.types[link])
    labels = relation_labels(view.reader, view.index)
    return tuple(
        key
        for key, label in labels.items()
        if (key in heard or key not in used) and view.label(key) and view.label(label)
    )


def _briefs(call: Call, stories: Sequence[Story]) -> tuple[StoryBrief, ...]:
    with call.store.read() as reader:
        return tuple(_brief(story, open_title(call, reader, story)) for story in stories)


def _brief(story: Story, title: OpenText) -> StoryBrief:
    return StoryBrief(**{name: getattr(story, name) for name in StoryBrief.model_fields} | {"title": title})


def _next(offset: int, shown: int, total: int) -> int | None:
    return offset + shown if shown and offset + shown < total else None


def _relations(view: ModelView, slot: int) -> tuple[ToldRelation, ...]:
    """Return an entity's relations, those to the most significant peers first."""
    significance, ids = view.index.roster.significance, view.index.roster.ids
    graph, members = view.graph, view.members(slot)
    steps = [step for one in members for step in graph.steps(one, view.instant) if step[0] not in members]
    steps.sort(key=lambda step: (-significance[step[0]], ids[step[0]], step[1]))
    people = heard_of(view, list(dict.fromkeys([*members, *(peer for peer, _ in steps)])))
    return told_relations(view, [link for _, link in steps], people)


def _events(view: ModelView, slot: int) -> tuple[ToldEvent, ...]:
    """Return an entity's events, the most significant first."""
    chronicle = view.index.chronicle(view.reader)
    found = (
        chronicle.events_of(one, view.instant, limit=SHOWN_EVENTS, allowed=view.tellable())
        for one in view.members(slot)
    )
    events = list(dict.fromkeys(event for own in found for event in own))[:SHOWN_EVENTS]
    return tuple(
        ToldEvent(
            id=event.id,
            name=event.name,
            summary=view.prose(event.description),
            chapter=None if event.since is None else event.since.chapter,
            scene=None if event.since is None else event.since.scene,
        )
        for event in heard_of(view, events).values()
    )


def _beginning(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= BRIEF else flat[:BRIEF].rstrip() + "…"
