"""What events and passages have in common: the text of the scene brings them to mind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fabula.assembly.cutting import cut_to
from fabula.assembly.labels import in_one_line, moment_label
from fabula.assembly.pieces import KeptPiece, Piece, PromptBlock
from fabula.assembly.section import OneByOne, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText, Withheld
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace
from fabula.model.moment import Moment, first_instant
from fabula.model.reason import EMPTY, NAMES_A_SECRET, NOT_YET, RECALLED
from fabula.model.wire import Value

PART = "recollections"
LABEL = Bilingual("What comes to mind", "由文联想")


@dataclass(frozen=True, slots=True)
class RecalledCandidate:
    """An event, or a passage of an earlier scene, that the text brings to mind.

    `at` is when it happens or stands.
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


class Recollection(Value):
    """Something from earlier that the text brings to mind: an event, or the very words of a scene.

    `hop_path` leads from somebody in the scene to those it is about.
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
    """Events, then passages, each in order of time."""

    recollections: tuple[Recollection, ...]


def recalled_into(block: PromptBlock, longest: int) -> OneByOne[RecalledCandidate]:
    """Memories of at most so many tokens each, the most relevant first, read in order of time in a block."""

    def render(
        candidate: RecalledCandidate, place: int, reason: str, setting: SceneSetting
    ) -> KeptPiece[RecalledCandidate]:
        label = "" if candidate.at is None else moment_label(candidate.at, setting.language)
        kept = cut_to(label + in_one_line(candidate.text, setting.language), longest, setting.counter)
        return KeptPiece(
            (candidate,), Piece(block, kept.text, kept.tokens, place), reason, kept.text, kept.cut
        )

    return OneByOne(
        place=lambda candidate: (first_instant(candidate.at), candidate.id, candidate.text),
        verdict=_verdict,
        render=render,
        rank=lambda kept: (-kept.candidate.score, kept.candidate.id),
    )


def _verdict(candidate: RecalledCandidate, setting: SceneSetting) -> Verdict:
    """What has not happened when the scene begins is not told."""
    if candidate.at is not None and first_instant(candidate.at) >= setting.now:
        return Verdict(False, NOT_YET.code)
    if candidate.text.strip():
        return Verdict(True, RECALLED.code)
    return Verdict(False, NAMES_A_SECRET.code if candidate.withheld else EMPTY.code)


def tell(candidate: RecalledCandidate, hushed: bool) -> Told:
    """What the trace says of a memory."""
    return Told(
        candidate.id,
        candidate.id if hushed else candidate.label,
        candidate.score,
        candidate.matches,
        candidate.hop_path,
        bool(candidate.withheld),
    )


def left_out_order(candidate: RecalledCandidate) -> tuple[float, str]:
    """The most relevant first."""
    return -candidate.score, candidate.id


def answer(told: Sequence[KeptPiece[RecalledCandidate]], _: SceneSetting) -> dict[str, Any]:
    """What was brought to mind, as it is told."""
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
