"""The relations of the entities in a scene, cached between key presses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import islice
from typing import Any, NamedTuple

from fabula.assembly.pieces import Weighed
from fabula.assembly.sections.relations import RELATIONS
from fabula.assembly.sentences import RelationCandidate
from fabula.assembly.setting import SceneSetting
from fabula.context.audience import ModelView
from fabula.context.edition_cache import recalled, relation_labels, stale_of, withholds_stale_facts
from fabula.context.told_relations import told_notes
from fabula.index.links import is_plain_role
from fabula.model.audience import OpenText
from fabula.model.fact import FactKind
from fabula.model.ontology import ACQUAINTANCE
from fabula.model.relation import Relation

LEAST_RELATIONS = 100
MOST_RELATIONS = 400
RELATIONS_PER_ENTITY = 40
# Of whom somebody in the scene merely knows, so many are told who are not in it themselves.
MOST_ACQUAINTANCES = 6

_AMONG_ACTORS = 0.6
_TO_OTHERS = 0.1
_FOR_SIGNIFICANCE = 0.3

_Ranked = tuple[float, str, int, int]
"""The negated score, the relation's id, its link, and the entity at one end, in sort order."""


class _Near(NamedTuple):
    """The relations of an entity: all by peer, and the highest-ranked ones, best first."""

    by_peer: dict[int, list[_Ranked]]
    best: list[_Ranked]


class _Words(NamedTuple):
    """A relation as redacted for a model."""

    relation: Relation
    source_id: str
    target_id: str
    source: OpenText
    target: OpenText
    label: OpenText
    description: OpenText
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Circle:
    """The relations as one view sees them, cached for one edition of the story."""

    with_roles: bool
    near: dict[int, _Near] = field(default_factory=dict)
    words: dict[int, _Words | None] = field(default_factory=dict)


