"""Why each candidate is in or out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from fabula.assembly.candidates import (
    CharacterCandidate,
    LoreCandidate,
    RecalledCandidate,
    RelationCandidate,
    SnapshotCandidate,
)
from fabula.assembly.fit import Fit
from fabula.assembly.weigh import Weighed
from fabula.model.context import MatchPlace, Reason, TraceItem

C = TypeVar("C")


class Verdict(NamedTuple):
    """What became of a candidate; `secret` says that its words must not be repeated."""

    included: bool
    reason: Reason
    missing: int = 0
    cut: bool = False
    secret: bool = False


def trace_lore(weighed: Weighed[LoreCandidate], fit: Fit) -> Iterator[TraceItem]:
    """Entries: who is in, as they stand in the messages, then who is out by priority."""
    return _traced(weighed, fit, _tell_lore, lambda c: (-c.priority, c.title or c.entry_key, c.id))


def trace_relations(weighed: Weighed[RelationCandidate], fit: Fit) -> Iterator[TraceItem]:
    """Relations: what is said, in its order, then what is not, most relevant first."""
    return _traced(weighed, fit, _tell_relation, lambda c: (-c.score, c.id))


def trace_snapshots(weighed: Weighed[SnapshotCandidate], fit: Fit) -> Iterator[TraceItem]:
    """Summaries: what is told, then what is not, newest first."""
    return _traced(weighed, fit, _tell_snapshot, lambda c: (-c.chapter, -c.scene, c.id))


def trace_characters(weighed: Weighed[CharacterCandidate], fit: Fit) -> Iterator[TraceItem]:
    """People: who is on stage, then who is not, most relevant first."""
    return _traced(weighed, fit, _tell_character, lambda c: (-c.score, c.name, c.id))


def trace_recalled(weighed: Weighed[RecalledCandidate], fit: Fit) -> Iterator[TraceItem]:
    """Memories: what is told, in its order, then what is not, most relevant first."""
    return _traced(weighed, fit, _tell_recalled, lambda c: (c.kind, -c.score, c.id))


def nearest_left_out(trace: Sequence[TraceItem], limit: int) -> tuple[TraceItem, ...]:
    """A trace with what is in, and of what is not only what came nearest: it missed room, and least of it."""
    outside = [place for place, item in enumerate(trace) if not item.included]
    outside.sort(key=lambda place: trace[place].missing_tokens if trace[place].reason == "budget" else inf)
    dropped = set(outside[limit:])
    return tuple(item for place, item in enumerate(trace) if place not in dropped)


def _traced(
    weighed: Weighed[C],
    fit: Fit,
    tell: Callable[[C, Verdict, int], TraceItem],
    order: Callable[[C], tuple[Any, ...]],
) -> Iterator[TraceItem]:
    inside: list[tuple[tuple[int, int, int], TraceItem]] = []
    outside: list[tuple[tuple[Any, ...], TraceItem]] = []
    for kept in weighed.kept:
        piece = kept.piece
        missing = fit.missing.get(piece)
        if missing is None:
            verdict = Verdict(True, kept.reason, cut=kept.cut)
        else:
            verdict = Verdict(False, "budget", missing, kept.cut)
        # The tokens of a sentence are shared among its relations, so that the column adds up.
        share, more = divmod(piece.tokens, len(kept.candidates))
        for number, candidate in enumerate(kept.candidates):
            item = tell(candidate, verdict, share + (number < more))
            if missing is None:
                inside.append(((piece.section, piece.place, number), item))
            else:
                outside.append((order(candidate), item))
    for candidate, reason, tokens, missing in weighed.dropped:
        secret = reason not in ("budget", "disabled", "empty")
        item = tell(candidate, Verdict(False, reason, missing, secret=secret), tokens)
        outside.append((order(candidate), item))
    inside.sort(key=itemgetter(0))
    outside.sort(key=itemgetter(0))
    yield from (item for _, item in inside)
    yield from (item for _, item in outside)


def _tell_lore(candidate: LoreCandidate, verdict: Verdict, tokens: int) -> TraceItem:
    return TraceItem.trusted(
        kind="entry",
        id=candidate.id,
        label=candidate.title or candidate.display_name or candidate.entry_key,
        included=verdict.included,
        reason=verdict.reason,
        position=candidate.position,
        level=candidate.level,
        priority=candidate.priority,
        matches=candidate.matches,
        hop_path=candidate.hop_path,
        score=candidate.score,
        tokens=tokens,
        missing_tokens=verdict.missing,
        cut=verdict.cut,
        withheld=candidate.withheld,
    )


def _tell_relation(candidate: RelationCandidate, verdict: Verdict, tokens: int) -> TraceItem:
    included, reason, missing, cut, secret = verdict
    ends = f"{candidate.source_name} → {candidate.target_name} ({candidate.label})"
    # Written out although `_tell` says the same: there are hundreds of relations, and a call more for each.
    return TraceItem.trusted(
        kind="relation",
        id=candidate.id,
        label=candidate.id if secret else ends,
        included=included,
        reason=reason,
        position=None,
        level=None,
        priority=0,
        matches=(),
        hop_path=candidate.hop_path,
        score=candidate.score,
        tokens=tokens,
        missing_tokens=missing,
        cut=cut,
        withheld=False,
    )


def _tell_snapshot(candidate: SnapshotCandidate, verdict: Verdict, tokens: int) -> TraceItem:
    return _tell("snapshot", candidate.id, f"{candidate.chapter}.{candidate.scene}", verdict, tokens)


def _tell_character(candidate: CharacterCandidate, verdict: Verdict, tokens: int) -> TraceItem:
    label = candidate.id if verdict.secret else candidate.name
    return _tell("character", candidate.id, label, verdict, tokens, candidate.score, candidate.matches)


def _tell_recalled(candidate: RecalledCandidate, verdict: Verdict, tokens: int) -> TraceItem:
    label = candidate.id if verdict.secret else candidate.label
    item = _tell(candidate.kind, candidate.id, label, verdict, tokens, candidate.score, candidate.matches)
    return item.model_copy(update={"hop_path": candidate.hop_path, "withheld": candidate.withheld})


def _tell(
    kind: str,
    id: str,
    label: str,
    verdict: Verdict,
    tokens: int,
    score: float = 0.0,
    matches: tuple[MatchPlace, ...] = (),
) -> TraceItem:
    return TraceItem.trusted(
        kind=kind,
        id=id,
        label=label,
        included=verdict.included,
        reason=verdict.reason,
        position=None,
        level=None,
        priority=0,
        matches=matches,
        hop_path=(),
        score=score,
        tokens=tokens,
        missing_tokens=verdict.missing,
        cut=verdict.cut,
        withheld=False,
    )
