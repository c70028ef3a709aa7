"""Search over everything: names, texts of entities and entries, events, and passages of scenes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.context.audience import AuthorView, ModelView
from fabula.context.entity_texts import entity_text
from fabula.context.hop_paths import Hop, has_open_name, names_on, path_of
from fabula.context.open_types import open_type
from fabula.context.quotations import Quotation, quotations
from fabula.context.story_world import StoryWorld
from fabula.index.lorebook import EntryOwner
from fabula.index.words import shared_words
from fabula.matching import fold
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.lore import LoreEntry
from fabula.model.moment import Moment, last_instant
from fabula.model.names import name_key
from fabula.model.wire import Text, Value
from fabula.operations.table import StoryRequest, operation
from fabula.projections.meaning import Meaning
from fabula.retrieval.reasons import Target
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules

MAX_QUERY = 2000
MOST_HITS = 100
SNIPPET = 160
MARGIN = 20

# Most people search for a name: a full match ranks first, then a partial one, then everything else.
WHOLE_NAME = 1.0
PART_OF_NAME = 0.9
BY_TEXT = 0.8
BY_WAY = 0.5

Kind = Literal["entity", "event", "entry", "passage"]
Why = Literal["name", "text", "near"]


class SnippetSpan(Value):
    """A span of a snippet to highlight."""

    start: int
    end: int


class SearchHit(Value):
    """A search hit: what it is, where it is, a snippet with the spans to highlight, and why it matches.

    `why` is `name` if a name matches, `text` if its text is relevant to the query, and `near` if a path
    leads to it from an entity that the query names; `path` is that path.
    """

    kind: Kind
    id: str
    type: str
    title: str
    snippet: str
    marks: tuple[SnippetSpan, ...]
    why: Why
    score: float
    chapter: int | None = None
    scene: int | None = None
    start: int | None = None
    end: int | None = None
    path: tuple[Hop, ...] = ()


class SearchResponse(Value):
    """The search hits, best first."""

    items: tuple[SearchHit, ...]
    query_cost_ms: float


class SearchRequest(StoryRequest):
    """What to search for, in which kinds, and as of which moment; by default in the whole story.

    An author can find everything; a model, only what it may see.
    """

    q: Annotated[Text, Field(max_length=MAX_QUERY)]
    kinds: tuple[Kind, ...] = ("entity", "event", "entry", "passage")
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 20
    as_of: Moment | None = None
    audience: Literal["author", "model"] = "author"


@operation("search.story", role=Role.READER)
def search_story(call: Call, request: SearchRequest) -> SearchResponse:
    """Search the story for a few words or a question."""
    project_id = request.project_id
    question = request.q.strip()
    instant = None if request.as_of is None else last_instant(request.as_of)
    meaning = call.meaning.about(call.store, project_id, lambda _: (question,))
    with call.store.read() as reader:
        reader.story(project_id)
        with call.indexes.lease(reader, project_id) as index:
            index.build_for_questions(reader)
            meaning.take_in(reader, index)
            deadline = call.deadline()
            sees = AuthorView if request.audience == "author" else ModelView
            view = sees(reader, index, instant, deadline=deadline)
            hits = list(_hits(meaning, view, question, request)) if question else []
    deadline.check(len(hits))
    best = sorted(hits, key=lambda hit: (-hit.score, hit.kind, hit.title, hit.id))[: request.limit]
    return SearchResponse.trusted(items=tuple(best), query_cost_ms=deadline.elapsed_ms())


def _hits(meaning: Meaning, view: ModelView, question: str, request: SearchRequest) -> Iterator[SearchHit]:
    kinds = set(request.kinds)
    if kinds & {"entity", "event"}:
        yield from (hit for hit in _entities(meaning, view, question, request.limit) if hit.kind in kinds)
    if "entry" in kinds:
        yield from _entries(view, question, request.limit)
    if "passage" in kinds:
        for quotation in quotations(view, question, meaning, until=view.instant, limit=request.limit):
            hit = _of_passage(quotation, question)
            if hit is not None:
                yield hit


def _entities(meaning: Meaning, view: ModelView, question: str, limit: int) -> Iterator[SearchHit]:
    world = StoryWorld(view, meaning)
    found = GraphRetriever(world, Rules(targets=limit, events=0)).retrieve(question, world.allowed)
    targets = {target.slot: target for target in found.targets}
    slots, key = view.index.roster.slot_of, name_key(question)
    parts = view.reader.ids_named_like(view.index.project_id, key, limit)
    named = [slot for slot in (slots[one] for one in parts) if world.allowed[slot]]
    wanted = sorted({*targets, *named})
    known = dict(zip(wanted, view.index.entities(view.reader, wanted), strict=True))
    names = names_on(view, (target.path for target in targets.values()))
    for slot, entity in known.items():
        target = targets.get(slot)
        on_the_way = {end for step in (target.path if target else ()) for end in (step.source, step.target)}
        if all(has_open_name(view, one) for one in {slot, *on_the_way}):
            yield _of_entity(view, entity, target, key, question, names)


def _of_entity(
    view: ModelView, entity: Entity, target: Target | None, key: str, question: str, names: dict[int, str]
) -> SearchHit:
    own = {name_key(name) for name in view.own_names(entity)}
    if key in own:
        why: Why = "name"
        score = WHOLE_NAME
    elif any(key in name for name in own):
        why, score = "name", PART_OF_NAME * (0.9 + 0.1 * len(key) / max(map(len, own)))
    elif target is not None and target.way in ("named", "implied"):
        why, score = "name", PART_OF_NAME * target.score
    else:
        near = target is not None and target.way is None
        why = "near" if near else "text"
        score = (BY_WAY if near else BY_TEXT) * (target.score if target is not None else 0.0)
    snippet, marks = _snippet(entity_text(view, entity).text, question)
    at = entity.since if entity.type == EVENT else None
    return SearchHit.trusted(
        kind="event" if entity.type == EVENT else "entity",
        id=entity.id,
        type=open_type(view, entity.type),
        title=entity.name,
        snippet=snippet,
        marks=marks,
        why=why,
        score=round(score, 3),
        chapter=None if at is None else at.chapter,
        scene=None if at is None else at.scene,
        start=None,
        end=None,
        path=path_of(target.path, names) if target is not None and why == "near" else (),
    )


def _entries(view: ModelView, question: str, limit: int) -> Iterator[SearchHit]:
    """Yield matching custom entries; those of entities are found as entities."""
    index, reader, key = view.index, view.reader, name_key(question)
    owners = (hit.owner for hit in index.names(reader).find_all(question))
    named = [owner.entry_id for owner in owners if isinstance(owner, EntryOwner)]
    holding = reader.lore.custom_ids_with(index.project_id, key, limit)
    for entry in index.entries(reader, dict.fromkeys([*named, *holding])):
        if entry.entity_id is None and view.may_be_read(entry) and view.entry_name(entry):
            yield _of_entry(view, entry, key, question)


def _of_entry(view: ModelView, entry: LoreEntry, key: str, question: str) -> SearchHit:
    own = {name_key(name) for name in (entry.entry_key, entry.display_name, *entry.keywords)}
    whole, part = key in own, any(key in name for name in own)
    snippet, marks = _snippet(view.prose(entry.content), question)
    return SearchHit.trusted(
        kind="entry",
        id=entry.id,
        type="custom",
        title=entry.display_name or entry.entry_key,
        snippet=snippet,
        marks=marks,
        why="name" if whole or part else "text",
        score=WHOLE_NAME if whole else PART_OF_NAME if part else BY_TEXT * 0.75,
        chapter=None,
        scene=None,
        start=None,
        end=None,
        path=(),
    )


def _of_passage(quotation: Quotation, question: str) -> SearchHit | None:
    snippet, marks = _snippet(quotation.told, question)
    if not snippet:
        return None
    return SearchHit.trusted(
        kind="passage",
        id=quotation.id,
        type="passage",
        title=f"{quotation.chapter}.{quotation.scene}",
        snippet=snippet,
        marks=marks,
        why="text",
        score=round(BY_TEXT * quotation.score, 3),
        chapter=quotation.chapter,
        scene=quotation.scene,
        start=quotation.start,
        end=quotation.end,
        path=(),
    )


def _snippet(text: str, question: str) -> tuple[str, tuple[SnippetSpan, ...]]:
    """Return the part of a text that matches the query best, with the spans to highlight."""
    flat = " ".join(text.split())
    marks = list(_marks(flat, question))
    best = max((start for start, _ in marks), key=lambda s: _held(marks, s), default=0)
    latest = max(0, len(flat) - SNIPPET)
    begin, end = _between_words(flat, max(0, min(best - MARGIN, latest)), best)
    snippet = flat[begin:end]
    inside = (
        SnippetSpan(start=s - begin, end=e - begin)
        for s, e in marks
        if begin <= s and e <= begin + len(snippet)
    )
    return snippet, tuple(inside)


def _between_words(text: str, begin: int, mark: int) -> tuple[int, int]:
    """Return where to cut a snippet, at word boundaries in scripts that use spaces."""
    if begin:
        begin = text.find(" ", begin - 1, mark) + 1 or begin
    end = begin + SNIPPET
    if end < len(text):
        gap = text.rfind(" ", end - MARGIN, end + 1)
        end = gap if gap > 0 else end
    return begin, end


def _held(marks: Iterable[tuple[int, int]], start: int) -> int:
    return sum(end - first for first, end in marks if start <= first and end <= start + SNIPPET)


def _marks(text: str, question: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the query, or else of its words, in a text, without overlaps."""
    folded, asked = fold(text), fold(question)
    places = _places(folded.text, asked.text)
    if not places:
        words = shared_words([question], folded.text)[0]
        places = sorted(place for word in words for place in _places(folded.text, word))
    joined: list[list[int]] = []
    for start, end in places:
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    for start, end in joined:
        yield folded.span(start, end)


def _places(text: str, word: str) -> list[tuple[int, int]]:
    found, place = [], text.find(word) if word else -1
    while place >= 0:
        found.append((place, place + len(word)))
        place = text.find(word, place + len(word))
    return found
