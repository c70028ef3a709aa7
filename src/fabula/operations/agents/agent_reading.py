"""What an agent reads of a story: its outline, its people, and whatever it searches for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from fabula.model.audience import OpenText
from fabula.model.moment import Moment, instant_of, last_instant
from fabula.model.names import name_key
from fabula.model.relation import Language
from fabula.model.story import Story
from fabula.model.story_ontology import Ontology
from fabula.model.wire import Text, Value
from fabula.operations.agents.agent_graph import EntityRef, ToldNode, ToldRelation, told_node, told_relations
from fabula.operations.agents.agent_hearing import (
    AsOf,
    asked_for,
    heard_of,
    heard_title,
    listening,
    open_title,
    told_aliases,
)
from fabula.operations.agents.agent_stories import story_meant
from fabula.operations.bounds import Offset
from fabula.operations.bundling.ontologies import listed_type, story_ontology
from fabula.operations.contexts.ear import Ear
from fabula.operations.contexts.entity_texts import entity_text, states_holding
from fabula.operations.contexts.open_types import open_type, open_types
from fabula.operations.contexts.remembered import relation_labels
from fabula.operations.finding.search import (
    MAX_QUERY,
    MOST_HITS,
    Kind,
    SearchHit,
    SearchRequest,
    search_story,
)
from fabula.operations.graph.entities import TypeWord
from fabula.operations.stories import list_stories
from fabula.operations.table import Call

SHOWN_EVENTS = 10
BRIEF = 160

PageSize = Annotated[int, Field(ge=1, le=200)]


class StoryBrief(Value):
    """A story in a list."""

    id: str
    title: str
    language: Language
    updated_at: str


class StoriesWish(Value):
    """A part of the list."""

    limit: PageSize = 50
    offset: Annotated[Offset, Field(strict=False)] = 0


class StoriesAsked(StoriesWish):
    """A part of the list, or one story of it."""

    story: Annotated[Text | None, Field(description="Only this one, by id or title.")] = None


class ToldStories(Value):
    """Stories, the one changed last first; `nextOffset` is null at the end of the list."""

    items: tuple[StoryBrief, ...]
    total_count: int
    next_offset: int | None


class OutlineWish(AsOf, StoriesWish):
    """Which chapters of the outline are wanted; with a moment, only what stands before it."""


class ToldScene(Value):
    """A scene in an outline; `version` is needed to save over it."""

    scene: int
    title: str
    word_count: int
    version: int


class ToldChapter(Value):
    """A chapter in an outline."""

    chapter: int
    title: str
    scenes: tuple[ToldScene, ...]


class ToldStory(StoryBrief):
    """A story with its outline, where it goes on, and the words it has for types."""

    chapters: tuple[ToldChapter, ...]
    chapter_count: int
    next_offset: int | None
    last_chapter: int | None
    last_scene: int | None
    entity_types: tuple[str, ...]
    relation_types: tuple[str, ...]


class EntityWish(AsOf):
    """Whom to tell of."""

    entity: EntityRef
    limit: Annotated[int, Field(ge=1, le=200, description="Relations to show.")] = 50
    offset: Annotated[Offset, Field(strict=False, description="Relations to skip.")] = 0


class ToldEvent(Value):
    """Something that happened to somebody, and where in the telling."""

    id: str
    name: str
    summary: str
    chapter: int | None
    scene: int | None


class ToldEntity(Value):
    """Somebody or something as an agent may know it: `text` is what a model is told, states included.

    `withheld` says that a part of the text names what you may not be told of, and is left out.
    """

    id: str
    type: str
    name: str
    aliases: tuple[str, ...]
    text: str
    attributes: dict[str, Any]
    significance: float
    since: Moment | None
    relations: tuple[ToldRelation, ...]
    relation_count: int
    next_offset: int | None
    events: tuple[ToldEvent, ...]
    withheld: bool
    version: int


class EntitiesWish(AsOf, StoriesWish):
    """A part of the entities, of one type if one is given."""

    type: TypeWord | None = None


class EntityBrief(ToldNode):
    """Somebody in a list, with the beginning of what is told of them."""

    text: str


class ToldEntities(Value):
    """Entities, the most significant first; `nextOffset` is null at the end of the list."""

    items: tuple[EntityBrief, ...]
    total_count: int
    next_offset: int | None


class SearchWish(AsOf):
    """What to look for; with a moment, only in what has been told by the end of it."""

    query: Annotated[Text, Field(max_length=MAX_QUERY, description="A few words or a question.")]
    kinds: tuple[Kind, ...] = ("entity", "event", "entry", "passage")
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10
    offset: Annotated[int, Field(ge=0, le=MOST_HITS)] = 0


class ToldHits(Value):
    """What was found, best first; `nextOffset` is null at the end of the list."""

    items: tuple[SearchHit, ...]
    next_offset: int | None


def told_stories(call: Call, wish: StoriesAsked) -> ToldStories:
    """List the caller's stories."""
    stories = list_stories(call)
    if wish.story:
        meant = story_meant(call, wish.story)
        stories = tuple(one for one in stories if one.id == meant)
    part = stories[wish.offset : wish.offset + wish.limit]
    return ToldStories(
        items=_briefs(call, part),
        total_count=len(stories),
        next_offset=_next(wish.offset, len(part), len(stories)),
    )


