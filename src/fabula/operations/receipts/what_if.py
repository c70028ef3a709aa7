"""What a receipt's context would tell if something were otherwise: really made so, in a copy of the story."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.model.account import Role
from fabula.model.bounds import ChapterIndex, SceneIndex
from fabula.model.level import AiContextLevel
from fabula.model.wire import Id, Text, Value
from fabula.operations.context import TokenBudget
from fabula.operations.receipts.comparing import ReceiptDifference, difference
from fabula.operations.receipts.reading import ReceiptRequest, shown, stored_receipt
from fabula.operations.receipts.replaying import ReceiptInput, Retold, at_its_time, input_of
from fabula.operations.receipts.rewriting import put_level
from fabula.operations.table import operation


class WhatIfRequest(ReceiptRequest):
    """A receipt, and what would be otherwise.

    Another token budget, something pinned or hidden by its id, another point of view (empty for none), or
    another moment; a chapter without a scene is its beginning.
    """

    token_budget: TokenBudget | None = None
    pin: Id | None = None
    hide: Id | None = None
    pov: Annotated[Text, Field(max_length=256)] | None = None
    chapter: ChapterIndex | None = None
    scene: SceneIndex | None = None


class OtherContext(Value):
    """A context that would be told instead, and how it differs from the one that was."""

    total_budget: int
    estimated_tokens: int
    messages_hash: str
    difference: ReceiptDifference


class WhatIfResponse(Value):
    """What would be told instead; with another budget, also what as much less or more would give."""

    receipt_id: str
    revision: int
    then: OtherContext
    opposite: OtherContext | None


@operation("receipt.what_if", role=Role.READER)
def what_if(call: Call, request: WhatIfRequest) -> WhatIfResponse:
    """Say what a context would gain and lose with another budget, pin, point of view or moment."""
    changes = (request.token_budget, request.pin, request.hide, request.pov, request.chapter, request.scene)
    if all(one is None for one in changes):
        raise InvalidInput(
            "Nothing would be otherwise.",
            suggestion="Give tokenBudget, pin, hide, pov, or chapter and scene.",
        )
    stored = stored_receipt(call, request.project_id, request.receipt_id)
    receipt = shown(stored)
    with at_its_time(call, request.project_id, receipt) as then:
        asked = input_of(then, request.project_id, stored)
        now = asked.told(then)
        changed = _otherwise(asked, request)
        opposite = None
        if request.token_budget is not None:
            less = max(0, 2 * now.made.context.total_budget - request.token_budget)
            opposite = _other(now, changed.with_budget(less).told(then))
        if request.hide is not None:
            put_level(then, request.project_id, request.hide, AiContextLevel.NEVER)
        told = _other(now, changed.told(then))
    return WhatIfResponse(receipt_id=receipt.id, revision=receipt.revision, then=told, opposite=opposite)


def _otherwise(asked: ReceiptInput, request: WhatIfRequest) -> ReceiptInput:
    changed = asked
    if request.token_budget is not None:
        changed = changed.with_budget(request.token_budget)
    if request.pin is not None:
        changed = changed.with_pin(request.pin)
    if request.pov is not None:
        changed = changed.with_pov(request.pov.strip() or None)
    if request.chapter is not None or request.scene is not None:
        chapter = changed.moment[0] if request.chapter is None else request.chapter
        changed = changed.at(chapter, request.scene or 0)
    return changed


def _other(now: Retold, other: Retold) -> OtherContext:
    context = other.made.context
    return OtherContext(
        total_budget=context.total_budget,
        estimated_tokens=context.estimated_tokens,
        messages_hash=other.pieces.messages_hash,
        difference=difference(now.pieces, other.pieces),
    )
