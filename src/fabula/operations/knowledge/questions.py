"""Questions about who knows what, for the author."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.fact import existing_fact
from fabula.context.point_of_view import point_of_view
from fabula.errors import InvalidInput
from fabula.index.knowledge import LONGEST_CHAIN, LearningOccasion
from fabula.model.account import Role
from fabula.model.as_of import AsOf, StoryPlace
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.fact import FactRef, KeptKind, Secrecy
from fabula.model.knowing import KNOW_NOTHING
from fabula.model.moment import Moment, first_instant, instant_of
from fabula.model.wire import Id, Name, Value
from fabula.operations.knowledge.told_facts import (
    FactKnower,
    KnownFactOf,
    labels_of,
    learned_fields,
    moment_at,
)
from fabula.operations.table import StoryRequest, operation
from fabula.store.reader import Reader


class KnowledgeOfResponse(Value):
    """What somebody knows as of a moment: private facts, and beliefs about any fact."""

    knower_id: str
    name: str
    items: tuple[KnownFactOf, ...]
    unknown_count: int


class KnowledgeOfRequest(StoryRequest, AsOf):
    """What somebody knows, given by id, name or alias, as of a moment."""

    knower: Name


class KnowersResponse(Value):
    """Who knows a fact as of a moment; a public fact is known to everybody else too."""

    fact: FactRef
    label: str
    secrecy: Secrecy
    items: tuple[FactKnower, ...]


class KnowersRequest(StoryRequest, AsOf):
    """A fact, and the moment as of which to say who knows it."""

    kind: KeptKind
    id: Id


class ChainReason(Value):
    """Why a chain holds: the event, scene, relation, state or knowing at which all of them were present.

    `public` facts are known to everybody.
    """

    kind: Literal["public", "event", "scene", "relation", "state", "knowing"]
    id: str | None
    name: str
    since: Moment | None


class KnowledgeChainResponse(Value):
    """Whether the first thinks that the second thinks … that the last knows the fact, and why."""

    knows: bool
    because: tuple[ChainReason, ...]


class KnowledgeChainRequest(StoryRequest, StoryPlace):
    """A chain of people: what the first thinks that the second thinks … that the last knows of a fact."""

    chain: Annotated[tuple[Name, ...], Field(min_length=1, max_length=LONGEST_CHAIN)]
    fact: FactRef


class KnowledgeThoughtsRequest(StoryRequest, StoryPlace):
    """A chain of people: what the first thinks that the second thinks … that the last one knows."""

    chain: Annotated[tuple[Name, ...], Field(min_length=2, max_length=LONGEST_CHAIN)]


class ThoughtOfFact(Value):
    """A private fact that the first of a chain knows, and whether the chain holds for it, and why."""

    fact: FactRef
    label: str
    knows: bool
    because: ChainReason | None


class KnowledgeThoughtsResponse(Value):
    """Every private fact that the first of a chain knows, those of which the chain holds first."""

    names: tuple[str, ...]
    items: tuple[ThoughtOfFact, ...]


class Unaware(Value):
    """Somebody on stage who does not know a fact, and what they believe instead."""

    id: str
    name: str
    belief: str


class IronyFact(Value):
    """A private fact that the reader has been told and somebody on stage does not know."""

    fact: FactRef
    label: str
    unaware: tuple[Unaware, ...]


class IronyResponse(Value):
    """The dramatic irony of a scene."""

    on_stage: tuple[str, ...]
    items: tuple[IronyFact, ...]


class IronyRequest(StoryRequest):
    """A scene of the manuscript."""

    chapter: ChapterIndex
    scene: SceneIndex


@operation("knowledge.of_knower", role=Role.READER)
def knowledge_of(call: Call, request: KnowledgeOfRequest) -> KnowledgeOfResponse:
    """Say what somebody knows as of a moment, how and since when."""
    instant = _instant(request)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        knower = point_of_view(reader, index, request.knower, None)
        knowledge = index.knowledge(reader)
        learned = knowledge.learnings(knower.id, instant)
        labels = labels_of(reader, index, list(learned))
        items = [
            KnownFactOf.trusted(
                fact=fact,
                label=label,
                secrecy=_secrecy(knowledge.rows.is_private(fact)),
                **learned_fields(how),
            )
            for fact, label in labels.items()
            for how in (learned[fact],)
        ]
        known = sum(knowledge.rows.is_private(one.fact) and one.knows for one in items)
        unknown = knowledge.rows.private_count - known
    items.sort(key=lambda one: (first_instant(one.since), one.label, one.fact.id))
    return KnowledgeOfResponse(
        knower_id=knower.id, name=knower.name, items=tuple(items), unknown_count=unknown
    )


@operation("knowledge.of_fact", role=Role.READER)
def knowers_of(call: Call, request: KnowersRequest) -> KnowersResponse:
    """Say who knows a fact as of a moment, how and since when."""
    fact = FactRef(kind=request.kind, id=request.id)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        existing_fact(reader, request.project_id, fact)
        knowledge = index.knowledge(reader)
        found = knowledge.knowers(fact, _instant(request))
        people = reader.entities(request.project_id, found)
        is_private = knowledge.rows.is_private(fact)
        label = labels_of(reader, index, [fact]).get(fact, "")
    items = [
        FactKnower.trusted(knower_id=key, name=people[key].name, **learned_fields(learned))
        for key, learned in found.items()
        if key in people and people[key].type not in KNOW_NOTHING
    ]
    items.sort(key=lambda one: (first_instant(one.since), one.name, one.knower_id))
    return KnowersResponse(fact=fact, label=label, secrecy=_secrecy(is_private), items=tuple(items))


@operation("knowledge.chain", role=Role.READER)
def knowledge_chain(call: Call, request: KnowledgeChainRequest) -> KnowledgeChainResponse:
    """Say whether one person thinks that another thinks … that the last one knows a fact."""
    instant = _instant(request)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        existing_fact(reader, request.project_id, request.fact)
        people = [point_of_view(reader, index, one, None).id for one in request.chain]
        knowledge = index.knowledge(reader)
        if not knowledge.rows.is_private(request.fact):
            knows = all(knowledge.knows(one, request.fact, instant) for one in people)
            public = ChainReason(kind="public", id=None, name="", since=None)
            return KnowledgeChainResponse(knows=knows, because=(public,) if knows else ())
        seen = knowledge.seen_by_all(people, request.fact, instant)
        if seen is None:
            return KnowledgeChainResponse(knows=False, because=())
        names = reader.events.names(request.project_id, [seen.id])
    return KnowledgeChainResponse(knows=True, because=(_reason(seen, names),))


@operation("knowledge.thoughts", role=Role.READER)
def knowledge_thoughts(call: Call, request: KnowledgeThoughtsRequest) -> KnowledgeThoughtsResponse:
    """Say what one person thinks that another thinks … that the last one knows, and what not."""
    instant = _instant(request)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        people = [point_of_view(reader, index, one, None) for one in request.chain]
        ids = [one.id for one in people]
        knowledge = index.knowledge(reader)
        known = [
            fact
            for fact, learned in knowledge.learnings(ids[0], instant).items()
            if knowledge.rows.is_private(fact) and not learned.belief
        ]
        seen = {fact: knowledge.seen_by_all(ids, fact, instant) for fact in known}
        names = reader.events.names(request.project_id, [one.id for one in seen.values() if one])
        items = [
            ThoughtOfFact.trusted(
                fact=fact, label=label, knows=one is not None, because=one and _reason(one, names)
            )
            for fact, label in labels_of(reader, index, known).items()
            for one in (seen[fact],)
        ]
    items.sort(key=lambda one: (not one.knows, one.label, one.fact.id))
    return KnowledgeThoughtsResponse(names=tuple(one.name for one in people), items=tuple(items))


@operation("knowledge.irony", role=Role.READER)
def dramatic_irony(call: Call, request: IronyRequest) -> IronyResponse:
    """Say what the reader of a scene knows and those on stage do not."""
    instant = instant_of(request.chapter, request.scene)
    with call.store.read() as reader, call.indexes.lease(reader, request.project_id) as index:
        _refuse_no_scene(reader, request)
        index.date_by_appearance(reader)
        knowledge = index.knowledge(reader)
        stage = sorted(knowledge.stages.get(instant, ()))
        names = reader.events.names(request.project_id, stage)
        told = [fact for fact in knowledge.rows.private_facts() if knowledge.is_told(fact, instant)]
        labels = labels_of(reader, index, told)
        items = []
        for fact, label in labels.items():
            unaware = []
            for one in stage:
                learned = knowledge.learned(one, fact, instant)
                if learned is None or learned.belief:
                    belief = "" if learned is None else learned.belief
                    unaware.append(Unaware.trusted(id=one, name=names.get(one, ""), belief=belief))
            if unaware:
                items.append(IronyFact.trusted(fact=fact, label=label, unaware=tuple(unaware)))
    items.sort(key=lambda one: (one.label, one.fact.id))
    return IronyResponse(on_stage=tuple(stage), items=tuple(items))


def _reason(seen: LearningOccasion, names: Mapping[str, str]) -> ChainReason:
    return ChainReason.model_validate(
        {"kind": seen.kind, "id": seen.id, "name": names.get(seen.id, ""), "since": moment_at(seen.since)}
    )


def _refuse_no_scene(reader: Reader, request: IronyRequest) -> None:
    reader.story(request.project_id)
    if reader.manuscript.scene(request.project_id, request.chapter, request.scene) is None and (
        reader.manuscript.snapshot(request.project_id, request.chapter, request.scene) is None
    ):
        raise InvalidInput(
            f"There is no scene {request.scene} in chapter {request.chapter}.",
            details={"chapter": request.chapter, "scene": request.scene},
        )


def _instant(place: StoryPlace) -> int | None:
    return None if place.moment is None else first_instant(place.moment)


def _secrecy(is_private: bool) -> Secrecy:
    return Secrecy.PRIVATE if is_private else Secrecy.PUBLIC
