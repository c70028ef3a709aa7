"""Facts by reference, and what passes to the fact that takes the place of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fabula.canon import evidence
from fabula.canon.entry import existing_entry
from fabula.canon.scope import existing_entity, existing_relation
from fabula.canon.state import existing_state
from fabula.canon.step import Step
from fabula.canon.thread import existing_thread
from fabula.canon.versions import touched
from fabula.canon.waiver import redirect_waivers
from fabula.model.fact import FactKind, FactRef
from fabula.model.wire import Value
from fabula.store.event_rows import facts_in
from fabula.store.reader import Reader

_EXISTING: dict[FactKind, Callable[[Reader, str, str], Value]] = {
    FactKind.ENTITY: existing_entity,
    FactKind.ENTRY: existing_entry,
    FactKind.RELATION: existing_relation,
    FactKind.STATE: existing_state,
    FactKind.THREAD: existing_thread,
}


def existing_fact(reader: Reader, project_id: str, fact: FactRef) -> Value:
    """Return the value a reference names; NotFound if the story has no such fact."""
    return _EXISTING[fact.kind](reader, project_id, fact.id)


def hand_over(step: Step, kind: FactKind, heirs: Mapping[str, str]) -> None:
    """Give facts that take the place of others their evidence, those who know them, and who tells them."""
    if not heirs:
        return
    evidence.redirect(step, kind, heirs)
    redirect_waivers(step, kind, heirs)
    known = step.knowings.of_facts(step.project_id, kind, heirs)
    turned = [(one, one.fact.model_copy(update={"id": heirs[one.fact.id]})) for one in known]
    step.replace([(one, touched(step, one, fact=fact)) for one, fact in turned])
    telling = step.knowings.telling(step.project_id)
    for event_id, tells_json in telling.items():
        if not any(f'"{fact_id}"' in tells_json for fact_id in heirs):
            continue
        event = step.events.event(step.project_id, event_id)
        if event is None:
            continue
        tells = tuple(
            fact.model_copy(update={"id": heirs[fact.id]}) if fact.kind is kind and fact.id in heirs else fact
            for fact in facts_in(tells_json)
        )
        step.replace([(event, event.model_copy(update={"tells": tuple(dict.fromkeys(tells))}))])
