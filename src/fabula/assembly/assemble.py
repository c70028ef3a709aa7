"""The one way from candidates to a context."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from fabula.assembly.candidates import (
    Budget,
    CharacterCandidate,
    LoreCandidate,
    RecalledCandidate,
    RelationCandidate,
    Scene,
    SnapshotCandidate,
)
from fabula.assembly.cutting import TokenCounter
from fabula.assembly.fit import Fit, Waiting, fit
from fabula.assembly.pieces import Piece, Section
from fabula.assembly.render import messages, stable_prefix
from fabula.assembly.trace import (
    trace_characters,
    trace_lore,
    trace_recalled,
    trace_relations,
    trace_snapshots,
)
from fabula.assembly.weigh import (
    Kept,
    Weighed,
    weigh_characters,
    weigh_lore,
    weigh_recalled,
    weigh_relations,
    weigh_snapshots,
)
from fabula.model.context import ActiveCharacter, AssembledContext, LoreFragment, Recollection
from fabula.model.lore import InsertionPosition
from fabula.model.moment import first_instant

C = TypeVar("C")


def assemble(
    scene: Scene,
    lore: Iterable[LoreCandidate],
    relations: Iterable[RelationCandidate],
    snapshots: Iterable[SnapshotCandidate],
    characters: Iterable[CharacterCandidate],
    recalled: Iterable[RecalledCandidate],
    budget: Budget,
    counter: TokenCounter,
) -> AssembledContext:
    """The context from candidates none of which was weighed before."""
    bonds = weigh_relations(relations, first_instant(scene.moment), scene.language, counter)
    return compose(scene, lore, bonds, snapshots, characters, recalled, budget, counter)


def compose(
    scene: Scene,
    lore: Iterable[LoreCandidate],
    bonds: Weighed[RelationCandidate],
    snapshots: Iterable[SnapshotCandidate],
    characters: Iterable[CharacterCandidate],
    recalled: Iterable[RecalledCandidate],
    budget: Budget,
    counter: TokenCounter,
) -> AssembledContext:
    """What a model is told before it writes the scene: what fits in the budget, and why.

    The same candidates in any order give the same context. Secrets and what is not true at the
    scene's moment are in the trace only.
    """
    now = first_instant(scene.moment)
    language = scene.language
    entries = weigh_lore(lore, now, language, counter)
    earlier = weigh_snapshots(snapshots, now, language, counter)
    people = weigh_characters(characters, language, counter)
    memories = weigh_recalled(recalled, now, language, counter)
    waiting = Waiting(
        constants=[kept.piece for kept in entries.kept if kept.piece.stable],
        characters=_pieces(people),
        snapshots=_pieces(earlier),
        relations=_pieces(bonds),
        events=[piece for piece in _pieces(memories) if piece.section is Section.EVENTS],
        passages=[piece for piece in _pieces(memories) if piece.section is Section.QUOTES],
        detected=[kept.piece for kept in entries.kept if not kept.piece.stable],
    )
    result = fit(waiting, budget, language, counter)
    prefix = stable_prefix(result.admitted, counter)
    told = _told(entries, result)
    sentences = [kept.text for kept in _told(bonds, result)]
    trace = (
        *trace_lore(entries, result),
        *trace_relations(bonds, result),
        *trace_snapshots(earlier, result),
        *trace_characters(people, result),
        *trace_recalled(memories, result),
    )
    return AssembledContext(
        **{field: _fragments(told, position, counter) for field, position in _FIELDS.items()},
        graph_relationships=("" if language == "zh" else " ").join(sentences),
        recent_snapshots=tuple(kept.text for kept in reversed(_told(earlier, result))),
        active_characters=tuple(_active(kept.candidate) for kept in _told(people, result)),
        recollections=tuple(_recollection(kept) for kept in _told(memories, result)),
        estimated_tokens=result.tokens,
        total_budget=budget.total,
        messages=messages(result.texts, scene.text),
        trace=trace,
        left_out_count=sum(not item.included for item in trace),
        stable_prefix=prefix.digest,
        stable_prefix_tokens=prefix.tokens,
    )


_FIELDS = {
    "system_prompt_entries": InsertionPosition.SYSTEM_PROMPT,
    "before_scene_entries": InsertionPosition.BEFORE_SCENE,
    "after_scene_entries": InsertionPosition.AFTER_SCENE,
}


def _pieces(weighed: Weighed[Any]) -> list[Piece]:
    return [kept.piece for kept in weighed.kept]


def _told(weighed: Weighed[C], result: Fit) -> list[Kept[C]]:
    """Those that are in, in the order in which they are read."""
    told = [kept for kept in weighed.kept if kept.piece not in result.missing]
    return sorted(told, key=attrgetter("piece.section", "piece.place"))


def _fragments(
    told: Sequence[Kept[LoreCandidate]], position: InsertionPosition, counter: TokenCounter
) -> tuple[LoreFragment, ...]:
    return tuple(_fragment(kept, counter) for kept in told if kept.candidate.position is position)


def _fragment(kept: Kept[LoreCandidate], counter: TokenCounter) -> LoreFragment:
    candidate = kept.candidate
    return LoreFragment.trusted(
        id=candidate.id,
        entity_id=candidate.entity_id,
        entry_key=candidate.entry_key,
        display_name=candidate.display_name,
        category=candidate.category,
        content=kept.text,
        priority=candidate.priority,
        estimated_tokens=counter.count(kept.text),
        reason=kept.reason,
    )


def _active(candidate: CharacterCandidate) -> ActiveCharacter:
    return ActiveCharacter(
        name=candidate.name,
        current_state=candidate.current_state,
        emotional_state=candidate.emotional_state,
    )


def _recollection(kept: Kept[RecalledCandidate]) -> Recollection:
    candidate = kept.candidate
    return Recollection.trusted(
        kind=candidate.kind,
        id=candidate.id,
        label=candidate.label,
        chapter=None if candidate.at is None else candidate.at.chapter,
        scene=None if candidate.at is None else candidate.at.scene,
        text=kept.text,
        score=candidate.score,
        hop_path=candidate.hop_path,
        estimated_tokens=kept.piece.tokens,
    )
