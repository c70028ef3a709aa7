"""The one way from candidates to a context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from fabula.assembly.context import AssembledContext
from fabula.assembly.fit import Fit, fit
from fabula.assembly.pieces import KeptPiece, Weighed
from fabula.assembly.render import messages, stable_prefix
from fabula.assembly.section import Section
from fabula.assembly.sections import SECTIONS
from fabula.assembly.setting import Budget, SceneSetting
from fabula.assembly.trace import trace_of

C = TypeVar("C")


def assemble(
    setting: SceneSetting,
    asking: Mapping[str, Iterable[Any] | Weighed[Any]],
    budget: Budget,
    sections: Sequence[Section[Any]] = SECTIONS,
) -> AssembledContext:
    """What a model is told before it writes the scene: what fits in the budget, and why.

    `asking` has the candidates of each section by its key, as they are or weighed before. The same
    candidates in any order give the same context. Secrets and what is not true at the scene's moment are
    in the trace only.
    """
    waiting = {section: _weighed(section, asking.get(section.key, ()), setting) for section in sections}
    result = fit(waiting, budget, setting.language, setting.counter)
    prefix = stable_prefix(result.admitted, setting.counter)
    trace = trace_of(waiting, result)
    answers: dict[str, Any] = {}
    for section, weighed in waiting.items():
        for name, value in section.answer(_told(weighed, result), setting).items():
            answers[name] = answers[name] + value if name in answers else value
    return AssembledContext(
        **answers,
        estimated_tokens=result.tokens,
        total_budget=budget.total,
        messages=messages(result.texts, setting.text),
        trace=trace,
        left_out_count=sum(not item.included for item in trace),
        stable_prefix=prefix.digest,
        stable_prefix_tokens=prefix.tokens,
    )


def _weighed(section: Section[C], asking: Iterable[C] | Weighed[C], setting: SceneSetting) -> Weighed[C]:
    return asking if isinstance(asking, Weighed) else section.weigh(asking, setting)


def _told(weighed: Weighed[C], result: Fit) -> list[KeptPiece[C]]:
    """Those that are in, in the order in which they are read."""
    told = [kept for kept in weighed.kept if kept.piece not in result.missing]
    return sorted(told, key=attrgetter("piece.block.order", "piece.place"))
