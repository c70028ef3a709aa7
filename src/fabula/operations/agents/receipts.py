"""Receipts for agents: what a context that they were given told them, and how it differs from another."""

from __future__ import annotations

from fabula.call import Call
from fabula.context.audience import ModelView
from fabula.model.account import Role
from fabula.model.moment import Moment
from fabula.model.wire import Id, Value
from fabula.operations.agents.audience import listening
from fabula.operations.agents.scenes import MissedPiece, ToldPiece
from fabula.operations.receipt_keeping import ContextReceipt
from fabula.operations.receipts.comparing import difference
from fabula.operations.receipts.reading import no_receipt, pieces_of, shown, stored_receipt
from fabula.operations.table import StoryRequest, operation


class TellReceiptRequest(StoryRequest):
    """The id of a receipt, and that of an earlier one to compare it with."""

    receipt_id: Id
    since: Id | None = None


class ToldChanges(Value):
    """What a context tells otherwise than an earlier one, by names."""

    came: tuple[str, ...]
    went: tuple[str, ...]
    changed: tuple[str, ...]
    moved: tuple[str, ...]


class TellReceiptResponse(Value):
    """What a context told you and why, what did not fit, and what differs from the earlier one."""

    receipt_id: str
    chapter: int
    scene: int
    revision: int
    estimated_tokens: int
    total_budget: int
    included: tuple[ToldPiece, ...]
    no_room: tuple[MissedPiece, ...]
    changes: ToldChanges | None


@operation("agent.receipt.read", role=Role.READER, audience="model")
def told_receipt(call: Call, request: TellReceiptRequest) -> TellReceiptResponse:
    """Tell an agent what one of its contexts told it, and what has changed since another."""
    receipt = _own(call, request.project_id, request.receipt_id)
    earlier = None if request.since is None else _own(call, request.project_id, request.since)
    moments = [Moment(chapter=one.chapter, scene=one.scene) for one in (receipt, earlier or receipt)]
    # What both may be told of counts: an earlier scene knows less.
    first = min(moments, key=lambda moment: (moment.chapter, moment.scene or 0))
    with listening(call, request.project_id, first) as view:
        return TellReceiptResponse(
            receipt_id=receipt.id,
            chapter=receipt.chapter,
            scene=receipt.scene,
            revision=receipt.revision,
            estimated_tokens=receipt.estimated_tokens,
            total_budget=receipt.total_budget,
            included=tuple(
                ToldPiece(
                    kind=one.kind,
                    label=view.label(one.label),
                    reason=one.reason,
                    tokens=one.tokens,
                    cut=one.cut,
                )
                for one in receipt.told
            ),
            no_room=tuple(
                MissedPiece(kind=one.kind, label=view.label(one.label), missing_tokens=one.missing_tokens)
                for one in receipt.left_out
                if one.reason == "budget"
            ),
            changes=None if earlier is None else _changes(view, earlier, receipt),
        )


def _own(call: Call, project_id: str, receipt_id: str) -> ContextReceipt:
    """Return a receipt of an agent's context from the same point of view; NotFound for any other."""
    receipt = shown(stored_receipt(call, project_id, receipt_id))
    if receipt.door != "mcp" or receipt.pov != call.pov:
        raise no_receipt(receipt_id)
    return receipt


def _changes(view: ModelView, earlier: ContextReceipt, receipt: ContextReceipt) -> ToldChanges:
    found = difference(pieces_of(earlier), pieces_of(receipt))

    def names(kind: str) -> tuple[str, ...]:
        return tuple(view.label(one.label) for one in getattr(found, kind))

    return ToldChanges(**{kind: names(kind) for kind in ToldChanges.model_fields})
