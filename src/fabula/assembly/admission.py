"""Who is in the running at all, and by which right."""

from __future__ import annotations

from typing import NamedTuple

from fabula.assembly.candidates import (
    CharacterCandidate,
    LoreCandidate,
    RecalledCandidate,
    RelationCandidate,
    SnapshotCandidate,
)
from fabula.model.context import Reason
from fabula.model.level import AiContextLevel
from fabula.model.lore import ActivationRules
from fabula.model.moment import Moment, first_instant, last_instant
from fabula.model.names import name_key


class Verdict(NamedTuple):
    """Whether a candidate may compete for room, and why."""

    admitted: bool
    reason: Reason


_RELATED = Verdict(True, "related")


def judge_lore(candidate: LoreCandidate, now: int) -> Verdict | None:
    """The verdict on an entry at an instant; None if nothing speaks for or against it."""
    barred = _barred(candidate, now)
    if barred is not None:
        return Verdict(False, barred)
    if candidate.pinned:
        return Verdict(True, "pinned")
    if candidate.level is AiContextLevel.ALWAYS:
        return Verdict(True, "always")
    if candidate.excluded_hit:
        return Verdict(False, "excluded_keyword")
    if not candidate.matches:
        return None
    if not _secondary_agree(candidate.rules, candidate.secondary_hits):
        return Verdict(False, "secondary_keywords")
    return Verdict(True, "detected")


def judge_relation(candidate: RelationCandidate, now: int) -> Verdict:
    """The verdict on a relation at an instant."""
    if candidate.secret:
        return Verdict(False, "level_never")
    outside = _outside(candidate.since, candidate.until, now)
    return _RELATED if outside is None else Verdict(False, outside)


def judge_snapshot(candidate: SnapshotCandidate, now: int) -> Verdict:
    """The verdict on a summary: a scene that is not over when this one begins is not told."""
    if (candidate.chapter << 20) | candidate.scene >= now:
        return Verdict(False, "not_yet")
    if not candidate.summary.strip():
        return Verdict(False, _nothing_left(candidate))
    return Verdict(True, "recent_scene")


def judge_recalled(candidate: RecalledCandidate, now: int) -> Verdict:
    """The verdict on a memory: what has not happened when the scene begins is not told."""
    if candidate.at is not None and first_instant(candidate.at) >= now:
        return Verdict(False, "not_yet")
    return Verdict(True, "recalled") if candidate.text.strip() else Verdict(False, _nothing_left(candidate))


def judge_character(candidate: CharacterCandidate) -> Verdict | None:
    """The verdict on somebody; None if they are neither on stage nor named."""
    if candidate.secret:
        return Verdict(False, "level_never")
    if not candidate.active and not candidate.matches:
        return None
    return Verdict(True, "active") if candidate.name.strip() else Verdict(False, "empty")


def _barred(candidate: LoreCandidate, now: int) -> Reason | None:
    """Why no word of the text can bring the entry in."""
    if candidate.level is AiContextLevel.NEVER:
        return "level_never"
    outside = _outside(candidate.since, candidate.until, now)
    if outside is not None:
        return outside
    if candidate.level is AiContextLevel.MANUAL_ONLY and not candidate.pinned:
        return "level_manual_only"
    if not candidate.enabled:
        return "disabled"
    if candidate.secret:
        return "names_a_secret"
    return None if candidate.content.strip() else _nothing_left(candidate)


def _nothing_left(candidate: LoreCandidate | SnapshotCandidate | RecalledCandidate) -> Reason:
    """Why there is nothing to tell: all of it names a secret, or nothing was written."""
    return "names_a_secret" if candidate.withheld else "empty"


def _outside(since: Moment | None, until: Moment | None, now: int) -> Reason | None:
    if since is not None and first_instant(since) > now:
        return "not_yet"
    return "no_longer" if until is not None and last_instant(until) < now else None


def _secondary_agree(rules: ActivationRules, hits: frozenset[str]) -> bool:
    if not rules.secondary_keywords:
        return True
    found = [name_key(keyword) in hits for keyword in rules.secondary_keywords]
    match rules.secondary_logic:
        case "and_any":
            return any(found)
        case "and_all":
            return all(found)
        case "not_any":
            return not any(found)
        case "not_all":
            return not all(found)
