"""What the events and passages sections share: both recall earlier parts of the story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fabula.assembly.cutting import cut_to
from fabula.assembly.labels import in_one_line, moment_label
from fabula.assembly.pieces import KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText, Withheld
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace
from fabula.model.moment import Moment, first_instant
from fabula.model.reason import BELOW_LINE, EMPTY, NAMES_A_SECRET, NOT_YET, RECALLED
from fabula.model.wire import Value

_LABEL = Bilingual("What comes to mind", "由文联想")


@dataclass(frozen=True, slots=True)
class RecalledCandidate:
    """An event, or a passage of an earlier scene, that the scene's text recalls.

    `at` is the moment it happens or was told. Candidates are admitted in the order of `rank`, which need not
    be that of `score`, unless their score is below the `threshold`. `cut` means that `text` is only a part.
    """

    kind: Literal["event", "passage"]
    id: str
    label: OpenText
    text: OpenText
    at: Moment | None
    withheld: Withheld = Withheld.NOTHING
    matches: tuple[MatchPlace, ...] = ()
    hop_path: tuple[str, ...] = ()
    score: float = 0.0
    threshold: float = 0.0
    rank: int = 0
    cut: bool = False


class Recollection(Value):
    """An earlier event, or a passage quoted from an earlier scene, that the scene's text recalls.

    `hop_path` leads from an entity in the scene to those it is about.
    """

    kind: Literal["event", "passage"]
    id: str
    label: str
    chapter: int | None
    scene: int | None
    text: str
    score: float
    hop_path: tuple[str, ...]
    estimated_tokens: int


class RecollectionsAnswer(Value):
    """Events, then passages, each in chronological order."""

    recollections: tuple[Recollection, ...]


def recollection_section(
    key: str,
    kind: Literal["event", "passage"],
    kind_label: Bilingual,
    heading: Bilingual,
    *,
    order: int,
    turns: tuple[int, int],
    longest: int,
) -> Section[RecalledCandidate]:
    """Build the section of one kind of memory, of which none takes more than `longest` tokens."""
    block = PromptBlock("recollections", _LABEL, Message.CONTEXT, order=order, heading=heading)
    return Section(
        key=key,
        kind=kind,
        kind_label=kind_label,
        blocks=(block,),
        share=0.10,
        turn=turns[0],
        second_turn=turns[1],
        weigh=_recalled_into(block, longest),
        tell=_tell,
        left_out_order=_left_out_order,
        answers=RecollectionsAnswer,
        answer=_answer,
    )


def _recalled_into(block: PromptBlock, longest: int) -> OneByOne[RecalledCandidate]:
    """Weigh memories of at most `longest` tokens each by relevance, and show them in chronological order."""

    def render(
        candidate: RecalledCandidate, place: int, reason: str, setting: SceneSetting
    ) -> KeptPiece[RecalledCandidate]:
        label = "" if candidate.at is None else moment_label(candidate.at, setting)
        kept = cut_to(label + in_one_line(candidate.text, setting.language), longest, setting.counter)
        return KeptPiece(
            (candidate,),
            Piece(block, kept.text, kept.tokens, place),
            reason,
            kept.text,
            kept.cut or candidate.cut,
        )

    return OneByOne(
        place=lambda candidate: (first_instant(candidate.at), candidate.id, candidate.text),
        verdict=_verdict,
        render=render,
        rank=lambda kept: (kept.candidate.rank, -kept.candidate.score, kept.candidate.id),
    )


def _verdict(candidate: RecalledCandidate, setting: SceneSetting) -> Verdict:
    """Reject what has not happened when the scene begins, and what bears too little on its text."""
    if candidate.at is not None and first_instant(candidate.at) >= setting.now:
        return Verdict(False, NOT_YET.code)
    if candidate.score < candidate.threshold:
        return Verdict(False, BELOW_LINE.code)
    if candidate.text.strip():
        return Verdict(True, RECALLED.code)
    return Verdict(False, NAMES_A_SECRET.code if candidate.withheld else EMPTY.code)


def _tell(candidate: RecalledCandidate, hushed: bool) -> Told:
    """Return what the trace shows of a memory."""
    return Told(
        candidate.id,
        candidate.id if hushed else candidate.label,
        candidate.score,
        candidate.matches,
        candidate.hop_path,
        bool(candidate.withheld),
        threshold=candidate.threshold,
    )


def _left_out_order(candidate: RecalledCandidate) -> tuple[float, str]:
    """Sort the most relevant first."""
    return -candidate.score, candidate.id


def _answer(told: Sequence[KeptPiece[RecalledCandidate]], _: SceneSetting) -> dict[str, Any]:
    """Return the recalled events and passages."""
    return {"recollections": tuple(map(_recollection, told))}


def _recollection(kept: KeptPiece[RecalledCandidate]) -> Recollection:
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
