"""Who is on stage, and in what state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabula.assembly.labels import in_one_line
from fabula.assembly.pieces import KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText, Withheld
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace
from fabula.model.reason import ACTIVE, EMPTY, LEVEL_NEVER
from fabula.model.relation import Language
from fabula.model.wire import Value

_NOTHING = OpenText("")


@dataclass(frozen=True, slots=True)
class CharacterCandidate:
    """A character who may be on stage, because a scene left them there or the text names them."""

    name: OpenText
    current_state: OpenText = _NOTHING
    emotional_state: OpenText = _NOTHING
    entity_id: str | None = None
    withheld: Withheld = Withheld.NOTHING
    active: bool = True
    matches: tuple[MatchPlace, ...] = ()
    score: float = 0.0

    @property
    def id(self) -> str:
        """The entity's id, or the name of a character the story does not know yet."""
        return self.entity_id or self.name


class ActiveCharacter(Value):
    """Who is on stage, and in what state."""

    name: str
    current_state: str
    emotional_state: str = ""


class CharactersAnswer(Value):
    """The characters on stage, the most relevant first."""

    active_characters: tuple[ActiveCharacter, ...]


_BLOCK = PromptBlock(
    "characters",
    Bilingual("On stage", "活跃角色"),
    Message.CONTEXT,
    order=60,
    heading=Bilingual("## On stage", "## 在场人物"),
)


def verdict(candidate: CharacterCandidate, _: SceneSetting) -> Verdict | None:
    """Return None for a character who is neither on stage nor named."""
    if Withheld.WHOLE in candidate.withheld:
        return Verdict(False, LEVEL_NEVER.code)
    if not candidate.active and not candidate.matches:
        return None
    return Verdict(True, ACTIVE.code) if candidate.name.strip() else Verdict(False, EMPTY.code)


def _render(
    candidate: CharacterCandidate, place: int, reason: str, setting: SceneSetting
) -> KeptPiece[CharacterCandidate]:
    line = _line(candidate, setting.language)
    return KeptPiece((candidate,), Piece(_BLOCK, line, setting.counter.count(line), place), reason, line)


def _line(candidate: CharacterCandidate, language: Language) -> str:
    name, state, mood = (
        in_one_line(text, language)
        for text in (candidate.name, candidate.current_state, candidate.emotional_state)
    )
    if language == "zh":
        feeling = f"（情绪：{mood}）" if mood else ""
        return f"{name}：{state}{feeling}" if state else f"{name}{feeling}"
    feeling = f" (mood: {mood})" if mood else ""
    return f"{name}: {state}{feeling}" if state else f"{name}{feeling}"


def _tell(candidate: CharacterCandidate, hushed: bool) -> Told:
    label = candidate.id if hushed else candidate.name
    return Told(candidate.id, label, candidate.score, candidate.matches)


def _answer(told: Sequence[KeptPiece[CharacterCandidate]], _: SceneSetting) -> dict[str, Any]:
    return {"active_characters": tuple(_active(kept.candidate) for kept in told)}


def _active(candidate: CharacterCandidate) -> ActiveCharacter:
    return ActiveCharacter(
        name=candidate.name,
        current_state=candidate.current_state,
        emotional_state=candidate.emotional_state,
    )


CHARACTERS = Section(
    key="characters",
    kind="character",
    kind_label=Bilingual("on stage", "在场角色"),
    blocks=(_BLOCK,),
    share=0.10,
    turn=10,
    second_turn=40,
    weigh=OneByOne(
        place=lambda c: (-c.score, c.name, c.id, c.current_state, c.emotional_state),
        verdict=verdict,
        render=_render,
        rank=lambda kept: kept.piece.place,
    ),
    tell=_tell,
    left_out_order=lambda candidate: (-candidate.score, candidate.name, candidate.id),
    answers=CharactersAnswer,
    answer=_answer,
)
