"""Candidates as pieces: their words as they would stand in a message, and what those cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from fabula.assembly.admission import (
    judge_character,
    judge_lore,
    judge_recalled,
    judge_relation,
    judge_snapshot,
)
from fabula.assembly.candidates import (
    CharacterCandidate,
    LoreCandidate,
    RecalledCandidate,
    RelationCandidate,
    SnapshotCandidate,
)
from fabula.assembly.cutting import TokenCounter, cut_to
from fabula.assembly.pieces import SECTION_OF, Piece, Section
from fabula.assembly.sentences import sentences
from fabula.model.context import Reason
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment, first_instant
from fabula.model.relation import Language

C = TypeVar("C")

# What one memory may take of a context, in tokens: it is a reminder, not a chapter.
_LONGEST = {"event": 240, "passage": 400}


class Kept(NamedTuple, Generic[C]):
    """Candidates that ask for room together; `text` is what the piece says, without label or name."""

    candidates: tuple[C, ...]
    piece: Piece
    reason: Reason
    text: str
    cut: bool = False

    @property
    def candidate(self) -> C:
        """The only candidate, where a piece has one."""
        return self.candidates[0]


class Dropped(NamedTuple, Generic[C]):
    """A candidate that is out before there is any talk of room, unless it is too large for its own."""

    candidate: C
    reason: Reason
    tokens: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class Weighed(Generic[C]):
    """The candidates of one kind: those that ask for room, in the order in which they are heard."""

    kept: list[Kept[C]] = field(default_factory=list)
    dropped: list[Dropped[C]] = field(default_factory=list)


def weigh_lore(
    candidates: Iterable[LoreCandidate], now: int, language: Language, counter: TokenCounter
) -> Weighed[LoreCandidate]:
    """Entries, each cut to its own budget; by priority, and then by relevance for each token."""
    weighed: Weighed[LoreCandidate] = Weighed()
    for place, candidate in enumerate(sorted(candidates, key=_place_of_lore)):
        verdict = judge_lore(candidate, now)
        if verdict is None:
            continue
        if not verdict.admitted:
            weighed.dropped.append(Dropped(candidate, verdict.reason))
            continue
        name = _name_before(candidate, language)
        whole = name + candidate.content.strip()
        kept = cut_to(whole, candidate.token_budget, counter)
        if len(kept.text) <= len(name):
            tokens = counter.count(whole)
            weighed.dropped.append(Dropped(candidate, "budget", tokens, tokens - candidate.token_budget))
            continue
        stable = verdict.reason != "detected"
        piece = Piece(SECTION_OF[candidate.position], kept.text, kept.tokens, place, stable)
        weighed.kept.append(Kept((candidate,), piece, verdict.reason, kept.text[len(name) :], kept.cut))
    weighed.kept.sort(key=_rank_of_lore)
    return weighed


def weigh_relations(
    candidates: Iterable[RelationCandidate], now: int, language: Language, counter: TokenCounter
) -> Weighed[RelationCandidate]:
    """Relations as sentences, those that matter most first."""
    weighed: Weighed[RelationCandidate] = Weighed()
    told: dict[str, RelationCandidate] = {}
    for candidate in candidates:
        verdict = judge_relation(candidate, now)
        if verdict.admitted:
            told[candidate.id] = candidate
        else:
            weighed.dropped.append(Dropped(candidate, verdict.reason))
    said = sentences(told.values(), language)
    for place, sentence in sorted(enumerate(said), key=lambda item: (-item[1].score, item[0])):
        piece = Piece(Section.RELATIONS, sentence.text, counter.count(sentence.text), place)
        own = tuple(told[id] for id in sentence.relation_ids)
        weighed.kept.append(Kept(own, piece, "related", sentence.text))
    return weighed


def weigh_snapshots(
    candidates: Iterable[SnapshotCandidate], now: int, language: Language, counter: TokenCounter
) -> Weighed[SnapshotCandidate]:
    """Summaries, newest first."""
    weighed: Weighed[SnapshotCandidate] = Weighed()
    for place, candidate in enumerate(sorted(candidates, key=lambda c: (c.chapter, c.scene, c.id))):
        verdict = judge_snapshot(candidate, now)
        if not verdict.admitted:
            weighed.dropped.append(Dropped(candidate, verdict.reason))
            continue
        line = _scene_label(candidate, language) + _in_one_line(candidate.summary, language)
        piece = Piece(Section.SO_FAR, line, counter.count(line), place)
        cut = candidate.withheld
        weighed.kept.append(Kept((candidate,), piece, "names_a_secret" if cut else verdict.reason, line, cut))
    weighed.kept.reverse()
    return weighed


def weigh_characters(
    candidates: Iterable[CharacterCandidate], language: Language, counter: TokenCounter
) -> Weighed[CharacterCandidate]:
    """Who is on stage and how they are, who matters most first."""
    weighed: Weighed[CharacterCandidate] = Weighed()
    ordered = sorted(candidates, key=lambda c: (-c.score, c.name, c.id, c.current_state, c.emotional_state))
    for place, candidate in enumerate(ordered):
        verdict = judge_character(candidate)
        if verdict is None:
            continue
        if not verdict.admitted:
            weighed.dropped.append(Dropped(candidate, verdict.reason))
            continue
        line = _character_line(candidate, language)
        piece = Piece(Section.STAGE, line, counter.count(line), place)
        weighed.kept.append(Kept((candidate,), piece, verdict.reason, line))
    return weighed


def weigh_recalled(
    candidates: Iterable[RecalledCandidate], now: int, language: Language, counter: TokenCounter
) -> Weighed[RecalledCandidate]:
    """Events and passages, the most relevant first, read in order of time."""
    weighed: Weighed[RecalledCandidate] = Weighed()
    for place, candidate in enumerate(sorted(candidates, key=_place_of_recalled)):
        verdict = judge_recalled(candidate, now)
        if not verdict.admitted:
            weighed.dropped.append(Dropped(candidate, verdict.reason))
            continue
        label = "" if candidate.at is None else _moment_label(candidate.at, language)
        kept = cut_to(label + _in_one_line(candidate.text, language), _LONGEST[candidate.kind], counter)
        section = Section.EVENTS if candidate.kind == "event" else Section.QUOTES
        piece = Piece(section, kept.text, kept.tokens, place)
        weighed.kept.append(Kept((candidate,), piece, verdict.reason, kept.text, kept.cut))
    weighed.kept.sort(key=lambda kept: (-kept.candidate.score, kept.candidate.id))
    return weighed


def _place_of_recalled(candidate: RecalledCandidate) -> tuple[int, str, str]:
    return first_instant(candidate.at), candidate.id, candidate.text


def _place_of_lore(candidate: LoreCandidate) -> tuple[int, int, str, str]:
    """What stays from scene to scene before what was pinned for this one, and both before the rest."""
    order = (candidate.level is not AiContextLevel.ALWAYS) * (1 if candidate.pinned else 2)
    return order, -candidate.priority, candidate.entry_key, candidate.id


def _rank_of_lore(kept: Kept[LoreCandidate]) -> tuple[int, float, str, str]:
    candidate = kept.candidate
    relevance = 0.0 if kept.piece.stable else candidate.score / kept.piece.tokens
    return -candidate.priority, -relevance, candidate.entry_key, candidate.id


def _name_before(candidate: LoreCandidate, language: Language) -> str:
    """The name an entity's text needs before it: authors seldom repeat it in the description."""
    name = candidate.entry_key.strip()
    if candidate.entity_id is None or not name or candidate.content.lstrip().startswith(name):
        return ""
    return f"{name}：" if language == "zh" else f"{name}: "


def _scene_label(candidate: SnapshotCandidate, language: Language) -> str:
    return _moment_label(Moment(chapter=candidate.chapter, scene=candidate.scene), language)


def _moment_label(moment: Moment, language: Language) -> str:
    if language == "zh":
        scene = "" if moment.scene is None else f"·场景{moment.scene}"
        return f"【第{moment.chapter}章{scene}】"
    scene = "" if moment.scene is None else f", scene {moment.scene}"
    return f"[Chapter {moment.chapter}{scene}] "


def _character_line(candidate: CharacterCandidate, language: Language) -> str:
    name, state, mood = (
        _in_one_line(text, language)
        for text in (candidate.name, candidate.current_state, candidate.emotional_state)
    )
    if language == "zh":
        feeling = f"（情绪：{mood}）" if mood else ""
        return f"{name}：{state}{feeling}" if state else f"{name}{feeling}"
    feeling = f" (mood: {mood})" if mood else ""
    return f"{name}: {state}{feeling}" if state else f"{name}{feeling}"


def _in_one_line(text: str, language: Language) -> str:
    gap = "" if language == "zh" else " "
    return gap.join(line.strip() for line in text.splitlines() if line.strip())
