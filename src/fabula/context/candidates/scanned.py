"""The entries of scanned lorebooks as candidates of the lore: those that fired, and those that nearly did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fabula.assembly.reasons import scan_reason
from fabula.assembly.sections.lore import LoreCandidate, Scanned
from fabula.context.candidates.gathering import SceneView, entry_candidate
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText
from fabula.model.context import ScanTrace
from fabula.model.lore import DEFAULT_TOKEN_BUDGET, LoreEntry
from fabula.model.reason import EMPTY
from fabula.model.story_settings import LARGEST_BUDGET
from fabula.world_info import Activation, LeftOut, ScanResult

_RECURSION = "recursion"


def scanned_candidates(on: SceneView, found: ScanResult) -> Iterator[LoreCandidate]:
    """Yield a candidate for each entry that a scan considered, with what it told of those that fired."""
    ids = [str(one.entry.ref) for one in found.activated]
    ids += [str(one.entry.ref) for one in found.left_out]
    entries = dict(zip(ids, on.index.entries(on.reader, ids), strict=True))
    # Of two texts at the same place, the one with the larger order is nearer to what follows.
    ranked = sorted(range(len(found.activated)), key=lambda n: (found.activated[n].entry.order, -n))
    places = {number: place for place, number in enumerate(ranked)}
    for number, fired in enumerate(found.activated):
        candidate = _candidate(on, entries[str(fired.entry.ref)], fired, admitted=True, place=places[number])
        if candidate is not None:
            yield _saying(candidate, OpenText(fired.content))
    for missed in found.left_out:
        candidate = _candidate(on, entries[str(missed.entry.ref)], missed, admitted=False)
        if candidate is not None:
            yield candidate


def _saying(candidate: LoreCandidate, content: OpenText) -> LoreCandidate:
    scanned = candidate.scanned
    if scanned is not None and not content.strip():
        scanned = replace(scanned, verdict=Verdict(False, EMPTY.code))
    return replace(candidate, content=content, scanned=scanned)


def _candidate(
    on: SceneView, entry: LoreEntry, one: Activation | LeftOut, *, admitted: bool, place: int = 0
) -> LoreCandidate | None:
    hit = one.hit
    where = None if hit is None else hit.where
    reason = scan_reason(one.reason, is_recursion=admitted and where == _RECURSION)
    if reason is None:
        return None
    trace = ScanTrace.trusted(
        book_id=entry.book_id, pass_number=one.number, key=None if hit is None else hit.key, where=where
    )
    # An entry from elsewhere has no limit of its own unless its author has set one here.
    own = entry.token_budget if entry.token_budget != DEFAULT_TOKEN_BUDGET else LARGEST_BUDGET
    scanned = Scanned(Verdict(admitted, reason), trace, place)
    return replace(entry_candidate(on, entry), scanned=scanned, token_budget=own)
