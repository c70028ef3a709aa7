"""Stage 3: keeps the reached entities that are relevant to the query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fabula.index.arrays import Mask
from fabula.retrieval.hops import answered
from fabula.retrieval.reasons import Anchor, DroppedEntity, DropReason, ReachedEntity, ScoreParts, Target
from fabula.retrieval.role_question import RoleQuestion
from fabula.retrieval.rules import DEFAULT, Rules
from fabula.retrieval.similarity import relative_similarity
from fabula.retrieval.world import World

_STRANGERS = 0.5


class Pruned(NamedTuple):
    """The entities kept, best first, and those dropped."""

    kept: tuple[Target, ...]
    dropped: tuple[DroppedEntity, ...]


def prune(
    world: World,
    query: str,
    anchors: Sequence[Anchor],
    reached: Sequence[ReachedEntity],
    allowed: Mask,
    asked: RoleQuestion | None = None,
    rules: Rules = DEFAULT,
) -> Pruned:
    """Score all entities by nearness, words and meaning, and drop those that are clearly worse."""
    words = _words(world, query, anchors, reached, allowed, rules)
    # If the query names an entity, sharing its other words says little about unconnected ones.
    strange = _STRANGERS if anchors and anchors[0].way in ("named", "implied") else 1.0
    own = {anchor.slot: anchor for anchor in anchors}
    near = {one.slot: one for one in reached}
    weighed = []
    slots = sorted(own.keys() | near.keys() | words.keys())
    similarity = relative_similarity(world, query, np.array(slots, np.int64))
    for place, slot in enumerate(slots):
        anchor, hop = own.get(slot), near.get(slot)
        path = hop.path if hop is not None else ()
        parts = ScoreParts(
            anchor.weight if anchor is not None else 0.0,
            hop.nearness if hop is not None else 0.0,
            answered(path),
            words.get(slot, 0.0) * (strange if anchor is None and hop is None else 1.0),
            float(similarity[place]) if similarity is not None else 0.0,
        )
        score = _score(parts, rules)
        weighed.append(
            Target(
                slot,
                score,
                parts,
                anchor.way if anchor is not None else "said" if hop is None else None,
                anchor.places if anchor is not None else (),
                path,
            )
        )
    weighed.sort(key=lambda target: (-target.score, world.id_of(target.slot)))
    return _sifted(weighed, asked, rules)


def _sifted(weighed: Sequence[Target], asked: RoleQuestion | None, rules: Rules) -> Pruned:
    kept: list[Target] = []
    dropped: list[DroppedEntity] = []
    others = [target.score for target in weighed if target.parts.anchor == 0]
    least = rules.keep * max(others, default=0.0)
    most = max((target.parts.relation for target in weighed), default=0.0)
    for target in weighed:
        loss: DropReason | None = None
        if target.parts.anchor == 0:
            if asked is not None and asked.tied and _is_other(target, most):
                loss = "other_relation"
            elif target.score < least:
                loss = "weaker"
        if loss is None and len(kept) >= rules.targets:
            loss = "over_limit"
        if loss is None:
            kept.append(target)
        else:
            dropped.append(DroppedEntity(target.slot, target.score, loss, target.parts, target.path))
    return Pruned(tuple(kept), tuple(dropped))


def _is_other(target: Target, most: float) -> bool:
    """Whether another entity has the relation asked for and this one has a different relation."""
    return most >= 0.7 and bool(target.path) and target.parts.relation < 0.4


def _score(parts: ScoreParts, rules: Rules) -> float:
    return 1 - (1 - parts.anchor) * (1 - parts.nearness) * (1 - rules.relation * parts.relation) * (
        1 - rules.words * parts.words
    ) * (1 - rules.meaning * parts.meaning)


def _words(
    world: World,
    query: str,
    anchors: Iterable[Anchor],
    reached: Iterable[ReachedEntity],
    allowed: Mask,
    rules: Rules,
) -> dict[int, float]:
    """The share of the query's words in each text, for the candidates and the best of all others."""
    candidates = np.zeros(world.population, dtype=np.bool_)
    slots = [*(anchor.slot for anchor in anchors), *(one.slot for one in reached)]
    candidates[slots] = True
    found: dict[int, float] = {}
    for mask, limit in ((candidates & allowed, len(slots)), (allowed, max(rules.targets, rules.leading))):
        if limit:
            shared = world.shared_words(query, mask, limit)
            if shared.ceiling > 0:
                shares = np.minimum(1.0, shared.scores / shared.ceiling)
                found |= dict(zip(shared.slots.tolist(), shares.tolist(), strict=True))
    return found