def told_story(call: Call, project_id: str, wish: OutlineWish) -> ToldStory:
    """Show a story's outline, where it goes on, and its types."""
    with listening(call, project_id, wish.moment) as ear:
        reader = ear.reader
        story = reader.story(project_id)
        headings = [
            heading
            for heading in reader.manuscript.headings(project_id)
            if ear.instant is None or instant_of(heading.chapter_index, heading.scene_index) < ear.instant
        ]
        titles = {one.chapter_index: one.title for one in reader.manuscript.chapters(project_id)}
        numbers = sorted({heading.chapter_index for heading in headings})
        shown = numbers[wish.offset : wish.offset + wish.limit]
        chapters = tuple(
            ToldChapter(
                chapter=number,
                title=ear.label(titles.get(number, "")),
                scenes=tuple(
                    ToldScene(
                        scene=one.scene_index,
                        title=ear.label(one.title),
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
        types = tuple(node.key for node in open_types(ear, ontology).nodes)
        brief = _brief(story, heard_title(ear, story))
        words = _relation_words(ear, ontology)
    last = max(((one.chapter_index, one.scene_index) for one in headings), default=(None, None))
    return ToldStory(
        **dict(brief),
        chapters=chapters,
        chapter_count=len(numbers),
        next_offset=_next(wish.offset, len(shown), len(numbers)),
        last_chapter=last[0],
        last_scene=last[1],
        entity_types=types,
        relation_types=words,
    )


def told_entity(call: Call, project_id: str, wish: EntityWish) -> ToldEntity:
    """Tell of somebody: text, states, relations and events, as far as an agent may hear of them."""
    with listening(call, project_id, wish.moment) as at:
        ear, slot, entity = asked_for(at, wish.entity)
        states = states_holding(ear, entity)
        text, is_cut = entity_text(ear, entity, states)
        attributes = dict(entity.attributes)
        for state in states:
            attributes.update(state.attributes)
        open_attributes = ear.json(attributes)
        relations = _relations(ear, slot)
        part = relations[wish.offset : wish.offset + wish.limit]
        return ToldEntity(
            id=entity.id,
            type=open_type(ear, entity.type),
            name=entity.name,
            aliases=told_aliases(ear, entity),
            text=text,
            attributes=open_attributes,
            significance=entity.significance,
            since=entity.since,
            relations=part,
            relation_count=len(relations),
            next_offset=_next(wish.offset, len(part), len(relations)),
            events=_events(ear, slot),
            withheld=is_cut or open_attributes != attributes,
            version=entity.version,
        )


def told_entities(call: Call, project_id: str, wish: EntitiesWish) -> ToldEntities:
    """List those of whom an agent may be told."""
    with listening(call, project_id, wish.moment) as ear:
        wanted = None if wish.type is None else listed_type(ear.reader, project_id, wish.type)
        everybody = heard_of(ear, np.flatnonzero(ear.tellable()).tolist()).values()
        open_ones = [one for one in everybody if wanted is None or one.type == wanted]
        open_ones.sort(key=lambda one: (-one.significance, name_key(one.name), one.id))
        part = open_ones[wish.offset : wish.offset + wish.limit]
        items = tuple(
            EntityBrief(**dict(told_node(ear, one)), text=_beginning(entity_text(ear, one).text))
            for one in part
        )
    return ToldEntities(
        items=items,
        total_count=len(open_ones),
        next_offset=_next(wish.offset, len(part), len(open_ones)),
    )


def told_hits(call: Call, project_id: str, wish: SearchWish) -> ToldHits:
    """Find whatever has to do with a few words or a question, as far as an agent may hear of it."""
    audience: Literal["model"] = "model"
    request = SearchRequest(
        q=wish.query, kinds=wish.kinds, limit=MOST_HITS, as_of=wish.moment, audience=audience
    )
    found = search_story(call, project_id, request).items
    with listening(call, project_id, None) as whole:
        instant = None if wish.moment is None else last_instant(wish.moment)
        ear = Ear(whole.reader, whole.index, instant)
        hits = [hit for hit in found if all(map(ear.label, _words(hit)))]
    part = tuple(hits[wish.offset : wish.offset + wish.limit])
    return ToldHits(items=part, next_offset=_next(wish.offset, len(part), len(hits)))


def _words(hit: SearchHit) -> list[str]:
    """The words on the way to a hit; names on it are open already."""
    return [hit.type, *(hop.kind for hop in hit.path)]


def _relation_words(ear: Ear, ontology: Ontology) -> tuple[str, ...]:
    """The words for relations, without those that are a secret's, or are used of secrets only."""
    graph, tellable, now = ear.index.graph(ear.reader), ear.tellable(), ear.instant
    heard, used = set(ontology.edge_of_key), set()
    for source, target, link in graph.arrows():
        used.add(graph.types[link])
        if tellable[source] and tellable[target] and (now is None or graph.since[link] <= now):
            heard.add(graph.types[link])
    labels = relation_labels(ear.reader, ear.index)
    return tuple(
        key
        for key, label in labels.items()
        if (key in heard or key not in used) and ear.label(key) and ear.label(label)
    )


def _briefs(call: Call, stories: Sequence[Story]) -> tuple[StoryBrief, ...]:
    with call.store.read() as reader:
        return tuple(_brief(story, open_title(call, reader, story)) for story in stories)


def _brief(story: Story, title: OpenText) -> StoryBrief:
    return StoryBrief(**{name: getattr(story, name) for name in StoryBrief.model_fields} | {"title": title})


def _next(offset: int, shown: int, total: int) -> int | None:
    return offset + shown if shown and offset + shown < total else None


def _relations(ear: Ear, slot: int) -> tuple[ToldRelation, ...]:
    """Somebody's relations, those to the most significant first."""
    significance, ids = ear.index.roster.significance, ear.index.roster.ids
    steps = list(ear.index.graph(ear.reader).steps(slot, ear.instant))
    steps.sort(key=lambda step: (-significance[step[0]], ids[step[0]], step[1]))
    people = heard_of(ear, list(dict.fromkeys([slot, *(peer for peer, _ in steps)])))
    return told_relations(ear, [link for _, link in steps], people)


def _events(ear: Ear, slot: int) -> tuple[ToldEvent, ...]:
    """What somebody went through, what matters most first."""
    chronicle = ear.index.chronicle(ear.reader)
    events = chronicle.events_of(slot, ear.instant, limit=SHOWN_EVENTS, allowed=ear.tellable())
    return tuple(
        ToldEvent(
            id=event.id,
            name=event.name,
            summary=ear.prose(event.description),
            chapter=None if event.since is None else event.since.chapter,
            scene=None if event.since is None else event.since.scene,
        )
        for event in heard_of(ear, events).values()
    )


def _beginning(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= BRIEF else flat[:BRIEF].rstrip() + "…"
