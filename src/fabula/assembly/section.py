"""What a section of a context is: one record with everything that is particular to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from fabula.assembly.pieces import Dropped, KeptPiece, PromptBlock, Weighed
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition
from fabula.model.wire import Value

C = TypeVar("C")


class Told(NamedTuple):
    """What the trace says of a candidate, whatever became of it."""

    id: str
    label: str
    score: float = 0.0
    matches: tuple[MatchPlace, ...] = ()
    hop_path: tuple[str, ...] = ()
    withheld: bool = False
    position: InsertionPosition | None = None
    level: AiContextLevel | None = None
    priority: int = 0


@dataclass(frozen=True, slots=True)
class OneByOne(Generic[C]):
    """How a section weighs its candidates where each is a piece of its own.

    They are read in the order of `place`, and heard in the order of `rank`. `verdict` is None for those that
    nothing speaks for; `render` makes a piece, or drops what is too large.
    """

    place: Callable[[C], Any]
    verdict: Callable[[C, SceneSetting], Verdict | None]
    render: Callable[[C, int, str, SceneSetting], KeptPiece[C] | Dropped[C]]
    rank: Callable[[KeptPiece[C]], Any]

    def __call__(self, candidates: Iterable[C], setting: SceneSetting) -> Weighed[C]:
        """Those that ask for room, and those that are out."""
        weighed: Weighed[C] = Weighed()
        for place, candidate in enumerate(sorted(candidates, key=self.place)):
            verdict = self.verdict(candidate, setting)
            if verdict is None:
                continue
            if not verdict.admitted:
                weighed.dropped.append(Dropped(candidate, verdict.reason))
                continue
            outcome = self.render(candidate, place, verdict.reason, setting)
            if isinstance(outcome, KeptPiece):
                weighed.kept.append(outcome)
            else:
                weighed.dropped.append(outcome)
        weighed.kept.sort(key=self.rank)
        return weighed


def _nothing(told: Sequence[KeptPiece[Any]], setting: SceneSetting) -> Mapping[str, Any]:
    """No field of its own in the answer."""
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Section(Generic[C]):
    """A section: who asks for a place in it, how much room it has, and how it is told and traced.

    `key` names its candidates and its share of the budget. Sections fill their shares by `turn`; one without
    a share takes whatever room it finds. What did not fit is offered room again by `second_turn`.
    In the trace all its candidates are of one `kind`. `tell` says what is known of a candidate, without its
    words if it is told to hush, and what is left out is sorted by `left_out_order`. `answer` gives the fields
    of `answers` for what is in. Neighbours with the same `answers` are traced together.
    """

    key: str
    kind: str
    kind_label: Bilingual
    blocks: tuple[PromptBlock, ...]
    share: float | None
    turn: int
    second_turn: int
    weigh: Callable[[Iterable[C], SceneSetting], Weighed[C]]
    tell: Callable[[C, bool], Told]
    left_out_order: Callable[[C], Any]
    answers: type[Value] | None = None
    answer: Callable[[Sequence[KeptPiece[C]], SceneSetting], Mapping[str, Any]] = _nothing
