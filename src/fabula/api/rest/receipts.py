"""`/stories/{storyId}/receipts`: what contexts told, compared, made again, and asked about."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.receipt_keeping import ReceiptHeading
from fabula.operations.receipts.reading import diff_receipts, list_receipts, read_receipt
from fabula.operations.receipts.replaying import replay_receipt
from fabula.operations.receipts.to_include import to_include
from fabula.operations.receipts.what_if import what_if

_ONE = "/{receiptId}"

router = routes(
    "/stories/{storyId}/receipts",
    "receipts",
    (
        Route("GET", "", list_receipts, pages=ReceiptHeading),
        Route("GET", _ONE, read_receipt),
        Route("POST", "/diff", diff_receipts),
        Route("POST", f"{_ONE}/replay", replay_receipt),
        Route("POST", f"{_ONE}/what-if", what_if, name="receipt_what_if"),
        Route("POST", f"{_ONE}/to-include", to_include),
    ),
)
