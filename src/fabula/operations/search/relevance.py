"""Finding the entities that are relevant to a passage of text."""

from __future__ import annotations

import heapq
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from fabula.call import Call
from fabula.canon.scope import refuse_foreign
from fabula.context.audience import ModelView
from fabula.context.detection import detect
from fabula.context.entity_texts import entity_text, redacted_entity
from fabula.context.hop_paths import Hop, has_open_name, names_on, path_of
from fabula.context.point_of_view import Pov, seen_by
from fabula.context.story_world import StoryWorld
from fabula.index.deadline import Deadline
from fabula.index.story_index import StoryIndex
from fabula.index.words import place_of, shared_words
from fabula.matching import fold
from fabula.model.account import Role
from fabula.model.context import MatchPlace
from fabula.model.entity import Entity
from fabula.model.wire import Id, Text, Value
from fabula.operations.table import Request, operation
from fabula.projections.meaning import Meaning
from fabula.retrieval.reasons import HopStep
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules
from fabula.store.reader import Reader

NAMED = 100.0
MOST_FOR_WORDS = 96.0
SHOWN_MATCHES = 20
# A single plain relation to a named entity is not enough; two are, or one that the passage mentions.
NEAR = 0.6
LAST_CHARACTERS = 2000


class RelevantEntity(Entity):
    """An entity with the reasons for its relevance: matching words, or a path from a named entity."""

    score: float
    matches: tuple[MatchPlace, ...]
    path: tuple[Hop, ...]


class KnowledgeQueryRelevantResponse(Value):
    """The most relevant entities, best first."""

    items: tuple[RelevantEntity, ...]
    query_cost_ms: float


class KnowledgeQueryRelevantRequest(Request[KnowledgeQueryRelevantResponse]):
    """A passage, and optionally the only entities to choose from.

    The answer is meant for a model: `never` is never included, `manual_only` only if `entityIds` names
    it. Without a passage, the most significant entities are returned.
    """

    excerpt: Annotated[Text, Field(max_length=1_000_000)]
    max_entities: Annotated[int, Field(ge=1, le=50, strict=True)] = 5
    entity_ids: Annotated[tuple[Id, ...] | None, Field(default=None, max_length=1000)]
    pov: Pov = None


class Candidate(NamedTuple):
    """An entity found in the text by name or by words."""

    slot: int
    score: float
    first: int
    matches: tuple[MatchPlace, ...]
    path: tuple[HopStep, ...] = ()


@operation("query.relevant", role=Role.READER, channel="knowledge:query:relevant")
def query_relevant(call: Call, request: KnowledgeQueryRelevantRequest) -> KnowledgeQueryRelevantResponse:
    """Find the entities a passage is about, by name, alias and the words of their descriptions."""
    meaning = call.meaning.about(call.store, request.project_id, lambda _: (_question(request),))
    with call.store.read() as reader:
        reader.story(request.project_id)
        with call.indexes.lease(reader, request.project_id) as index:
            index.build_for_text(reader)
            deadline = call.deadline()
            chosen = _named_by_caller(reader, index, request)
            pov = seen_by(reader, index, request.pov, None)
            ear = ModelView(reader, index, None, chosen or frozenset(), pov=pov, deadline=deadline)
            allowed = ear.known_among(index.roster.tellable(chosen).copy())
            best = _explained(ear, request.excerpt, _best(reader, index, request, allowed, deadline))
            best += _near(meaning, ear, request, {candidate.slot for candidate in best})
            best = [candidate for candidate in best if has_open_name(ear, candidate.slot)]
            names = names_on(ear, (candidate.path for candidate in best))
            entities = index.entities(reader, [candidate.slot for candidate in best])
            entities = [redacted_entity(ear, entity) for entity in entities]
    deadline.check(len(best))
    items = tuple(
        RelevantEntity.trusted(
            **dict(entity),
            score=round(candidate.score, 3),
            matches=candidate.matches,
            path=path_of(candidate.path, names),
        )
        for entity, candidate in zip(entities, best, strict=True)
    )
    return KnowledgeQueryRelevantResponse.trusted(items=items, query_cost_ms=deadline.elapsed_ms())


