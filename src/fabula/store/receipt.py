"""The revision of a caller's write, recorded by the store and shown by the interfaces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Receipt:
    """The revision of the caller's last step; None as long as nothing was written."""

    revision: int | None = None


# An object, not a number: threads run in copies of the context, and the caller must see the change.
_receipt: ContextVar[Receipt | None] = ContextVar("receipt", default=None)


@contextmanager
def receipted() -> Iterator[Receipt]:
    """Collect a receipt for all writes in the block; an enclosing receipt gets it, too."""
    outer, receipt = _receipt.get(), Receipt()
    token = _receipt.set(receipt)
    try:
        yield receipt
    finally:
        _receipt.reset(token)
        if outer is not None and receipt.revision is not None:
            outer.revision = receipt.revision


def note_step(revision: int) -> None:
    """Record a step on the current receipt."""
    receipt = _receipt.get()
    if receipt is not None:
        receipt.revision = revision
