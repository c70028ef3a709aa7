"""The open threads of those on stage, and those that are due."""

from __future__ import annotations

from dataclasses import dataclass

from fabula.assembly.cutting import cut_to
from fabula.assembly.labels import in_one_line, moment_label
from fabula.assembly.pieces import KeptPiece, Message, Piece, PromptBlock
from fabula.assembly.section import OneByOne, Section, Told
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.audience import OpenText, Withheld
from fabula.model.bilingual import Bilingual
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.reason import (
    LEVEL_MANUAL_ONLY,
    LEVEL_NEVER,
    NAMES_A_SECRET,
    OFF_STAGE,
    OPEN_THREAD,
    PINNED,
    THREAD_DUE,
)
from fabula.model.thread import ThreadKind, ThreadStatus

# A reminder: what is open, and where it was last spoken of.
LONGEST = 160

_KINDS = {
    ThreadKind.MYSTERY: Bilingual("mystery", "谜团"),
    ThreadKind.PROMISE: Bilingual("promise", "承诺"),
    ThreadKind.CLUE: Bilingual("clue", "线索"),
    ThreadKind.GOAL: Bilingual("goal", "目标"),
    ThreadKind.DEBT: Bilingual("debt", "亏欠"),
    ThreadKind.PROP: Bilingual("prop", "伏笔之物"),
}
_STATUSES = {
    ThreadStatus.OPEN: Bilingual("open", "未了"),
    ThreadStatus.PAID_IN_PART: Bilingual("settled in part", "部分了结"),
    ThreadStatus.DUE: Bilingual("due now", "当下应了结"),
    ThreadStatus.OVERDUE: Bilingual("overdue", "逾期未了"),
}
_PRESSING = (ThreadStatus.DUE, ThreadStatus.OVERDUE)


@dataclass(frozen=True, slots=True)
class ThreadCandidate:
    """An open thread: its title, the people of it who may be named, and words that were told of it.

    `urgency` sorts the most pressing first. `on_stage` if one of its people is, or if it has none.
    """

    id: str
    title: OpenText
    kind: ThreadKind
    status: ThreadStatus
    urgency: tuple[int, int, int]
    people: tuple[OpenText, ...] = ()
    told: tuple[tuple[Moment, OpenText], ...] = ()
    on_stage: bool = True
    pinned: bool = False
    level: AiContextLevel = AiContextLevel.WHEN_DETECTED
    withheld: Withheld = Withheld.NOTHING


_BLOCK = PromptBlock(
    "threads",
    Bilingual("Open threads", "未了的线索"),
    Message.CONTEXT,
    order=45,
    heading=Bilingual("## Open threads", "## 未了的线索"),
)


def verdict(candidate: ThreadCandidate, _: SceneSetting) -> Verdict:
    """Admit what is due, and what concerns somebody on stage."""
    if candidate.level is AiContextLevel.NEVER:
        return Verdict(False, LEVEL_NEVER.code)
    if candidate.level is AiContextLevel.MANUAL_ONLY and not candidate.pinned:
        return Verdict(False, LEVEL_MANUAL_ONLY.code)
    if not candidate.title:
        return Verdict(False, NAMES_A_SECRET.code)
    if candidate.pinned:
        return Verdict(True, PINNED.code)
    if candidate.status in _PRESSING:
        return Verdict(True, THREAD_DUE.code)
    is_told = candidate.on_stage or candidate.level is AiContextLevel.ALWAYS
    return Verdict(True, OPEN_THREAD.code) if is_told else Verdict(False, OFF_STAGE.code)


def _render(
    candidate: ThreadCandidate, place: int, reason: str, setting: SceneSetting
) -> KeptPiece[ThreadCandidate]:
    kept = cut_to(_line(candidate, setting), LONGEST, setting.counter)
    piece = Piece(_BLOCK, kept.text, kept.tokens, place)
    return KeptPiece((candidate,), piece, reason, kept.text, kept.cut)


def _line(candidate: ThreadCandidate, setting: SceneSetting) -> str:
    language = setting.language
    words = [_KINDS[candidate.kind].said_in(language), _STATUSES[candidate.status].said_in(language)]
    quoted = [
        f"{moment_label(at, setting)}“{in_one_line(text, language)}”" for at, text in candidate.told if text
    ]
    if language == "zh":
        head = f"{candidate.title}（{'，'.join((*words, *candidate.people))}）"
        return f"{head}：{'；'.join(quoted)}" if quoted else f"{head}。"
    head = f"{candidate.title} ({', '.join((*words, *candidate.people))})"
    return f"{head}: {'; '.join(quoted)}" if quoted else f"{head}."


def _tell(candidate: ThreadCandidate, hushed: bool) -> Told:
    return Told(
        candidate.id,
        candidate.id if hushed else candidate.title,
        withheld=bool(candidate.withheld),
        level=candidate.level,
    )


THREADS = Section(
    key="threads",
    kind="thread",
    kind_label=Bilingual("thread", "线索"),
    blocks=(_BLOCK,),
    share=0.05,
    turn=35,
    second_turn=65,
    weigh=OneByOne(
        place=lambda candidate: (*candidate.urgency, candidate.id),
        verdict=verdict,
        render=_render,
        rank=lambda kept: kept.piece.place,
    ),
    tell=_tell,
    left_out_order=lambda candidate: (*candidate.urgency, candidate.id),
)
