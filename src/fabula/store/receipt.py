"""Which step of a story a caller's write became: noted by the store, shown by the doors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Receipt:
    """The revision of the last step that was kept for a caller; None as long as nothing was written."""

    revision: int | None = None


# An object and not a number: a door's threads work on copies of its context, and the door must see it.
_receipt: ContextVar[Receipt | None] = ContextVar("receipt", default=None)


@contextmanager
def receipted() -> Iterator[Receipt]:
    """A receipt for everything that is written meanwhile; whoever asked for one around this gets it, too."""
    outer, receipt = _receipt.get(), Receipt()
    token = _receipt.set(receipt)
    try:
        yield receipt
    finally:
        _receipt.reset(token)
        if outer is not None and receipt.revision is not None:
            outer.revision = receipt.revision


def note_step(revision: int) -> None:
    """A step was kept."""
    receipt = _receipt.get()
    if receipt is not None:
        receipt.revision = revision
