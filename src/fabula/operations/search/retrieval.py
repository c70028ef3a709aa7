"""Retrieval for a query: relevant entities, events and passages, each with its reasons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.context.entity_texts import redacted_entity
from fabula.context.hop_paths import Hop, has_open_name, names_on, path_of
from fabula.context.point_of_view import Pov, seen_by
from fabula.context.quotations import Quotation, quotations
from fabula.context.story_world import StoryWorld
from fabula.model.account import Role
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.moment import Moment, first_instant
from fabula.model.wire import Id, Text, Value
from fabula.operations.table import Request, operation
from fabula.retrieval.reasons import Anchor, DroppedEntity, HopStep, Recalled, Retrieved, Target, TermPlace
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules

MAX_QUERY = 20_000
SHOWN_DROPPED = 50

Wanted = Annotated[int, Field(ge=0, le=50, strict=True)]


class AnchorFound(Value):
    """An entity that the query refers to: by name, by part of it, by words, or by meaning."""

    id: str
    name: str
    way: Literal["named", "implied", "said", "meant"]
    weight: float
    matches: tuple[MatchPlace, ...]


class Reasons(Value):
    """The components of a score, each from 0 to 1."""

    anchor: float
    nearness: float
    relation: float
    words: float
    meaning: float


class EntityFound(Entity):
    """A relevant entity, and the strongest path to it."""

    score: float
    way: Literal["named", "implied", "said", "meant"] | None
    reasons: Reasons
    matches: tuple[MatchPlace, ...]
    path: tuple[Hop, ...]


class EntityDropped(Value):
    """An entity that was reached but dropped, and why."""

    id: str
    name: str
    score: float
    loss: Literal["other_relation", "weaker", "over_limit"]
    path: tuple[Hop, ...]


class EventReasons(Value):
    """The components of an event's score, each from 0 to 1."""

    focus: float
    significance: float
    recency: float
    joins: float
    words: float
    meaning: float


class EventFound(Value):
    """A relevant event, and the entities through which it was found."""

    id: str
    name: str
    text: str
    at: Moment | None
    score: float
    reasons: EventReasons
    through: tuple[str, ...]


class PassageFound(Value):
    """A passage of a scene; `matches` are the words of the query that occur in it."""

    chapter: int
    scene: int
    start: int
    end: int
    text: str
    score: float
    matches: tuple[MatchPlace, ...]


class KnowledgeQueryRetrieveResponse(Value):
    """What is relevant to the query, best first, by stage."""

    anchors: tuple[AnchorFound, ...]
    entities: tuple[EntityFound, ...]
    dropped: tuple[EntityDropped, ...]
    events: tuple[EventFound, ...]
    passages: tuple[PassageFound, ...]
    query_cost_ms: float


class KnowledgeQueryRetrieveRequest(Request[KnowledgeQueryRetrieveResponse]):
    """A query, and the moment of the story as of which it is answered.

    The answer is meant for a model: `never` is never included, `manual_only` only if `pinned`, and
    nothing that is told or becomes true after `asOf`.
    """

    query: Annotated[Text, Field(max_length=MAX_QUERY)]
    as_of: Moment | None = None
    pinned: Annotated[tuple[Id, ...], Field(max_length=1000)] = ()
    max_entities: Wanted = 10
    max_events: Wanted = 10
    max_passages: Wanted = 20
    pov: Pov = None


@operation("query.retrieve", role=Role.READER, channel="knowledge:query:retrieve")
def query_retrieve(call: Call, request: KnowledgeQueryRetrieveRequest) -> KnowledgeQueryRetrieveResponse:
    """Find what is relevant to a query, through names, relations, shared events and texts."""
    instant = None if request.as_of is None else first_instant(request.as_of)
    meaning = call.meaning.about(call.store, request.project_id, lambda _: (request.query,))
    with call.store.read() as reader:
        reader.story(request.project_id)
        with call.indexes.lease(reader, request.project_id) as index:
            index.build_for_questions(reader)
            meaning.take_in(reader, index)
            deadline = call.deadline()
            slots = index.roster.slot_of
            pinned = frozenset(slots[key] for key in request.pinned if key in slots)
            pov = seen_by(reader, index, request.pov, instant)
            view = ModelView(reader, index, instant, pinned, pov=pov, deadline=deadline)
            world = StoryWorld(view, meaning)
            rules = Rules(targets=request.max_entities, events=request.max_events)
            found = GraphRetriever(world, rules).retrieve(request.query, world.allowed)
            deadline.check(len(found.targets))
            quoted = quotations(view, request.query, meaning, until=instant, limit=request.max_passages)
            answer = _shown(world, found, quoted)
    deadline.check(len(quoted))
    return KnowledgeQueryRetrieveResponse.trusted(**answer, query_cost_ms=deadline.elapsed_ms())


