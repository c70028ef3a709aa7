"""Waivers: the only way to waive a finding, to redirect a waiver and to remove it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fabula.canon.step import Step
from fabula.model.waiver import Waiver, waiver_key


def waive(step: Step, waiver: Waiver) -> Waiver:
    """Keep a waiver, once."""
    known = {_key(one): one for one in step.waivers.all_of(step.project_id)}.get(_key(waiver))
    if known is not None:
        return known
    step.add([waiver])
    return waiver


def redirect_waivers(step: Step, kind: str, heirs: Mapping[str, str]) -> None:
    """Let waivers be about the facts that take the place of others; of two that become equal, one stays."""
    if not heirs:
        return
    turned = {f"{kind}:{gone}": f"{kind}:{heir}" for gone, heir in heirs.items()}
    waivers = step.waivers.all_of(step.project_id)
    kept = {_key(one) for one in waivers if not turned.keys() & set(one.facts)}
    for one in waivers:
        if not turned.keys() & set(one.facts):
            continue
        facts = tuple(sorted({turned.get(fact, fact) for fact in one.facts}))
        after = one.model_copy(update={"facts": facts})
        if _key(after) in kept:
            step.remove([one])
        else:
            kept.add(_key(after))
            step.replace([(one, after)])


def remove_waivers(step: Step, waivers: Iterable[Waiver]) -> None:
    """Remove waivers; their findings are reported again."""
    step.remove(list(waivers))


def _key(waiver: Waiver) -> str:
    return waiver_key(waiver.rule, waiver.facts, waiver.here, waiver.there)
