"""Assemble a context from the candidates of its sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from fabula.assembly.context import AssembledContext
from fabula.assembly.fit import Fit, fit
from fabula.assembly.pieces import KeptPiece, Weighed
from fabula.assembly.render import messages, stable_prefix
from fabula.assembly.section import Section
from fabula.assembly.sections import SECTIONS
from fabula.assembly.setting import Budget, SceneSetting
from fabula.assembly.trace import told_texts, trace_of

C = TypeVar("C")


class Assembled(NamedTuple):
    """A context, and what it was fitted from."""

    context: AssembledContext
    waiting: Mapping[Section[Any], Weighed[Any]]
    fit: Fit

    def texts(self) -> dict[tuple[str, str], str]:
        """Return the text of every piece that is told, by kind and id."""
        return told_texts(self.waiting, self.fit)


def assemble(
    setting: SceneSetting,
    asking: Mapping[str, Iterable[Any] | Weighed[Any]],
    budget: Budget,
    sections: Sequence[Section[Any]] = SECTIONS,
) -> AssembledContext:
    """Assemble what a model is told before it writes the scene: the candidates that fit the budget."""
    return assembled(setting, asking, budget, sections).context


def assembled(
    setting: SceneSetting,
    asking: Mapping[str, Iterable[Any] | Weighed[Any]],
    budget: Budget,
    sections: Sequence[Section[Any]] = SECTIONS,
) -> Assembled:
    """Assemble a context, and keep what it was fitted from.

    `asking` maps each section's key to its candidates, either raw or already weighed. The order of the
    candidates does not affect the result. Secrets, and facts that do not hold at the scene's moment, appear
    only in the trace.
    """
    waiting = {section: _weighed(section, asking.get(section.key, ()), setting) for section in sections}
    result = fit(waiting, budget, setting.language, setting.counter)
    prefix = stable_prefix(result.admitted, setting.counter)
    trace = trace_of(waiting, result)
    answers: dict[str, Any] = {}
    for section, weighed in waiting.items():
        for name, value in section.answer(_told(weighed, result), setting).items():
            answers[name] = answers[name] + value if name in answers else value
    context = AssembledContext(
        **answers,
        estimated_tokens=result.tokens,
        total_budget=budget.total,
        messages=messages(result.texts, setting.text),
        trace=trace,
        left_out_count=sum(not item.included for item in trace),
        stable_prefix=prefix.digest,
        stable_prefix_tokens=prefix.tokens,
    )
    return Assembled(context, waiting, result)


def _weighed(section: Section[C], asking: Iterable[C] | Weighed[C], setting: SceneSetting) -> Weighed[C]:
    return asking if isinstance(asking, Weighed) else section.weigh(asking, setting)


def _told(weighed: Weighed[C], result: Fit) -> list[KeptPiece[C]]:
    """Return the pieces that were admitted, in reading order."""
    told = [kept for kept in weighed.kept if kept.piece not in result.missing]
    return sorted(told, key=attrgetter("piece.block.order", "piece.place"))