def _named_by_caller(
    reader: Reader, index: StoryIndex, request: KnowledgeQueryRelevantRequest
) -> frozenset[int] | None:
    if request.entity_ids is None:
        return None
    slots = index.roster.slot_of
    unknown = [entity_id for entity_id in request.entity_ids if entity_id not in slots]
    refuse_foreign(reader, request.project_id, unknown)
    return frozenset(slots[entity_id] for entity_id in request.entity_ids if entity_id in slots)


def _best(
    reader: Reader,
    index: StoryIndex,
    request: KnowledgeQueryRelevantRequest,
    allowed: NDArray[np.bool_],
    deadline: Deadline,
) -> list[Candidate]:
    if request.excerpt.strip():
        candidates = _found_in(reader, index, request, allowed, deadline)
    else:
        candidates = [Candidate(slot, 0.0, 0, ()) for slot in np.flatnonzero(allowed).tolist()]
    significance, ids = index.roster.significance, index.roster.ids
    return heapq.nsmallest(
        request.max_entities,
        candidates,
        key=lambda c: (-c.score, c.first, -significance[c.slot], ids[c.slot]),
    )


def _found_in(
    reader: Reader,
    index: StoryIndex,
    request: KnowledgeQueryRelevantRequest,
    allowed: NDArray[np.bool_],
    deadline: Deadline,
) -> list[Candidate]:
    excerpt = request.excerpt
    matches = {
        slot: places
        for slot, places in detect(reader, index, excerpt, deadline.check).entities.items()
        if allowed[slot]
    }
    deadline.check(len(matches))
    # Named entities rank first whatever their words, so this limit always suffices.
    limit = len(matches) + request.max_entities
    said = index.words(reader).scores(excerpt, allowed=allowed, limit=limit, keep=matches).by_slot()
    deadline.check(len(said))
    nowhere = len(excerpt)
    return [
        Candidate(
            slot,
            (NAMED if slot in matches else 0.0) + min(MOST_FOR_WORDS, said.get(slot, 0.0)),
            matches[slot][0].start if slot in matches else nowhere,
            tuple(matches.get(slot, ())[:SHOWN_MATCHES]),
        )
        for slot in matches.keys() | said.keys()
    ]


def _near(
    meaning: Meaning, ear: ModelView, request: KnowledgeQueryRelevantRequest, known: set[int]
) -> list[Candidate]:
    """Return entities that are not named but closely connected, up to the limit."""
    room = request.max_entities - len(known)
    if room <= 0 or request.entity_ids is not None or not request.excerpt.strip():
        return []
    world = StoryWorld(ear, meaning)
    rules = Rules(targets=request.max_entities + len(known), events=0)
    found = GraphRetriever(world, rules).retrieve(_question(request), world.allowed)
    near = [t for t in found.targets if t.way is None and t.score >= NEAR and t.slot not in known]
    return [Candidate(t.slot, t.score, len(request.excerpt), (), t.path) for t in near[:room]]


def _question(request: KnowledgeQueryRelevantRequest) -> str:
    """Return the query text: the end of the passage."""
    return "" if request.entity_ids is not None else request.excerpt[-LAST_CHARACTERS:]


def _explained(ear: ModelView, excerpt: str, best: list[Candidate]) -> list[Candidate]:
    """Add the matching words of each candidate's text, as far as the model may see them."""
    folded = fold(excerpt)
    entities = ear.index.entities(ear.reader, [candidate.slot for candidate in best])
    said = shared_words([entity_text(ear, entity).text for entity in entities], folded.text)
    explained = []
    for candidate, own in zip(best, said, strict=True):
        matches = list(candidate.matches)
        for text in own[: SHOWN_MATCHES - len(matches)]:
            place = place_of(text, folded.text)
            if place is not None:
                start, end = folded.span(place, place + len(text))
                matches.append(
                    MatchPlace.trusted(term=excerpt[start:end], kind="description", start=start, end=end)
                )
        explained.append(candidate._replace(matches=tuple(matches)))
    return explained
