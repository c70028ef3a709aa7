"""What happened in the last scenes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabula.assembly.labels import in_one_line, moment_label
from fabula.assembly.pieces import KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText, Withheld
from fabula.model.bilingual import Bilingual
from fabula.model.moment import Moment, instant_of
from fabula.model.reason import EMPTY, NAMES_A_SECRET, NOT_YET, RECENT_SCENE
from fabula.model.wire import Value


@dataclass(frozen=True, slots=True)
class SnapshotCandidate:
    """What happened in an earlier scene."""

    id: str
    chapter: int
    scene: int
    summary: OpenText
    withheld: Withheld = Withheld.NOTHING


class SnapshotsAnswer(Value):
    """What happened in the last scenes, the newest first."""

    recent_snapshots: tuple[str, ...]


_BLOCK = PromptBlock(
    "snapshots",
    Bilingual("The story so far", "前情摘要"),
    Message.CONTEXT,
    order=50,
    heading=Bilingual("## The story so far", "## 前情"),
)


def verdict(candidate: SnapshotCandidate, setting: SceneSetting) -> Verdict:
    """Reject a scene that is not over when this one begins."""
    if instant_of(candidate.chapter, candidate.scene) >= setting.now:
        return Verdict(False, NOT_YET.code)
    if candidate.summary.strip():
        return Verdict(True, NAMES_A_SECRET.code if candidate.withheld else RECENT_SCENE.code)
    return Verdict(False, NAMES_A_SECRET.code if candidate.withheld else EMPTY.code)


def _render(
    candidate: SnapshotCandidate, place: int, reason: str, setting: SceneSetting
) -> KeptPiece[SnapshotCandidate]:
    label = moment_label(Moment(chapter=candidate.chapter, scene=candidate.scene), setting)
    line = label + in_one_line(candidate.summary, setting.language)
    piece = Piece(_BLOCK, line, setting.counter.count(line), place)
    return KeptPiece((candidate,), piece, reason, line, bool(candidate.withheld))


def _tell(candidate: SnapshotCandidate, _: bool) -> Told:
    return Told(candidate.id, f"{candidate.chapter}.{candidate.scene}")


def _answer(told: Sequence[KeptPiece[SnapshotCandidate]], _: SceneSetting) -> dict[str, Any]:
    return {"recent_snapshots": tuple(kept.text for kept in reversed(told))}


SNAPSHOTS = Section(
    key="snapshots",
    kind="snapshot",
    kind_label=Bilingual("earlier scene", "前情"),
    blocks=(_BLOCK,),
    share=0.25,
    turn=20,
    second_turn=30,
    weigh=OneByOne(
        place=lambda candidate: (candidate.chapter, candidate.scene, candidate.id),
        verdict=verdict,
        render=_render,
        rank=lambda kept: -kept.piece.place,
    ),
    tell=_tell,
    left_out_order=lambda candidate: (-candidate.chapter, -candidate.scene, candidate.id),
    answers=SnapshotsAnswer,
    answer=_answer,
)