def relation_limit(token_budget: int) -> int:
    """Return how many relations to weigh: more than twice as many as fit into a fifth of the budget."""
    return max(LEAST_RELATIONS, min(MOST_RELATIONS, token_budget // 30))


def weighed_relations(
    on: ModelView, actors: set[int], beside: set[int], limit: int, setting: SceneSetting
) -> Weighed[RelationCandidate]:
    """Return the weighed relations of the entities in the scene, and of those beside it.

    These entities seldom change between key presses, so the result is cached.
    """
    people = frozenset(actors), frozenset(beside)
    question = (on.key, people, limit, setting.now, setting.language, setting.counter)
    return recalled(
        on.index,
        question,
        lambda: RELATIONS.weigh(
            [*relation_candidates(on, actors, limit, beside=beside), *_unrevealed(on, actors)], setting
        ),
    )


def relation_candidates(
    on: ModelView,
    actors: set[int],
    limit: int,
    *,
    beside: Collection[int] = (),
    with_roles: bool = False,
) -> list[RelationCandidate]:
    """Return the relations of the entities in a scene: among themselves first, then to significant others.

    Entities `beside` it count as its own, but only their relations within this circle are returned.
    Both ends must be visible to the model at this instant. Participation in an event is part of the
    event's own text; it is included here only `with_roles`, or if the role has more to say.
    """
    actors = {one for actor in actors for one in on.members(actor)}
    beside = {one for actor in beside for one in on.members(actor)}
    circle = recalled(on.index, ("circle", on.key, with_roles), lambda: _Circle(with_roles))
    closest = _closest(on, circle, actors, actors.union(beside), limit)
    graph = on.graph
    _hear(on, circle, [link for _, _, link, _ in closest])
    ids = [graph.ids[link] for _, _, link, _ in closest]
    stale = dict(zip(ids, stale_of(on.reader, on.index, FactKind.RELATION, ids), strict=True))
    withholds = any(stale.values()) and withholds_stale_facts(on.reader, on.index)
    candidates = []
    acquaintances: Counter[str] = Counter()
    on_stage = {on.index.roster.ids[on.leader(actor)] for actor in actors}
    told: set[tuple[str, str, str, str]] = set()
    for minus_score, _, link, actor in closest:
        words = circle.words[link]
        if words is not None and _is_new(words, told):
            forward = graph.sources[link] == actor
            candidate = _candidate(on, words, -minus_score, forward)
            candidate.stale = bool(stale[candidate.id])
            candidate.outdated = candidate.stale and withholds
            candidate.says_little = _says_little(words, on_stage, acquaintances)
            candidates.append(candidate)
    return candidates


def _says_little(words: _Words, on_stage: set[str], acquaintances: Counter[str]) -> bool:
    """Whether two merely know each other, and that matters little here: a book is full of such relations."""
    if words.relation.relation_type not in ACQUAINTANCE or words.description or words.properties:
        return False
    present = [end for end in (words.source_id, words.target_id) if end in on_stage]
    if len(present) == 1:
        acquaintances[present[0]] += 1
        return acquaintances[present[0]] > MOST_ACQUAINTANCES
    return not present


def _unrevealed(on: ModelView, actors: set[int]) -> list[RelationCandidate]:
    """Return the relations that would join two who are kept apart, without words, for the trace."""
    graph, nothing = on.index.graph(on.reader), OpenText("")
    held_back = [
        link for link in on.unrevealed_links() if {graph.sources[link], graph.targets[link]} & actors
    ]
    return [
        RelationCandidate(
            id=relation.id,
            source_id=relation.source_entity_id,
            source_name=nothing,
            target_id=relation.target_entity_id,
            target_name=nothing,
            relation_type=relation.relation_type,
            label=nothing,
            unrevealed=True,
        )
        for relation in on.index.relations(on.reader, sorted(held_back))
    ]


def _is_new(words: _Words, told: set[tuple[str, str, str, str]]) -> bool:
    """Whether a relation says what none before it said: those of entities told as one may say the same."""
    said = (words.source_id, words.target_id, words.relation.relation_type, words.description)
    is_new = said not in told or (words.source_id, words.target_id) == (
        words.relation.source_entity_id,
        words.relation.target_entity_id,
    )
    told.add(said)
    return is_new


def _candidate(on: ModelView, words: _Words, score: float, is_forward: bool) -> RelationCandidate:
    relation = words.relation
    since, until = on.index.clock.period_at(relation, on.instant)
    return RelationCandidate(
        id=relation.id,
        source_id=words.source_id,
        source_name=words.source,
        target_id=words.target_id,
        target_name=words.target,
        relation_type=relation.relation_type,
        label=words.label,
        description=words.description,
        properties=words.properties,
        since=since,
        until=until,
        score=score,
        hop_path=(words.source, words.target) if is_forward else (words.target, words.source),
    )


def _hear(on: ModelView, circle: _Circle, links: Iterable[int]) -> None:
    """Redact the relations that are not cached yet; None for those whose type or end names a secret."""
    missing = [link for link in links if link not in circle.words]
    if not missing:
        return
    index, reader, ids = on.index, on.reader, on.index.roster.ids
    graph = on.graph
    labels = relation_labels(reader, index)
    secret_types = {key for key, label in labels.items() if not (on.label(label) and on.label(key))}
    ends = sorted({end for link in missing for end in (graph.sources[link], graph.targets[link])})
    known = zip(ends, index.entities(reader, ends), strict=True)
    names = {end: own[0] for end, entity in known if (own := on.own_names(entity))}
    for link, relation in zip(missing, index.relations(reader, missing), strict=True):
        source, target = graph.sources[link], graph.targets[link]
        leaders = on.leader(source), on.leader(target)
        if (
            leaders[0] == leaders[1]
            or relation.relation_type in secret_types
            or not {source, target} <= names.keys()
        ):
            circle.words[link] = None
            continue
        description, properties = told_notes(on, relation)
        circle.words[link] = _Words(
            relation,
            ids[leaders[0]],
            ids[leaders[1]],
            names[source],
            names[target],
            OpenText(labels[relation.relation_type]),
            description,
            properties,
        )


def _closest(
    on: ModelView, circle: _Circle, actors: set[int], running: set[int], limit: int
) -> list[_Ranked]:
    """Return the highest-ranked relations among all in the running, then of the actors to others."""
    chosen: dict[int, _Ranked] = {}
    for actor in sorted(running):
        near = circle.near.get(actor)
        if near is None:
            near = circle.near[actor] = _near(on, actor, with_roles=circle.with_roles)
        among = [
            (score - _AMONG_ACTORS + _TO_OTHERS, key, link, actor)
            for peer in running & near.by_peer.keys()
            for score, key, link, _ in near.by_peer[peer]
        ]
        if len(among) > RELATIONS_PER_ENTITY:
            among = nsmallest(RELATIONS_PER_ENTITY, among)
        for ranked in among:
            known = chosen.get(ranked[2])
            if known is None or ranked < known:
                chosen[ranked[2]] = ranked
        if actor not in actors:
            continue
        others = (ranked for ranked in near.best if ranked[3] not in running)
        for score, key, link, _ in islice(others, RELATIONS_PER_ENTITY - len(among)):
            chosen.setdefault(link, (score, key, link, actor))
    return nsmallest(limit, chosen.values())


def _near(on: ModelView, actor: int, *, with_roles: bool) -> _Near:
    graph, significance = on.graph, on.index.roster.significance
    ids, may_be_told = graph.ids, on.tellable_predicate()
    by_peer: dict[int, list[_Ranked]] = {}
    for peer, link in graph.steps(actor, on.instant):
        if may_be_told(peer) and (with_roles or not is_plain_role(graph, on.index.roster, link)):
            score = _TO_OTHERS + _FOR_SIGNIFICANCE * significance[peer]
            by_peer.setdefault(peer, []).append((-score, ids[link], link, peer))
    everyone = (ranked for own in by_peer.values() for ranked in own)
    return _Near(by_peer, nsmallest(RELATIONS_PER_ENTITY, everyone))
