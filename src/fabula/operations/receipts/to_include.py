"""What it would take that a context tells something: changes that do, each tried on a copy of the story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fabula.assembly.context import TraceItem
from fabula.assembly.reasons import ReasonCode
from fabula.call import Call
from fabula.errors import NotFound
from fabula.model.account import Role
from fabula.model.level import AiContextLevel
from fabula.model.moment import instant_of
from fabula.model.reason import BUDGET
from fabula.model.story_settings import LARGEST_BUDGET
from fabula.model.wire import Id, Value
from fabula.operations.receipts.comparing import ReceiptDifference, difference
from fabula.operations.receipts.reading import ReceiptRequest, shown, stored_receipt
from fabula.operations.receipts.replaying import ReceiptInput, Retold, at_its_time, input_of
from fabula.operations.receipts.rewriting import put_level, put_priority, taken_back
from fabula.operations.table import operation
from fabula.store.kinds import ENTITY, ENTRY

# Other moments are tried at so many of the nearest scenes.
MOST_MOMENTS = 40
_LEVELS = (AiContextLevel.WHEN_DETECTED, AiContextLevel.ALWAYS)

Lever = Literal["tokenBudget", "pin", "word", "moment", "pov", "priority", "level"]


class ToIncludeRequest(ReceiptRequest):
    """A receipt, and something that its context should tell, as the receipt or the trace names it."""

    kind: Id
    id: Id


class WayIn(Value):
    """A change with which it is told, and what else would be told otherwise.

    `change` names the field that has the new value: a budget, what to pin, a word to write, a moment, a
    point of view (empty for nobody's), a priority or a level.
    """

    change: Lever
    token_budget: int | None = None
    pin: str | None = None
    word: str | None = None
    chapter: int | None = None
    scene: int | None = None
    pov: str | None = None
    priority: int | None = None
    level: AiContextLevel | None = None
    difference: ReceiptDifference


class ToIncludeResponse(Value):
    """Whether it is told already, why not, and each single change that would do.

    The first is the smallest: changes of the question come before changes of the story. `reason` is None if
    it is not even considered.
    """

    receipt_id: str
    revision: int
    told: bool
    reason: ReasonCode | None
    ways: tuple[WayIn, ...]


@operation("receipt.to_include", role=Role.READER)
def to_include(call: Call, request: ToIncludeRequest) -> ToIncludeResponse:
    """Find the smallest changes with which a context would tell something that it left out."""
    stored = stored_receipt(call, request.project_id, request.receipt_id)
    receipt = shown(stored)
    with at_its_time(call, request.project_id, receipt) as then:
        trial = _Trial(then, input_of(then, request.project_id, stored), request)
        now = trial.asked.told(then)
        item = trial.found(now)
        is_told = item is not None and item.included
        ways = () if is_told else tuple(_ways(trial, now, item))
    return ToIncludeResponse(
        receipt_id=receipt.id,
        revision=receipt.revision,
        told=is_told,
        reason=None if item is None else item.reason,
        ways=ways,
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """What should be told, and the copy of the story on which changes are tried."""

    call: Call
    asked: ReceiptInput
    request: ToIncludeRequest

    def found(self, told: Retold) -> TraceItem | None:
        """Return what a context says of it."""
        wanted = (self.request.kind, self.request.id)
        trace = told.made.context.trace
        return next((item for item in trace if (item.kind, item.id) == wanted), None)

    def does(self, asked: ReceiptInput) -> Retold | None:
        """Return the context if it tells it."""
        told = asked.told(self.call)
        item = self.found(told)
        return told if item is not None and item.included else None


def _ways(trial: _Trial, now: Retold, item: TraceItem | None) -> Iterator[WayIn]:
    if item is None and _name(trial) is None:
        raise NotFound(
            f"There is no {trial.request.kind} '{trial.request.id}' in the story at that revision.",
            details={"kind": trial.request.kind, "id": trial.request.id},
            suggestion="Give the kind and id of something that the receipt left out.",
        )
    for lever in (_more_budget, _pinned, _named, _other_moment, _nobodys_view, _more_priority, _other_level):
        way = lever(trial, now, item)
        if way is not None:
            yield way


def _more_budget(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    """Return the least budget with which it fits, if it lacked only room."""
    if item is None or item.reason != BUDGET.code:
        return None
    least = now.made.context.total_budget

    def told(budget: int) -> Retold | None:
        return trial.does(trial.asked.with_budget(budget))

    more = max(1, item.missing_tokens)
    while (found := told(most := min(least + more, LARGEST_BUDGET))) is None:
        if most == LARGEST_BUDGET:
            return None
        more *= 2
    while most - least > 1:
        middle = most - 1 if most - least <= 4 else (least + most) // 2
        tried = told(middle)
        if tried is None:
            least = middle
        else:
            most, found = middle, tried
    return _way(now, found, "tokenBudget", token_budget=most)


def _pinned(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    found = trial.does(trial.asked.with_pin(trial.request.id))
    return None if found is None else _way(now, found, "pin", pin=trial.request.id)


def _named(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    """Return its name as a word to write, if it is told when the text has it."""
    word = _name(trial)
    if word is None or (item is not None and item.reason == BUDGET.code):
        return None
    found = trial.does(trial.asked.with_word(trial.call, word))
    return None if found is None else _way(now, found, "word", word=word)


def _other_moment(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    """Return the nearest scene in which it is told."""
    if item is not None and item.reason == BUDGET.code:
        return None
    here = instant_of(*trial.asked.moment)
    with trial.call.store.read() as reader:
        headings = reader.manuscript.headings(trial.request.project_id)
        entity = reader.entity(trial.request.project_id, trial.request.id)
    places = {(one.chapter_index, one.scene_index) for one in headings}
    if entity is not None and entity.since is not None:
        places.add((entity.since.chapter, entity.since.scene or 0))
    places.discard(trial.asked.moment)
    nearest = sorted(places, key=lambda place: (abs(instant_of(*place) - here), place))
    for chapter, scene in nearest[:MOST_MOMENTS]:
        found = trial.does(trial.asked.at(chapter, scene))
        if found is not None:
            return _way(now, found, "moment", chapter=chapter, scene=scene)
    return None


def _nobodys_view(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    found = trial.does(trial.asked.with_pov(None))
    return None if found is None else _way(now, found, "pov", pov="")


def _more_priority(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    """Return the least priority with which it has room, if it lacked only that."""
    if item is None or item.reason != BUDGET.code:
        return None
    rivals = [one.priority for one in now.made.context.trace if one.included and one.kind == item.kind]
    # Only a priority at which it passes a rival changes anything.
    tried = sorted({one + 1 for one in (item.priority, *rivals) if one >= item.priority})
    least, most, best = 0, len(tried) - 1, None
    while least <= most:
        middle = (least + most) // 2 if best is not None else most
        with taken_back(trial.call, trial.request.project_id):
            if not put_priority(trial.call, trial.request.project_id, trial.request.id, tried[middle]):
                return None
            found = trial.does(trial.asked)
        if found is not None:
            best, most = _way(now, found, "priority", priority=tried[middle]), middle - 1
        elif best is None:
            return None
        else:
            least = middle + 1
    return best


def _other_level(trial: _Trial, now: Retold, item: TraceItem | None) -> WayIn | None:
    """Return the level, if any, at which it is told: when it is named, or always."""
    if _name(trial) is None:
        return None
    for level in _LEVELS:
        with taken_back(trial.call, trial.request.project_id):
            put_level(trial.call, trial.request.project_id, trial.request.id, level)
            found = trial.does(trial.asked)
        if found is not None:
            return _way(now, found, "level", level=level)
    return None


def _name(trial: _Trial) -> str | None:
    """Return the name of the entity or entry that it is, if it is one."""
    project_id, wanted = trial.request.project_id, trial.request.id
    with trial.call.store.read() as reader:
        for kind, column in ((ENTITY, "name"), (ENTRY, "entry_key")):
            for row in reader.fetch_rows(kind.select_by_id, story=project_id, listed=[wanted]):
                return str(row[column])
    return None


def _way(now: Retold, found: Retold, change: Lever, **fields: object) -> WayIn:
    return WayIn(change=change, **fields, difference=difference(now.pieces, found.pieces))  # type: ignore[arg-type]