def _shown(world: StoryWorld, found: Retrieved, quoted: Iterable[Quotation]) -> dict[str, tuple[Value, ...]]:
    view = world.on
    found = _open_part(view, found)
    lost = found.dropped[:SHOWN_DROPPED]
    told = (found.anchors, found.targets, lost, found.events)
    spoken_of = {one.slot for group in told for one in group}
    spoken_of |= {slot for event in found.events for slot in event.through}
    paths = [*(target.path for target in found.targets), *(one.path for one in lost)]
    names = names_on(view, paths, spoken_of)
    return {
        "anchors": tuple(_anchor(view, anchor, names) for anchor in found.anchors),
        "entities": tuple(
            _entity(entity, target, names)
            for target, entity in zip(
                found.targets, _heard(world, [target.slot for target in found.targets]), strict=True
            )
        ),
        "dropped": tuple(_dropped(view, dropped, names) for dropped in lost),
        "events": tuple(
            _event(entity, event, names)
            for event, entity in zip(found.events, _heard(world, [e.slot for e in found.events]), strict=True)
        ),
        "passages": tuple(passage for passage in map(_passage, quoted) if passage.text),
    }


def _open_part(view: ModelView, found: Retrieved) -> Retrieved:
    """Return the results without those whose name, or a name on whose path, reveals a secret."""

    def is_open(*slots: int) -> bool:
        return all(has_open_name(view, slot) for slot in slots)

    def is_open_way(path: Iterable[HopStep]) -> bool:
        return all(is_open(step.source, step.target) and bool(view.label(step.kind)) for step in path)

    return Retrieved(
        anchors=tuple(one for one in found.anchors if is_open(one.slot)),
        targets=tuple(one for one in found.targets if is_open(one.slot) and is_open_way(one.path)),
        dropped=tuple(one for one in found.dropped if is_open(one.slot) and is_open_way(one.path)),
        events=tuple(one for one in found.events if is_open(one.slot, *one.through)),
    )


def _heard(world: StoryWorld, slots: list[int]) -> list[Entity]:
    view = world.on
    known = zip(slots, view.index.entities(view.reader, slots), strict=True)
    return [redacted_entity(view, entity) for slot, entity in known]


def _matches(places: Iterable[TermPlace]) -> tuple[MatchPlace, ...]:
    return tuple(MatchPlace.trusted(**place._asdict()) for place in places)


def _anchor(view: ModelView, anchor: Anchor, names: dict[int, str]) -> AnchorFound:
    return AnchorFound.trusted(
        id=view.index.roster.ids[anchor.slot],
        name=names[anchor.slot],
        way=anchor.way,
        weight=round(anchor.weight, 3),
        matches=_matches(anchor.places),
    )


def _entity(entity: Entity, target: Target, names: dict[int, str]) -> EntityFound:
    return EntityFound.trusted(
        **dict(entity),
        score=round(target.score, 3),
        way=target.way,
        reasons=Reasons.trusted(**{k: round(v, 3) for k, v in target.parts._asdict().items()}),
        matches=_matches(target.places),
        path=path_of(target.path, names),
    )


def _dropped(view: ModelView, dropped: DroppedEntity, names: dict[int, str]) -> EntityDropped:
    return EntityDropped.trusted(
        id=view.index.roster.ids[dropped.slot],
        name=names[dropped.slot],
        score=round(dropped.score, 3),
        loss=dropped.loss,
        path=path_of(dropped.path, names),
    )


def _event(entity: Entity, event: Recalled, names: dict[int, str]) -> EventFound:
    return EventFound.trusted(
        id=entity.id,
        name=entity.name,
        text=entity.prompt_text,
        at=entity.since,
        score=round(event.score, 3),
        reasons=EventReasons.trusted(**{k: round(v, 3) for k, v in event.parts._asdict().items()}),
        through=tuple(names[slot] for slot in event.through),
    )


def _passage(quotation: Quotation) -> PassageFound:
    return PassageFound.trusted(
        chapter=quotation.chapter,
        scene=quotation.scene,
        start=quotation.start,
        end=quotation.end,
        text=quotation.told,
        score=round(quotation.score, 3),
        matches=quotation.words,
    )
