"""Stage 2: entities within two hops of the anchors, over relations, mentions and shared events."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from math import exp
from typing import NamedTuple

from fabula.index.arrays import Mask
from fabula.retrieval.reasons import Anchor, HopStep, ReachedEntity, StepWay
from fabula.retrieval.role_question import NO_ANSWER, LinkFit, RoleQuestion
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.world import World

# The strength of a step the query does not ask for, and of one it asks for literally.
_RELATION, _TAKES_PART, _MENTION, _MENTIONED, _TOGETHER = 0.6, 0.5, 0.4, 0.25, 0.35
_ASKED = 0.95
# The factor for other steps if the query asks a named entity for something else.
_NOT_ASKED = 0.5
# Above this many neighbours, each of them counts less.
_CROWD = 16
# The factor for a path that stops before the end of the question.
_ON_THE_WAY = 0.5


# Strength, peer, way, kind, outward, answer: a bare tuple, because every query makes thousands.
_Edge = tuple[float, int, StepWay, str, bool, LinkFit]


class _Way(NamedTuple):
    """A path: its nearness, and how well it explains its target, which adds how well it answers the query."""

    nearness: float
    path: tuple[HopStep, ...]
    telling: float = 0.0


def expand(
    world: World,
    anchors: Iterable[Anchor],
    allowed: Mask,
    asked: RoleQuestion | None = None,
    rules: Rules = DEFAULT,
) -> list[ReachedEntity]:
    """All entities within the hops, nearest first, each with the path that explains it best.

    Nearness falls with every hop and with the number of neighbours of a slot; several paths add up.
    """
    start = {anchor.slot: anchor.weight for anchor in anchors if allowed[anchor.slot]}
    frontier = {slot: _Way(weight, ()) for slot, weight in start.items()}
    missed: dict[int, float] = {}
    best: dict[int, _Way] = {}
    for hop in range(rules.hops):
        ring: dict[int, _Way] = {}
        for slot in sorted(frontier, key=world.id_of):
            behind = frontier[slot]
            passed_by = {step.source for step in behind.path}
            for step in _steps(world, slot, allowed, asked, hop, rules):
                if step.target in start or step.target in passed_by:
                    continue
                passed = behind.nearness * rules.decay * step.strength
                missed[step.target] = missed.get(step.target, 1.0) * (1 - passed)
                known = ring.get(step.target)
                if asked is None and known is not None and known.telling >= passed:
                    continue
                path = (*behind.path, step)
                telling = passed if asked is None else passed + answered(path)
                if known is None or telling > known.telling:
                    ring[step.target] = _Way(passed, path, telling)
        for slot, way in ring.items():
            if slot not in best or way.telling > best[slot].telling:
                best[slot] = way
        nearest = _nearest(world, ((way.nearness, slot) for slot, way in ring.items()), rules.beam)
        frontier = {slot: ring[slot] for slot in nearest}
    order = _nearest(world, ((1 - rest, slot) for slot, rest in missed.items()), rules.reach)
    return [ReachedEntity(slot, 1 - missed[slot], best[slot].path) for slot in order]


def answered(path: Sequence[HopStep]) -> float:
    """How well a path answers the query as a whole; half if it stops before the end of the question."""
    if not path:
        return 0.0
    return min(step.answer for step in path) * (1.0 if path[-1].ends else _ON_THE_WAY)


def _nearest(world: World, scored: Iterable[tuple[float, int]], limit: int) -> list[int]:
    """The slots with the highest scores, ties by id; ids are looked up only for possible results."""
    pairs = list(scored)
    if len(pairs) > limit:
        least = heapq.nlargest(limit, (score for score, _ in pairs))[-1]
        pairs = [pair for pair in pairs if pair[0] >= least]
    pairs.sort(key=lambda pair: (-pair[0], world.id_of(pair[1])))
    return [slot for _, slot in pairs[:limit]]


def _steps(
    world: World, slot: int, allowed: Mask, asked: RoleQuestion | None, hop: int, rules: Rules
) -> list[HopStep]:
    """The strongest steps from a slot, one per neighbour, up to the limit of the rules."""
    best: dict[int, _Edge] = {}
    for edge in _edges(world, slot, allowed, asked, hop, rules):
        known = best.get(edge[1])
        if known is None or edge[0] > known[0]:
            best[edge[1]] = edge
    best.pop(slot, None)
    share = (1 + max(0, len(best) - _CROWD) / _CROWD) ** -0.5
    steps = []
    for peer in _nearest(world, ((edge[0], peer) for peer, edge in best.items()), rules.peers):
        strength, _, way, kind, outward, answer = best[peer]
        steps.append(HopStep(slot, peer, way, kind, outward, share * strength, *answer))
    return steps


def _edges(
    world: World, slot: int, allowed: Mask, asked: RoleQuestion | None, hop: int, rules: Rules
) -> Iterator[_Edge]:
    """The edges of a slot: nearly all at an anchor of a question, else only the strongest."""
    mask: memoryview = allowed.data
    choosy = asked is not None and asked.tied
    bound = rules.links if hop == 0 and asked is not None and asked.for_roles else rules.farther
    unread = rules.read if hop == 0 else rules.glanced_at
    for link in world.links(slot)[:bound]:
        if mask[link.peer]:
            answer = asked.link(link, hop) if asked is not None else NO_ANSWER
            strength = _strength(_RELATION * link.weight, answer, choosy)
            yield strength, link.peer, "relation", link.kind, link.outward, answer
    for mention in world.mentions(slot)[:bound]:
        if mask[mention.peer]:
            answer = NO_ANSWER
            if asked is not None and unread:
                unread -= 1
                answer = asked.mention(mention, world.text_of(slot if mention.outward else mention.peer), hop)
            strength = _strength(_MENTION if mention.outward else _MENTIONED, answer, choosy)
            yield strength, mention.peer, "mention", "mention", mention.outward, answer
    for peer in world.participants(slot)[: rules.farther]:
        if mask[peer]:
            yield _strength(_TAKES_PART, NO_ANSWER, choosy), peer, "together", "takes_part", False, NO_ANSWER
    for companion in world.companions(slot, allowed)[: rules.farther]:
        if mask[companion.peer]:
            strength = _strength(_TOGETHER * (1 - exp(-companion.weight)), NO_ANSWER, choosy)
            yield strength, companion.peer, "together", "together", True, NO_ANSWER


def _strength(plain: float, answer: LinkFit, choosy: bool) -> float:
    low = plain * _NOT_ASKED if choosy else plain
    return low + max(0.0, _ASKED - low) * answer.value
