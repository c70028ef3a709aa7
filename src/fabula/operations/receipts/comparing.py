"""What differs between two contexts, by their receipts: what came, went, changed and moved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from fabula.assembly.reasons import ReasonCode
from fabula.model.wire import Value
from fabula.operations.receipt_keeping import ReceiptLeftOut, ReceiptPiece


class PieceChange(Value):
    """A piece that only one of two contexts tells, or that both tell differently.

    `reason` is the second context's: why it tells the piece or leaves it out; None if it does not know it.
    """

    kind: str
    id: str
    label: str
    reason: ReasonCode | None
    from_tokens: int | None
    to_tokens: int | None


class ReceiptDifference(Value):
    """What the second of two contexts tells otherwise than the first.

    `changed` has another text, `moved` stands at another place among what both tell.
    """

    came: tuple[PieceChange, ...]
    went: tuple[PieceChange, ...]
    changed: tuple[PieceChange, ...]
    moved: tuple[PieceChange, ...]
    same_messages: bool
    from_tokens: int
    to_tokens: int


class ToldPieces(NamedTuple):
    """What a context tells and leaves out."""

    told: Sequence[ReceiptPiece]
    left_out: Sequence[ReceiptLeftOut]
    messages_hash: str
    tokens: int


def difference(first: ToldPieces, second: ToldPieces) -> ReceiptDifference:
    """Compare two contexts."""
    had, has = ({(one.kind, one.id): one for one in side.told} for side in (first, second))
    why = {(one.kind, one.id): one.reason for one in second.left_out}

    def change(key: tuple[str, str]) -> PieceChange:
        was, now = had.get(key), has.get(key)
        one = now or was
        assert one is not None
        return PieceChange(
            kind=one.kind,
            id=one.id,
            label=one.label,
            reason=why.get(key) if now is None else now.reason,
            from_tokens=None if was is None else was.tokens,
            to_tokens=None if now is None else now.tokens,
        )

    both = [key for key in has if key in had]
    order = {key: place for place, key in enumerate(had)}
    stay = _longest_rising([order[key] for key in both])
    moved = [key for key in both if order[key] not in stay or had[key].position != has[key].position]
    return ReceiptDifference(
        came=tuple(change(key) for key in has if key not in had),
        went=tuple(change(key) for key in had if key not in has),
        changed=tuple(change(key) for key in both if had[key].hash != has[key].hash),
        moved=tuple(map(change, moved)),
        same_messages=first.messages_hash == second.messages_hash,
        from_tokens=first.tokens,
        to_tokens=second.tokens,
    )


def _longest_rising(numbers: Sequence[int]) -> set[int]:
    """Return a longest part of the numbers that rises: what is not in it has moved."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
        places[at : at + 1] = [place]
        before.append(places[at - 1] if at else -1)
    stay, place = set(), places[-1] if places else -1
    while place >= 0:
        stay.add(numbers[place])
        place = before[place]
    return stay
