"""Explain why each candidate was included or left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Any

from fabula.assembly.context import TraceItem
from fabula.assembly.fit import Fit
from fabula.assembly.pieces import Weighed
from fabula.assembly.reasons import REASONS
from fabula.assembly.section import Section, Told
from fabula.model.reason import BUDGET

_Sorted = list[tuple[Any, TraceItem]]
_NOT_SHOWN: dict[str, Any] = {"level": None, "priority": 0, "score": 0.0}
_NAMED = frozenset(reason.code for reason in REASONS if not reason.hushed)


def trace_of(waiting: Mapping[Section[Any], Weighed[Any]], fit: Fit) -> tuple[TraceItem, ...]:
    """Return all candidates by section: those included, in message order, then those left out."""
    groups = groupby(waiting.items(), key=lambda item: item[0].answers or item[0])
    return tuple(item for _, together in groups for item in _traced(together, fit))


def told_texts(waiting: Mapping[Section[Any], Weighed[Any]], fit: Fit) -> dict[tuple[str, str], str]:
    """Return the text of every candidate that is included, by kind and id."""
    return {
        (section.kind, section.tell(candidate, False).id): kept.piece.text
        for section, weighed in waiting.items()
        for kept in weighed.kept
        if kept.piece not in fit.missing
        for candidate in kept.candidates
    }


def nearest_left_out(trace: Sequence[TraceItem], limit: int) -> tuple[TraceItem, ...]:
    """Reduce a trace to what is included and the candidates that came closest to fitting."""
    outside = [place for place, item in enumerate(trace) if not item.included]
    outside.sort(key=lambda place: trace[place].missing_tokens if trace[place].reason == BUDGET.code else inf)
    dropped = set(outside[limit:])
    return tuple(item for place, item in enumerate(trace) if place not in dropped)


def for_display(trace: Sequence[TraceItem]) -> tuple[TraceItem, ...]:
    """Reduce a trace to what a panel shows: without what the scores come from, or what a label says."""
    return tuple(
        TraceItem.trusted(
            **{**vars(item), **_NOT_SHOWN, "hop_path": item.hop_path if item.kind == "event" else ()}
        )
        for item in trace
    )


def _traced(together: Iterable[tuple[Section[Any], Weighed[Any]]], fit: Fit) -> Iterator[TraceItem]:
    left_out: list[_Sorted] = []
    for section, weighed in together:
        inside, outside = _in_and_out(section, weighed, fit)
        inside.sort(key=itemgetter(0))
        outside.sort(key=itemgetter(0))
        left_out.append(outside)
        yield from (item for _, item in inside)
    yield from (item for outside in left_out for _, item in outside)


def _in_and_out(section: Section[Any], weighed: Weighed[Any], fit: Fit) -> tuple[_Sorted, _Sorted]:
    kind, tell, order = section.kind, section.tell, section.left_out_order
    inside: _Sorted = []
    outside: _Sorted = []
    for kept in weighed.kept:
        piece = kept.piece
        missing = fit.missing.get(piece)
        # A sentence's tokens are divided among its relations, so that the column adds up.
        share, more = divmod(piece.tokens, len(kept.candidates))
        for number, candidate in enumerate(kept.candidates):
            told, tokens = tell(candidate, False), share + (number < more)
            if missing is None:
                item = traced(kind, told, True, kept.reason, tokens, cut=kept.cut)
                inside.append(((piece.block.order, piece.place, number), item))
            else:
                item = traced(kind, told, False, BUDGET.code, tokens, missing, kept.cut)
                outside.append((order(candidate), item))
    for candidate, reason, tokens, missing in weighed.dropped:
        told = tell(candidate, reason not in _NAMED)
        outside.append((order(candidate), traced(kind, told, False, reason, tokens, missing)))
    return inside, outside


def traced(
    kind: str, told: Told, included: bool, reason: str, tokens: int, missing: int = 0, cut: bool = False
) -> TraceItem:
    """Return what the trace says of one candidate."""
    id, label, score, matches, hop_path, withheld, position, level, priority, threshold, scan, stale = told
    return TraceItem.trusted(
        kind=kind,
        id=id,
        label=label,
        included=included,
        reason=reason,
        position=position,
        level=level,
        priority=priority,
        matches=matches,
        hop_path=hop_path,
        score=score,
        threshold=threshold,
        tokens=tokens,
        missing_tokens=missing,
        cut=cut,
        withheld=withheld,
        scan=scan,
        stale=stale,
    )
