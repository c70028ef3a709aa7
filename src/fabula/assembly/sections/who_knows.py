"""Who knows what: the private facts that touch those on stage, who knows them, and who believes what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabula.assembly.labels import in_one_line
from fabula.assembly.pieces import KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText
from fabula.model.bilingual import Bilingual
from fabula.model.reason import BELIEVED, KNOWLEDGE, NAMES_A_SECRET
from fabula.model.relation import Language
from fabula.model.wire import Value


@dataclass(frozen=True, slots=True)
class KnowledgeCandidate:
    """A private fact, and who of those on stage knows it, does not, or believes something else.

    From a point of view it is what that person believes in the fact's place: `told` alone.
    """

    id: str
    told: OpenText
    knowing: tuple[OpenText, ...] = ()
    unaware: tuple[OpenText, ...] = ()
    believing: tuple[tuple[OpenText, OpenText], ...] = ()
    is_belief: bool = False
    score: float = 0.0


class KnowledgeAnswer(Value):
    """Who knows what, a line for each private fact."""

    who_knows: tuple[str, ...]


_BLOCK = PromptBlock(
    "who_knows",
    Bilingual("Who knows what", "谁知道什么"),
    Message.CONTEXT,
    order=25,
    heading=Bilingual("## Who knows what", "## 谁知道什么"),
)


def _verdict(candidate: KnowledgeCandidate, _: SceneSetting) -> Verdict:
    if not candidate.told.strip():
        return Verdict(False, NAMES_A_SECRET.code)
    return Verdict(True, BELIEVED.code if candidate.is_belief else KNOWLEDGE.code)


def _line(candidate: KnowledgeCandidate, language: Language) -> str:
    fact = in_one_line(candidate.told, language)
    if candidate.is_belief:
        return fact
    if language == "zh":
        parts = [f"知情：{'、'.join(candidate.knowing)}"] if candidate.knowing else []
        parts += [f"不知情：{'、'.join(candidate.unaware)}"] if candidate.unaware else []
        parts += [f"{name}以为：{in_one_line(belief, language)}" for name, belief in candidate.believing]
        return f"- {fact.rstrip('。')}（{'；'.join(parts)}）"
    parts = [f"known to {', '.join(candidate.knowing)}"] if candidate.knowing else []
    parts += [f"not known to {', '.join(candidate.unaware)}"] if candidate.unaware else []
    parts += [f"{name} believes: {in_one_line(belief, language)}" for name, belief in candidate.believing]
    return f"- {fact.rstrip('.')} ({'; '.join(parts)})"


def _render(
    candidate: KnowledgeCandidate, place: int, reason: str, setting: SceneSetting
) -> KeptPiece[KnowledgeCandidate]:
    line = _line(candidate, setting.language)
    piece = Piece(_BLOCK, line, setting.counter.count(line), place)
    return KeptPiece((candidate,), piece, reason, line)


def _tell(candidate: KnowledgeCandidate, hushed: bool) -> Told:
    return Told(candidate.id, candidate.id if hushed else candidate.told, candidate.score)


def _answer(told: Sequence[KeptPiece[KnowledgeCandidate]], _: SceneSetting) -> dict[str, Any]:
    return {"who_knows": tuple(kept.text for kept in told)}


WHO_KNOWS = Section(
    key="who_knows",
    kind="knowledge",
    kind_label=Bilingual("who knows", "知情"),
    blocks=(_BLOCK,),
    share=0.05,
    turn=15,
    second_turn=20,
    weigh=OneByOne(
        place=lambda candidate: (-candidate.score, candidate.told, candidate.id),
        verdict=_verdict,
        render=_render,
        rank=lambda kept: kept.piece.place,
    ),
    tell=_tell,
    left_out_order=lambda candidate: (-candidate.score, candidate.id),
    answers=KnowledgeAnswer,
    answer=_answer,
)
