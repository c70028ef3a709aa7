"""Search over everything: names, texts of entities and entries, events, and passages of scenes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.context.author_view import AuthorView
from fabula.context.entity_texts import joined_text
from fabula.context.hop_paths import Hop, called, has_open_name, path_of
from fabula.context.open_types import open_type
from fabula.context.point_of_view import Pov, seen_by
from fabula.context.quotations import ReadPassage, ranked_passages, read_passages
from fabula.context.story_world import StoryWorld
from fabula.context.told_passages import told_passages
from fabula.index.lorebook import EntryOwner
from fabula.model.account import Role
from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.lore import LoreEntry
from fabula.model.moment import Moment, last_instant
from fabula.model.names import name_key
from fabula.model.wire import Text, Value
from fabula.operations.search.snippets import Snippets, SnippetSpan
from fabula.operations.table import StoryRequest, operation
from fabula.projections.meaning import Meaning
from fabula.retrieval.ranking import varied
from fabula.retrieval.reasons import HopStep, Target
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import Rules

MAX_QUERY = 2000
MOST_HITS = 100

# Most people search for a name: a full match ranks first, then a partial one, then everything else.
WHOLE_NAME = 1.0
PART_OF_NAME = 0.9
BY_TEXT = 0.8
BY_WAY = 0.5

Kind = Literal["entity", "event", "entry", "passage"]
Why = Literal["name", "text", "near"]


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
    pov: Pov = None


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
            index.lookup(reader)
            meaning.take_in(reader, index)
            deadline = call.deadline()
            sees = AuthorView if request.audience == "author" else ModelView
            pov = seen_by(reader, index, request.pov, instant)
            view = sees(reader, index, instant, pov=pov, deadline=deadline)
            matches = _matches(meaning, view, request, question) if question else []
            shown = (match.show(match.kind, match.why, match.score) for match in matches)
            hits = tuple(islice((hit for hit in shown if hit is not None), request.limit))
    deadline.check(len(hits))
    return SearchResponse.trusted(items=hits, query_cost_ms=deadline.elapsed_ms())


class _Match(NamedTuple):
    """A match before it is shown: its score, its kind, why it matches, and how to show it."""

    score: float
    kind: Kind
    why: Why
    show: Callable[[Kind, Why, float], SearchHit | None]


def _matches(meaning: Meaning, view: ModelView, request: SearchRequest, question: str) -> list[_Match]:
    """Return all matches, best first; those of a kind stay in the order in which retrieval ranks them."""
    kinds, snippets = set(request.kinds), Snippets(question)
    found: list[_Match] = []
    if "passage" in kinds:
        found += _passages(meaning, view, question, snippets, request.limit)
    if "entry" in kinds:
        found += _entries(view, question, snippets, request.limit)
    if kinds & {"entity", "event"}:
        # No path makes a better match than these, so that there is no need to look for one.
        full = sum(match.score > BY_WAY for match in found) >= request.limit
        found += _entities(meaning, view, question, snippets, request.limit, walks=not full)
    return sorted(
        (match for match in found if match.kind in kinds), key=lambda match: (-match.score, match.kind)
    )


def _entities(
    meaning: Meaning, view: ModelView, question: str, snippets: Snippets, limit: int, *, walks: bool
) -> list[_Match]:
    world, key = StoryWorld(view, meaning), name_key(question)
    rules = Rules(targets=limit, events=0) if walks else Rules(targets=limit, events=0, hops=0)
    found = GraphRetriever(world, rules).retrieve(question, world.allowed)
    lookup = view.index.lookup(view.reader)
    targets: dict[int, Target] = {}
    for target in found.targets:
        targets.setdefault(view.leader(target.slot), target)
    named = dict.fromkeys(map(view.leader, lookup.named_like(key, world.allowed, limit)))
    shown = _EntityPages(view, snippets, targets)
    by_why: dict[Why, list[tuple[float, int]]] = {"name": [], "text": [], "near": []}
    for slot in {**named, **targets}:
        own = shown.keys(slot) if shown.is_open(slot) else ()
        # A name that the audience does not know leads to nobody.
        if own and (slot in targets or any(key in name for name in own)):
            why, score = _weighed(own, targets.get(slot), key)
            by_why[why].append((round(score, 3), slot))
    titles, ids = lookup.titles, view.index.roster.ids
    by_why["name"].sort(key=lambda match: (-match[0], titles[match[1]].name, ids[match[1]]))
    return [
        _Match(score, "event" if titles[slot].kind == EVENT else "entity", why, partial(shown.page, slot))
        for why, matches in by_why.items()
        for score, slot in matches
    ]


def _weighed(own: Collection[str], target: Target | None, key: str) -> tuple[Why, float]:
    if key in own:
        return "name", WHOLE_NAME
    if any(key in name for name in own):
        return "name", PART_OF_NAME * (0.9 + 0.1 * len(key) / max(map(len, own)))
    score = target.score if target is not None else 0.0
    if target is not None and target.way in ("named", "implied"):
        return "name", PART_OF_NAME * score
    if target is not None and target.way is None:
        return "near", BY_WAY * score
    return "text", BY_TEXT * score


class _EntityPages:
    """Shows entities as hits: an author from what the index holds, others with redacted values."""

    def __init__(self, view: ModelView, snippets: Snippets, targets: Mapping[int, Target]) -> None:
        self._view, self._snippets, self._targets = view, snippets, targets
        self._lookup = view.index.lookup(view.reader)
        self._sees_all = isinstance(view, AuthorView) and view.pov is None

    def is_open(self, slot: int) -> bool:
        """Whether no name of the entity, or on the path to it, reveals a secret."""
        if self._sees_all:
            return True
        path = self._targets[slot].path if slot in self._targets else ()
        ends = {end for step in path for end in (step.source, step.target)}
        return all(has_open_name(self._view, one) for one in {slot, *ends})

    def keys(self, slot: int) -> Collection[str]:
        """The folded names that the audience may know."""
        if self._sees_all:
            return self._lookup.keys(slot)
        return {name_key(name) for name in self._view.own_names(self._entity(slot))}

    def page(self, slot: int, kind: Kind, why: Why, score: float) -> SearchHit:
        """The hit for an entity."""
        view, titled = self._view, self._lookup.titles[slot]
        if self._sees_all:
            text = view.index.words(view.reader).text_of(slot)
        else:
            people = view.index.entities(view.reader, view.members(slot))
            text = joined_text(view, [(one, ()) for one in people]).text
        snippet, marks = self._snippets.of(text)
        path = self._targets[slot].path if why == "near" else ()
        return SearchHit.trusted(
            kind=kind,
            id=view.index.roster.ids[slot],
            type=open_type(view, titled.kind),
            title=called(view, [slot])[slot] if self._is_special(slot) else titled.name,
            snippet=snippet,
            marks=marks,
            why=why,
            score=score,
            chapter=titled.chapter if kind == "event" else None,
            scene=titled.scene if kind == "event" else None,
            start=None,
            end=None,
            path=path_of(path, self._names(path)),
        )

    def _names(self, path: Iterable[HopStep]) -> dict[int, str]:
        ends = {end for step in path for end in (step.source, step.target)}
        names = {end: self._lookup.titles[end].name for end in ends}
        special = [end for end in ends if self._is_special(end)]
        return {**names, **called(self._view, special)} if special else names

    def _is_special(self, slot: int) -> bool:
        """Whether what an entity is called depends on the audience."""
        if self._sees_all:
            return False
        key = self._view.index.roster.ids[slot]
        return key in self._view.index.identities.names or key in self._view.identity.leaders

    def _entity(self, slot: int) -> Entity:
        (entity,) = self._view.index.entities(self._view.reader, [slot])
        return entity


def _entries(view: ModelView, question: str, snippets: Snippets, limit: int) -> Iterator[_Match]:
    """Yield matching custom entries; those of entities are found as entities."""
    index, reader, key = view.index, view.reader, name_key(question)
    owners = (hit.owner for hit in index.names(reader).find_all(question))
    named = [owner.entry_id for owner in owners if isinstance(owner, EntryOwner)]
    holding = index.lookup(reader).entries_with(key)[:limit]
    matches = []
    for entry in index.entries(reader, dict.fromkeys([*named, *holding])):
        if entry.entity_id is None and view.may_be_read(entry) and view.entry_name(entry):
            own = {name_key(name) for name in (entry.entry_key, entry.display_name, *entry.keywords)}
            whole, part = key in own, any(key in name for name in own)
            score = WHOLE_NAME if whole else PART_OF_NAME if part else BY_TEXT * 0.75
            matches.append((-score, entry.display_name or entry.entry_key, entry.id, entry, whole or part))
    for score, _, _, entry, is_named in sorted(matches, key=lambda match: match[:3]):
        yield _Match(-score, "entry", "name" if is_named else "text", partial(_entry, view, entry, snippets))


def _entry(
    view: ModelView, entry: LoreEntry, snippets: Snippets, kind: Kind, why: Why, score: float
) -> SearchHit:
    snippet, marks = snippets.of(view.redaction_of(entry).prose(entry.content))
    return SearchHit.trusted(
        kind=kind,
        id=entry.id,
        type="custom",
        title=entry.display_name or entry.entry_key,
        snippet=snippet,
        marks=marks,
        why=why,
        score=score,
        chapter=None,
        scene=None,
        start=None,
        end=None,
        path=(),
    )


def _passages(
    meaning: Meaning, view: ModelView, question: str, snippets: Snippets, limit: int
) -> Iterator[_Match]:
    """Yield the passages in the order of `retrieve`; a score is never above that of the one before."""
    ranking = ranked_passages(view, question, meaning, until=view.instant)
    if ranking is None:
        return
    rows = varied(ranking, told_passages(view).in_order(), limit)
    scores = np.minimum.accumulate(ranking.scores[rows])
    # Nothing is read unless a passage is shown, and then all of them at once.
    read = cache(lambda: read_passages(view, rows.tolist()))
    for place, score in enumerate(scores.tolist()):
        show = partial(_passage, read, place, snippets)
        yield _Match(round(BY_TEXT * score, 3), "passage", "text", show)


def _passage(
    passages: Callable[[], list[ReadPassage]],
    place: int,
    snippets: Snippets,
    kind: Kind,
    why: Why,
    score: float,
) -> SearchHit | None:
    read = passages()[place]
    snippet, marks = snippets.of(read.told)
    if not snippet:
        return None
    return SearchHit.trusted(
        kind=kind,
        id=read.id,
        type="passage",
        title=f"{read.chapter}.{read.scene}",
        snippet=snippet,
        marks=marks,
        why=why,
        score=score,
        chapter=read.chapter,
        scene=read.scene,
        start=read.start,
        end=read.end,
        path=(),
    )
