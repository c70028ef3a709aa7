"""Read and compare the receipts of contexts."""

from __future__ import annotations

from pydantic import Field

from fabula.call import Call
from fabula.errors import NotFound
from fabula.model.account import Role
from fabula.model.bounds import PageNumber, PageSize
from fabula.model.wire import Id, Value
from fabula.operations.receipt_keeping import ContextReceipt, ReceiptHeading
from fabula.operations.receipts.comparing import ReceiptDifference, ToldPieces, difference
from fabula.operations.table import StoryRequest, operation
from fabula.store.conversations import StoredReceipt
from fabula.store.page import Page


class ListReceiptsRequest(StoryRequest):
    """A page of a story's receipts."""

    page: PageNumber = 0
    size: PageSize = 20


class ReceiptRequest(StoryRequest):
    """A receipt by its id."""

    receipt_id: Id


class DiffReceiptsRequest(StoryRequest):
    """Two receipts of a story by their ids."""

    from_: Id = Field(alias="from")
    to: Id


class DiffReceiptsResponse(Value):
    """Two receipts, and what the second context tells otherwise than the first."""

    from_: ReceiptHeading = Field(alias="from")
    to: ReceiptHeading
    difference: ReceiptDifference


@operation("receipt.list", role=Role.READER)
def list_receipts(call: Call, request: ListReceiptsRequest) -> Page[ReceiptHeading]:
    """List the receipts of a story's contexts, newest first."""
    with call.store.read() as reader:
        reader.story(request.project_id)
        size = request.size
        found = reader.conversations.receipts(request.project_id, size, request.page * size)
    return Page(tuple(map(ReceiptHeading.model_validate, found.items)), found.total)


@operation("receipt.read", role=Role.READER)
def read_receipt(call: Call, request: ReceiptRequest) -> ContextReceipt:
    """Read a receipt: what was told, with versions and hashes, and what was left out and why."""
    return shown(stored_receipt(call, request.project_id, request.receipt_id))


@operation("receipt.diff", role=Role.READER)
def diff_receipts(call: Call, request: DiffReceiptsRequest) -> DiffReceiptsResponse:
    """Compare two receipts: what came, went, changed and moved."""
    pair = (request.from_, request.to)
    first, second = (shown(stored_receipt(call, request.project_id, one)) for one in pair)
    found = difference(pieces_of(first), pieces_of(second))
    sides = {"from": _heading(first), "to": _heading(second)}
    return DiffReceiptsResponse(**sides, difference=found)


def stored_receipt(call: Call, project_id: str, receipt_id: str) -> StoredReceipt:
    """Return a receipt with its input; NotFound if there is none, or none any more."""
    with call.store.read() as reader:
        reader.story(project_id)
        found = reader.conversations.receipt(project_id, receipt_id)
    if found is None:
        raise no_receipt(receipt_id)
    return found


def no_receipt(receipt_id: str) -> NotFound:
    """Return the refusal of an id that no receipt has."""
    return NotFound(
        f"There is no receipt '{receipt_id}'.",
        details={"receiptId": receipt_id},
        suggestion="List the receipts: only the newest ones of a story are kept.",
    )


def shown(stored: StoredReceipt) -> ContextReceipt:
    """Return a receipt without its input."""
    return ContextReceipt.model_validate({**stored.heading, **stored.content})


def pieces_of(receipt: ContextReceipt) -> ToldPieces:
    """Return what a receipt says was told."""
    return ToldPieces(receipt.told, receipt.left_out, receipt.messages_hash, receipt.estimated_tokens)


def _heading(receipt: ContextReceipt) -> ReceiptHeading:
    return ReceiptHeading(**{name: getattr(receipt, name) for name in ReceiptHeading.model_fields})
