"""Lorebook entries, and entities without one, that are always on, pinned, or named in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from operator import attrgetter
from typing import Any

from fabula.assembly.cutting import cut_to
from fabula.assembly.pieces import Dropped, KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.reasons import ReasonCode
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation import ActivationRules, judge
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText, Withheld
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace, ScanTrace
from fabula.model.level import AiContextLevel
from fabula.model.lore import Category, InsertionPosition
from fabula.model.moment import Moment
from fabula.model.reason import ALWAYS, BUDGET, PINNED, STALE
from fabula.model.relation import Language
from fabula.model.wire import Value


@dataclass(frozen=True, slots=True)
class Scanned:
    """What the scan of its lorebook says of an entry: its verdict, how it came to it, and its place."""

    verdict: Verdict
    trace: ScanTrace
    place: int = 0


@dataclass(frozen=True, slots=True)
class LoreCandidate:
    """An entry, or an entity without one, and its matches in the text.

    `id` is the entry's, or the entity's if it has no entry. `title` is the author's name for it and is shown
    only in the trace. `recalled` means that the retrieval found it for the text, by way of `hop_path`;
    `named_later`, that the manuscript names it only after the scene; `is_unknown`, that it is private and the
    point of view does not know it; `scanned`, that its lorebook is scanned, which decides instead of the
    rules unless it is pinned; `stale`, that the manuscript no longer says some of it, and `outdated`, that it
    says none of it and the story withholds such facts.
    """

    id: str
    entity_id: str | None
    entry_key: OpenText
    display_name: OpenText
    category: Category
    content: OpenText
    priority: int
    position: InsertionPosition
    token_budget: int
    level: AiContextLevel
    enabled: bool = True
    since: Moment | None = None
    until: Moment | None = None
    pinned: bool = False
    matches: tuple[MatchPlace, ...] = ()
    rules: ActivationRules = field(default_factory=ActivationRules)
    score: float = 0.0
    withheld: Withheld = Withheld.NOTHING
    title: str = ""
    recalled: bool = False
    hop_path: tuple[str, ...] = ()
    threshold: float = 0.0
    named_later: bool = False
    is_unknown: bool = False
    scanned: Scanned | None = None
    stale: bool = False
    outdated: bool = False


_FIELDS = tuple(field.name for field in fields(LoreCandidate))
_values_of = attrgetter(*_FIELDS)


def found_at(candidate: LoreCandidate, matches: tuple[MatchPlace, ...], score: float) -> LoreCandidate:
    """Return a candidate with its matches: a context makes dozens, and `replace` takes half as long again."""
    values: dict[str, Any] = dict(zip(_FIELDS, _values_of(candidate), strict=True))
    return LoreCandidate(**values | {"matches": matches, "score": score})


class LoreFragment(Value):
    """An entry in a prompt."""

    id: str
    entity_id: str | None
    entry_key: str
    display_name: str
    category: Category
    content: str
    priority: int
    estimated_tokens: int
    reason: ReasonCode


class LoreAnswer(Value):
    """The included entries, by position."""

    system_prompt_entries: tuple[LoreFragment, ...]
    before_scene_entries: tuple[LoreFragment, ...]
    after_scene_entries: tuple[LoreFragment, ...]


def lore_blocks(later: int = 0) -> dict[InsertionPosition, PromptBlock]:
    """Return a block for each position, `later` places after those of the entries that are named."""
    return {
        InsertionPosition.SYSTEM_PROMPT: PromptBlock(
            "system_prompt", Bilingual("System prompt", "系统提示"), Message.SYSTEM, order=later
        ),
        InsertionPosition.BEFORE_SCENE: PromptBlock(
            "before_scene", Bilingual("Before the scene", "场景之前"), Message.CONTEXT, order=10 + later
        ),
        InsertionPosition.AFTER_SCENE: PromptBlock(
            "after_scene", Bilingual("After the scene", "场景之后"), Message.AFTER, order=100 + later
        ),
    }


_BLOCKS = lore_blocks()
_STABLE = frozenset({ALWAYS.code, PINNED.code})


def _verdict(candidate: LoreCandidate, setting: SceneSetting) -> Verdict | None:
    if candidate.scanned is not None and not candidate.pinned:
        return candidate.scanned.verdict
    return judged(candidate, setting)


def judged(candidate: LoreCandidate, setting: SceneSetting) -> Verdict | None:
    """Judge an entry by the rules, and reject what is outdated unless it is pinned."""
    verdict = judge(candidate, setting)
    if candidate.outdated and not candidate.pinned and verdict is not None and verdict.admitted:
        return Verdict(False, STALE.code)
    return verdict


def _place(candidate: LoreCandidate) -> tuple[int, int, str, str]:
    """Sort always-on entries first, then pinned ones, then the rest, then those of scanned books."""
    if candidate.scanned is not None and not candidate.pinned:
        return 3, candidate.scanned.place, "", candidate.id
    order = (candidate.level is not AiContextLevel.ALWAYS) * (1 if candidate.pinned else 2)
    return order, -candidate.priority, candidate.entry_key, candidate.id


def _rank(kept: KeptPiece[LoreCandidate]) -> tuple[int, float, str, str]:
    """Sort by priority, then by relevance per token."""
    candidate = kept.candidate
    relevance = 0.0 if kept.piece.stable else candidate.score / kept.piece.tokens
    return -candidate.priority, -relevance, candidate.entry_key, candidate.id


def render_into(
    blocks: Mapping[InsertionPosition, PromptBlock],
    candidate: LoreCandidate,
    place: int,
    reason: str,
    setting: SceneSetting,
) -> KeptPiece[LoreCandidate] | Dropped[LoreCandidate]:
    """Cut the entry to its own token budget, and put it into the block of its position."""
    name = _name_before(candidate, setting.language)
    whole = name + candidate.content.strip()
    kept = cut_to(whole, candidate.token_budget, setting.counter)
    if len(kept.text) <= len(name):
        tokens = setting.counter.count(whole)
        return Dropped(candidate, BUDGET.code, tokens, tokens - candidate.token_budget)
    stable = reason in _STABLE
    piece = Piece(blocks[candidate.position], kept.text, kept.tokens, place, stable)
    return KeptPiece((candidate,), piece, reason, kept.text[len(name) :], kept.cut)


def _name_before(candidate: LoreCandidate, language: Language) -> str:
    """Return the prefix that names an entity, since authors seldom repeat the name in the description."""
    name = candidate.entry_key.strip()
    if candidate.entity_id is None or not name or candidate.content.lstrip().startswith(name):
        return ""
    return f"{name}：" if language == "zh" else f"{name}: "


def tell_entry(candidate: LoreCandidate, _: bool) -> Told:
    """Show the title, since the trace is for the author."""
    return Told(
        candidate.id,
        candidate.title or candidate.display_name or candidate.entry_key,
        candidate.score,
        candidate.matches,
        candidate.hop_path,
        withheld=candidate.withheld is not Withheld.NOTHING and Withheld.SENTENCES in candidate.withheld,
        position=candidate.position,
        level=candidate.level,
        priority=candidate.priority,
        threshold=candidate.threshold,
        scan=None if candidate.scanned is None else candidate.scanned.trace,
        stale=candidate.stale,
    )


def answer_by_position(told: Sequence[KeptPiece[LoreCandidate]], setting: SceneSetting) -> dict[str, Any]:
    """Return the included entries of each position."""
    return {
        f"{position}_entries": tuple(
            _fragment(kept, setting) for kept in told if kept.candidate.position is position
        )
        for position in InsertionPosition
    }


def _fragment(kept: KeptPiece[LoreCandidate], setting: SceneSetting) -> LoreFragment:
    candidate = kept.candidate
    return LoreFragment.trusted(
        id=candidate.id,
        entity_id=candidate.entity_id,
        entry_key=candidate.entry_key,
        display_name=candidate.display_name,
        category=candidate.category,
        content=kept.text,
        priority=candidate.priority,
        estimated_tokens=setting.counter.count(kept.text),
        reason=kept.reason,
    )


LORE = Section(
    key="lore",
    kind="entry",
    kind_label=Bilingual("entry", "条目"),
    blocks=tuple(_BLOCKS.values()),
    share=None,
    # Entities that are named come before what earlier scenes said about them.
    turn=50,
    second_turn=10,
    weigh=OneByOne(place=_place, verdict=_verdict, render=partial(render_into, _BLOCKS), rank=_rank),
    tell=tell_entry,
    left_out_order=lambda candidate: (
        -candidate.priority,
        candidate.title or candidate.entry_key,
        candidate.id,
    ),
    answers=LoreAnswer,
    answer=answer_by_position,
)
