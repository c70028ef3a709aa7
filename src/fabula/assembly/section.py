"""A section of a context: one record with everything specific to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from fabula.assembly.pieces import Dropped, KeptPiece, PromptBlock, Weighed
from fabula.assembly.setting import SceneSetting
from fabula.model.activation.rule import Verdict
from fabula.model.bilingual import Bilingual
from fabula.model.context import MatchPlace, ScanTrace
from fabula.model.level import AiContextLevel
from fabula.model.lore import InsertionPosition
from fabula.model.wire import Value

C = TypeVar("C")


class Told(NamedTuple):
    """What the trace shows of a candidate, included or not."""

    id: str
    label: str
    score: float = 0.0
    matches: tuple[MatchPlace, ...] = ()
    hop_path: tuple[str, ...] = ()
    withheld: bool = False
    position: InsertionPosition | None = None
    level: AiContextLevel | None = None
    priority: int = 0
    threshold: float = 0.0
    scan: ScanTrace | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class OneByOne(Generic[C]):
    """Weighs the candidates of a section in which each is a piece of its own.

    They are read in the order of `place` and admitted in the order of `rank`. `verdict` is None for a
    candidate that there is no reason to consider; `render` makes a piece, or drops what is too large.
    """

    place: Callable[[C], Any]
    verdict: Callable[[C, SceneSetting], Verdict | None]
    render: Callable[[C, int, str, SceneSetting], KeptPiece[C] | Dropped[C]]
    rank: Callable[[KeptPiece[C]], Any]

    def __call__(self, candidates: Iterable[C], setting: SceneSetting) -> Weighed[C]:
        """Return the candidates to be fitted and those rejected."""
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
    """Add no fields to the answer."""
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Section(Generic[C]):
    """A section: its candidates, its share of the budget, and how it is rendered and traced.

    `key` names its candidates and its share of the budget. Sections fill their shares in the order of `turn`;
    one without a share takes all the room it finds. What did not fit is offered room again by `second_turn`,
    in which sections with the same number alternate.
    All its candidates have the same `kind` in the trace. `tell` returns what the trace shows of a candidate,
    without its text if asked to, and those left out are sorted by `left_out_order`. `answer` returns the
    fields of `answers` for those included. Adjacent sections with the same `answers` are traced together.
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
